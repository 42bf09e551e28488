-- The login of the agent: it may read the tables and views of this database, and nothing else.
-- For a server that holds the demo and nothing else: it takes rights away from PUBLIC on every
-- database of the server. For a server of your own there is `db-agent provision`, which finds nothing
-- to add to this.
-- It gets its password elsewhere (81, or the embedded server); without one nobody can log in as it.

DO $$
DECLARE
    other name;
    risky regprocedure;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'agent_ro') THEN
        CREATE ROLE agent_ro;
    END IF;
    FOR other IN SELECT datname FROM pg_database LOOP
        EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', other);
    END LOOP;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO agent_ro', current_database());

    -- Everybody may call these by default, and what they do outlives a rolled-back transaction.
    FOR risky IN
        SELECT oid::regprocedure FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace
          AND (proname ~ '^(lo_|lowrite|pg_(try_)?advisory_)' OR proname IN ('pg_notify', 'pg_logical_emit_message'))
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', risky);
    END LOOP;

    ALTER ROLE agent_ro SET statement_timeout = '3s';
    ALTER ROLE agent_ro SET lock_timeout = '500ms';
    ALTER ROLE agent_ro SET idle_in_transaction_session_timeout = '10s';
    ALTER ROLE agent_ro SET idle_session_timeout = '1h';
    EXECUTE format('ALTER ROLE agent_ro IN DATABASE %I SET search_path = pg_catalog, public',
        current_database());
    IF current_setting('server_version_num')::integer >= 170000 THEN
        ALTER ROLE agent_ro SET transaction_timeout = '5s';
    END IF;
END $$;

ALTER ROLE agent_ro LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 20;
ALTER ROLE agent_ro SET default_transaction_read_only = on;
ALTER ROLE agent_ro SET work_mem = '16MB';
ALTER ROLE agent_ro SET temp_file_limit = '256MB';
ALTER ROLE agent_ro SET max_parallel_workers_per_gather = 0;
ALTER ROLE agent_ro SET jit = off;

REVOKE ALL ON SCHEMA public FROM PUBLIC;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO agent_ro;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO agent_ro;
