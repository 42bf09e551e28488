"""What there is once in a process, however many workspaces it serves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.about_itself import NoSelfAgent
from bot.metrics import Metrics
from bot.pictures import READY_WITHIN_S
from bot.pool import Pool
from bot.protocols import Agent, Catalogue
from bot.settings import BotSettings
from bot.store import Store
from bot.telemetry.traces import NoTraces, Traces

ERRAND_WORKERS = 3
MODAL_WORKERS = 2
ERRANDS_WAITING = 2_000
"""More than anybody clicks at once, and room to tell a crowd that there is none for it."""


class Pools:
    """The bot's own threads, by what they have to do with Slack's patience."""

    def __init__(self) -> None:
        self.errands = Pool("errand", workers=ERRAND_WORKERS, waiting=ERRANDS_WAITING)
        """Short things, such as showing the SQL."""
        self.modals = Pool("modal", workers=MODAL_WORKERS, waiting=ERRANDS_WAITING)
        """What has to be done within three seconds."""


@dataclass(frozen=True)
class Shared:
    """What the bots of all workspaces share: there is one of each in a process."""

    settings: BotSettings
    store: Store
    agent: Agent
    pools: Pools
    metrics: Metrics
    itself: Agent | NoSelfAgent | None = None
    time_zone: str = "UTC"
    prompts: Sequence[str] = ()
    catalogue: Catalogue | None = None
    picture_wait_s: float = READY_WITHIN_S
    round_s: float = 60.0
    """Between two looks at what waits for a person, in seconds."""
    traces: Traces = field(default_factory=NoTraces)
