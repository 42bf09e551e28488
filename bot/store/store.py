"""The bot's own record of who asked what and what came of it, in PostgreSQL."""

from __future__ import annotations

from bot.store.bill_store import BillStore
from bot.store.escalation_store import EscalationStore
from bot.store.feedback_store import FeedbackStore
from bot.store.forget_store import ForgetStore
from bot.store.line_store import LineStore
from bot.store.log_store import LogStore
from bot.store.retention_store import RetentionStore
from bot.store.revision_store import RevisionStore
from bot.store.run_store import RunStore
from bot.store.settings_store import SettingsStore
from bot.store.work_store import WorkStore


class Store(
    RunStore,
    RevisionStore,
    WorkStore,
    EscalationStore,
    LogStore,
    BillStore,
    SettingsStore,
    FeedbackStore,
    RetentionStore,
    LineStore,
    ForgetStore,
):
    """Few plain methods; each is one transaction, and each may raise `StoreUnavailable`."""
