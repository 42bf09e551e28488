"""Slack: the two tokens, what they allow, the bot's own user, and the channels that are set."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from agent.errors import Fault
from bot.channels import check_channel
from bot.clients import is_loopback, make_clients
from bot.doctor.attempt import attempt, said
from bot.doctor.finding import Finding, note, ok, unchecked, wrong
from bot.doctor.installing import installing_findings
from bot.doctor.set_up import SetUp
from bot.doctor.slack_http import http_findings
from bot.doctor.slack_socket import socket_findings
from bot.manifest import FILE, HTTP_FILE, load_manifest
from bot.settings import APP_TOKEN_HELP, BOT_TOKEN_HELP, SLACK_URL
from bot.slack_errors import SLACK_TROUBLE, error_code, why_unreachable
from bot.tokens import why_refused

LIMIT_S: Final = 10.0
_APP_ID: Final = re.compile(r"xapp-\d+-(A[A-Z0-9]{6,})-")
"""An app-level token has its app's id in it."""
_REINSTALL: Final = (
    "at https://api.slack.com/apps, in your app: paste deploy/{} under App"
    " Manifest, save, and press Reinstall to Workspace under Install App"
)
_PASSING: Final = frozenset({"ratelimited", "internal_error", "fatal_error", "service_unavailable"})


@dataclass
class _Known:
    """What the checks have learnt so far of the app behind the bot token."""

    user_id: str = ""
    bot_name: str = "the bot"
    scopes: frozenset[str] = frozenset()
    app_id: str = ""
    unreachable: bool = False


def slack_findings(set_up: SetUp) -> Iterator[Finding]:
    """Yield how the two tokens and the channels stand."""
    yield from _address(set_up)
    known = _Known()
    if set_up.bot.serves_several:
        yield from installing_findings(set_up)
        yield from _ways_in(set_up, known)
        return
    client = make_clients(set_up.bot.slack_bot_token.get_secret_value(), set_up.bot.slack_url).quick
    trouble = _not_set(set_up, "SLACK_BOT_TOKEN", BOT_TOKEN_HELP)
    yield from trouble or attempt(
        "SLACK_BOT_TOKEN", LIMIT_S, lambda: _bot_token(client, set_up, known)
    )
    if known.user_id:
        yield from attempt("the bot's scopes", LIMIT_S, lambda: _scopes(known, set_up))
        yield from attempt("the bot's user", LIMIT_S, lambda: _bot_user(client, known))
    else:
        yield unchecked("scopes and channels of the bot", "SLACK_BOT_TOKEN does not work yet")
    yield from _ways_in(set_up, known)
    for check in (
        lambda: _channel(client, set_up, known, "DB_AGENT_ESCALATION_CHANNEL", _NO_ESCALATION),
        lambda: _channel(client, set_up, known, "DB_AGENT_OPERATORS_CHANNEL", _NO_OPERATORS),
    ):
        yield from attempt("the channels", LIMIT_S, check)


def _ways_in(set_up: SetUp, known: _Known) -> Iterator[Finding]:
    """Yield whether Slack's events reach us, over a port or a socket."""
    yield from attempt("the port for HTTP", LIMIT_S, lambda: http_findings(set_up))
    if set_up.bot.events_over_http:
        yield ok("SLACK_APP_TOKEN is not needed: Slack calls the port")
    elif known.unreachable:
        yield unchecked("SLACK_APP_TOKEN", "Slack cannot be reached")
    else:
        trouble = _not_set(set_up, "SLACK_APP_TOKEN", APP_TOKEN_HELP)
        yield from trouble or attempt("SLACK_APP_TOKEN", LIMIT_S, lambda: _app_token(set_up, known))


_NO_ESCALATION: Final = note(
    "no channel is set where people answer what the bot could not",
    "set DB_AGENT_ESCALATION_CHANNEL to a channel's id, or DB_AGENT_CONTACT to whom cards name",
)
_NO_OPERATORS: Final = note(
    "nobody is told of runs that end badly",
    "set DB_AGENT_OPERATORS_CHANNEL to a channel's id",
)


def _address(set_up: SetUp) -> Iterator[Finding]:
    url = set_up.bot.slack_url
    if url == SLACK_URL:
        return
    if url.startswith("http://") and not is_loopback(url):
        yield wrong(
            f"tokens would go unencrypted to {url}", "set DB_AGENT_SLACK_URL to an https:// address"
        )
    else:
        yield note(
            f"Slack is asked at {url}", "leave DB_AGENT_SLACK_URL out for an ordinary workspace"
        )


def _not_set(set_up: SetUp, name: str, where: str) -> list[Finding]:
    if set_up.is_missing(name):
        return [wrong(f"{name} is not set", f"set it; {where}")]
    if set_up.is_wrong(name):
        return [unchecked(name, "it is set wrongly, as said under settings")]
    return []


