"""oauth.v2.access, auth.revoke, apps.uninstall: tokens for an installation, and their end."""

from __future__ import annotations

import hmac
import time

from bot.local_workspace import app_events, happenings
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.oauth import installing
from bot.local_workspace.oauth.grants import CODE_LIFE_S, Refresh, Registration
from bot.local_workspace.values import Json
from bot.local_workspace.world import App, World


def access(call: Call) -> Json:
    """Exchanges a code, or a refresh token, for a bot token of the workspace that it is for."""
    app = _client(call)
    grant = call.text("grant_type") or "authorization_code"
    if grant == "refresh_token":
        return _refreshed(call, app)
    if grant != "authorization_code":
        raise SlackError("invalid_grant_type")
    code = call.world.commons.codes.get(call.text("code"))
    if code is None or code.app_id != app.id or code.used:
        raise SlackError("invalid_code")
    if time.monotonic() - code.issued > CODE_LIFE_S:
        raise SlackError("invalid_code")
    if code.redirect_uri != call.text("redirect_uri"):
        raise SlackError("bad_redirect_uri")
    code.used = True
    world = call.world.commons.worlds[code.team_id]
    here = installing.install(world, app, code.scopes)
    if app.manifest.messages_tab:
        # Whoever installed it finds it among their apps.
        found = world.direct_messages(code.user_id, here.bot_user)
        happenings.channel_changed(call.workspace, found)
    rotated = installing.rotate(world, here) if app.manifest.rotates_tokens else None
    return {**_tokens(world, here, rotated), "authed_user": {"id": code.user_id}}


def _refreshed(call: Call, app: Registration) -> Json:
    commons = call.world.commons
    refresh = commons.refreshes.get(call.text("refresh_token"))
    if refresh is None or refresh.app_id != app.id or refresh.used:
        raise SlackError("invalid_refresh_token")
    world = commons.worlds[refresh.team_id]
    here = world.apps[app.id]
    if not here.installed:
        raise SlackError("invalid_refresh_token")
    refresh.used = True
    # Whoever still holds the old token may finish what is under way.
    installing.shorten(world, refresh.access, commons.token_life.exchanged_s)
    return _tokens(world, here, installing.rotate(world, here))


def _tokens(world: World, app: App, rotated: Refresh | None) -> Json:
    body: Json = {
        "access_token": rotated.access if rotated else installing.lasting_token(world, app),
        "token_type": "bot",
        "scope": ",".join(sorted(app.scopes)),
        "bot_user_id": app.bot_user,
        "app_id": app.id,
        "team": {"id": world.team_id, "name": world.team_name},
        "enterprise": None,
        "is_enterprise_install": False,
    }
    if rotated is not None:
        body["refresh_token"] = rotated.text
        body["expires_in"] = int(world.commons.token_life.access_s)
    return body


def _client(call: Call) -> Registration:
    apps = call.world.commons.registered.values()
    app = next((each for each in apps if each.client_id == call.text("client_id")), None)
    if app is None:
        raise SlackError("invalid_client_id")
    if not hmac.compare_digest(app.client_secret.encode(), call.text("client_secret").encode()):
        raise SlackError("bad_client_secret")
    return app


def revoke(call: Call) -> Json:
    """Takes back the calling token; with `test`, only tells that it could be."""
    if call.flag("test"):
        return {"revoked": False}
    app = call.world.apps.get(call.token.app_id)
    installing.revoke(call.world, call.token)
    if app is not None:
        app_events.tokens_revoked(call.workspace, app)
    return {"revoked": True}


def uninstall(call: Call) -> Json:
    """Removes the calling app from the workspace of its token."""
    app = _client(call)
    if app.id != call.token.app_id:
        raise SlackError("client_id_token_mismatch")
    remove_app(call, call.app)
    return {}


def remove_app(call: Call, app: App) -> None:
    """Removes an app from the caller's workspace, and tells it so, as the last it hears."""
    installing.uninstall(call.world, app)
    app_events.tokens_revoked(call.workspace, app)
    app_events.uninstalled(call.workspace, app)
