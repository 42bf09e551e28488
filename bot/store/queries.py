"""The store's SQL. Values are always parameters."""

CLAIM = """
with conversation as (
    insert into db_agent.conversations (team_id, channel_id, thread_ts)
    values (%(team)s, %(channel)s, %(thread_ts)s)
    on conflict (team_id, channel_id, thread_ts) do update set last_at = now()
    returning id
)
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question)
select %(run_id)s, conversation.id, %(team)s, %(channel)s, %(ts)s, %(asked_by)s, %(text)s
from conversation
on conflict (team_id, channel_id, message_ts) do nothing
returning id
"""

PLACE_CARD = """
update db_agent.runs set card_ts = %(card_ts)s where id = %(run_id)s
"""

# A run ends once: whoever comes second changes nothing.
FINISH = """
update db_agent.runs set
    status = 'finished', finished_at = now(), question = %(question)s,
    outcome = %(outcome)s, failed = %(failed)s, answer = %(answer)s, summary = %(summary)s,
    warnings = %(warnings)s, tables_read = %(tables)s, model = %(model)s, hops = %(hops)s,
    n_queries = %(n_queries)s, duration_ms = %(duration_ms)s, fault_detail = %(fault_detail)s,
    input_tokens = %(input_tokens)s, output_tokens = %(output_tokens)s,
    cache_read_tokens = %(cache_read_tokens)s, cache_write_tokens = %(cache_write_tokens)s
where id = %(run_id)s and status = 'running'
"""

ADD_RESULT = """
insert into db_agent.results
    (run_id, number, sql, column_names, column_types, rows, truncated, notes, duration_ms)
values
    (%(run_id)s, %(number)s, %(sql)s, %(names)s, %(types)s, %(rows)s, %(truncated)s, %(notes)s,
     %(duration_ms)s)
"""

ADD_TRANSITION = """
insert into db_agent.transitions
    (run_id, number, at, source, event, target, trigger, state, model_output)
values
    (%(run_id)s, %(number)s, %(at)s, %(source)s, %(event)s, %(target)s, %(trigger)s, %(state)s,
     %(model_output)s)
"""

TURN_AWAY = """
update db_agent.runs set status = 'turned_away', finished_at = now(), summary = %(reason)s
where id = %(run_id)s and status = 'running'
"""

ENGAGED = """
select exists (
    select from db_agent.conversations
    where team_id = %(team)s and channel_id = %(channel)s and thread_ts = %(thread_ts)s
) as engaged
"""

# The newest first: the caller turns them round.
EARLIER_RUNS = """
select runs.id, runs.question, runs.answer, runs.summary
from db_agent.runs
join db_agent.conversations on conversations.id = runs.conversation_id
where conversations.team_id = %(team)s and conversations.channel_id = %(channel)s
  and conversations.thread_ts = %(thread_ts)s
  and runs.status = 'finished' and runs.message_ts <> %(ts)s
  and runs.outcome <> all (%(left_out)s)
order by runs.created_at desc
limit %(limit)s
"""

RESULTS_OF = """
select run_id, sql, column_names, column_types, truncated, notes, duration_ms,
       jsonb_array_length(rows) as n_rows,
       jsonb_path_query_array(rows, '$[0 to $last]', jsonb_build_object('last', %(rows)s::int - 1))
         as rows
from db_agent.results
where run_id = any (%(run_ids)s)
order by run_id, number
"""

RUN = """
select runs.id, runs.team_id, runs.channel_id, conversations.thread_ts, runs.message_ts,
       runs.asked_by, runs.question, runs.outcome, runs.answer, runs.summary, runs.card_ts
from db_agent.runs
join db_agent.conversations on conversations.id = runs.conversation_id
where runs.id = %(run_id)s
"""

RENEW = """
update db_agent.runs set seen_at = now()
where id = any (%(run_ids)s::uuid[]) and status = 'running'
"""

# Runs whose process has not been seen for a while; only one process gets each.
TAKE_CUT_OFF = """
update db_agent.runs set status = 'turned_away', finished_at = now(), summary = 'cut off'
where status = 'running' and seen_at < now() - make_interval(secs => %(unseen_s)s)
returning id, team_id, channel_id, card_ts
"""
