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
    runs.id as run_id,
    case when channels.is_public then runs.question end as question,
    runs.asked_by,
    case when channels.is_public then runs.channel_id end as channel,
    runs.created_at as started_at,
    round(runs.duration_ms / 1000.0, 1) as seconds,
    case runs.status when 'finished' then runs.outcome else runs.status end as outcome,
    runs.outcome is not distinct from 'answered'
        or runs.outcome is not distinct from 'answered_with_caveats' as answered,
    coalesce(runs.failed, false) as failed,
    cardinality(runs.warnings) as warnings,
    runs.hops as tool_calls,
    (last.state ->> 'error_count')::integer as errors,
    (last.state ->> 'model_calls')::integer as model_calls,
    (last.state ->> 'backtrack_count')::integer as backtracks,
    runs.n_queries as queries,
    runs.input_tokens + runs.output_tokens + runs.cache_read_tokens + runs.cache_write_tokens
        as tokens,
    runs.cost_usd,
    nullif(runs.model, '') as model,
    nullif(runs.judge, '') as judge,
    runs.outcome is not distinct from 'escalated' or escalation.status is not null as escalated,
    escalation.status as escalation,
    case when channels.is_public then nullif(array_to_string(runs.tables_read, ', '), '') end
        as tables,
    case when channels.is_public then nullif(runs.summary, '') end as summary
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
    runs.id as run_id,
    row_number() over (partition by runs.id order by transitions.number, step.place)::integer
        as number,
    transitions.at as happened_at,
    case when channels.is_public then transitions.trigger end as text,
    step.value ->> 'tool' as tool,
    case when channels.is_public then nullif(step.value ->> 'subject', '') end as subject,
    (step.value ->> 'ok')::boolean as ok,
    case when channels.is_public then nullif(step.value ->> 'error', '') end as error,
    (step.value ->> 'rows')::integer as rows,
    round((step.value ->> 'duration_ms')::numeric, 1) as ms,
    transitions.source as phase,
    transitions.event,
    runs.asked_by
from db_agent.runs
join db_agent.transitions on transitions.run_id = runs.id
left join db_agent.channels
    on channels.team_id = runs.team_id and channels.channel_id = runs.channel_id
left join lateral jsonb_array_elements(nullif(transitions.steps, 'null'))
    with ordinality as step (value, place) on true
where not runs.only_for_asker and runs.summary <> 'no question'
"""

COMMENTS = {
    "view db_agent_log.runs": (
        "One row for each question that somebody asked the bot, and how its run ended. Questions "
        "in direct messages are not in it."
    ),
    "column db_agent_log.runs.run_id": "Names the run; the steps of it have the same.",
    "column db_agent_log.runs.question": (
        "The question; empty where it was asked in a channel that is not public."
    ),
    "column db_agent_log.runs.asked_by": "The person who asked: a Slack member id.",
    "column db_agent_log.runs.channel": (
        "The Slack channel id in which it was asked; empty where that is not public."
    ),
    "column db_agent_log.runs.started_at": "The date and time when the question was asked.",
    "column db_agent_log.runs.seconds": "The duration: how long the run took, in seconds.",
    "column db_agent_log.runs.outcome": (
        "How it ended: answered, answered_with_caveats, no_data, needs_clarification, "
        "not_permitted, failed, system_fault, escalated, cancelled; turned_away where it never "
        "began or was cut off, running where it has not ended."
    ),
    "column db_agent_log.runs.answered": "Whether it ended with an answer.",
    "column db_agent_log.runs.failed": "Whether it ended badly: a limit was met, or a fault.",
    "column db_agent_log.runs.warnings": "How many warnings stood on the card.",
    "column db_agent_log.runs.tool_calls": "How many tools were used, failed calls included.",
    "column db_agent_log.runs.errors": "How many tool calls failed.",
    "column db_agent_log.runs.model_calls": "How many turns the model took.",
    "column db_agent_log.runs.backtracks": "How often it went back and tried another way.",
    "column db_agent_log.runs.queries": "How many SQL queries ran.",
    "column db_agent_log.runs.tokens": "How many tokens the model used.",
    "column db_agent_log.runs.cost_usd": (
        "What it cost in US dollars; empty where the price is not known."
    ),
    "column db_agent_log.runs.model": "The model that answered.",
    "column db_agent_log.runs.judge": "The model that judged the answer; empty for none.",
    "column db_agent_log.runs.escalated": "Whether it was handed to a person.",
    "column db_agent_log.runs.escalation": (
        "Where that stands: open, claimed, answered, marked_wrong, closed."
    ),
    "column db_agent_log.runs.tables": (
        "The database tables that the answer comes from; empty for a channel that is not public."
    ),
    "column db_agent_log.runs.summary": (
        "What the run did, or why it failed, in plain words; empty for a channel that is not "
        "public."
    ),
    "view db_agent_log.steps": (
        "One row for each step of a run: a tool call, or a decision between two of them. Steps of "
        "questions in direct messages are not in it."
    ),
    "column db_agent_log.steps.run_id": "The run that the step is of.",
    "column db_agent_log.steps.number": "The order of the steps of a run, from 1.",
    "column db_agent_log.steps.happened_at": "The date and time of the step.",
    "column db_agent_log.steps.text": (
        "What happened, in plain words; empty for a channel that is not public."
    ),
    "column db_agent_log.steps.tool": "The tool that was called; empty for a decision.",
    "column db_agent_log.steps.subject": (
        "What the call was about: a table, a query, a chart; empty for a channel that is not "
        "public."
    ),
    "column db_agent_log.steps.ok": "Whether the tool call succeeded; empty for a decision.",
    "column db_agent_log.steps.error": (
        "Why the tool call failed; empty for a channel that is not public."
    ),
    "column db_agent_log.steps.rows": "How many rows a query gave.",
    "column db_agent_log.steps.ms": "How long a query took, in milliseconds.",
    "column db_agent_log.steps.phase": "The phase of the run in which it happened.",
    "column db_agent_log.steps.event": "What the step was to the state machine.",
    "column db_agent_log.steps.asked_by": "The person who asked: a Slack member id.",
}


def upgrade() -> None:
    for statement in (SCHEMA, RUNS, STEPS):
        op.execute(statement)
    for what, words in COMMENTS.items():
        quoted = words.replace("'", "''")
        op.execute(f"comment on {what} is '{quoted}'")
