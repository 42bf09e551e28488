"""The SQL of questions that were changed or deleted after they were asked."""

CONVERSATION_OF = """
select conversation_id, asked_by
from db_agent.runs
where team_id = %(team)s and channel_id = %(channel)s and message_ts = %(ts)s
limit 1
"""

# Claims lock this row too: what follows in the same transaction sees every earlier revision.
LOCK_CONVERSATION = """
select from db_agent.conversations where id = %(conversation_id)s for update
"""

NEWEST_REVISION = """
select id, status, revision
from db_agent.runs
where team_id = %(team)s and channel_id = %(channel)s and message_ts = %(ts)s
order by revision desc
limit 1
"""

DROP_EARLIER = """
update db_agent.runs set dropped = %(dropped)s
where team_id = %(team)s and channel_id = %(channel)s and message_ts = %(ts)s
  and revision < %(revision)s and dropped = ''
"""

ADD_REVISION = """
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, revision, asked_by, question, how,
     shown)
values
    (%(run_id)s, %(conversation_id)s, %(team)s, %(channel)s, %(ts)s, %(revision)s, %(asked_by)s,
     %(text)s, %(how)s, false)
"""

DROP_RUNNING = """
update db_agent.runs set dropped = %(dropped)s
where team_id = %(team)s and channel_id = %(channel)s and message_ts = %(ts)s
  and status = 'running' and dropped = ''
returning id
"""

# Who works on it stands behind the run of the wording before, in the line of its thread: that one
# is over.
TAKE_CARD = """
update db_agent.runs set card_ts = before.card_ts
from (
    select earlier.card_ts
    from db_agent.runs as ours
    join db_agent.runs as earlier using (team_id, channel_id, message_ts)
    where ours.id = %(run_id)s and earlier.revision < ours.revision
      and earlier.card_ts is not null
    order by earlier.revision desc
    limit 1
) as before
where runs.id = %(run_id)s and runs.card_ts is null
returning runs.card_ts
"""
