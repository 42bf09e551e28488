"""What stands behind the port of one bot: its pages, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from slack_bolt import BoltRequest, BoltResponse

from bot.http import health, measures, slack_requests
from bot.http.exchange import bolt_page
from bot.http.health import Health, Patient
from bot.http.measures import Measures
from bot.http.port import Port
from bot.http.server import HttpServer
from bot.http.site import Site
from bot.http.slack_requests import SlackRequests
from bot.metrics import Metrics
from bot.settings import BotSettings


class Host(Patient, Protocol):
    """The bot that works on what comes."""

    metrics: Metrics

    @property
    def pages(self) -> Mapping[str, Callable[[BoltRequest], BoltResponse]]:
        """What it shows to browsers that get it, by path."""

    def take(self, request: BoltRequest) -> BoltResponse | None:
        """Work on a request of Slack's; None while none are taken."""


class HttpService:
    """Answers from `start` to `stop`; before `serve`, that the bot is starting."""

    def __init__(
        self, settings: BotSettings, port: Port, *, for_operators_alone: bool = False
    ) -> None:
        """Take the port. Raises `SettingsInvalid`.

        `for_operators_alone`: neither Slack nor a browser is answered there.
        """
        self._for_operators_alone = for_operators_alone
        self.site = Site()
        self._health = Health()
        self._bot: Host | None = None
        self._measures = Measures()
        self.site.add("GET", health.ALIVE, self._health.alive)
        self.site.add("GET", health.READY, self._health.ready)
        self.site.add("GET", measures.PATH, self._measures)
        if settings.slack_signing_secret is not None and not for_operators_alone:
            secret = settings.slack_signing_secret.get_secret_value()
            self.site.add("POST", slack_requests.PATH, SlackRequests(secret, self._take))
        self._server = HttpServer(self.site, port)
        self.url = self._server.url

    def start(self) -> None:
        """Open the port."""
        self._server.start()

    def serve(self, bot: Host) -> None:
        """Have this bot work on what comes, show its pages, and tell of its health."""
        if not self._for_operators_alone:
            for path, handle in bot.pages.items():
                self.site.add("GET", path, bolt_page(handle))
        self._bot = bot
        self._health.watch(bot)
        self._measures.show(bot.metrics.exposition)

    def stop(self) -> None:
        """Close the port. May be called more than once."""
        self._server.stop()

    def _take(self, request: BoltRequest) -> BoltResponse | None:
        return self._bot.take(request) if self._bot is not None else None
