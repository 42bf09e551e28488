"""The bot's own PostgreSQL schema: conversations, runs, results, transitions, escalations."""

from bot.channel_rule import ChannelSettings
from bot.store.bill_store import Payer, Period, Purse, Share, Spending, Standing
from bot.store.errors import RunUnknown, StoreUnavailable
from bot.store.migrate import migrate
from bot.store.records import (
    CutOff,
    Dropped,
    Escalation,
    EscalationStatus,
    LogEntry,
    LogSearch,
    Question,
    RunRecord,
    Sharing,
    SharingStatus,
    Thread,
    Vote,
)
from bot.store.revision_store import Revised
from bot.store.rows import ROWS_GONE
from bot.store.store import Store

__all__ = [
    "ROWS_GONE",
    "ChannelSettings",
    "CutOff",
    "Dropped",
    "Escalation",
    "EscalationStatus",
    "LogEntry",
    "LogSearch",
    "Payer",
    "Period",
    "Purse",
    "Question",
    "Revised",
    "RunRecord",
    "RunUnknown",
    "Share",
    "Sharing",
    "SharingStatus",
    "Spending",
    "Standing",
    "Store",
    "StoreUnavailable",
    "Thread",
    "Vote",
    "migrate",
]
