-- What an administrator had set for a channel.
insert into db_agent.channel_settings
    (team_id, channel_id, allowed, shared_with, follow_ups, private, guests, set_by)
values ('T1', 'C2', true, '{EOTHER}', false, true, false, 'UADMIN');
