"""The trail's details, what the gate found, escalations, and which channels are public."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"

# What only the one who asked has seen: a direct message, or an answer to a command in a channel
# that we are no member of, which has no message of its own and is called after its trigger.
RUNS = """
alter table db_agent.runs
    add column plan text[] not null default '{}',
    add column caveats text[] not null default '{}',
    add column evidence jsonb,
    add column calculations jsonb,
    add column clarification jsonb,
    add column verdict jsonb,
    add column judge text not null default '',
    add column draft text not null default '',
    add column cost_usd numeric,
    add column only_for_asker boolean not null
        generated always as (channel_id like 'D%' or message_ts like 'command %') stored
"""

RUNS_BY_TIME = """
create index runs_by_time on db_agent.runs (team_id, created_at desc)
"""

RESULTS = """
alter table db_agent.results
    add column tables text[] not null default '{}',
    add column audit jsonb,
    add column set_aside boolean not null default false
"""

TRANSITIONS = """
alter table db_agent.transitions
    add column usage jsonb,
    add column cost_usd numeric,
    add column plan text[] not null default '{}',
    add column steps jsonb,
    add column critique jsonb
"""

# A channel that is not here, or not noted as public, is treated as private.
CHANNELS = """
create table db_agent.channels (
    team_id text not null,
    channel_id text not null,
    is_public boolean not null,
    noted_at timestamptz not null default now(),
    primary key (team_id, channel_id)
)
"""

ESCALATIONS = """
create table db_agent.escalations (
    id uuid primary key,
    run_id uuid not null references db_agent.runs on delete cascade,
    status text not null default 'open'
        check (status in ('open', 'claimed', 'answered', 'marked_wrong', 'closed')),
    reason text not null,
    asked_by text not null,
    opened_at timestamptz not null default now(),
    channel_id text,
    message_ts text,
    claimed_by text,
    claimed_at timestamptz,
    answered_by text,
    answered_at timestamptz,
    answer text not null default '',
    answer_ts text,
    check ((claimed_by is null) = (claimed_at is null)),
    check ((answered_by is null) = (answered_at is null)),
    check ((status in ('open', 'claimed')) = (answered_by is null)),
    check (status <> 'claimed' or claimed_by is not null)
)
"""

ONE_UNSETTLED_ESCALATION = """
create unique index one_unsettled_escalation on db_agent.escalations (run_id)
where status in ('open', 'claimed')
"""

ESCALATIONS_BY_RUN = """
create index escalations_by_run on db_agent.escalations (run_id, opened_at)
"""


def upgrade() -> None:
    for statement in (
        RUNS,
        RUNS_BY_TIME,
        RESULTS,
        TRANSITIONS,
        CHANNELS,
        ESCALATIONS,
        ONE_UNSETTLED_ESCALATION,
        ESCALATIONS_BY_RUN,
    ):
        op.execute(statement)
