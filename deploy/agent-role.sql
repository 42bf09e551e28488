-- A login that can only read, for db-agent. Run it in the database to answer from, as the owner of
-- its tables or as a superuser; running it again changes nothing. It takes no right away from
-- anybody else.
--
--   1. Give it a password (ALTER ROLE agent_ro PASSWORD '…'; without one nobody logs in as it),
--      and put it into DATABASE_URL: postgresql://agent_ro:PASSWORD@HOST:5432/DATABASE
--   2. Where tables are in other schemas than public, repeat the three lines at the end for each.
--   3. Where somebody must not be read, grant tables one by one instead of ALL TABLES,
--      or columns: GRANT SELECT (id, country) ON customer TO agent_ro;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'agent_ro') THEN
        CREATE ROLE agent_ro LOGIN;
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO agent_ro', current_database());
END $$;

ALTER ROLE agent_ro NOINHERIT CONNECTION LIMIT 20;
ALTER ROLE agent_ro SET default_transaction_read_only = on;
ALTER ROLE agent_ro SET statement_timeout = '3s';
ALTER ROLE agent_ro SET lock_timeout = '500ms';
ALTER ROLE agent_ro SET idle_in_transaction_session_timeout = '10s';
ALTER ROLE agent_ro SET work_mem = '16MB';

GRANT USAGE ON SCHEMA public TO agent_ro;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO agent_ro;
-- Tables that whoever runs this makes later can be read as well.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO agent_ro;
