-- What the first version wrote: an answer, a question that was turned away, and one cut off.
insert into db_agent.conversations (team_id, channel_id, thread_ts) values ('T1', 'C1', '1.0');
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, status, outcome,
     failed, answer, summary, warnings, tables_read, model, hops, n_queries, input_tokens,
     output_tokens, cache_read_tokens, cache_write_tokens, duration_ms, card_ts, finished_at)
select '11111111-1111-1111-1111-111111111111', id, 'T1', 'C1', '1.0', 'UANN', 'how many films?',
       'finished', 'answered', false, '1,000 films.', 'One query.', '{careful}', '{film}', 'given',
       2, 1, 100, 20, 3, 4, 1200, '1.5', now()
from db_agent.conversations;
insert into db_agent.results
    (run_id, number, sql, column_names, column_types, rows, truncated, notes, duration_ms)
values
    ('11111111-1111-1111-1111-111111111111', 1, 'select count(*), sum(price) from film',
     '{count,sum}', '{int8,numeric}', '[[1000, {"decimal": "2.990"}], [null, {"float": "1e+20"}]]',
     true, '{2 rows were cut.}', 1.5);
insert into db_agent.transitions
    (run_id, number, at, source, event, target, trigger, state, model_output)
values
    ('11111111-1111-1111-1111-111111111111', 1, '2026-11-24 14:05+00', 'thought', 'draft_ready',
     'finish', 'I answered.', '{"phase": "finish", "hop_count": 2}', 'There are 1,000 films.');
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, status, summary,
     failed, finished_at)
select '11111111-1111-1111-1111-111111111112', id, 'T1', 'C1', '1.1', 'UBOB', 'and actors?',
       'turned_away', 'busy', false, now()
from db_agent.conversations;
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, seen_at)
select '11111111-1111-1111-1111-111111111113', id, 'T1', 'C1', '1.2', 'UBOB', 'and stores?',
       now() - interval '1 hour'
from db_agent.conversations;
