"""What follows when a conversation itself changes: who is in it, whether it is open, who shares it.

As in Slack, a public channel's news goes to apps that are in it; whoever is put out is told too.
"""

from __future__ import annotations

from collections.abc import Collection

from bot.local_workspace.app_events import apps_in, send_event
from bot.local_workspace.happenings import channel_changed, invited, page_channel
from bot.local_workspace.values import Channel, Json, User, now
from bot.local_workspace.workspace import Workspace
from bot.local_workspace.world import App


def joined(workspace: Workspace, channel: Channel, user_id: str, *, inviter: str = "") -> None:
    """A new member: member_joined_channel; and to a bot, the mention that led to it.

    Whoever came by themselves has no `inviter`.
    """
    channel_changed(workspace, channel)
    event = _membership("member_joined_channel", workspace, channel, user_id)
    event |= {"inviter": inviter} if inviter else {}
    for app in apps_in(workspace, channel):
        send_event(workspace, app, event["type"], channel, event)
    new = _app_of(workspace, user_id)
    if new is not None:
        invited(workspace, new, channel)


def left(workspace: Workspace, channel: Channel, user_id: str, *, actor: str) -> None:
    """A member fewer: member_left_channel; and to a bot that is out, channel_left or group_left."""
    channel_changed(workspace, channel)
    _tell_who_left(workspace, channel, user_id)
    out = _app_of(workspace, user_id)
    event = _membership("member_left_channel", workspace, channel, user_id)
    for app in [*apps_in(workspace, channel), *([out] if out is not None else [])]:
        send_event(workspace, app, event["type"], channel, event)
    if out is not None:
        kind = "channel_left" if channel.kind == "channel" else "group_left"
        event = _event(kind, workspace, channel, actor_id=actor)
        send_event(workspace, out, kind, channel, event)


def archived(workspace: Workspace, channel: Channel, user_id: str) -> None:
    """A channel that was closed or opened again: channel_archive, group_unarchive and so on."""
    channel_changed(workspace, channel)
    kind = "channel" if channel.kind == "channel" else "group"
    kind += "_archive" if channel.is_archived else "_unarchive"
    event = _event(kind, workspace, channel, user=user_id)
    if channel.is_archived:
        event["is_moved"] = 0
    for app in apps_in(workspace, channel):
        send_event(workspace, app, kind, channel, event)


def shared(workspace: Workspace, channel: Channel, before: Collection[str]) -> None:
    """A channel with other organisations in it than `before`: channel_shared, channel_unshared."""
    channel_changed(workspace, channel)
    for team in channel.outsiders:
        if team not in before:
            event = _event("channel_shared", workspace, channel, connected_team_id=team)
            _tell(workspace, channel, event)
    for team in before:
        if team not in channel.outsiders:
            event = _event("channel_unshared", workspace, channel)
            event |= {"previously_connected_team_id": team, "is_ext_shared": channel.is_ext_shared}
            _tell(workspace, channel, event)


def user_changed(workspace: Workspace, user: User) -> None:
    """A member with other traits, deactivated for one: user_change, to every app."""
    workspace.changes.add("user", user.as_slack())
    event: Json = {"type": "user_change", "user": user.as_slack(), "cache_ts": now()}
    event["event_ts"] = workspace.world.new_ts()
    for app in workspace.world.apps.values():
        if app.installed:
            send_event(workspace, app, "user_change", None, event)


def _tell(workspace: Workspace, channel: Channel, event: Json) -> None:
    for app in apps_in(workspace, channel):
        send_event(workspace, app, event["type"], channel, event)


def _membership(kind: str, workspace: Workspace, channel: Channel, user_id: str) -> Json:
    team = workspace.of_member(user_id).world.team_id
    event = _event(kind, workspace, channel, user=user_id, team=team)
    return event | {"channel_type": "C" if channel.kind == "channel" else "G"}


def _event(kind: str, workspace: Workspace, channel: Channel, **given: str) -> Json:
    ts = workspace.world.new_ts()
    return {"type": kind, "channel": channel.id, **given, "event_ts": ts}


def _app_of(workspace: Workspace, user_id: str) -> App | None:
    world = workspace.of_member(user_id).world
    return world.apps.get(world.users[user_id].app_id)


def _tell_who_left(workspace: Workspace, channel: Channel, user_id: str) -> None:
    """Shows a person who is out the channel as it is for them now; a private one goes away."""
    world = workspace.of_member(user_id).world
    if world.users[user_id].is_bot:
        return
    body = page_channel(channel, user_id, world.team_id)
    gone = not channel.is_known_to(world.users[user_id])
    kind = "channel_gone" if gone else "channel"
    workspace.changes.add(kind, {"id": channel.id} if gone else body, only_for=user_id)
