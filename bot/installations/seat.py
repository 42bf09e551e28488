"""The bot of one workspace that has installed the app, with the key to it."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, field, replace
from typing import Final

from agent.errors import Fault, SettingsInvalid
from bot.access import Access
from bot.channels import check_channel
from bot.clients import Clients, make_clients
from bot.in_workspace import WorkspaceBot
from bot.install_settings import INSTALL_PATH
from bot.installations.key import WorkspaceKey
from bot.installations.rotation import Rotation, State
from bot.listeners.life import REMOVED
from bot.settings import BotSettings
from bot.shared import Shared
from bot.slack_errors import SlackUnavailable

log = logging.getLogger(__name__)

MAKE_WAY_S: Final = 300.0
"""Longer than a question may take."""
LOOK_EVERY_S: Final = 0.5
TRY_AGAIN_S: Final = 300.0
"""Between two tries with a token that Slack did not take, in seconds."""

CHANNELS: Final = {
    "escalation_channel": "DB_AGENT_ESCALATION_CHANNEL",
    "operators_channel": "DB_AGENT_OPERATORS_CHANNEL",
}


class WrongWorkspace(Fault):
    """A token opens another workspace than it is kept for."""


@dataclass(frozen=True)
class Seat:
    """A bot, its key, and whether Slack lets it in."""

    bot: WorkspaceBot
    key: WorkspaceKey
    access: Access

    @property
    def is_lost(self) -> bool:
        """Has Slack shut it out for good?"""
        return self.access.is_lost_for_good

    def make_way(self) -> None:
        """Let what runs come to its end: another bot has taken the place."""
        until = time.monotonic() + MAKE_WAY_S
        while self.bot.unfinished and time.monotonic() < until:
            time.sleep(LOOK_EVERY_S)
        self.bot.stop()

    def retire(self) -> None:
        """End what runs, and look after nothing any more: the app is gone."""
        self.access.lose(REMOVED)
        # It may be in the middle of a call, and what Slack has sent is to be acknowledged.
        threading.Thread(target=self.bot.stop, name="workspace-end", daemon=True).start()


@dataclass(frozen=True)
class SeatMaker:
    """Makes the bots of workspaces."""

    shared: Shared
    rotation: Rotation
    _refused: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Tokens that Slack did not take, by workspace, and when that was."""

    def __call__(self, team: str) -> Seat | None:
        """Return the bot of a workspace; None where there can be none. Calls Slack.

        A token that Slack does not take is not tried again for a while: the app may have been
        removed when nobody was there to hear of it. Raises `SlackUnavailable`, `StoreUnavailable`,
        `TokensUnreadable` or `WrongWorkspace`.
        """
        outcome = self.rotation.newest(team)
        installed, settings = outcome.installed, self.shared.settings
        if installed is None or outcome.state is not State.GOOD:
            return None
        token, at = self._refused.get(team, ("", 0.0))
        if token == installed.token and time.monotonic() - at < TRY_AGAIN_S:
            return None
        cure = f"Install the app there again: {settings.public_url}{INSTALL_PATH}"
        access = Access(f"this app in workspace {team}", cure)
        key = WorkspaceKey(installed, self.rotation, access)
        clients = make_clients(installed.token, settings.slack_url, key=key, access=access)
        try:
            ours = settings.model_copy(update=_channels_there(settings, clients, team))
            bot = WorkspaceBot(replace(self.shared, settings=ours), clients)
        except SlackUnavailable:
            if not access.trouble:
                raise
            self._refused[team] = installed.token, time.monotonic()
            return None
        if bot.me.team_id != team:
            raise WrongWorkspace(
                f"The token that is kept for workspace {team} opens another one. {cure}",
                detail=f"installations: it is {bot.me.team_id}'s",
            )
        return Seat(bot, key, access)


def _channels_there(settings: BotSettings, clients: Clients, team: str) -> dict[str, str]:
    """Return the channels that are set as far as the bot is a member of them in this workspace.

    They are in one of the workspaces; in the others there are none.
    """
    there = {each: str(getattr(settings, each)) for each in CHANNELS}
    for each, name in CHANNELS.items():
        if there[each]:
            try:
                check_channel(clients.patient, name, there[each])
            except SettingsInvalid as why:
                log.info("not in workspace %s: %s", team, why)
                there[each] = ""
    return there
