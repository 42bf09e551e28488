"""workspace.*: what the page asks for to draw itself. Not Slack's."""

from __future__ import annotations

from bot.local_workspace.happenings import page_channel, page_message, session_json
from bot.local_workspace.methods.call import Call
from bot.local_workspace.values import Channel, Json, Message
from bot.local_workspace.world import App


def messages(call: Call) -> Json:
    """What this person sees in `channel`, or in one thread of it, ephemeral messages included.

    A public channel can be looked into before one joins it.
    """
    channel = call.channel()
    thread_ts = call.text("thread_ts")
    shown = [
        page_message(call.workspace, message)
        for message in call.world.messages[channel.id].values()
        if message.ephemeral_to in (None, call.user_id) and _belongs(message, thread_ts)
    ]
    return {"messages": shown[-500:], "changes": call.workspace.changes.count}


def _belongs(message: Message, thread_ts: str) -> bool:
    if thread_ts:
        return message.root == thread_ts
    return not message.is_reply or message.broadcast


def boot(call: Call) -> Json:
    """All that the page needs to draw itself for this person."""
    world = call.world
    me = call.user_id
    _find_apps(call)
    channels = [
        {**page_channel(channel, me, world.team_id), "latest": _latest(call, channel)}
        for channel in world.channels.values()
        if me in channel.members or channel.is_known_to(world.users.get(me))
    ]
    return {
        "team": {"id": world.team_id, "name": world.team_name},
        "about": world.about,
        "me": me,
        "users": _known(call),
        "channels": channels,
        "teams": _teams(call),
        "apps": [_app_json(call, app) for app in world.apps.values() if app.installed],
        "sessions": [
            session_json(side, each)
            for side in call.workspace.teams.values()
            for each in side.world.sessions.values()
            if each.channel in world.channels
        ],
        "prompts": [
            {"channel": channel, "thread_ts": thread_ts, **shown}
            for (channel, thread_ts), shown in world.prompts.items()
        ],
        "views": [
            view.as_slack(side.world.team_id, side.world.apps[view.app_id].bot_id)
            for side in call.workspace.teams.values()
            for view in side.world.views.values()
            if view.open and view.user_id == me
        ],
        "changes": call.workspace.changes.count,
    }


def _find_apps(call: Call) -> None:
    """Opens the direct messages with every app that takes some: each member sees it at the side.

    Whoever is of another organisation has apps of their own.
    """
    user = call.world.users.get(call.user_id)
    if user is None or user.team_id != call.world.team_id or user.is_stranger:
        return
    for app in call.world.apps.values():
        if app.installed and app.manifest.messages_tab:
            call.world.direct_messages(call.user_id, app.bot_user)


def _known(call: Call) -> list[Json]:
    """The members, and whoever of other teams is in channels shared with this one."""
    inside = {each for channel in call.world.channels.values() for each in channel.members}
    others = (call.world.member(each) for each in sorted(inside - call.world.users.keys()))
    members = [each.as_slack() for each in call.world.users.values()]
    return [*members, *(each.as_slack() | {"elsewhere": True} for each in others if each)]


def _teams(call: Call) -> list[Json]:
    """Every workspace behind this server."""
    return [
        {"id": each.team_id, "name": each.team_name} for each in call.world.commons.worlds.values()
    ]


def _latest(call: Call, channel: Channel) -> str:
    seen = [
        message.ts
        for message in call.world.messages[channel.id].values()
        if message.ephemeral_to in (None, call.user_id) and not message.is_reply
    ]
    return seen[-1] if seen else ""


def _app_json(call: Call, app: App) -> Json:
    home = call.world.homes.get((app.id, call.user_id))
    return {
        "id": app.id,
        "name": app.manifest.name,
        "bot_user": app.bot_user,
        "home_tab": app.manifest.home_tab,
        "home": home.as_slack(call.world.team_id, app.bot_id) if home else None,
        "commands": [
            {
                "command": command.name,
                "description": command.description,
                "usage_hint": command.usage_hint,
            }
            for command in app.manifest.commands
        ],
        "shortcuts": [
            {"name": each.name, "callback_id": each.callback_id, "description": each.description}
            for each in app.manifest.shortcuts
        ],
        "prompts": list(app.manifest.prompts),
    }
