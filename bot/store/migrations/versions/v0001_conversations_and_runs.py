"""Conversations, runs, their results and their transitions."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None

CONVERSATIONS = """
create table db_agent.conversations (
    id bigint generated always as identity primary key,
    team_id text not null,
    channel_id text not null,
    thread_ts text not null,
    created_at timestamptz not null default now(),
    last_at timestamptz not null default now(),
    unique (team_id, channel_id, thread_ts)
)
"""

# (team_id, channel_id, message_ts) is unique for good: whatever arrives twice is answered once.
RUNS = """
create table db_agent.runs (
    id uuid primary key,
    conversation_id bigint not null references db_agent.conversations on delete cascade,
    team_id text not null,
    channel_id text not null,
    message_ts text not null,
    asked_by text not null,
    question text not null,
    status text not null default 'running'
        check (status in ('running', 'finished', 'turned_away')),
    outcome text,
    failed boolean,
    answer text not null default '',
    summary text not null default '',
    warnings text[] not null default '{}',
    tables_read text[] not null default '{}',
    model text not null default '',
    hops integer,
    n_queries integer,
    input_tokens bigint,
    output_tokens bigint,
    cache_read_tokens bigint,
    cache_write_tokens bigint,
    duration_ms integer,
    fault_detail text not null default '',
    card_ts text,
    seen_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    finished_at timestamptz,
    unique (team_id, channel_id, message_ts),
    check ((status = 'finished') = (outcome is not null)),
    check ((status = 'running') = (finished_at is null))
)
"""

RUNS_BY_CONVERSATION = """
create index runs_by_conversation on db_agent.runs (conversation_id, created_at)
"""

RUNS_UNFINISHED = """
create index runs_unfinished on db_agent.runs (seen_at) where status = 'running'
"""

RESULTS = """
create table db_agent.results (
    run_id uuid not null references db_agent.runs on delete cascade,
    number integer not null,
    sql text not null,
    column_names text[] not null,
    column_types text[] not null,
    rows jsonb not null,
    truncated boolean not null,
    notes text[] not null default '{}',
    duration_ms double precision not null,
    created_at timestamptz not null default now(),
    primary key (run_id, number)
)
"""

TRANSITIONS = """
create table db_agent.transitions (
    run_id uuid not null references db_agent.runs on delete cascade,
    number integer not null,
    at timestamptz not null,
    source text not null,
    event text not null,
    target text not null,
    trigger text not null,
    state jsonb not null,
    model_output text not null,
    primary key (run_id, number)
)
"""


def upgrade() -> None:
    for statement in (
        CONVERSATIONS,
        RUNS,
        RUNS_BY_CONVERSATION,
        RUNS_UNFINISHED,
        RESULTS,
        TRANSITIONS,
    ):
        op.execute(statement)
