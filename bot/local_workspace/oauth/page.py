"""/oauth/v2/authorize: the page on which a person allows an app to be installed, or does not."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode, urlsplit

from werkzeug.wrappers import Request, Response

from bot.local_workspace.errors import SlackError
from bot.local_workspace.oauth.authorize import Asked, allow, cancel, read_request
from bot.local_workspace.workspace import Workspace

SENT = ("client_id", "scope", "user_scope", "redirect_uri", "state", "team", "as")
WRONG = {
    "invalid_client_id": "No app here has this client_id.",
    "bad_redirect_uri": "The redirect_uri is none of the app's. Its manifest lists them under "
    "oauth_config.redirect_urls.",
    "invalid_scope": "The app asks for scopes that its manifest does not have, or for none.",
    "invalid_team_for_app": "There is no workspace with this team id here.",
    "user_not_found": "Nobody of that name is in this workspace.",
    "restricted_action": "Guests cannot install apps. Ask somebody who is a full member.",
}
MEANINGS = {
    "app_mentions:read": "See messages that mention it",
    "assistant:write": "Show what it is doing in its conversations",
    "channels:history": "Read messages in public channels that it is in",
    "channels:read": "See which public channels there are",
    "chat:write": "Write messages as itself",
    "commands": "Have commands that start with /",
    "files:read": "See files that are shared where it is",
    "files:write": "Upload files",
    "groups:history": "Read messages in private channels that it is in",
    "groups:read": "See private channels that it is in",
    "im:history": "Read messages that people write to it",
    "im:read": "See who writes to it",
    "im:write": "Begin a conversation with people",
    "reactions:write": "React with emoji",
    "users:read": "See who is in the workspace",
}


def answer(workspace: Workspace, request: Request, person: str) -> Response:
    """Shows what is asked, or goes back to the app with what was decided.

    `person` is the id of whoever sits in front of the page, where that is known.
    """
    sent = {name: request.values[name] for name in SENT if name in request.values}
    try:
        if "as" not in sent:
            sent |= _as_person(workspace, sent, person)
        asked = read_request(workspace, sent)
    except SlackError as error:
        return _page("This app cannot be installed", _trouble(error.code), "", 400)
    if request.method == "POST":
        decided = allow(asked) if request.form.get("decision") == "allow" else cancel(asked)
        return Response("", 302, {"Location": decided, "Cache-Control": "no-store"})
    return _ask(workspace, asked, {**sent, "as": asked.person.name})


def _as_person(workspace: Workspace, sent: Mapping[str, str], person: str) -> dict[str, str]:
    side = workspace.of_member(person)
    known = side.world.users.get(person)
    if known is None or sent.get("team", side.world.team_id) != side.world.team_id:
        return {}
    return {"team": side.world.team_id, "as": known.name}


def _ask(workspace: Workspace, asked: Asked, sent: Mapping[str, str]) -> Response:
    name, team = escape(asked.app.manifest.name), escape(asked.world.team_name)
    scopes = "".join(
        f"<li>{escape(MEANINGS.get(each, each))} <code>{escape(each)}</code></li>"
        for each in sorted(asked.scopes)
    )
    hidden = "".join(
        f'<input type="hidden" name="{key}" value="{escape(value)}">'
        for key, value in {**sent, "team": asked.world.team_id}.items()
    )
    body = (
        f'<p class="muted">Signed in as {escape(asked.person.real_name)}.'
        f"{_others(workspace, asked, sent)}</p>"
        f"<h2>What {name} will be able to do</h2><ul>{scopes}</ul>"
        f'<form method="post" action="/oauth/v2/authorize">{hidden}'
        '<button name="decision" value="allow" class="primary" data-testid="allow">Allow</button>'
        '<button name="decision" value="cancel" data-testid="cancel">Cancel</button></form>'
    )
    return _page(f"Install {name} to {team}?", body, asked.redirect_uri, 200)


def _others(workspace: Workspace, asked: Asked, sent: Mapping[str, str]) -> str:
    """Links to the same question in the other workspaces."""
    kept = {key: value for key, value in sent.items() if key != "as"}
    links = [
        f'<a href="?{escape(urlencode({**kept, "team": each.world.team_id}))}">'
        f"{escape(each.world.team_name)}</a>"
        for each in workspace.teams.values()
        if each.world is not asked.world
    ]
    return f" Install it to {' or '.join(links)} instead?" if links else ""


def _trouble(code: str) -> str:
    return f"<p>{escape(WRONG[code])}</p><p class='muted'><code>{escape(code)}</code></p>"


def _page(title: str, body: str, back: str, status: int) -> Response:
    """`title` and `body` are markup; `back` is where the form may lead to."""
    parts = urlsplit(back)
    origin = f" {parts.scheme}://{parts.netloc}" if back else ""
    headers = {
        "Content-Security-Policy": (
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none';"
            f" form-action 'self'{origin}; frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        # Without any referrer the browser would not say that the form is from here.
        "Referrer-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title>"
        '<link rel="icon" href="/page/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/page/install.css"></head><body>'
        '<p class="banner"><strong>Local workspace: not Slack, a stand-in on this machine.'
        f"</strong></p><main><h1>{title}</h1>{body}</main></body></html>"
    )
    return Response(text, status, headers, content_type="text/html; charset=utf-8")
