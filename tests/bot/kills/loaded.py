"""All that a process of the bot loads, loaded once for those that are forked from here."""

import alembic.command
import anthropic
import sqlalchemy.dialects.postgresql.psycopg

import agent.models.claude
import agent.run
import bot.app
import bot.commands.serve

from . import bot_process

__all__ = ["agent", "alembic", "anthropic", "bot", "bot_process", "sqlalchemy"]
