"""conversations.*: who is in a conversation, and whether anything can still be said there."""

from __future__ import annotations

from bot.local_workspace import channel_news, happenings
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.values import Channel, Json

MOST_OTHERS = 8
"""Besides the caller, in direct messages of several members."""


def open_direct(call: Call) -> Json:
    """Opens the direct messages with `users`, one or up to eight; or those of `channel`."""
    channel = call.channel() if call.text("channel") else _with(call, call.text("users"))
    if channel.kind not in ("im", "mpim"):
        raise SlackError("method_not_supported_for_channel_type")
    if call.flag("return_im"):
        return {"channel": channel.as_slack(call.user_id, call.world.team_id)}
    return {"channel": {"id": channel.id}}


def _with(call: Call, users: str) -> Channel:
    others = list(dict.fromkeys(each.strip() for each in users.split(",") if each.strip()))
    if not others:
        raise SlackError("users_list_not_supplied")
    for user_id in others:
        _existing(call, user_id)
    if len(others) == 1:
        call.need_scope("im:write")
        channel = call.world.direct_messages(call.user_id, others[0])
    else:
        others = [each for each in others if each != call.user_id]
        if len(others) > MOST_OTHERS:
            raise SlackError("too_many_users")
        call.need_scope("mpim:write")
        channel = call.world.group_messages([call.user_id, *others])
    happenings.channel_changed(call.workspace, channel)
    return channel


def _existing(call: Call, user_id: str) -> None:
    user = call.world.users.get(user_id)
    if user is None:
        raise SlackError("user_not_found")
    if user.deleted:
        raise SlackError("user_disabled")


def join(call: Call) -> Json:
    """Lets the caller into a public channel; whoever is in it already stays."""
    channel = _manageable(call, call.channel())
    if channel.is_archived:
        raise SlackError("is_archived")
    if call.user_id not in channel.members:
        channel.members.append(call.user_id)
        channel_news.joined(call.workspace, channel, call.user_id)
    return {"channel": channel.as_slack(call.user_id, call.world.team_id)}


def invite(call: Call) -> Json:
    """Adds members (`users`, with commas) to a channel that the caller is in."""
    channel = _manageable(call, call.open_channel())
    call.require("users")
    for user_id in call.text("users").split(","):
        if user_id not in call.world.users:
            raise SlackError("user_not_found")
        if user_id in channel.members:
            raise SlackError("already_in_channel")
        channel.members.append(user_id)
        channel_news.joined(call.workspace, channel, user_id, inviter=call.user_id)
    return {"channel": channel.as_slack(call.user_id, call.world.team_id)}


def kick(call: Call) -> Json:
    """Puts the member `user` out of a channel that the caller is in."""
    channel = _manageable(call, call.joined_channel())
    user_id = call.text("user")
    if not user_id:
        raise SlackError("no_user")
    if user_id not in call.world.users:
        raise SlackError("user_not_found")
    if user_id == call.user_id:
        raise SlackError("cant_kick_self")
    if channel.name == "general":
        raise SlackError("cant_kick_from_general")
    if user_id not in channel.members:
        raise SlackError("not_in_channel")
    put_out(call, channel, user_id)
    return {"errors": {}}


def leave(call: Call) -> Json:
    """Takes the caller out of a channel; where they are not in it, says so without an error."""
    channel = _manageable(call, call.channel())
    if channel.name == "general":
        raise SlackError("cant_leave_general")
    if call.user_id not in channel.members:
        return {"not_in_channel": True}
    put_out(call, channel, call.user_id)
    return {}


def put_out(call: Call, channel: Channel, user_id: str) -> None:
    """Takes somebody out of a channel, and tells who has to know."""
    channel.members.remove(user_id)
    channel_news.left(call.workspace, channel, user_id, actor=call.user_id)


def archive(call: Call) -> Json:
    """Closes a channel: it can be read, and nothing can be said there any more."""
    channel = _manageable(call, call.joined_channel())
    if channel.name == "general":
        raise SlackError("cant_archive_general")
    if channel.is_archived:
        raise SlackError("already_archived")
    channel.is_archived = True
    channel_news.archived(call.workspace, channel, call.user_id)
    return {}


def unarchive(call: Call) -> Json:
    """Opens a channel again, with the members that it had."""
    channel = _manageable(call, call.channel())
    if not channel.is_archived:
        raise SlackError("not_archived")
    channel.is_archived = False
    channel_news.archived(call.workspace, channel, call.user_id)
    return {}


def _manageable(call: Call, channel: Channel) -> Channel:
    if channel.kind in ("im", "mpim"):
        raise SlackError("method_not_supported_for_channel_type")
    return channel