def _bot_token(client: WebClient, set_up: SetUp, known: _Known) -> Iterator[Finding]:
    asked = time.time()
    try:
        answer = client.auth_test()
    except SLACK_TROUBLE as error:
        known.unreachable = not isinstance(error, SlackApiError)
        yield _refused(error, "SLACK_BOT_TOKEN", "auth.test", BOT_TOKEN_HELP, set_up)
        return
    set_up.clocks.note_http("Slack", answer.headers, asked)
    known.user_id = str(answer["user_id"])
    known.bot_name = str(answer.get("user") or known.bot_name)
    known.scopes = frozenset(_header(answer, "x-oauth-scopes").replace(" ", "").split(",")) - {""}
    yield ok(f"SLACK_BOT_TOKEN is @{known.bot_name} in the workspace {answer.get('team')!r}")


def _scopes(known: _Known, set_up: SetUp) -> Iterator[Finding]:
    # The other manifest would turn the way that events come off.
    reinstall = _REINSTALL.format(HTTP_FILE if set_up.bot.events_over_http else FILE)
    needed = frozenset(load_manifest()["oauth_config"]["scopes"]["bot"])
    if not known.scopes:
        yield unchecked("the bot's scopes", "Slack did not say them")
        return
    missing, more = sorted(needed - known.scopes), sorted(known.scopes - needed)
    if missing:
        yield wrong(
            f"the bot lacks the {_scopes_in_words(missing)}, which {_its(missing)} in the app's"
            " manifest",
            reinstall,
        )
    else:
        yield ok(f"all {len(needed)} scopes of the app's manifest are granted")
    if more:
        yield note(
            f"the bot has the {_scopes_in_words(more)}, which it does not need",
            f"to take them away, {reinstall}",
        )


def _bot_user(client: WebClient, known: _Known) -> Iterator[Finding]:
    try:
        user: dict[str, Any] = client.users_info(user=known.user_id)["user"]
    except SLACK_TROUBLE as error:
        yield unchecked("the bot's user", f"Slack does not tell: {why_unreachable(error)}")
        return
    known.app_id = str((user.get("profile") or {}).get("api_app_id") or "")
    if user.get("deleted"):
        yield wrong(
            f"the user @{known.bot_name} is deactivated",
            "reinstall the app: Install App, on its page at https://api.slack.com/apps",
        )
    elif not user.get("is_bot"):
        yield wrong("SLACK_BOT_TOKEN speaks for a person", BOT_TOKEN_HELP)
    else:
        yield ok(f"the user @{known.bot_name} is active")


def _app_token(set_up: SetUp, known: _Known) -> Iterator[Finding]:
    token = set_up.bot.slack_app_token.get_secret_value()
    client = make_clients(token, set_up.bot.slack_url).quick
    try:
        answer = client.apps_connections_open(app_token=token)
    except SLACK_TROUBLE as error:
        yield _refused(error, "SLACK_APP_TOKEN", "apps.connections.open", APP_TOKEN_HELP, set_up)
        return
    app = _APP_ID.match(token)
    if app is not None and known.app_id and app[1] != known.app_id:
        yield wrong(
            f"the two tokens are of different apps: SLACK_APP_TOKEN of {app[1]}, SLACK_BOT_TOKEN"
            f" of {known.app_id}",
            "take both from the same app at https://api.slack.com/apps",
        )
        return
    yield ok("SLACK_APP_TOKEN opens Socket Mode")
    yield from socket_findings(str(answer["url"]))


def _channel(
    client: WebClient, set_up: SetUp, known: _Known, name: str, where_none: Finding
) -> Iterator[Finding]:
    escalation = name == "DB_AGENT_ESCALATION_CHANNEL"
    channel = set_up.bot.escalation_channel if escalation else set_up.bot.operators_channel
    if set_up.is_wrong(name) or (channel and not known.user_id):
        return  # said already: under settings, or that nothing can be asked
    if not channel:
        if not (escalation and set_up.bot.contact):
            yield where_none
        return
    try:
        check_channel(client, name, channel)
    except Fault as fault:
        if "missing_scope" in fault.detail:
            yield unchecked(f"{name}", "the bot lacks a scope for it")
        else:
            yield said(fault, name)
        return
    yield ok(f"{name} is a channel that the bot is a member of")


def _refused(error: BaseException, name: str, method: str, where: str, set_up: SetUp) -> Finding:
    if isinstance(error, SlackApiError) and error_code(error) not in _PASSING:
        return wrong(f"{name} does not work: {why_refused(error, method)}", f"set it anew; {where}")
    if isinstance(error, SlackApiError):
        return wrong(f"Slack does not answer {method} now: it says {error_code(error)!r}",
                     "wait a minute, and run this again")  # fmt: skip
    return wrong(
        f"Slack cannot be reached at {set_up.bot.slack_url}: {why_unreachable(error)}",
        "check the network, the proxy and DB_AGENT_SLACK_URL",
    )


def _header(answer: SlackResponse, name: str) -> str:
    values = [value for key, value in answer.headers.items() if key.lower() == name]
    return (
        ",".join(values[0] if isinstance(values[0], list) else [str(values[0])]) if values else ""
    )


def _scopes_in_words(scopes: list[str]) -> str:
    return f"scope{'' if len(scopes) == 1 else 's'} {', '.join(scopes)}"


def _its(scopes: list[str]) -> str:
    return "is" if len(scopes) == 1 else "are"
