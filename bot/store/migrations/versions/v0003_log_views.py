"""Two views for people: what was asked and how it ended, and the steps of each run."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"

SCHEMA = "create schema if not exists db_agent_log"

# What only the one who asked has seen is in neither view, and small talk is no run. Of a channel
# that is not known to be public there are figures, but no words.
RUNS = """
create view db_agent_log.runs as
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
    runs.id as run_id
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
where not runs.only_for_asker and runs.summary <> 'no question'
"""

STEPS = """
create view db_agent_log.steps as
select
    transitions.at as happened_at,
    runs.asked_by as person,
    row_number() over (partition by runs.id order by transitions.number, step.place)::integer
        as number,
    transitions.source as phase,
    transitions.event,
    case when channels.is_public then transitions.trigger end as text,
    step.value ->> 'tool' as tool,
    case when channels.is_public then nullif(step.value ->> 'subject', '') end as subject,
    not (step.value ->> 'ok')::boolean as failed,
    case when channels.is_public then nullif(step.value ->> 'error', '') end as error,
    (step.value ->> 'rows')::integer as rows,
    round((step.value ->> 'duration_ms')::numeric, 1) as ms,
    runs.id as run_id
from db_agent.runs
join db_agent.transitions on transitions.run_id = runs.id
left join db_agent.channels
    on channels.team_id = runs.team_id and channels.channel_id = runs.channel_id
left join lateral jsonb_array_elements(nullif(transitions.steps, 'null'))
    with ordinality as step (value, place) on true
where not runs.only_for_asker and runs.summary <> 'no question'
"""

ABOUT_RUNS = (
    "One row for each question that somebody asked the bot, and how its run ended. Questions in "
    "direct messages are not in it."
)
ABOUT_STEPS = (
    "One row for each step of a run: a tool call, or a decision between two of them. Steps of "
    "questions in direct messages are not in it."
)
RUN_COLUMNS = {
    "started_at": "The date and time when the question was asked.",
    "person": "Who asked: a Slack member id.",
    "channel": "The Slack channel id; empty where the channel is not public.",
    "question": "What was asked; empty where the channel is not public.",
    "outcome": (
        "How it ended: answered, answered_with_caveats, no_data, needs_clarification, "
        "not_permitted, failed, system_fault, escalated, cancelled; turned_away where it never "
        "began or was cut off; running where it has not ended."
    ),
    "answered": "Whether it ended with an answer.",
    "failed": "Whether it ended badly: a limit was met, something broke, or it was cut off.",
    "escalated": "Whether it was handed to a person.",
    "escalation": "Where that stands: open, claimed, answered, marked_wrong, closed.",
    "seconds": "How long the run took, in seconds.",
    "warnings": "How many warnings stood on the card.",
    "tool_calls": "How many tool calls there were, failed ones included.",
    "errors": "How many tool calls failed.",
    "backtracks": "How often it went back to try another way.",
    "model_calls": "How many turns the model took.",
    "queries": "How many SQL queries ran.",
    "tokens": "How many tokens the model used.",
    "cost_usd": "What it cost in US dollars; empty where the price is not known.",
    "model": "The model that answered.",
    "judge": "The model that judged the answer; empty for none.",
    "tables": "The tables that the answer comes from; empty where the channel is not public.",
    "summary": (
        "What the run did, or why it failed, in plain words; empty where the channel is not public."
    ),
    "run_id": "Names the run; its steps have the same.",
}
STEP_COLUMNS = {
    "happened_at": "The date and time of the step.",
    "person": "Who asked the question: a Slack member id.",
    "number": "The place of the step in its run, from 1.",
    "phase": "The phase of the run in which it happened.",
    "event": "What the step was to the state machine.",
    "text": "What happened, in plain words; empty where the channel is not public.",
    "tool": "The tool that was called; empty for a decision.",
    "subject": (
        "What the call was about: a table, a query, a chart; empty where the channel is not public."
    ),
    "failed": "Whether the tool call failed; empty for a decision.",
    "error": "Why the tool call failed; empty where the channel is not public.",
    "rows": "How many rows a query gave.",
    "ms": "How long a query took, in milliseconds.",
    "run_id": "Names the run that the step is of.",
}


def upgrade() -> None:
    for statement in (SCHEMA, RUNS, STEPS):
        op.execute(statement)
    for view, about, columns in (
        ("db_agent_log.runs", ABOUT_RUNS, RUN_COLUMNS),
        ("db_agent_log.steps", ABOUT_STEPS, STEP_COLUMNS),
    ):
        op.execute(f"comment on view {view} is '{about}'")
        for column, words in columns.items():
            op.execute(f"comment on column {view}.{column} is '{words}'")
