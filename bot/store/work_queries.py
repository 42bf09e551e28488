"""The SQL of runs under way: whose they are, and how far they have come."""

BEGIN = """
update db_agent.runs
set owner = %(owner)s, attempt = attempt + 1, begun_at = coalesce(begun_at, now()),
    seen_at = now()
from db_agent.conversations
where conversations.id = runs.conversation_id and runs.id = %(run_id)s
  and (runs.status = 'running' or not runs.shown)
returning runs.id, runs.team_id, runs.channel_id, conversations.thread_ts, runs.message_ts,
          runs.asked_by, runs.question, runs.about, runs.how, runs.attempt,
          runs.attempt - runs.given_back - 1 as failures, runs.created_at, runs.card_ts,
          runs.status <> 'running' as has_ended, runs.dropped, runs.stop_by,
          runs.part
"""

# One after the other, so that two that begin together see each other: "room" in bytes.
LOCK_ROOM = """
select pg_advisory_xact_lock(x'726f6f6d'::bigint)
"""

# A run has an owner from when it is begun until it ends, or is given back.
RUNNING_BESIDE = """
select count(*) as in_all,
       count(*) filter (where others.team_id = ours.team_id and others.asked_by = ours.asked_by)
         as of_the_person
from db_agent.runs as ours
join db_agent.runs as others
  on others.status = 'running' and others.owner <> '' and others.id <> ours.id
where ours.id = %(run_id)s and ours.status = 'running'
"""

KEPT = """
select at, source, event, target, trigger, state, model_output, usage, cost_usd, plan, steps,
       critique, checkpoint
from db_agent.transitions
where run_id = %(run_id)s
order by number
"""

# One statement, so that nothing is added to a run that is another's by then.
KEEP = """
with ours as (
    update db_agent.runs set part = null
    where id = %(run_id)s and owner = %(owner)s and attempt = %(attempt)s and status = 'running'
    returning id
)
insert into db_agent.transitions
    (run_id, number, at, source, event, target, trigger, state, model_output, usage, cost_usd,
     plan, steps, critique, checkpoint)
select id, %(number)s, %(at)s, %(source)s, %(event)s, %(target)s, %(trigger)s, %(state)s,
       %(model_output)s, %(usage)s, %(cost_usd)s, %(plan)s, %(steps)s, %(critique)s,
       %(checkpoint)s
from ours
on conflict (run_id, number) do update set checkpoint = excluded.checkpoint
"""

KEEP_PART = """
update db_agent.runs set part = %(checkpoint)s
where id = %(run_id)s and owner = %(owner)s and attempt = %(attempt)s and status = 'running'
"""

# What it took to go on is not needed any more, and holds rows.
SHOWN = """
update db_agent.runs
set shown = true, part = null, how = how - 'response_url',
    card_ts = coalesce(%(card_ts)s, card_ts)
where id = %(run_id)s and owner = %(owner)s and attempt = %(attempt)s
"""
FORGET_CHECKPOINTS = """
update db_agent.transitions set checkpoint = null
where run_id = %(run_id)s and checkpoint is not null
"""

GIVE_BACK = """
update db_agent.runs set owner = '', given_back = given_back + 1
where id = %(run_id)s and owner = %(owner)s and attempt = %(attempt)s
"""

RENEW = """
update db_agent.runs set seen_at = now()
where id = any (%(run_ids)s::uuid[]) and owner = %(owner)s
returning id, dropped, stop_by
"""

ASK_TO_STOP = """
update db_agent.runs set stop_by = %(by)s
where id = %(run_id)s and status = 'running' and stop_by = ''
"""

# The newest last.
UNDER_WAY = """
select runs.id, runs.asked_by, runs.team_id, runs.channel_id, conversations.thread_ts
from db_agent.runs
join db_agent.conversations on conversations.id = runs.conversation_id
where (%(run_id)s::uuid is null or runs.id = %(run_id)s)
  and (%(channel)s::text is null
       or runs.team_id = %(team)s and runs.channel_id = %(channel)s)
  and (%(thread_ts)s::text is null or conversations.thread_ts = %(thread_ts)s)
  and runs.status = 'running' and runs.dropped = ''
order by runs.created_at
"""

TEAM_OF = """
select team_id from db_agent.runs where id = %(run_id)s
"""

IS_HELD = """
select from db_agent.runs
where id = %(run_id)s and owner = %(owner)s and attempt = %(attempt)s
"""
