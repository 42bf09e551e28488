"""The store's SQL. Values are always parameters."""

CLAIM = """
with conversation as (
    insert into db_agent.conversations (team_id, channel_id, thread_ts)
    values (%(team)s, %(channel)s, %(thread_ts)s)
    on conflict (team_id, channel_id, thread_ts) do update set last_at = now()
    returning id
)
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, about, how, shown)
select %(run_id)s, conversation.id, %(team)s, %(channel)s, %(ts)s, %(asked_by)s, %(text)s,
       %(about)s, %(how)s, false
from conversation
on conflict (team_id, channel_id, message_ts, revision) do nothing
returning id
"""

# Where a write says whose the run is, it changes nothing of another's.
_OURS = """
  and (%(owner)s::text is null or owner = %(owner)s and attempt = %(attempt)s)
"""

PLACE_CARD = f"""
update db_agent.runs set card_ts = %(card_ts)s where id = %(run_id)s {_OURS}
"""

# A run ends once: whoever comes second changes nothing. What it took may be written down already
# with a call that it had left behind; less is never written.
FINISH = f"""
update db_agent.runs set
    status = 'finished', finished_at = now(), question = %(question)s,
    outcome = %(outcome)s, failed = %(failed)s, answer = %(answer)s, summary = %(summary)s,
    warnings = %(warnings)s, tables_read = %(tables)s, model = %(model)s, hops = %(hops)s,
    n_queries = %(n_queries)s, duration_ms = %(duration_ms)s, fault_detail = %(fault_detail)s,
    input_tokens = greatest(input_tokens, %(input_tokens)s),
    output_tokens = greatest(output_tokens, %(output_tokens)s),
    cache_read_tokens = greatest(cache_read_tokens, %(cache_read_tokens)s),
    cache_write_tokens = greatest(cache_write_tokens, %(cache_write_tokens)s),
    plan = %(plan)s, caveats = %(caveats)s, evidence = %(evidence)s,
    calculations = %(calculations)s, clarification = %(clarification)s, verdict = %(verdict)s,
    judge = %(judge)s, draft = %(draft)s, time_zone = %(time_zone)s,
    cost_usd = case when %(cost_usd)s::numeric is not null
                    then greatest(cost_usd, %(cost_usd)s::numeric) end
where id = %(run_id)s and status = 'running' {_OURS}
"""

ADD_RESULT = """
insert into db_agent.results
    (run_id, number, sql, column_names, column_types, rows, truncated, notes, duration_ms,
     tables, audit, set_aside)
values
    (%(run_id)s, %(number)s, %(sql)s, %(names)s, %(types)s, %(rows)s, %(truncated)s, %(notes)s,
     %(duration_ms)s, %(tables)s, %(audit)s, %(set_aside)s)
"""

ADD_TRANSITION = """
insert into db_agent.transitions
    (run_id, number, at, source, event, target, trigger, state, model_output, usage, cost_usd,
     plan, steps, critique)
values
    (%(run_id)s, %(number)s, %(at)s, %(source)s, %(event)s, %(target)s, %(trigger)s, %(state)s,
     %(model_output)s, %(usage)s, %(cost_usd)s, %(plan)s, %(steps)s, %(critique)s)
on conflict (run_id, number) do nothing
"""

TRAIL = """
select at, source, event, target, trigger, state, model_output, usage, cost_usd, plan, steps,
       critique
from db_agent.transitions
where run_id = %(run_id)s
order by number
"""

# Why there is no answer has been said when this is written down.
TURN_AWAY = f"""
update db_agent.runs
set status = 'turned_away', finished_at = now(), summary = %(reason)s, failed = %(failed)s,
    card_ts = coalesce(%(card_ts)s, card_ts), shown = true, part = null
where id = %(run_id)s and status = 'running' {_OURS}
"""

ENGAGED = """
select exists (
    select from db_agent.conversations
    where team_id = %(team)s and channel_id = %(channel)s and thread_ts = %(thread_ts)s
) as engaged
"""

# The newest first: the caller turns them round. What was said after the question is no part of it:
# a question that is answered again may be an old one. Of a changed question only the last counts.
# What one person alone was told goes on only where they alone are told more.
EARLIER_RUNS = """
select runs.id, runs.asked_by, runs.question, runs.about, runs.answer, runs.summary,
       runs.outcome, runs.clarification, runs.tables_read,
       array(select step ->> 'subject'
             from db_agent.transitions, jsonb_array_elements(transitions.steps) as step
             where transitions.run_id = runs.id
               and step ->> 'tool' = 'get_schema' and (step ->> 'ok')::boolean
             order by transitions.number) as schemas_read
from db_agent.runs
join db_agent.conversations on conversations.id = runs.conversation_id
where conversations.team_id = %(team)s and conversations.channel_id = %(channel)s
  and conversations.thread_ts = %(thread_ts)s
  and runs.status = 'finished' and runs.dropped = '' and runs.message_ts collate "C" < %(ts)s
  and runs.outcome <> all (%(left_out)s)
  and (not runs.only_for_asker or runs.asked_by = %(asked_by)s
       and (%(channel)s::text like 'D%%' or %(ts)s::text like 'command %%'))
order by runs.message_ts collate "C" desc
limit %(limit)s
"""

RESULTS_OF = """
select run_id, sql, column_names, column_types, truncated, notes, duration_ms, tables, audit,
       set_aside, rows_gone,
       jsonb_array_length(rows) as n_rows,
       jsonb_path_query_array(rows, '$[0 to $last]', jsonb_build_object('last', %(rows)s::int - 1))
         as rows
from db_agent.results
where run_id = any (%(run_ids)s)
order by run_id, number
"""

RUN_COLUMNS = """
    runs.id, runs.team_id, runs.channel_id, conversations.thread_ts, runs.message_ts,
    runs.asked_by, runs.question, runs.about, runs.outcome, runs.failed, runs.answer, runs.summary,
    runs.warnings, runs.tables_read, runs.plan, runs.caveats, runs.clarification,
    runs.calculations, runs.evidence, runs.verdict, runs.judge, runs.draft, runs.model, runs.hops,
    runs.duration_ms, runs.input_tokens, runs.output_tokens, runs.cache_read_tokens,
    runs.cache_write_tokens, runs.cost_usd, runs.fault_detail, runs.time_zone, runs.card_ts,
    runs.created_at, runs.finished_at
"""

RUNS = f"""
select {RUN_COLUMNS}
from db_agent.runs
join db_agent.conversations on conversations.id = runs.conversation_id
where runs.id = any (%(run_ids)s)
"""

RUN_IDS = """
select id from db_agent.runs where id::text like %(prefix)s || '%%' order by id limit %(limit)s
"""

LAST_RUN = """
select runs.id
from db_agent.runs
join db_agent.conversations on conversations.id = runs.conversation_id
where (not runs.only_for_asker or runs.asked_by = %(only_for)s)
  and conversations.team_id = %(team)s and conversations.channel_id = %(channel)s
  and conversations.thread_ts = %(thread_ts)s
  and runs.status = 'finished' and runs.dropped = ''
order by runs.created_at desc
limit 1
"""
