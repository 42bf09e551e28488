"""What follows when something happens: the pages are told, and the apps that subscribed.

An event goes to an app only if its manifest subscribes to it, and its bot is in the channel.
"""

from __future__ import annotations

from bot.local_workspace import wording
from bot.local_workspace.shown import message_json, of_elsewhere
from bot.local_workspace.surfaces import Session
from bot.local_workspace.values import Channel, Json, Message, now
from bot.local_workspace.workspace import Workspace
from bot.local_workspace.world import App

MESSAGE_EVENTS = {
    "channel": ("message.channels", "channel"),
    "group": ("message.groups", "group"),
    "mpim": ("message.mpim", "mpim"),
    "im": ("message.im", "im"),
}


def send_event(
    workspace: Workspace, app: App, subscription: str, channel: Channel | None, event: Json
) -> None:
    """Delivers one event to one app under a fresh event_id, if the app subscribed to it."""
    if subscription not in app.manifest.events:
        return
    world = workspace.of(app.team_id).world
    team_id = context = world.team_id
    if channel and channel.is_ext_shared and event["type"] == "message":
        # Slack puts the writer's team here, and the channel's host; whose event it is,
        # only the authorizations tell.
        team_id, context = event.get("team") or team_id, channel.host
    payload: Json = {
        "token": "local-workspace",
        "team_id": team_id,
        "context_team_id": context,
        "context_enterprise_id": None,
        "api_app_id": app.id,
        "event": event,
        "type": "event_callback",
        "event_id": world.new_id("Ev"),
        "event_time": now(),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": world.team_id,
                "user_id": app.bot_user,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": bool(channel and channel.is_ext_shared),
        "event_context": world.new_id("4-"),
    }
    workspace.deliveries.send(app.id, "events_api", payload, accepts_response=False)


def posted(workspace: Workspace, message: Message) -> None:
    """A new message: on the pages, as message.* and, where a bot is named, as app_mention."""
    tell_pages(workspace, message)
    if message.ephemeral_to is not None:
        return
    channel = workspace.world.channels[message.channel]
    for app in _bots_in(workspace, channel):
        body = message_json(workspace.of(app.team_id).world, message)
        _mention(workspace, app, channel, message, body)
    for app in apps_in(workspace, channel, message.user):
        body = message_json(workspace.of(app.team_id).world, message)
        subscription, channel_type = MESSAGE_EVENTS[channel.kind]
        event = {
            **body,
            "channel": channel.id,
            "event_ts": message.ts,
            "channel_type": channel_type,
        }
        send_event(workspace, app, subscription, channel, event)


def _mention(
    workspace: Workspace, app: App, channel: Channel, message: Message, body: Json
) -> None:
    # In direct messages there is no app_mention, and an app is not told of its own words.
    if channel.is_im or message.user == app.bot_user:
        return
    if app.bot_user in wording.mentioned(message.text):
        event = {
            **body,
            "type": "app_mention",
            # Here Slack names the team of the app; the writer's is in user_team.
            "team": app.team_id,
            "channel": channel.id,
            "event_ts": message.ts,
        }
        send_event(workspace, app, "app_mention", channel, event)


def invited(workspace: Workspace, app: App, channel: Channel) -> None:
    """A bot joined: the mention that led to the invitation, if there is one, is delivered."""
    for message in reversed(workspace.world.messages[channel.id].values()):
        if message.ephemeral_to is None and app.bot_user in wording.mentioned(message.text):
            body = message_json(workspace.world, message)
            _mention(workspace, app, channel, message, body)
            return


def edited(workspace: Workspace, message: Message, before: Json) -> None:
    """A changed message: message_changed, with what it was before."""
    tell_pages(workspace, message)
    if message.ephemeral_to is None:
        after = message_json(workspace.world, message)
        what = {"message": after, "previous_message": before}
        _changed(workspace, message, "message_changed", what)


def deleted(workspace: Workspace, message: Message, before: Json) -> None:
    """A deleted message: message_deleted; where replies are left, its change to a tombstone."""
    workspace.changes.add(
        "message_deleted",
        {"channel": message.channel, "ts": message.ts, "thread_ts": message.thread_ts},
        message.ephemeral_to,
    )
    if message.ephemeral_to is None:
        _retell_root(workspace, message)
        what: Json = {"previous_message": before, "deleted_ts": message.ts}
        if message.tombstone:
            what = {"message": message_json(workspace.world, message), "previous_message": before}
        subtype = "message_changed" if message.tombstone else "message_deleted"
        _changed(workspace, message, subtype, what)


