"""The SQL of the bill. Values are always parameters."""

from typing import Final

# As it grows, and whatever the run's status: a run that was given up for dead may still spend.
NOTE_SPENDING: Final = """
update db_agent.runs set
    model = %(model)s,
    input_tokens = greatest(input_tokens, %(input_tokens)s),
    output_tokens = greatest(output_tokens, %(output_tokens)s),
    cache_read_tokens = greatest(cache_read_tokens, %(cache_read_tokens)s),
    cache_write_tokens = greatest(cache_write_tokens, %(cache_write_tokens)s),
    cost_usd = greatest(cost_usd, %(cost_usd)s)
where id = %(run_id)s
"""

ASKED_AT: Final = """
select created_at from db_agent.runs where id = %(run_id)s
"""

_SPENT: Final = """
select coalesce(sum(cost_usd), 0) as spent from db_agent.runs
where team_id = %(team)s and cost_usd > 0
  and created_at >= %(since)s and created_at < %(until)s
"""
SPENT_BY_ALL: Final = _SPENT
SPENT_BY_PERSON: Final = f"{_SPENT} and asked_by = %(name)s"
SPENT_IN_CHANNEL: Final = f"{_SPENT} and channel_id = %(name)s"

# A question counts once a model was asked: that is when the run has a model's name.
_SUMS: Final = """
    count(*) as questions,
    coalesce(sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens), 0)::bigint
        as tokens,
    coalesce(sum(cost_usd), 0) as cost_usd,
    count(*) filter (where cost_usd is null) as unpriced
"""
_ASKED: Final = """
from db_agent.runs
where team_id = %(team)s and model <> '' and created_at >= %(since)s and created_at < %(until)s
"""
OF_ALL: Final = f"select '' as name, {_SUMS} {_ASKED}"
OF_PERSON: Final = f"{OF_ALL} and asked_by = %(name)s"
_LARGEST: Final = (
    "group by 1 order by cost_usd desc, tokens desc, questions desc, 1 limit %(limit)s"
)
BY_PERSON: Final = f"select asked_by as name, {_SUMS} {_ASKED} {_LARGEST}"
BY_CHANNEL: Final = f"""
select case when channel_id like 'D%%' then '' else channel_id end as name, {_SUMS}
{_ASKED} {_LARGEST}
"""
BY_MODEL: Final = f"select model as name, {_SUMS} {_ASKED} {_LARGEST}"
