"""The few pages of an installation, in plain words: pure, and nothing from outside is loaded."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final
from urllib.parse import urlencode

from slack_bolt import BoltResponse

AGAIN: Final = "Please begin again."
RECORD_AWAY: Final = (
    "The app cannot keep an installation at the moment, so nothing was kept. Please try again in a "
    "few minutes."
)
SLACK_AWAY: Final = f"Slack did not answer. {AGAIN}"
NO_ORGANISATIONS: Final = (
    "The app cannot be installed for a whole organisation. Please install it in single workspaces."
)
NOT_ALLOWED: Final = (
    "This app answers from one company's database, and your workspace ({team}) is not one of those "
    "that it may answer, so it was not installed. If it should be, please ask whoever runs the app."
)
UNKNOWN: Final = f"Slack did not let the app in. {AGAIN}"
REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "access_denied": (
            "You chose not to install the app, so nothing was installed. You can close this page."
        ),
        "invalid_browser": (
            "This page was not reached from the one where one adds the app, in this browser, or it "
            f"was loaded twice. {AGAIN}"
        ),
        "invalid_state": f"That took too long, or this page was loaded twice. {AGAIN}",
        "missing_code": UNKNOWN,
        "invalid_code": f"Slack does not know this installation any more. {AGAIN}",
        "storage_error": RECORD_AWAY,
    }
)
GUARDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Cache-Control": "no-store",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
        "Referrer-Policy": "no-referrer",
    }
)
_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 32em; margin: 4em auto; padding: 0 1em; }}
a.button {{ display: inline-block; padding: .6em 1.2em; border-radius: 6px; background: #1d3557;
color: #fff; text-decoration: none; font-weight: 600; }}
</style></head><body><h1>{title}</h1>{body}</body></html>
"""


def install_page(url: str) -> str:
    """Return the page whose one button leads to Slack at `url`."""
    return _page(
        "Add db-agent to Slack",
        "<p>db-agent answers questions about a database. Slack shows you what it may do, and asks "
        "you to allow it.</p>"
        f'<p><a class="button" href="{html.escape(url)}">Go on to Slack</a></p>',
    )


def done(workspace: str, app: str, team: str) -> str:
    """Return the page that says that the app is installed in `workspace`, a name."""
    link = f"slack://app?{urlencode({'team': team, 'id': app})}"
    return _page(
        "db-agent is installed",
        f"<p>It answers in {html.escape(workspace)} from now on: /invite it to a channel and "
        "mention it there, or write to it directly.</p>"
        f'<p><a class="button" href="{html.escape(link)}">Open Slack</a></p>',
    )


def problem(status: int, words: str, *, cookie: str = "") -> BoltResponse:
    """Return the page that says why the app was not installed, and what to do."""
    said = f"<p>{html.escape(words)}</p>"
    # Beside this page, whatever stands before both.
    again = '<p><a class="button" href="install">Begin again</a></p>' if AGAIN in words else ""
    return page(status, _page("db-agent is not installed", said + again), cookie=cookie)


def page(status: int, body: str, *, cookie: str = "") -> BoltResponse:
    """Return a page; `cookie` sets one, or takes it away."""
    headers: dict[str, str | Sequence[str]] = {"Content-Type": "text/html; charset=utf-8"}
    if cookie:
        headers["Set-Cookie"] = [cookie]
    return guarded(BoltResponse(status=status, body=body, headers=headers))


def guarded(response: BoltResponse) -> BoltResponse:
    """Let nobody keep the page, and nothing from outside into it."""
    for name, value in GUARDS.items():
        response.headers[name.lower()] = [value]
    return response


def _page(title: str, body: str) -> str:
    return _PAGE.format(title=html.escape(title), body=body)
