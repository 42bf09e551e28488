"""The SQL of escalations. Values are always parameters."""

# A process acts only for the workspaces that it has a way into.
OF_TEAM = """
    (%(team)s::text is null
     or exists (select from db_agent.runs
                where runs.id = escalations.run_id and runs.team_id = %(team)s))
"""

COLUMNS = """
    id, run_id, status, reason, asked_by, opened_at, channel_id, message_ts, claimed_by,
    claimed_at, answered_by, answered_at, answer, answer_ts
"""

OPEN = f"""
insert into db_agent.escalations (id, run_id, reason, asked_by)
select %(id)s, runs.id, %(reason)s, %(asked_by)s
from db_agent.runs
where runs.id = %(run_id)s
on conflict (run_id) where status in ('open', 'claimed') do nothing
returning {COLUMNS}
"""

UNSETTLED_OF = f"""
select {COLUMNS} from db_agent.escalations
where run_id = %(run_id)s and status in ('open', 'claimed')
"""

ONE = f"""
select {COLUMNS} from db_agent.escalations where id = %(id)s
"""

UNSETTLED = f"""
select {COLUMNS} from db_agent.escalations
where status in ('open', 'claimed') and {OF_TEAM}
order by opened_at, id
limit %(limit)s
"""

# Until the transaction ends: Slack is asked meanwhile.
TAKES_ITS_TIME = "set local idle_in_transaction_session_timeout = '2min'"
POSTING = """
select pg_try_advisory_xact_lock(hashtextextended('posting ' || %(id)s, 0)) as is_ours
"""

PLACE = """
update db_agent.escalations set channel_id = %(channel)s, message_ts = %(ts)s where id = %(id)s
"""

PLACE_ANSWER = """
update db_agent.escalations set answer_ts = %(ts)s where id = %(id)s
"""

# Whoever claimed it may claim it again: the click may have come twice.
CLAIM = f"""
update db_agent.escalations
set status = 'claimed', claimed_by = %(user)s, claimed_at = coalesce(claimed_at, now())
where id = %(id)s and (status = 'open' or status = 'claimed' and claimed_by = %(user)s)
returning {COLUMNS}
"""

SETTLE = f"""
update db_agent.escalations
set status = %(status)s, answered_by = %(user)s, answered_at = now(), answer = %(answer)s
where id = %(id)s and status in ('open', 'claimed')
returning {COLUMNS}
"""

# Each is taken once, by one process only.
TAKE_OVERDUE = f"""
update db_agent.escalations set reminded_at = now()
where status in ('open', 'claimed') and reminded_at is null and message_ts is not null
  and opened_at < now() - make_interval(secs => %(open_for_s)s)
  and {OF_TEAM}
returning {COLUMNS}
"""

UNDELIVERED = f"""
select {COLUMNS} from db_agent.escalations
where status not in ('open', 'claimed') and answer_ts is null and {OF_TEAM}
  and answered_at between now() - make_interval(days => 3)
                      and now() - make_interval(secs => %(settled_for_s)s)
order by answered_at
limit %(limit)s
"""
