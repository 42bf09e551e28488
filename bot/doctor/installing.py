"""Slack, where workspaces install the app themselves: what it takes, and what Slack says to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.doctor.attempt import attempt
from bot.doctor.finding import Finding, note, ok, unchecked, wrong
from bot.doctor.set_up import SetUp
from bot.install_settings import ANY, CREDENTIALS, INSTALL_HELP, INSTALL_PATH, REDIRECT_PATH
from bot.installations.opening import oauth_client
from bot.slack_errors import SLACK_TROUBLE, error_code, why_unreachable

LIMIT_S: Final = 10.0
NO_CODE: Final = "none"
"""A code that Slack never gave: what it says to it tells whether it knows who asks."""


def installing_findings(set_up: SetUp) -> Iterator[Finding]:
    """Yield how the settings stand that it takes for workspaces to install the app."""
    missing = [name for name in INSTALL_HELP if set_up.is_missing(name)]
    for name in missing:
        yield wrong(f"{name} is not set", f"set it; {INSTALL_HELP[name]}")
    if "SLACK_CLIENT_SECRET" in missing:
        yield unchecked("the app's id and secret", "SLACK_CLIENT_SECRET is not set")
    else:
        yield from attempt("the app's id and secret", LIMIT_S, lambda: _known_to_slack(set_up))
    settings = set_up.bot
    if missing:
        return
    if settings.teams == ANY:
        yield note(
            "any workspace may install the app, and ask of the database",
            "name those that may in DB_AGENT_TEAMS",
        )
    else:
        yield ok(f"workspaces that may install the app: {settings.teams.replace(',', ', ')}")
    if set_up.port is None:
        yield note(
            "without a port no workspace can install the app",
            "start one process with db-agent serve --http PORT",
        )
    else:
        yield ok(
            f"workspaces install the app at {settings.public_url}{INSTALL_PATH}; its redirect URL "
            f"at https://api.slack.com/apps has to be {settings.public_url}{REDIRECT_PATH}"
        )


def _known_to_slack(set_up: SetUp) -> Iterator[Finding]:
    settings = set_up.bot
    secret = settings.slack_client_secret.get_secret_value()
    try:
        oauth_client(settings.slack_url).oauth_v2_access(
            client_id=settings.slack_client_id, client_secret=secret, code=NO_CODE
        )
    except SLACK_TROUBLE as error:
        code = error_code(error)
        if code == "invalid_code":
            yield ok("Slack knows the app by its SLACK_CLIENT_ID and SLACK_CLIENT_SECRET")
        elif code == "invalid_client_id":
            yield wrong("Slack knows no app with that SLACK_CLIENT_ID", f"it is {CREDENTIALS}")
        elif code == "bad_client_secret":
            yield wrong("SLACK_CLIENT_SECRET is not that of the app", f"it is {CREDENTIALS}")
        else:
            why = why_unreachable(error)
            yield unchecked("the app's id and secret", f"Slack does not tell: {why}")
