"""Channels that two workspaces share: offered by one, taken by the other, given up by either."""

from __future__ import annotations

from collections.abc import Iterable

from bot.local_workspace import channel_news
from bot.local_workspace.errors import SlackError
from bot.local_workspace.values import Channel
from bot.local_workspace.workspace import Workspace


def offer(workspace: Workspace, channel: Channel, team_id: str) -> None:
    """Asks another team to share a channel of this workspace; nobody there sees it yet."""
    if channel.host != workspace.world.team_id or channel.kind not in ("channel", "group"):
        raise SlackError("channel_cannot_be_shared")
    if team_id not in workspace.teams or team_id == channel.host:
        raise SlackError("team_not_found")
    if team_id in (*channel.outsiders, *channel.pending):
        raise SlackError("already_in_channel")
    channel.pending.append(team_id)
    channel_news.shared(workspace, channel, channel.outsiders)


def accept(workspace: Workspace, channel: Channel, members: Iterable[str]) -> None:
    """Takes an offer: these members of this workspace are in the channel from now on."""
    world, host = workspace.world, workspace.of(channel.host)
    if world.team_id not in channel.pending:
        raise SlackError("channel_not_found")
    before = list(channel.outsiders)
    channel.pending.remove(world.team_id)
    channel.outsiders.append(world.team_id)
    channel.is_ext_shared = True
    # One channel with one history, known on both sides.
    world.channels[channel.id] = channel
    world.messages[channel.id] = host.world.messages[channel.id]
    world.gone[channel.id] = host.world.gone.setdefault(channel.id, set())
    channel.members += [each for each in members if each not in channel.members]
    _introduce(workspace, channel)
    channel_news.shared(host, channel, before)


def disconnect(workspace: Workspace, channel: Channel, team_id: str) -> None:
    """Ends the sharing with a team: its members are out, and it is the host's alone again."""
    if team_id not in (*channel.outsiders, *channel.pending):
        raise SlackError("team_not_found")
    before = list(channel.outsiders)
    if team_id in channel.pending:
        channel.pending.remove(team_id)
    else:
        channel.outsiders.remove(team_id)
    channel.is_ext_shared = bool(channel.outsiders)
    other = workspace.teams.get(team_id)
    if other is not None:
        for member in [each for each in channel.members if each in other.world.users]:
            channel.members.remove(member)
            workspace.changes.add("channel_gone", {"id": channel.id}, only_for=member)
        other.world.channels.pop(channel.id, None)
        other.world.messages.pop(channel.id, None)
    channel_news.shared(workspace.of(channel.host), channel, before)


def _introduce(workspace: Workspace, channel: Channel) -> None:
    """Each member's page learns who the others are."""
    for user_id in channel.members:
        world = workspace.of_member(user_id).world
        shown = world.users[user_id].as_slack() | {"elsewhere": True}
        for reader in channel.members:
            if reader not in world.users:
                workspace.changes.add("user", shown, only_for=reader)
