"""The SQL that deletes what a person's questions produced. Values are always parameters."""

from __future__ import annotations

from typing import Final

from bot.store.retention_queries import dropping

TEAMS: Final = """
select team_id from db_agent.runs where %(person)s in (asked_by, stop_by)
union
select team_id from db_agent.feedback join db_agent.runs on runs.id = run_id
where person = %(person)s
union
select team_id from db_agent.escalations join db_agent.runs on runs.id = run_id
where %(person)s in (escalations.asked_by, claimed_by, answered_by)
union
select team_id from db_agent.channel_settings where set_by = %(person)s
union
select team_id from db_agent.slack_installations where user_id = %(person)s and team_id is not null
order by 1
"""

_OWN: Final = "runs.team_id = %(team)s and runs.asked_by = %(person)s"
_OF_OTHERS: Final = "runs.team_id = %(team)s and runs.asked_by <> %(person)s"

TRACES: Final = f"""
select
    (select count(*) from db_agent.runs where {_OWN}) as questions,
    (select count(*) from db_agent.runs where {_OWN} and status = 'running') as under_way,
    (select count(*) from db_agent.feedback join db_agent.runs on runs.id = run_id
     where {_OF_OTHERS} and person = %(person)s) as votes,
    (select count(*) from db_agent.escalations join db_agent.runs on runs.id = run_id
     where {_OF_OTHERS}
       and %(person)s in (escalations.asked_by, claimed_by, answered_by)) as helped,
    (select count(*) from db_agent.channel_settings
     where team_id = %(team)s and set_by = %(person)s)
    + (select count(*) from db_agent.slack_installations
       where team_id = %(team)s and user_id = %(person)s) as settings
"""

# What stands in Slack. A question by a command, or for one's own eyes, has no message of its own.
MESSAGES: Final = f"""
select channel_id, ts, what from (
    select channel_id, message_ts as ts, 'question' as what, created_at
    from db_agent.runs where {_OWN} and message_ts ~ '^[0-9]'
    union all
    select channel_id, card_ts, 'answer', created_at
    from db_agent.runs where {_OWN} and card_ts is not null
    union all
    select runs.channel_id, shares.message_ts, 'shared answer', created_at
    from db_agent.shares join db_agent.runs on runs.id = run_id
    where {_OWN} and shares.message_ts is not null
    union all
    select escalations.channel_id, escalations.message_ts, 'question for a person', created_at
    from db_agent.escalations join db_agent.runs on runs.id = run_id
    where {_OWN} and escalations.message_ts is not null
    union all
    select runs.channel_id, answer_ts, 'answer of a person', created_at
    from db_agent.escalations join db_agent.runs on runs.id = run_id
    where {_OWN} and answer_ts is not null
) as found
order by created_at, ts
"""

# As for a message that was deleted: whoever works on it hears of it with its next renewal, stops,
# and takes its card away.
STOP: Final = f"""
update db_agent.runs set dropped = 'deleted' where {_OWN} and status = 'running' and dropped = ''
"""
UNDER_WAY: Final = f"""
select count(*) as n from db_agent.runs where {_OWN} and status = 'running'
"""

NEXT: Final = f"""
select id, conversation_id, channel_id from db_agent.runs
where {_OWN} order by created_at limit %(limit)s for update
"""
DROP_RUNS: Final = dropping("select unnest(%(ids)s::uuid[]) as id")
# What procrastinate's tables do by themselves they find by the search path.
FIND_JOBS: Final = "set local search_path = db_agent"
DROP_JOBS: Final = """
delete from db_agent.procrastinate_jobs where args ->> 'run_id' = any (%(ids)s::uuid[]::text[])
"""
# Whoever asked later in the same thread was told what had been asked before.
DROP_CHECKPOINTS: Final = """
update db_agent.transitions set checkpoint = null
from db_agent.runs
where runs.id = run_id and runs.conversation_id = any (%(conversations)s)
  and runs.status <> 'running' and checkpoint is not null
"""
DROP_CONVERSATIONS: Final = """
delete from db_agent.conversations
where id = any (%(conversations)s)
  and not exists (select from db_agent.runs where runs.conversation_id = conversations.id)
"""
# A direct message's channel is that of one person.
DROP_DIRECT: Final = """
delete from db_agent.channels
where team_id = %(team)s and channel_id like 'D%%' and channel_id = any (%(channels)s)
"""
DROP_DIRECT_SETTINGS: Final = """
delete from db_agent.channel_settings
where team_id = %(team)s and channel_id like 'D%%' and channel_id = any (%(channels)s)
"""

_IN_OTHERS: Final = f"from db_agent.runs where runs.id = run_id and {_OF_OTHERS}"
NAMELESS: Final = (
    # What they thought of others' answers.
    f"delete from db_agent.feedback using db_agent.runs"
    f" where runs.id = run_id and {_OF_OTHERS} and person = %(person)s",
    # A person whom they asked for: the answer goes to who asked the question.
    f"update db_agent.escalations set asked_by = runs.asked_by {_IN_OTHERS}"
    " and escalations.asked_by = %(person)s",
    # What they had taken on waits for somebody else.
    "update db_agent.escalations set status = 'open', claimed_by = null, claimed_at = null"
    f" {_IN_OTHERS} and escalations.status = 'claimed' and claimed_by = %(person)s",
    # What they have settled stays settled, by somebody.
    f"update db_agent.escalations set claimed_by = '' {_IN_OTHERS} and claimed_by = %(person)s",
    f"update db_agent.escalations set answered_by = '' {_IN_OTHERS} and answered_by = %(person)s",
    "update db_agent.runs set stop_by = '' where team_id = %(team)s and stop_by = %(person)s",
    "update db_agent.channel_settings set set_by = ''"
    " where team_id = %(team)s and set_by = %(person)s",
    "update db_agent.slack_installations set user_id = '', user_token = null,"
    " user_refresh_token = null where team_id = %(team)s and user_id = %(person)s",
)
