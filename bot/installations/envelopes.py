"""Whom an envelope of Slack's is for, and whether it says that the app is gone; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from slack_bolt import BoltRequest, BoltResponse

REMOVED: Final = "app_uninstalled"
REVOKED: Final = "tokens_revoked"
JUST_NOW_S: Final = 1.0
"""Slack's times of events are whole seconds."""


@dataclass(frozen=True)
class Addressee:
    """A workspace, or an organisation that has the app in all of its workspaces."""

    team: str
    """"" where Slack does not say."""
    is_organisation: bool


def addressee_of(request: BoltRequest) -> Addressee:
    """Return the workspace whose installation an envelope is for.

    Bolt reads it: from `authorizations` where there are, since the `team_id` of an event in a
    shared channel may be that of the other organisation. A click there names the workspace of who
    clicked, too: the card that it was on is of the bot that posted it.
    """
    context, body = request.context, request.body
    team = context.team_id or ""
    if body.get("type") == "block_actions":
        posted_by = str((body.get("message") or {}).get("team") or "")
        team = posted_by if posted_by.startswith("T") else team
    return Addressee(team, bool(context.is_enterprise_install))


def is_for_another(body: Mapping[str, Any], team: str) -> bool:
    """Is an event for the app in another workspace than `team`?

    One app may be installed in several, though one bot has the token of one of them. What people
    do with commands and buttons names their own workspace, which says nothing of that.
    """
    if body.get("type") != "event_callback":
        return False
    given = body.get("authorizations")
    first = given[0] if isinstance(given, list) and given else None
    if isinstance(first, Mapping):
        named = None if first.get("is_enterprise_install") else first.get("team_id")
    else:  # without them, the team of a message may be that of who wrote it
        named = body.get("team_id") if is_about_an_end(body) else None
    return bool(named) and named != team


def is_about_an_end(body: Mapping[str, Any]) -> bool:
    """Does the envelope say that the app was removed, or that some token of it is gone?"""
    event = body.get("event")
    return isinstance(event, Mapping) and event.get("type") in (REMOVED, REVOKED)


def ended_at(body: Mapping[str, Any], bot_user: str) -> float | None:
    """Return when the app lost its place, from what `is_about_an_end`; in seconds since 1970.

    None where it keeps it: people's tokens are revoked as well.
    """
    event = body["event"]
    if event["type"] == REVOKED and bot_user not in bots_revoked(event):
        return None
    return float(body.get("event_time") or 0) + JUST_NOW_S


def bots_revoked(event: Mapping[str, Any]) -> list[str]:
    """Return the bot users whose tokens are gone."""
    tokens = event.get("tokens")
    bots = tokens.get("bot") if isinstance(tokens, Mapping) else None
    return [str(each) for each in bots] if isinstance(bots, list) else []


def not_now() -> BoltResponse:
    """Return the answer after which Slack sends an event again."""
    return BoltResponse(status=503, body="")


def answered_with(words: str, body: Mapping[str, Any]) -> BoltResponse:
    """Return the answer that takes an envelope and does nothing; a command shows the words."""
    return BoltResponse(status=200, body=words if "command" in body else "")
