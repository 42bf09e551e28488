"""The consent to an installation: what an app may ask for, and the code that Allow hands out."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from bot.local_workspace.errors import SlackError
from bot.local_workspace.oauth.grants import Code, Registration
from bot.local_workspace.values import User
from bot.local_workspace.workspace import Workspace
from bot.local_workspace.world import World


@dataclass(frozen=True)
class Asked:
    """An installation that somebody is asked to allow."""

    app: Registration
    world: World
    person: User
    scopes: frozenset[str]
    redirect_uri: str
    """Where to go back to."""
    sent_uri: str
    """The redirect_uri as it came; "" where the app's first one is meant."""
    state: str


def read_request(workspace: Workspace, sent: Mapping[str, str]) -> Asked:
    """Checks the parameters of /oauth/v2/authorize; `team` and `as` (a name) are optional.

    Raises SlackError: invalid_client_id, bad_redirect_uri, invalid_scope, invalid_team_for_app,
    user_not_found, restricted_action.
    """
    apps = workspace.world.commons.registered.values()
    app = next((each for each in apps if each.client_id == sent.get("client_id")), None)
    if app is None:
        raise SlackError("invalid_client_id")
    uri = sent.get("redirect_uri", "")
    allowed = app.redirect_urls
    if not allowed or (uri and not any(_is_under(uri, each) for each in allowed)):
        raise SlackError("bad_redirect_uri")
    scopes = frozenset(filter(None, sent.get("scope", "").replace(" ", ",").split(",")))
    # An app without scopes for people may ask for none.
    if not scopes or not scopes <= app.manifest.bot_scopes or sent.get("user_scope"):
        raise SlackError("invalid_scope")
    world = workspace.world.commons.worlds.get(sent.get("team") or workspace.world.team_id)
    if world is None:
        raise SlackError("invalid_team_for_app")
    person = _person(world, sent.get("as", ""))
    return Asked(app, world, person, scopes, uri or allowed[0], uri, sent.get("state", ""))


def _is_under(uri: str, allowed: str) -> bool:
    # Host and port are the same, and the path is that of the setting or below it.
    asked, known = urlsplit(uri), urlsplit(allowed)
    if (asked.scheme, asked.netloc) != (known.scheme, known.netloc) or ".." in asked.path:
        return False
    folder = known.path.rstrip("/")
    return asked.path.rstrip("/") == folder or asked.path.startswith(f"{folder}/")


def _person(world: World, name: str) -> User:
    people = [each for each in world.users.values() if not each.is_bot and not each.deleted]
    owner = next((each for each in people if each.is_owner), people[0])
    person = next((each for each in people if each.name == name), None) if name else owner
    if person is None:
        raise SlackError("user_not_found")
    if person.is_restricted or person.is_ultra_restricted:
        raise SlackError("restricted_action")
    return person


def allow(asked: Asked) -> str:
    """Return the address to go back to, with a fresh code."""
    code = Code(
        text=f"{secrets.randbelow(10**12):012d}.{secrets.token_hex(32)}",
        app_id=asked.app.id,
        team_id=asked.world.team_id,
        user_id=asked.person.id,
        scopes=asked.scopes,
        redirect_uri=asked.sent_uri,
        issued=time.monotonic(),
    )
    with asked.world.lock:
        asked.world.commons.codes[code.text] = code
    return _back(asked, code=code.text)


def cancel(asked: Asked) -> str:
    """Return the address to go back to, which says that nothing was allowed."""
    return _back(asked, error="access_denied")


def _back(asked: Asked, **said: str) -> str:
    parts = urlsplit(asked.redirect_uri)
    query = [*parse_qsl(parts.query, keep_blank_values=True), *said.items(), ("state", asked.state)]
    return urlunsplit(parts._replace(query=urlencode(query)))
