"""/ask settings: what administrators set for a channel."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from slack_bolt import Ack, App

from bot.audience import UNKNOWN, Audience
from bot.channel_settings import ChannelRules
from bot.clients import Clients
from bot.listeners.intake import BUSY
from bot.listeners.slash_command import COMMAND, Command
from bot.only_for_asker import OnlyForAsker
from bot.pool import Pool
from bot.render import render_notice
from bot.render.settings import (
    FIELD,
    read_settings_form,
    render_settings_form,
    render_settings_refused,
    render_settings_saved,
    settings_error,
)
from bot.slack_errors import SLACK_TROUBLE, error_code, what_went_wrong
from bot.store import StoreUnavailable

log = logging.getLogger(__name__)

FORMS = frozenset({"settings", "setting", "the settings", "channel settings"})
"""What is meant for us; anything else with the word in it is a question."""
NO_CHANNEL = "Settings belong to a channel: please use /ask settings in the channel itself."
NOT_SEEN = "I cannot see this channel. Please invite me here first, then use /ask settings again."
TOO_SLOW = "Slack did not open the window. Please use /ask settings again."
NOT_SAVED = "I cannot reach my own record, so nothing is saved yet. Please try again in a minute."


@dataclass(frozen=True)
class SettingsDesk:
    """Shows an administrator what holds in a channel, and keeps what they set."""

    clients: Clients
    audience: Audience
    rules: ChannelRules

    def open(self, command: Command) -> None:
        """Open the form, within three seconds; whoever may not have it is told why."""
        reason = self._open(command)
        if reason is not None:
            OnlyForAsker(command.response_url).finish([render_notice(reason)])

    def submit(self, user: str, view: dict[str, Any]) -> dict[str, Any]:
        """Keep what was set, and return the acknowledgement.

        Whoever has the form open may have lost the right to it meanwhile.
        """
        reason = self.audience.refusal_to_set(user)
        if reason is not None:
            return {"response_action": "update", "view": render_settings_refused(reason)}
        channel, settings = read_settings_form(view, user)
        try:
            self.rules.set(channel, settings)
        except StoreUnavailable as fault:
            log.error("settings of channel %s were not kept: %s", channel, fault.detail)
            return settings_error(NOT_SAVED)
        return {"response_action": "update", "view": render_settings_saved(channel, settings)}

    def _open(self, command: Command) -> str | None:
        """Open the form, or return why not."""
        if command.channel.startswith("D"):
            return NO_CHANNEL
        reason = self.audience.refusal_to_set(command.user)
        if reason is not None:
            return reason
        try:
            outsiders = self.audience.outsiders(command.channel)
        except SLACK_TROUBLE as error:
            log.warning("settings of a channel were not shown: %s", what_went_wrong(error))
            return NOT_SEEN if error_code(error) == "channel_not_found" else UNKNOWN
        try:
            settings = self.rules.stored(command.channel)
        except StoreUnavailable as fault:
            log.error("settings of a channel were not shown: %s", fault.detail)
            return f"{fault} Please try again in a moment."
        view = render_settings_form(command.channel, settings, outsiders)
        try:
            self.clients.quick.views_open(trigger_id=command.trigger, view=view)
        except SLACK_TROUBLE as error:
            log.warning("settings of a channel were not shown: %s", what_went_wrong(error))
            return TOO_SLOW
        return None


def is_about_settings(text: str) -> bool:
    """Do the words after /ask ask, as a whole, for the channel's settings?"""
    return " ".join(text.split()).rstrip("?.!").casefold() in FORMS


def register(app: App, *, desk: SettingsDesk, modals: Pool) -> None:
    """Listen to `/ask settings` and to its form. Comes before the listener to all of /ask."""

    def is_ours(body: dict[str, Any]) -> bool:
        return is_about_settings(body.get("text") or "")

    def handle(ack: Ack, body: dict[str, Any]) -> None:
        command = Command.of(body)
        if modals.submit(lambda: desk.open(command)):
            ack()
        else:
            ack(response_type="ephemeral", text=BUSY)

    def submitted(ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        ack(**desk.submit(body["user"]["id"], view))

    app.command(COMMAND, matchers=[is_ours])(handle)
    app.view(FIELD)(submitted)
