"""The SQL of the bill. Values are always parameters."""

from typing import Final, LiteralString

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

# In the very transaction that writes down what the call took.
END_CALL: Final = """
delete from db_agent.calls where run_id = %(run_id)s
"""

# One after the other, so that who draws a ticket sees all earlier ones: "calls" in bytes.
LOCK_CALLS: Final = """
select pg_advisory_xact_lock(x'63616c6c73'::bigint)
"""

QUEUE_UP: Final = """
with dead as (
    delete from db_agent.calls where expires_at < clock_timestamp() and run_id <> %(run_id)s
)
insert into db_agent.calls (run_id, most_usd, expires_at)
values (%(run_id)s, %(most_usd)s, clock_timestamp() + make_interval(secs => %(lasts_s)s))
on conflict (run_id) do update
    set ticket = default, most_usd = excluded.most_usd, expires_at = excluded.expires_at
returning ticket
"""


# What runs that are gone took stays, without the people: no ceiling of a person counts it, since a
# day is over before its runs age out.
_GONE: Final = """
from db_agent.spent
where team_id = %(team)s and quarter >= %(since)s and quarter < %(until)s
"""


def _standing(whose: LiteralString, gone: LiteralString) -> LiteralString:
    """All sums in one statement: a call that ends meanwhile is in exactly one of them."""
    question = f"""
        runs.team_id = %(team)s and runs.created_at >= %(since)s and runs.created_at < %(until)s
        {whose}
    """
    return f"""
    select
        (select coalesce(sum(cost_usd), 0) from db_agent.runs
         where {question} and cost_usd > 0)
        + (select coalesce(sum(cost_usd), 0) {_GONE} {gone}) as spent,
        (select coalesce(sum(most_usd), 0)
         from db_agent.calls join db_agent.runs on runs.id = calls.run_id
         where {question} and ticket < %(ticket)s and expires_at > clock_timestamp()) as ahead
    """


OF_THE_WORKSPACE: Final = _standing("", "")
OF_A_PERSON: Final = _standing("and runs.asked_by = %(name)s", "and false")
OF_A_CHANNEL: Final = _standing("and runs.channel_id = %(name)s", "and channel_id = %(name)s")

# A question counts once a model was asked: that is when the run has a model's name. Nobody's name
# is on what is gone.
_SUMS: Final = """
    coalesce(sum(questions), 0)::bigint as questions,
    coalesce(sum(tokens), 0)::bigint as tokens,
    coalesce(sum(cost_usd), 0) as cost_usd,
    coalesce(sum(unpriced), 0)::bigint as unpriced
"""
_ASKED: Final = f"""
from (
    select asked_by, channel_id, model, 1 as questions,
           input_tokens + output_tokens + cache_read_tokens + cache_write_tokens as tokens,
           cost_usd, (cost_usd is null)::integer as unpriced
    from db_agent.runs
    where team_id = %(team)s and model <> ''
      and created_at >= %(since)s and created_at < %(until)s
    union all
    select '', channel_id, model, questions, tokens, cost_usd, unpriced {_GONE} and model <> ''
) as asked
"""
OF_ALL: Final = f"select '' as name, {_SUMS} {_ASKED}"
OF_PERSON: Final = f"{OF_ALL} where asked_by = %(name)s"
_LARGEST: Final = (
    "group by 1 order by cost_usd desc, tokens desc, questions desc, 1 limit %(limit)s"
)
BY_PERSON: Final = f"select asked_by as name, {_SUMS} {_ASKED} {_LARGEST}"
BY_CHANNEL: Final = f"""
select case when channel_id like 'D%%' then '' else channel_id end as name, {_SUMS}
{_ASKED} {_LARGEST}
"""
BY_MODEL: Final = f"select model as name, {_SUMS} {_ASKED} {_LARGEST}"
