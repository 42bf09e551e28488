"""Wiring: settings, store and agent to a running Slack bot."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from slack_bolt import App

from bot.answer import Agent, Answerer
from bot.audience import Audience
from bot.clients import Clients, make_clients
from bot.cut_off import CutOffWatch
from bot.identity import identify
from bot.listeners import actions, command, home, messages
from bot.listeners.intake import Intake
from bot.pictures import READY_WITHIN_S
from bot.pool import Pool
from bot.progress import Allowance
from bot.running import Running
from bot.settings import BotSettings
from bot.socket_mode import EventSocket
from bot.store import Store

log = logging.getLogger(__name__)

ERRAND_WORKERS = 3
ERRANDS_WAITING = 200
GRACE_S = 20.0
"""How long `stop` lets running questions finish, in seconds."""
LAST_WORDS_S = 8.0
"""How long stopped questions may take to say so, in seconds."""


class SlackBot:
    """The bot in one workspace: `start` connects, `stop` finishes what runs and disconnects."""

    def __init__(
        self,
        settings: BotSettings,
        *,
        agent: Agent,
        store: Store,
        prompts: Sequence[str] = (),
        picture_wait_s: float = READY_WITHIN_S,
    ) -> None:
        """Prepare everything; Slack is asked who we are. `store` is open, and stays the caller's.

        `prompts` are questions that a direct message offers; `picture_wait_s` is how long, in
        seconds, a card waits for its chart. Raises `SlackUnavailable`.
        """
        token = settings.slack_bot_token.get_secret_value()
        clients = make_clients(token, settings.slack_url)
        self.me = identify(clients.patient)
        self._running = Running()
        self._questions = Pool("question", workers=settings.workers, waiting=settings.waiting)
        self._errands = Pool("errand", workers=ERRAND_WORKERS, waiting=ERRANDS_WAITING)
        self._watch = CutOffWatch(store, clients, self._running)
        audience = Audience(clients.patient, self.me)
        answerer = Answerer(
            agent, store, clients, self.me, audience, self._running, Allowance(), picture_wait_s
        )
        intake = Intake(
            store=store,
            clients=clients,
            answerer=answerer,
            running=self._running,
            questions=self._questions,
            errands=self._errands,
        )
        self.app = create_app(clients)
        messages.register(self.app, intake=intake, me=self.me)
        command.register(
            self.app,
            command.AskCommand(agent, intake, clients, self.me, audience, self._errands),
        )
        actions.register(
            self.app,
            buttons=actions.CardButtons(store, clients, self.me, audience),
            errands=self._errands,
        )
        home.register(
            self.app,
            home=home.Home(clients, agent.model_name, prompts),
            me=self.me,
            running=self._running,
            errands=self._errands,
        )
        self._socket = EventSocket(self.app, settings)
        self._stop_lock = threading.Lock()
        self._stopped = False

    def start(self) -> None:
        """Connect to Slack; questions are taken from now on. Raises `SlackUnavailable`."""
        self._socket.connect()
        self._watch.start()

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
        self._socket.close()
        finished = self._questions.drain(grace_s)
        if not finished:
            log.warning("stopping %d questions", self._questions.unfinished)
            self._running.cancel_all()
            self._questions.drain(LAST_WORDS_S)
        self._errands.drain(LAST_WORDS_S)
        self._watch.stop()
        for pool in (self._questions, self._errands):
            pool.stop()
        return finished


def create_app(clients: Clients) -> App:
    """Return a Bolt app without listeners.

    A listener runs before its event is acknowledged: it claims the question, so that an event
    that could not even be claimed is not acknowledged, and Slack sends it again.
    """
    return App(
        name="db-agent",
        client=clients.patient,
        process_before_response=True,
        logger=logging.getLogger("bot.bolt"),
    )
