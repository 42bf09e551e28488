-- Rows that have aged out, and two questions that are under way while the bot is brought up to date.
insert into db_agent.conversations (team_id, channel_id, thread_ts)
values ('T1', 'C14', '14.0'), ('T1', 'C14', 'command 14.5');
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, status, outcome,
     failed, answer, finished_at)
select '14141414-1414-1414-1414-141414141401', id, 'T1', 'C14', '14.0', 'UANN', 'how many?',
       'finished', 'answered', false, '6 films.', now()
from db_agent.conversations where channel_id = 'C14' and thread_ts = '14.0';
insert into db_agent.results
    (run_id, number, sql, column_names, column_types, rows, truncated, duration_ms, rows_gone)
values ('14141414-1414-1414-1414-141414141401', 1, 'select 6', '{n}', '{int4}', '[]', false, 1,
        true);
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question)
select '14141414-1414-1414-1414-141414141402', id, 'T1', 'C14', '14.2', 'UANN', 'and in May?'
from db_agent.conversations where channel_id = 'C14' and thread_ts = '14.0';
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question)
select '14141414-1414-1414-1414-141414141403', id, 'T1', 'C14', 'command 14.5', 'UANN', 'and in June?'
from db_agent.conversations where channel_id = 'C14' and thread_ts = 'command 14.5';
