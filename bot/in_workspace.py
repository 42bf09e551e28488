"""The bot in one workspace: its clients, its listeners, and what it looks after there."""

from __future__ import annotations

import contextlib
import logging

from slack_bolt import App, BoltRequest, BoltResponse
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.logger.messages import warning_client_prioritized_and_token_skipped
from slack_sdk import WebClient

from bot.clients import Clients
from bot.identity import Identity
from bot.installations.envelopes import answered_with, is_for_another
from bot.listeners import retries
from bot.operators import tell_operators
from bot.queue import Again
from bot.rounds import Rounds
from bot.run_watch import RunWatch
from bot.shared import Shared
from bot.slack_errors import SLACK_TROUBLE
from bot.store import StoreUnavailable
from bot.wiring import Parts, register_listeners

log = logging.getLogger(__name__)
bolt_log = logging.getLogger("bot.bolt")
bolt_log.addFilter(lambda record: record.msg != warning_client_prioritized_and_token_skipped())
"""Bolt warns of SLACK_BOT_TOKEN in the environment, which is where ours comes from."""


class WorkspaceBot:
    """Answers in one workspace, with the threads and the store that all workspaces share."""

    def __init__(self, shared: Shared, clients: Clients) -> None:
        """Prepare everything; Slack is asked who we are. Raises `SlackUnavailable`."""
        parts = Parts.of(shared, clients)
        self.me = parts.me
        self._clients = clients
        self._operators_channel = shared.settings.operators_channel
        self._running = parts.running
        clients.access.when_lost(parts.running.interrupt)
        clients.closings.when_closed(parts.running.close)
        self._watch = RunWatch(shared.store, parts.running)
        self._store, self._desk = shared.store, parts.desk(shared)
        self._rounds = Rounds([parts.watch().look], every_s=shared.round_s)
        self.app = create_app(clients, parts.me)
        register_listeners(self.app, parts, shared)

    @property
    def served(self) -> str:
        """What is served, in words for who starts the bot."""
        return f"as @{self.me.name}"

    def start(self) -> None:
        """Look after what is left of earlier questions, from now on."""
        self._watch.start()
        self._rounds.start()

    def stop(self) -> None:
        """Look after nothing any more."""
        self._watch.stop()
        self._rounds.stop()

    def dispatch(self, req: BoltRequest) -> BoltResponse:
        """Take what Slack sends; what is for the app in another workspace is left."""
        if is_for_another(req.body, self.me.team_id):
            log.warning("an event is for another workspace, whose token this bot has not")
            return answered_with("", req.body)
        return self.app.dispatch(req)

    @property
    def trouble(self) -> str:
        """Why Slack lets us do nothing here, as half a sentence; "" where it does."""
        return self._clients.access.trouble

    @property
    def remark(self) -> str:
        """Nothing: here all works, or nothing does."""
        return ""

    def tell_operators(self, words: str) -> bool:
        """Post words to those who run the bot; False where they did not go out."""
        return tell_operators(self._clients, self._operators_channel, words)

    def look_at_slack(self) -> str:
        """Ask Slack whether it still lets us in, and note what it says. May take long."""
        if self.trouble:
            self._clients.may_work()
        else:
            with contextlib.suppress(*SLACK_TROUBLE):  # a refusal is noted by the client itself
                self._clients.quick.auth_test()
        return self.trouble

    @property
    def unfinished(self) -> int:
        """How many questions are taken on and not yet answered."""
        return len(self._running.ids())

    def answer(self, run_id: str) -> Again | None:
        """Answer the question of a run; when it is to be tried again, None where it is over."""
        return self._desk.answer(run_id)

    def hand_over(self) -> None:
        """Stop what runs, without a word: another process goes on with it."""
        for run_id, hold in self._running.hand_over():
            try:
                self._store.give_back(run_id, hold)
            except StoreUnavailable as fault:
                log.warning("run %s counts as one that failed: %s", run_id, fault.detail)


def create_app(clients: Clients, me: Identity) -> App:
    """Return a Bolt app without listeners.

    A listener runs before its event is acknowledged: it claims the question, so that an event
    that could not even be claimed is not acknowledged, and Slack sends it again.
    """

    def authorize() -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=me.enterprise_id,
            team_id=me.team_id,
            bot_user_id=me.user_id,
            bot_id=me.bot_id,
            bot_token=clients.patient.token,
        )

    # Bolt asks us each time: a token may change. Else it would also make a store of tokens of its
    # own, in files, where it finds SLACK_CLIENT_ID in the environment.
    ours = clients.patient
    app = App(
        name="db-agent",
        client=WebClient(base_url=ours.base_url, timeout=ours.timeout, logger=ours.logger),
        authorize=authorize,
        process_before_response=True,
        logger=bolt_log,
    )
    retries.register(app)
    return app
