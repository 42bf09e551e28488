"""Tries the channels that the settings name, before the bot starts."""

from __future__ import annotations

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from agent.errors import SettingsInvalid
from bot.clients import make_clients
from bot.settings import BotSettings
from bot.slack_errors import SLACK_TROUBLE, SlackUnavailable, error_code, what_went_wrong


def check_channels(settings: BotSettings) -> None:
    """Ask Slack whether the bot may post in the escalation and the operators' channel.

    Of several workspaces, only the one that has the channel can say so, later.

    Raises `SettingsInvalid`, which names the setting and what to do, or `SlackUnavailable`.
    """
    client = make_clients(settings.slack_bot_token.get_secret_value(), settings.slack_url).patient
    if settings.serves_several:
        return
    for name, channel in (
        ("DB_AGENT_ESCALATION_CHANNEL", settings.escalation_channel),
        ("DB_AGENT_OPERATORS_CHANNEL", settings.operators_channel),
    ):
        if channel:
            check_channel(client, name, channel)


def check_channel(client: WebClient, name: str, channel: str) -> None:
    """Ask Slack whether the bot may post in `channel`, which the setting `name` names.

    Raises `SettingsInvalid`, which says what to do, or `SlackUnavailable`.
    """
    try:
        facts = client.conversations_info(channel=channel)["channel"]
    except SlackApiError as error:
        if error_code(error) != "channel_not_found":
            raise _unavailable(error) from error
        raise SettingsInvalid(
            f"{name}: there is no channel {channel} that the bot can see. Check the id; a private "
            "channel is seen only after /invite of the bot in it."
        ) from error
    except SLACK_TROUBLE as error:
        raise _unavailable(error) from error
    problem = _problem(facts)
    if problem:
        raise SettingsInvalid(f"{name}: #{facts.get('name', channel)} {problem}")


def _problem(facts: dict[str, object]) -> str:
    if facts.get("is_archived"):
        return "is archived. Name another channel."
    if facts.get("is_ext_shared") or facts.get("is_pending_ext_shared"):
        return "is shared with another organisation, and data must not go there. Name another."
    if not facts.get("is_member"):
        return "does not have the bot as a member. Write /invite and the bot's name there."
    return ""


def _unavailable(error: BaseException) -> SlackUnavailable:
    return SlackUnavailable(
        "Slack does not say what the escalation and operators' channels are. Try again in a "
        "minute.",
        detail=what_went_wrong(error),
    )
