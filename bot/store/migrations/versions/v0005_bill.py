"""What is spent, by person, by channel and by month, is summed before each call of a model."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"

BY_PERSON = """
create index runs_by_person on db_agent.runs (team_id, asked_by, created_at)
"""
BY_CHANNEL = """
create index runs_by_channel on db_agent.runs (team_id, channel_id, created_at)
"""
PAID_BY_TIME = """
create index runs_paid_by_time on db_agent.runs (team_id, created_at) include (cost_usd)
where cost_usd > 0
"""


def upgrade() -> None:
    for statement in (BY_PERSON, BY_CHANNEL, PAID_BY_TIME):
        op.execute(statement)
