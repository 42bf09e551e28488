"""When people were reminded of a question that waits for them."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute("alter table db_agent.escalations add column reminded_at timestamptz")
