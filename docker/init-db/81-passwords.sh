#!/bin/sh
# Only for the container image: gives the two logins their passwords, and refuses to run without.
set -e
: "${AGENT_RO_PASSWORD:?set AGENT_RO_PASSWORD, the password of the read-only login agent_ro}"
: "${DB_AGENT_STORE_PASSWORD:?set DB_AGENT_STORE_PASSWORD, the password of the login of the bot\'s own database}"

psql -v ON_ERROR_STOP=1 --no-psqlrc --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    -v agent="$AGENT_RO_PASSWORD" -v store="$DB_AGENT_STORE_PASSWORD" <<'SQL'
ALTER ROLE agent_ro PASSWORD :'agent';
CREATE ROLE db_agent_store LOGIN PASSWORD :'store';
CREATE DATABASE db_agent_store OWNER db_agent_store;
REVOKE ALL ON DATABASE db_agent_store FROM PUBLIC;
SQL
