"""Run by alembic; `bot.store.migrate` brings the connection, inside its transaction."""

from __future__ import annotations

from alembic import context

from bot.store.migrate import SCHEMA, VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    version_table_schema=SCHEMA,
)
with context.begin_transaction():
    context.run_migrations()
