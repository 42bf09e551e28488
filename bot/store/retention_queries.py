"""The SQL with which data ages out. Values are always parameters."""

from __future__ import annotations

from typing import Final, LiteralString

# One process at a time: "ageing" in bytes.
TURN: Final = "select pg_try_advisory_xact_lock(x'616765696e67'::bigint) as is_ours"

DROP_ROWS: Final = """
with old as (
    select run_id, number from db_agent.results
    where rows <> '[]'::jsonb and created_at < now() - make_interval(days => %(days)s)
    order by created_at
    limit %(limit)s
    for update skip locked
)
update db_agent.results set rows = '[]', rows_gone = true
from old
where results.run_id = old.run_id and results.number = old.number
"""

# Whoever goes on with a run needs them; once it has ended, nobody does.
DROP_CHECKPOINTS: Final = """
with old as (
    select run_id, number
    from db_agent.transitions join db_agent.runs on runs.id = run_id
    where checkpoint is not null and status <> 'running'
      and finished_at < now() - make_interval(days => %(days)s)
    limit %(limit)s
    for update of transitions skip locked
), parts as (
    update db_agent.runs set part = null from old where runs.id = old.run_id and part is not null
)
update db_agent.transitions set checkpoint = null
from old
where transitions.run_id = old.run_id and transitions.number = old.number
"""

# What a run took stays, without the person: the quarter of an hour in which each zone's day may
# begin, and a channel that is nobody's own.
_KEEP_SUMS: Final = """
gone as (
    delete from db_agent.runs using old where runs.id = old.id
    returning runs.*
), sums as (
    insert into db_agent.spent as kept
        (team_id, quarter, channel_id, model, questions, tokens, cost_usd, unpriced)
    select team_id, to_timestamp(floor(extract(epoch from created_at) / 900) * 900),
           case when channel_id like 'D%%' then 'D' else channel_id end, model,
           count(*) filter (where model <> ''),
           coalesce(sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens), 0),
           coalesce(sum(cost_usd), 0), count(*) filter (where model <> '' and cost_usd is null)
    from gone
    where model <> '' or cost_usd > 0
    group by 1, 2, 3, 4
    on conflict (team_id, quarter, channel_id, model) do update set
        questions = kept.questions + excluded.questions, tokens = kept.tokens + excluded.tokens,
        cost_usd = kept.cost_usd + excluded.cost_usd, unpriced = kept.unpriced + excluded.unpriced
)
select count(*) as n from gone
"""


def dropping(old: LiteralString) -> LiteralString:
    """Return the statement that drops the runs whose ids `old` selects, and counts them.

    All that belongs to them goes too; their sums stay.
    """
    return f"with old as ({old}), {_KEEP_SUMS}"


# What still runs is nobody's to drop: it was acknowledged, and is to be answered.
DROP_RUNS: Final = dropping("""
    select id from db_agent.runs
    where status <> 'running' and created_at < now() - make_interval(days => %(days)s)
    order by created_at
    limit %(limit)s
    for update skip locked
""")

# A claim sets `last_at`, so that a conversation that comes back to life is left.
DROP_CONVERSATIONS: Final = """
delete from db_agent.conversations
where id in (
    select id from db_agent.conversations
    where last_at < now() - make_interval(days => %(days)s)
      and not exists (select from db_agent.runs where runs.conversation_id = conversations.id)
    limit %(limit)s
  )
  and last_at < now() - make_interval(days => %(days)s)
"""

DROP_VISITS: Final = """
delete from db_agent.slack_oauth_states
where expire_at < (now() at time zone 'UTC') - interval '1 day'
"""
