"""auth.*, apps.*, team.*, bots.*, users.*: who is who."""

from __future__ import annotations

from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.values import Json, User


def auth_test(call: Call) -> Json:
    """Who the token speaks for."""
    world = call.world
    user = world.users[call.user_id]
    body: Json = {
        "url": f"{world.base_url}/",
        "team": world.team_name,
        "user": user.name,
        "team_id": world.team_id,
        "user_id": user.id,
        "is_enterprise_install": False,
    }
    if call.is_bot:
        body["bot_id"] = user.bot_id
    if call.token.kind == "app":
        body = {"app_name": call.app.manifest.name, "app_id": call.app.id}
    return body


def apps_connections_open(call: Call) -> Json:
    """A WebSocket address with a ticket that is good for one connection."""
    ticket = call.workspace.socket_mode.ticket(call.app.id)
    address = call.world.base_url.replace("http://", "ws://")
    return {"url": f"{address}/link/?ticket={ticket}&app_id={call.app.id}"}


def team_info(call: Call) -> Json:
    """The workspace."""
    world = call.world
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
                    "deleted": False,
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
    return user.as_slack() | ({"locale": user.locale} if told else {})


def _user(call: Call, user_id: str) -> User:
    user = call.world.users.get(user_id)
    if user is None:
        raise SlackError("user_not_found")
    return user
