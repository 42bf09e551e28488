"""What people thought of a card, private answers that were shared, and the zone of a run."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"

# One vote of each person on each run; the last click counts, by Slack's own clock.
FEEDBACK = """
create table db_agent.feedback (
    run_id uuid not null references db_agent.runs on delete cascade,
    person text not null,
    vote text not null check (vote in ('up', 'down')),
    reason text not null default '',
    voted_at timestamptz not null,
    primary key (run_id, person),
    check (vote = 'down' or reason = '')
)
"""

# A private answer is shared once. Without a message it is under way, or its process died over it.
SHARES = """
create table db_agent.shares (
    run_id uuid primary key references db_agent.runs on delete cascade,
    begun_at timestamptz not null default now(),
    message_ts text
)
"""

ZONE = "alter table db_agent.runs add column time_zone text not null default ''"

# As it was, and what people thought of the answer behind it.
RUNS = """
create or replace view db_agent_log.runs as
select
    runs.created_at as started_at,
    runs.asked_by as person,
    case when channels.is_public then runs.channel_id end as channel,
    case when channels.is_public then runs.question end as question,
    case runs.status when 'finished' then runs.outcome else runs.status end as outcome,
    coalesce(runs.outcome in ('answered', 'answered_with_caveats'), false) as answered,
    coalesce(runs.failed, false) as failed,
    runs.outcome is not distinct from 'escalated' or escalation.status is not null as escalated,
    escalation.status as escalation,
    round(runs.duration_ms / 1000.0, 1) as seconds,
    cardinality(runs.warnings) as warnings,
    runs.hops as tool_calls,
    (last.state ->> 'error_count')::integer as errors,
    (last.state ->> 'backtrack_count')::integer as backtracks,
    (last.state ->> 'model_calls')::integer as model_calls,
    runs.n_queries as queries,
    runs.input_tokens + runs.output_tokens + runs.cache_read_tokens + runs.cache_write_tokens
        as tokens,
    runs.cost_usd,
    nullif(runs.model, '') as model,
    nullif(runs.judge, '') as judge,
    case when channels.is_public then nullif(array_to_string(runs.tables_read, ', '), '') end
        as tables,
    case when channels.is_public then nullif(runs.summary, '') end as summary,
    runs.id as run_id,
    votes.up as thumbs_up,
    votes.down as thumbs_down,
    case when channels.is_public then votes.reasons end as thumbs_down_reasons
from db_agent.runs
left join db_agent.channels
    on channels.team_id = runs.team_id and channels.channel_id = runs.channel_id
left join lateral (
    select transitions.state from db_agent.transitions
    where transitions.run_id = runs.id
    order by transitions.number desc
    limit 1
) as last on true
left join lateral (
    select escalations.status from db_agent.escalations
    where escalations.run_id = runs.id
    order by escalations.opened_at desc
    limit 1
) as escalation on true
cross join lateral (
    select
        (count(*) filter (where feedback.vote = 'up'))::integer as up,
        (count(*) filter (where feedback.vote = 'down'))::integer as down,
        string_agg(feedback.reason, '; ' order by feedback.voted_at)
            filter (where feedback.reason <> '') as reasons
    from db_agent.feedback
    where feedback.run_id = runs.id
) as votes
where not runs.only_for_asker and runs.summary <> 'no question'
"""

COLUMNS = {
    "thumbs_up": "How many people found the answer good.",
    "thumbs_down": "How many people found the answer bad.",
    "thumbs_down_reasons": (
        "What those who found it bad wrote of it; empty where the channel is not public."
    ),
}


def upgrade() -> None:
    for statement in (FEEDBACK, SHARES, ZONE, RUNS):
        op.execute(statement)
    for column, words in COLUMNS.items():
        op.execute(f"comment on column db_agent_log.runs.{column} is '{words}'")
