"""The bot's own PostgreSQL schema: conversations, runs, results, transitions, escalations."""

from bot.channel_rule import ChannelSettings
from bot.store.bill_store import Payer, Period, Purse, Share, Spending, Standing
from bot.store.errors import RunUnknown, StoreUnavailable
from bot.store.migrate import migrate
from bot.store.records import (
    Begun,
    Dropped,
    Escalation,
    EscalationStatus,
    Hold,
    HowAsked,
    LogEntry,
    LogSearch,
    Question,
    Renewed,
    RunRecord,
    Sharing,
    SharingStatus,
    Thread,
    Vote,
)
from bot.store.revision_store import Revised
from bot.store.rows import ROWS_GONE
from bot.store.store import Store
from bot.store.work_store import NoRoom, Room, UnderWay

__all__ = [
    "ROWS_GONE",
    "Begun",
    "ChannelSettings",
    "Dropped",
    "Escalation",
    "EscalationStatus",
    "Hold",
    "HowAsked",
    "LogEntry",
    "LogSearch",
    "NoRoom",
    "Payer",
    "Period",
    "Purse",
    "Question",
    "Renewed",
    "Revised",
    "Room",
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
    "UnderWay",
    "Vote",
    "migrate",
]
