"""Settings, store and agent to a running Slack bot."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Sequence

from slack_bolt import App, BoltRequest, BoltResponse

from bot.about_itself import NoSelfAgent
from bot.clients import Clients
from bot.cut_off import CutOffWatch
from bot.http.way_in import HttpEvents
from bot.listeners import retries
from bot.pictures import READY_WITHIN_S
from bot.protocols import Agent, Catalogue
from bot.render.counting import counted
from bot.rounds import Rounds
from bot.settings import BotSettings
from bot.slack_errors import SLACK_TROUBLE
from bot.socket_mode import EventSocket
from bot.store import Store, StoreUnavailable
from bot.wiring import Parts, register_listeners

log = logging.getLogger(__name__)

GRACE_S = 20.0
"""How long `stop` lets running questions finish, in seconds."""
LAST_WORDS_S = 8.0
"""How long stopped questions may take to say so, in seconds."""
ROUND_S = 60.0
"""Between two looks at what waits for a person, in seconds."""


class SlackBot:
    """The bot in one workspace: `start` connects, `stop` finishes what runs and disconnects."""

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
    ) -> None:
        """Prepare everything; Slack is asked who we are. `store` is open, and stays the caller's.

        `itself` answers questions about the bot's own record, or says why it cannot. In the log
        and on the bill, days begin in `time_zone`. `catalogue` is the database that `/ask tables`
        tells of; direct messages offer questions drawn from it, or `prompts`. In seconds:
        `picture_wait_s` is how long a card waits for its chart, `round_s` the pause between two
        looks at what waits for a person. Raises `SlackUnavailable`.
        """
        parts = Parts.of(settings, store, time_zone)
        self._store = store
        self._clients = parts.clients
        self.me = parts.me
        self.metrics = parts.metrics
        self._pools = parts.pools
        self._running = parts.running
        self._access = parts.clients.access
        self._access.when_lost(parts.running.interrupt)
        self._watch = CutOffWatch(store, parts.clients, parts.running)
        self._rounds = Rounds((parts.watch().look, parts.metrics.write_log), every_s=round_s)
        self.app = create_app(parts.clients)
        answerer = parts.answerer(agent, picture_wait_s)
        register_listeners(
            self.app,
            parts,
            answerer,
            itself=itself,
            time_zone=time_zone,
            prompts=prompts,
            catalogue=catalogue,
        )
        self._events = way_in(self.app, settings)
        self._stop_lock = threading.Lock()
        self._stopped = False

    def start(self) -> None:
        """Connect to Slack; questions are taken from now on. Raises `SlackUnavailable`."""
        self._events.connect()
        self._watch.start()
        self._rounds.start()

    @property
    def connected(self) -> bool:
        """Is there a way to Slack and back? False before `start` and after `stop` too."""
        return not self.trouble

    @property
    def trouble(self) -> str:
        """Why there is none, as half a sentence for those who run the bot; "" where there is."""
        if self._stopped:
            return "it is stopping"
        if self._access.trouble:
            return self._access.trouble
        return "" if self._events.connected else "no event connection to Slack"

    def take(self, request: BoltRequest) -> BoltResponse | None:
        """Have a request worked on that Slack sent to our port; None while none are taken."""
        return self._events.take(request) if isinstance(self._events, HttpEvents) else None

    def look_at_record(self) -> str:
        """Return what is wrong with the bot's own record, as half a sentence, or "". May hang."""
        try:
            self._store.ping()
        except StoreUnavailable as fault:
            log.warning("the record is out of reach: %s", fault.detail)
            return "its own record of questions and answers cannot be reached"
        return ""

    def look_at_slack(self) -> str:
        """Ask Slack whether it still lets us in, and note what it says. May take long."""
        if self._access.trouble:
            self._clients.may_work()
        else:
            with contextlib.suppress(*SLACK_TROUBLE):  # a refusal is noted by the client itself
                self._clients.quick.auth_test()
        return self._access.trouble

    @property
    def unfinished(self) -> int:
        """How many questions are taken on and not yet answered."""
        return len(self._running.ids())

    def stop(self, grace_s: float = GRACE_S) -> bool:
        """Take no more questions, let running ones finish for `grace_s` seconds, disconnect.

        What is not finished by then is stopped and says so in its thread. True when nothing had
        to be stopped. May be called more than once.
        """
        with self._stop_lock:
            if self._stopped:
                return True
            self._stopped = True
        self._events.close()
        pools = self._pools
        finished = pools.questions.drain(grace_s)
        if not finished:
            log.warning("stopping %s", counted(pools.questions.unfinished, "question"))
            self._running.cancel_all()
            pools.questions.drain(LAST_WORDS_S)
        for pool in (pools.errands, pools.modals):
            pool.drain(LAST_WORDS_S)
        self._watch.stop()
        self._rounds.stop()
        for pool in (pools.questions, pools.errands, pools.modals):
            pool.stop()
        self.metrics.write_log()
        return finished


def way_in(app: App, settings: BotSettings) -> EventSocket | HttpEvents:
    """Return what brings Slack's events to `app`: its calls to our port, or a socket to it."""
    return HttpEvents(app) if settings.events_over_http else EventSocket(app, settings)


def create_app(clients: Clients) -> App:
    """Return a Bolt app without listeners.

    A listener runs before its event is acknowledged: it claims the question, so that an event
    that could not even be claimed is not acknowledged, and Slack sends it again.
    """
    app = App(
        name="db-agent",
        client=clients.patient,
        process_before_response=True,
        logger=logging.getLogger("bot.bolt"),
    )
    retries.register(app)
    return app
