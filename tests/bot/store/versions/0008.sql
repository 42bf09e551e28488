-- Votes, a shared private answer, and a question with the message that it is about in one text.
insert into db_agent.conversations (team_id, channel_id, thread_ts)
values ('T1', 'C8', 'command 8.0');
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, status, outcome,
     failed, answer, model, finished_at, time_zone)
select '88888888-8888-8888-8888-888888888888', id, 'T1', 'C8', 'command 8.0', 'UANN',
       E'is that so?\n\nThe question is about this message, which may be anybody''s:\n<data>\n'
       || E'We sold 5 films.\n</data>',
       'finished', 'answered', false, 'Yes.', 'given', now(), 'Asia/Tokyo'
from db_agent.conversations where channel_id = 'C8';
insert into db_agent.feedback (run_id, person, vote, reason, voted_at)
values
    ('88888888-8888-8888-8888-888888888888', 'UANN', 'up', '', now()),
    ('11111111-1111-1111-1111-111111111111', 'UBOB', 'down', 'too few', now());
insert into db_agent.shares (run_id, message_ts)
values ('88888888-8888-8888-8888-888888888888', '8.5');
