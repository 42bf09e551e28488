"""The bot's own PostgreSQL schema: conversations, runs, results and transitions."""

from bot.store.errors import StoreUnavailable
from bot.store.migrate import migrate
from bot.store.records import CutOff, Question, RunRecord, Thread
from bot.store.store import Store

__all__ = [
    "CutOff",
    "Question",
    "RunRecord",
    "Store",
    "StoreUnavailable",
    "Thread",
    "migrate",
]
