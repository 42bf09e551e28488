"""auth.*, apps.*, team.*, bots.*, users.*: who is who."""

from __future__ import annotations

from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.shown import page_address, user_json
from bot.local_workspace.values import Json, User


def auth_test(call: Call) -> Json:
    """Who the token speaks for."""
    world = call.world
    if call.token.kind == "app":
        app = world.commons.registered[call.token.app_id]
        return {"app_name": app.manifest.name, "app_id": app.id}
    user = world.users[call.user_id]
    body: Json = {
        "url": page_address(world),
        "team": world.team_name,
        "user": user.name,
        "team_id": world.team_id,
        "user_id": user.id,
        "is_enterprise_install": False,
    }
    if call.is_bot:
        body["bot_id"] = user.bot_id
    return body


def apps_connections_open(call: Call) -> Json:
    """A WebSocket address with a ticket that is good for one connection."""
    ticket = call.workspace.socket_mode.ticket(call.token.app_id)
    address = call.world.base_url.replace("http://", "ws://")
    return {"url": f"{address}/link/?ticket={ticket}&app_id={call.token.app_id}"}


def team_info(call: Call) -> Json:
    """The workspace, or `team`, if a channel is shared with it; team_not_found."""
    world = call.world
    if call.text("team") not in ("", world.team_id):
        other = world.commons.worlds.get(call.text("team"))
        if other is None or not set(world.channels) & set(other.channels):
            raise SlackError("team_not_found")
        world = other
    return {
        "team": {
            "id": world.team_id,
            "name": world.team_name,
            "domain": world.domain,
            "email_domain": "",
            "icon": {"image_default": True},
        }
    }


def bots_info(call: Call) -> Json:
    """The bot `bot`, or the calling one; bot_not_found."""
    wanted = call.text("bot")
    for app in call.world.apps.values():
        if app.bot_id == wanted or (not wanted and call.token.app_id == app.id):
            return {
                "bot": {
                    "id": app.bot_id,
                    "deleted": not app.installed,
                    "name": app.manifest.name,
                    "app_id": app.id,
                    "user_id": app.bot_user,
                }
            }
    raise SlackError("bot_not_found")


def users_info(call: Call) -> Json:
    """The member `user`, with `include_locale` their locale too; user_not_found."""
    call.require("user")
    return {"user": _seen(call, _user(call, call.text("user")))}


def users_list(call: Call) -> Json:
    """Every member, on one page, with `include_locale` their locales too."""
    members = [_seen(call, user) for user in call.world.users.values()]
    return {"members": members, "response_metadata": {"next_cursor": ""}}


def _seen(call: Call, user: User) -> Json:
    told = call.flag("include_locale") and user.locale
    return user_json(call.world, user, call.user_id) | ({"locale": user.locale} if told else {})


def _user(call: Call, user_id: str) -> User:
    user = call.world.member(user_id)
    if user is None:
        raise SlackError("user_not_found")
    return user
