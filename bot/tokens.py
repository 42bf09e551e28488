"""Tries the Slack tokens before the bot starts, so that a wrong one is named, with its cure."""

from __future__ import annotations

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from agent.errors import SettingsInvalid
from bot.clients import make_clients
from bot.settings import APP_TOKEN_HELP, BOT_TOKEN_HELP, BotSettings
from bot.slack_errors import (
    SLACK_TROUBLE,
    SlackUnavailable,
    error_code,
    what_went_wrong,
    why_unreachable,
)


def check_tokens(settings: BotSettings) -> None:
    """Ask Slack whether the tokens that are used are good: both where we open event connections.

    Of several workspaces each has a token of its own, which is not looked at here.

    Raises `SettingsInvalid`, which names the wrong one and where to get the right one, or
    `SlackUnavailable`.
    """
    client = make_clients(settings.slack_bot_token.get_secret_value(), settings.slack_url).patient
    if not settings.serves_several:
        _try(client, "auth.test", "SLACK_BOT_TOKEN", BOT_TOKEN_HELP)
    if settings.events_over_http or not settings.takes_events:
        return
    client.token = settings.slack_app_token.get_secret_value()
    _try(client, "apps.connections.open", "SLACK_APP_TOKEN", APP_TOKEN_HELP)


def why_refused(error: SlackApiError, method: str) -> str:
    """Return why Slack does not take a token for `method`, as half a sentence."""
    return {
        "missing_scope": f"its scope does not allow {method}",
        "not_allowed_token_type": "it is of the wrong kind",
        "invalid_auth": "Slack does not know it",
        "token_expired": "it has expired",
        "token_revoked": "it was revoked",
        "account_inactive": "its app was removed from the workspace",
    }.get(error_code(error), f"Slack says {error_code(error)!r}")


def _try(client: WebClient, method: str, name: str, where: str) -> None:
    try:
        client.api_call(method)
    except SlackApiError as error:
        raise SettingsInvalid(
            f"{name} does not work: {why_refused(error, method)}; {where}.",
            detail=what_went_wrong(error),
        ) from error
    except SLACK_TROUBLE as error:
        raise SlackUnavailable(
            f"Slack cannot be reached at {client.base_url}: {why_unreachable(error)}. Check the "
            "network, the proxy and DB_AGENT_SLACK_URL.",
            detail=what_went_wrong(error),
        ) from error
