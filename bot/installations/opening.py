"""What it takes to serve several workspaces, put together."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Final

from slack_sdk import WebClient

from bot.clients import spare_loopback_the_proxy
from bot.front import Pages
from bot.install_settings import INSTALL_PATH, REDIRECT_PATH
from bot.installations.directory import Directory
from bot.installations.flow import InstallFlow
from bot.installations.rotation import Rotation
from bot.installations.seal import Seal
from bot.installations.sealed_stores import SealedInstallations, SingleUseStates, open_engine
from bot.installations.seat import SeatMaker
from bot.installations.seats import Seats
from bot.installations.switchboard import Switchboard
from bot.shared import Shared

TIMEOUT_S: Final = 10

oauth_log = logging.getLogger("bot.oauth_calls")
oauth_log.setLevel(logging.INFO)  # at its most talkative the SDK writes down what it sends: secrets


@dataclass(frozen=True)
class Opened:
    """The bots behind their switchboard, and the pages where the app is installed."""

    switchboard: Switchboard
    pages: Pages


def open_switchboard(shared: Shared) -> Opened:
    """Return the bots of all workspaces that have installed the app, ready for events.

    Raises `TokensUnreadable` or `StoreUnavailable`; a workspace that Slack keeps shut is left for
    later.
    """
    settings = shared.settings
    secret = settings.slack_client_secret.get_secret_value()
    engine = open_engine(shared.store.url)
    client = oauth_client(settings.slack_url)
    sealed = SealedInstallations(
        settings.slack_client_id, engine, Seal(settings.token_key.get_secret_value())
    )
    directory = Directory(engine, sealed)
    rotation = Rotation(directory, client, client_id=settings.slack_client_id, client_secret=secret)
    seats = Seats(SeatMaker(shared, rotation))
    switchboard = Switchboard(directory, seats, settings.allows, shared.store.team_of)
    switchboard.prepare()
    flow = InstallFlow(
        settings, settings.slack_url, client, sealed, SingleUseStates(engine), seats.renew
    )
    pages = {INSTALL_PATH: flow.handle_installation, REDIRECT_PATH: flow.handle_callback}
    return Opened(switchboard, pages)


def oauth_client(url: str) -> WebClient:
    """Return a client for codes and refresh tokens: each is good once, so nothing is repeated."""
    spare_loopback_the_proxy(url)
    return WebClient(base_url=url, timeout=TIMEOUT_S, retry_handlers=[], logger=oauth_log)