def _changed(workspace: Workspace, message: Message, subtype: str, what: Json) -> None:
    world = workspace.world
    channel = world.channels[message.channel]
    subscription, channel_type = MESSAGE_EVENTS[channel.kind]
    ts = world.new_ts()
    event: Json = {
        "type": "message",
        "subtype": subtype,
        "hidden": True,
        "channel": channel.id,
        "channel_type": channel_type,
        "ts": ts,
        "event_ts": ts,
    }
    for app in apps_in(workspace, channel, message.user):
        # `what` is as the writer's own side has it.
        writer = of_elsewhere(workspace.of(app.team_id).world, message)
        seen = {name: {**it, **writer} if isinstance(it, dict) else it for name, it in what.items()}
        send_event(workspace, app, subscription, channel, {**event, **seen})


def tell_pages(workspace: Workspace, message: Message) -> None:
    """Shows a new or changed message on the open pages, and the reply count of its root."""
    workspace.changes.add("message", page_message(workspace, message), message.ephemeral_to)
    if message.ephemeral_to is None:
        _retell_root(workspace, message)


def _retell_root(workspace: Workspace, message: Message) -> None:
    root = workspace.world.messages[message.channel].get(message.root)
    if message.is_reply and root is not None:
        workspace.changes.add("message", page_message(workspace, root))


def page_message(workspace: Workspace, message: Message) -> Json:
    """A message as the page gets it: Slack's JSON, and the little that Slack keeps to itself."""
    body = message_json(workspace.world, message)
    body["channel"] = message.channel
    if message.ephemeral_to is not None:
        body["is_ephemeral"] = True
    if message.broadcast:
        body["broadcast"] = True
    return body


def reacted(workspace: Workspace, message: Message, user: str, name: str, added: bool) -> None:
    """A reaction that came or went."""
    world = workspace.world
    workspace.changes.add("message", page_message(workspace, message))
    kind = "reaction_added" if added else "reaction_removed"
    event: Json = {
        "type": kind,
        "user": user,
        "reaction": name,
        "item": {"type": "message", "channel": message.channel, "ts": message.ts},
        "item_user": message.user,
        "event_ts": world.new_ts(),
    }
    channel = world.channels[message.channel]
    for app in apps_in(workspace, channel, user):
        send_event(workspace, app, kind, channel, event)


def apps_in(workspace: Workspace, channel: Channel, actor: str = "") -> list[App]:
    """The apps whose bots are in a channel, each once: what several installations see is told once.

    It is told as of one of them: that in the actor's workspace, or the host's, or any.
    """
    near = (workspace.of_member(actor).world.team_id, channel.host)

    def distance(app: App) -> int:
        return near.index(app.team_id) if app.team_id in near else len(near)

    chosen: dict[str, App] = {}
    for app in _bots_in(workspace, channel):
        known = chosen.setdefault(app.id, app)
        chosen[app.id] = min(known, app, key=distance)
    return list(chosen.values())


def _bots_in(workspace: Workspace, channel: Channel) -> list[App]:
    return [
        app
        for side in workspace.teams.values()
        for app in side.world.apps.values()
        if app.installed and app.bot_user in channel.members
    ]


def tokens_revoked(workspace: Workspace, app: App) -> None:
    """The tokens of an app in this workspace are taken back."""
    event: Json = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [app.bot_user]}}
    send_event(workspace, app, "tokens_revoked", None, event)


def uninstalled(workspace: Workspace, app: App) -> None:
    """An app was removed from this workspace."""
    send_event(workspace, app, "app_uninstalled", None, {"type": "app_uninstalled"})


def tell_status(workspace: Workspace, session: Session) -> None:
    """The status line under a thread, or its end."""
    workspace.changes.add("status", session_json(workspace, session))


def session_json(workspace: Workspace, session: Session) -> Json:
    """An agent session as the page gets it."""
    app = workspace.world.apps[session.app_id]
    return {
        "channel": session.channel,
        "thread_ts": session.thread_ts,
        "user": app.bot_user,
        "status": session.line,
        "loading_messages": session.loading,
        "state": session.status,
        "title": session.title,
        "can_stop": "agent_session_stopped" in app.manifest.events,
    }


def channel_changed(workspace: Workspace, channel: Channel) -> None:
    """A channel that is new, or has other members."""
    for member in channel.members:
        world = workspace.of_member(member).world
        if not world.users[member].is_bot:
            shown = page_channel(channel, member, world.team_id)
            workspace.changes.add("channel", shown, only_for=member)


def page_channel(channel: Channel, viewer: str, team_id: str) -> Json:
    """A channel as the page of that team gets it: with its members."""
    return {**channel.as_slack(viewer, team_id), "members": list(channel.members)}
