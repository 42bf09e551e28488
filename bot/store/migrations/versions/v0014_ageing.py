"""Data ages out: first the rows of results, later whole runs; what they cost stays as sums."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0011"

# A result without rows says by this whether it had some.
RESULTS = """
alter table db_agent.results add column rows_gone boolean not null default false
"""
RESULTS_BY_AGE = """
create index results_by_age on db_agent.results (created_at) where rows <> '[]'::jsonb
"""
RUNS_BY_AGE = """
create index runs_by_age on db_agent.runs (created_at)
"""

# What runs that are gone have cost, by quarter of an hour: each zone's days begin with one. No
# person is in it, and direct messages, whose channel is a person's, are all called 'D'.
SPENT = """
create table db_agent.spent (
    team_id text not null,
    quarter timestamptz not null,
    channel_id text not null,
    model text not null,
    questions integer not null,
    tokens bigint not null,
    cost_usd numeric not null,
    unpriced integer not null,
    primary key (team_id, quarter, channel_id, model)
)
"""


def upgrade() -> None:
    for statement in (RESULTS, RESULTS_BY_AGE, RUNS_BY_AGE, SPENT):
        op.execute(statement)
