"""Settings, store and agent to a running Slack bot."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from slack_bolt import BoltRequest, BoltResponse

from bot.about_itself import NoSelfAgent
from bot.clients import make_clients
from bot.event_sockets import EventSockets
from bot.front import Front, Pages
from bot.health_news import HealthNews
from bot.housekeeping import Housekeeping
from bot.http.way_in import Dispatcher, HttpEvents
from bot.in_workspace import WorkspaceBot
from bot.metrics import Metrics
from bot.pictures import READY_WITHIN_S
from bot.protocols import Agent, Catalogue
from bot.queue import Lease, Workers
from bot.render.counting import counted
from bot.rounds import Rounds
from bot.settings import BotSettings
from bot.shared import Pools, Shared
from bot.store import Store, StoreUnavailable
from bot.telemetry.acknowledging import Acknowledging
from bot.telemetry.traces import NoTraces, Traces

log = logging.getLogger(__name__)

GRACE_S = 20.0
"""How long `stop` lets running questions finish, in seconds."""
LAST_WORDS_S = 8.0
"""How long what is stopped or given back may take to come to its end, in seconds."""
ROUND_S = 60.0
"""Between two looks at what waits for a person, in seconds."""


NEWS_EVERY_S = 10.0
"""Between two looks at our own health, in seconds."""


class SlackBot:
    """The bot, in one workspace or in several.

    `start` connects, `stop` finishes what runs and disconnects.
    """

    def __init__(
        self,
        settings: BotSettings,
        *,
        agent: Agent,
        store: Store,
        itself: Agent | NoSelfAgent | None = None,
        time_zone: str = "UTC",
        prompts: Sequence[str] = (),
        catalogue: Catalogue | None = None,
        picture_wait_s: float = READY_WITHIN_S,
        round_s: float = ROUND_S,
        takes_events: bool = True,
        answers: bool = True,
        lease: Lease | None = None,
        traces: Traces | None = None,
    ) -> None:
        """Prepare everything; Slack is asked who we are. `store` is open, and stays the caller's.

        `itself` answers questions about the bot's own record, or says why it cannot. In the log
        and on the bill, days begin in `time_zone`. `catalogue` is the database that `/ask tables`
        tells of; direct messages offer questions drawn from it, or `prompts`. In seconds:
        `picture_wait_s` is how long a card waits for its chart, `round_s` the pause between two
        looks at what waits for a person. One that takes no events answers what others have taken;
        one that does not answer leaves it to others. `lease` says when a process that is not heard
        of has lost its runs. `traces` stay the caller's. Raises
        `SlackUnavailable`.
        """
        self.metrics = Metrics()
        self._store = store
        self._pools = Pools()
        shared = Shared(
            settings,
            store,
            agent,
            self._pools,
            self.metrics,
            itself,
            time_zone,
            prompts,
            catalogue,
            picture_wait_s,
            round_s,
            traces or NoTraces(),
        )
        self._front, self._pages = make_front(shared)
        self.me = self._front.me if isinstance(self._front, WorkspaceBot) else None
        """Who we are, where that is one workspace's."""
        self.app: Dispatcher = Acknowledging(self._front, self.metrics.instruments)
        store.when_failing(self.metrics.instruments.store_errors.inc)
        self.metrics.watch_line(store.line, lambda: self.unfinished)
        housekeeping = Housekeeping(store, settings.keep)
        self._rounds = Rounds([self.metrics.write_log, housekeeping.look], every_s=round_s)
        news = HealthNews(lambda: self.trouble or self.look_at_record(), self._front.tell_operators)
        self._news = Rounds([news.look], every_s=min(round_s, NEWS_EVERY_S))
        self._events = way_in(self.app, settings) if takes_events else None
        self._workers = self._make_workers(settings, lease) if answers else None
        self._stop_lock = threading.Lock()
        self._stopped = False

    def start(self) -> None:
        """Connect to Slack; questions are taken from now on. Raises `SlackUnavailable`."""
        if self._events is not None:
            self._events.connect()
        self._front.start()
        self._rounds.start()
        self._news.start()
        if self._workers is not None:
            self._workers.start()

    @property
    def pages(self) -> Pages:
        """What browsers may see, by path: where workspaces install the app, if several do."""
        return self._pages

    @property
    def served(self) -> str:
        """What is served, in words for who starts the bot."""
        return self._front.served

    @property
    def connected(self) -> bool:
        """Is there a way to Slack and back? False before `start` and after `stop` too."""
        return not self.trouble

    @property
    def trouble(self) -> str:
        """Why there is none, as half a sentence for those who run the bot; "" where there is."""
        if self._stopped:
            return "it is stopping"
        if self._front.trouble:
            return self._front.trouble
        if self._events is not None and not self._events.connected:
            return "no event connection to Slack"
        return "" if self._workers is None else self._workers.trouble

    @property
    def remark(self) -> str:
        """What is wrong and keeps us from little, as half a sentence; "" for nothing."""
        return self._front.remark

    def take(self, request: BoltRequest) -> BoltResponse | None:
        """Have a request worked on that Slack sent to our port; None while none are taken."""
        return self._events.take(request) if isinstance(self._events, HttpEvents) else None

    def look_at_record(self) -> str:
        """Return what is wrong with the bot's own record, as half a sentence, or "". May hang."""
        try:
            trouble = self._store.schema_trouble()
        except StoreUnavailable as fault:
            log.warning("the record is out of reach: %s", fault.detail)
            return "its own record of questions and answers cannot be reached"
        return trouble

    def look_at_slack(self) -> str:
        """Ask Slack whether it still lets us in, and note what it says. May take long."""
        return self._front.look_at_slack()

    @property
    def unfinished(self) -> int:
        """How many questions are taken on and not yet answered."""
        return self._front.unfinished

    def stop(self, grace_s: float = GRACE_S) -> bool:
        """Take no more questions, let running ones finish for `grace_s` seconds, disconnect.

        What is not finished by then is left to another process, or to the next start. True when
        nothing had to be left. May be called more than once.
        """
        with self._stop_lock:
            if self._stopped:
                return True
            self._stopped = True
        self._news.stop()  # that it is stopping is no news
        if self._events is not None:
            self._events.close()
        pools = self._pools
        for pool in (pools.errands, pools.modals):  # commands first: they bring questions
            pool.drain(LAST_WORDS_S)
        finished = self._end_work(grace_s)
        self._front.stop()
        self._rounds.stop()
        for pool in (pools.errands, pools.modals):
            pool.stop()
        self.metrics.write_log()
        return finished

    def _end_work(self, grace_s: float) -> bool:
        if self._workers is None:
            return True
        self._workers.stop_taking()
        finished = self._workers.drain(grace_s)
        if not finished:
            log.warning("handing over %s", counted(self._workers.running, "question"))
            self._front.hand_over()
            # What is on its way to Slack arrives before another process looks for it.
            self._workers.drain(LAST_WORDS_S)
        self._workers.stop()
        return finished

    def _make_workers(self, settings: BotSettings, lease: Lease | None) -> Workers:
        return Workers(
            self._store.url, self._front.answer, concurrency=settings.workers, lease=lease
        )


def make_front(shared: Shared) -> tuple[Front, Pages]:
    """Return what Slack's events are for, and the pages that browsers may see.

    Raises `SlackUnavailable`, or what `open_switchboard` does.
    """
    settings = shared.settings
    if settings.serves_several:
        # Whoever serves one workspace shall not wait for all that this loads.
        from bot.installations.opening import open_switchboard

        opened = open_switchboard(shared)
        return opened.switchboard, opened.pages
    clients = make_clients(settings.slack_bot_token.get_secret_value(), settings.slack_url)
    return WorkspaceBot(shared, clients), {}


def way_in(listeners: Dispatcher, settings: BotSettings) -> EventSockets | HttpEvents:
    """Return what brings Slack's events: its calls to our port, or sockets to it."""
    over_http = settings.events_over_http
    return HttpEvents(listeners) if over_http else EventSockets(listeners, settings)
