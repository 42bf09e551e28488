-- A workspace that had installed the app, its token encrypted, and a visit to the page for that.
insert into db_agent.slack_installations
    (client_id, app_id, team_id, team_name, bot_id, bot_user_id, bot_scopes, user_id)
values ('1.1', 'A1', 'T1', 'Ours', 'B1', 'UBOT', 'chat:write', 'UADMIN');
insert into db_agent.slack_bots
    (client_id, app_id, team_id, team_name, bot_token, bot_id, bot_user_id, bot_scopes)
values ('1.1', 'A1', 'T1', 'Ours', %(sealed)s, 'B1', 'UBOT', 'chat:write');
insert into db_agent.slack_oauth_states (state, expire_at) values ('given', now());
