-- A run that another process is to go on with, and one that has ended and was not shown.
insert into db_agent.conversations (team_id, channel_id, thread_ts) values ('T1', 'C15', '15.0');
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, how, owner, attempt,
     begun_at, shown, part)
select '15151515-1515-1515-1515-151515151501', id, 'T1', 'C15', '15.0', 'UANN', 'how many?',
       '{"place": "thread"}', 'somebody gone', 1, now(), false, '{"version": 1}'
from db_agent.conversations where channel_id = 'C15';
insert into db_agent.transitions
    (run_id, number, at, source, event, target, trigger, state, model_output, checkpoint)
values
    ('15151515-1515-1515-1515-151515151501', 1, '2026-11-24 14:05+00', 'planning', 'plan_ready',
     'thought', 'I made a plan.', '{"phase": "thought"}', '', '{"version": 1}');
set local search_path = db_agent;
insert into db_agent.procrastinate_jobs (queue_name, task_name, lock, args)
values ('questions', 'answer', 'T1/C15/15.0',
        '{"run_id": "15151515-1515-1515-1515-151515151501"}');
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, how, owner, attempt,
     begun_at, shown, status, outcome, failed, answer, finished_at)
select '15151515-1515-1515-1515-151515151502', id, 'T1', 'C15', '15.2', 'UANN', 'and in May?',
       '{"place": "thread"}', 'somebody gone', 1, now(), false, 'finished', 'answered', false,
       '6 films.', now()
from db_agent.conversations where channel_id = 'C15';
