"""Run by alembic; `bot.store.migrate` brings the connection, inside its transaction."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table="schema_version",
    version_table_schema="db_agent",
)
with context.begin_transaction():
    context.run_migrations()
