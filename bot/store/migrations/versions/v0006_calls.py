"""Which calls of a model are under way, and what each may cost at most."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"

# A run has one call at a time. Tickets are drawn under a lock, so their order is that in which they
# are seen. Past `expires_at` the process that had the call is dead.
CALLS = """
create table db_agent.calls (
    run_id uuid primary key references db_agent.runs (id) on delete cascade,
    ticket bigint generated always as identity,
    most_usd numeric not null,
    expires_at timestamptz not null
)
"""


def upgrade() -> None:
    op.execute(CALLS)
