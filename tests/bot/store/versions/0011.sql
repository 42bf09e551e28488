-- A question apart from the message that it is about.
insert into db_agent.conversations (team_id, channel_id, thread_ts) values ('T1', 'C11', '11.0');
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, about, status,
     outcome, failed, answer, finished_at)
select '11111111-1111-1111-1111-1111111111aa', id, 'T1', 'C11', '11.0', 'UANN', 'who says so?',
       'We sold 6 films.', 'finished', 'answered', false, 'Mia.', now()
from db_agent.conversations where channel_id = 'C11';
