"""The SQL of the log. Values are always parameters."""

# Small talk is no question. What the viewer may not see is left out before anything else.
FIND = """
select runs.id, runs.question, runs.asked_by, runs.channel_id, conversations.thread_ts,
       runs.message_ts, runs.card_ts, runs.outcome, coalesce(runs.failed, false) as failed,
       runs.created_at, runs.summary, runs.answer, runs.duration_ms, runs.cost_usd, runs.warnings,
       escalation.status as escalation,
       coalesce(escalation.answered_by, escalation.claimed_by) as held_by,
       votes.thumbs_up, votes.thumbs_down, votes.complaint
from db_agent.runs
join db_agent.conversations on conversations.id = runs.conversation_id
left join db_agent.channels
  on channels.team_id = runs.team_id and channels.channel_id = runs.channel_id
left join lateral (
    select status, answered_by, claimed_by from db_agent.escalations
    where escalations.run_id = runs.id
    order by opened_at desc
    limit 1
) as escalation on true
cross join lateral (
    select runs.outcome is not distinct from 'escalated' or escalation.status is not null
) as handed_over (escalated)
cross join lateral (
    select count(*) filter (where vote = 'up') as thumbs_up,
           count(*) filter (where vote = 'down') as thumbs_down,
           coalesce((array_agg(reason order by voted_at desc) filter (where reason <> ''))[1], '')
             as complaint
    from db_agent.feedback
    where feedback.run_id = runs.id
) as votes
where runs.team_id = %(team)s
  and (runs.asked_by = %(viewer)s
       or not runs.only_for_asker and (runs.channel_id = %(here)s or channels.is_public))
  and runs.status <> 'running' and runs.summary <> %(small_talk)s
  and (%(outcomes)s::text[] is null
       and %(failed)s::boolean is not true and %(escalated)s::boolean is not true
       or runs.outcome = any (%(outcomes)s::text[])
       or %(failed)s::boolean and coalesce(runs.failed, false)
       or %(escalated)s::boolean and handed_over.escalated)
  and (%(failed)s::boolean is not false or not coalesce(runs.failed, false))
  and (%(escalated)s::boolean is not false or not handed_over.escalated)
  and (%(warned)s::boolean is null or (cardinality(runs.warnings) > 0) = %(warned)s)
  and (%(thumbs_up)s::boolean is null or (votes.thumbs_up > 0) = %(thumbs_up)s)
  and (%(thumbs_down)s::boolean is null or (votes.thumbs_down > 0) = %(thumbs_down)s)
  and (%(asked_by)s::text is null or runs.asked_by = %(asked_by)s)
  and (%(channel)s::text is null or runs.channel_id = %(channel)s)
  and (%(since)s::timestamptz is null or runs.created_at >= %(since)s)
  and (%(until)s::timestamptz is null or runs.created_at < %(until)s)
  and (cardinality(%(words)s::text[]) = 0
       or lower(concat_ws(' ', runs.question, runs.answer, array_to_string(runs.tables_read, ' ')))
          like all (%(words)s::text[]))
order by runs.created_at desc, runs.id
limit %(limit)s
"""

NOTE_CHANNEL = """
insert into db_agent.channels (team_id, channel_id, is_public)
values (%(team)s, %(channel)s, %(is_public)s)
on conflict (team_id, channel_id)
do update set is_public = excluded.is_public, noted_at = now()
where channels.is_public <> excluded.is_public
"""
