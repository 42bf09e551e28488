-- People were reminded of what waits for them.
update db_agent.escalations set reminded_at = now() where status = 'open';
