-- A call of a model that was under way.
insert into db_agent.calls (run_id, most_usd, expires_at)
values ('11111111-1111-1111-1111-111111111113', 0.5, now() + interval '1 hour');
