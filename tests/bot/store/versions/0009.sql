-- A question that was changed after it was asked.
insert into db_agent.conversations (team_id, channel_id, thread_ts) values ('T1', 'C9', '9.0');
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, revision, dropped, asked_by, question,
     status, outcome, failed, answer, finished_at)
select given.id::uuid, conversations.id, 'T1', 'C9', '9.0', given.revision, given.dropped, 'UANN',
       given.question, 'finished', 'answered', false, given.question || '!', now()
from db_agent.conversations, (values
    ('99999999-9999-9999-9999-999999999991', '', 'edited', 'first wording'),
    ('99999999-9999-9999-9999-999999999992', '9.5', '', 'second wording')
) as given (id, revision, dropped, question)
where channel_id = 'C9';
