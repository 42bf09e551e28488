"""What follows when something happens: the pages are told, and the apps that subscribed.

An event goes to an app only if its manifest subscribes to it, and its bot is in the channel.
"""

from __future__ import annotations

from bot.local_workspace import wording
from bot.local_workspace.app_events import apps_in, bots_in, send_event
from bot.local_workspace.shown import message_json, of_elsewhere
from bot.local_workspace.surfaces import Session
from bot.local_workspace.values import Channel, Json, Message
from bot.local_workspace.workspace import Workspace
from bot.local_workspace.world import App

MESSAGE_EVENTS = {
    "channel": ("message.channels", "channel"),
    "group": ("message.groups", "group"),
    "mpim": ("message.mpim", "mpim"),
    "im": ("message.im", "im"),
}


def posted(workspace: Workspace, message: Message) -> None:
    """A new message: on the pages, as message.* and, where a bot is named, as app_mention."""
    tell_pages(workspace, message)
    if message.ephemeral_to is not None:
        return
    channel = workspace.world.channels[message.channel]
    for app in bots_in(workspace, channel):
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
        "app": app.id,
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
