"""workspace.*: members, channels and the ledger, for tests and for the curious. Not Slack's."""

from __future__ import annotations

from bot.local_workspace import channel_news, happenings
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods import membership
from bot.local_workspace.methods.call import Call
from bot.local_workspace.values import Channel, Json, User, now

TRAITS = (
    *("is_admin", "is_owner", "deleted"),
    *("is_restricted", "is_ultra_restricted", "is_stranger", "is_workflow_bot"),
)
FACTS = ("tz", "locale", "real_name", "title")


def deliveries(call: Call) -> Json:
    """The ledger: every envelope, its attempts, the delay of its acknowledgement in ms.

    `connections` is the number of open Socket Mode connections of all apps.
    """
    sent = call.workspace.deliveries
    open_now = sum(len(sent.connections(app_id)) for app_id in call.world.commons.registered)
    return {"deliveries": sent.ledger(), "connections": open_now}


def add_user(call: Call) -> Json:
    """Adds a member with a token: `name`, and those of TRAITS and FACTS that are given."""
    call.require("name")
    world = call.world
    user = User(
        id=world.new_id("U"),
        name=call.text("name"),
        real_name=call.text("name"),
        team_id=call.text("team_id") or world.team_id,
    )
    for name in TRAITS:
        setattr(user, name, call.flag(name))
    for name in FACTS:
        setattr(user, name, call.text(name) or getattr(user, name))
    world.add_user(user)
    for channel in world.channels.values():
        if channel.kind == "channel":
            channel.members.append(user.id)
    call.workspace.changes.add("user", user.as_slack())
    return {"user": user.as_slack(), "token": world.user_token(user.id)}


def add_channel(call: Call) -> Json:
    """Adds a channel (`name`, is_private, is_ext_shared; `members`, `outsiders`: ids, commas)."""
    call.require("name")
    world = call.world
    members = [call.user_id, *(each for each in call.text("members").split(",") if each)]
    unknown = [each for each in members if each not in world.users]
    if unknown:
        raise SlackError("user_not_found", *unknown)
    channel = world.add_channel(
        Channel(
            id=world.new_id("C"),
            name=call.text("name"),
            kind="group" if call.flag("is_private") else "channel",
            created=now(),
            creator=call.user_id,
            members=list(dict.fromkeys(members)),
            is_ext_shared=call.flag("is_ext_shared"),
            outsiders=call.text("outsiders").split(",") if call.text("outsiders") else [],
        )
    )
    happenings.channel_changed(call.workspace, channel)
    return {"channel": channel.as_slack(call.user_id, call.world.team_id)}


def change_user(call: Call) -> Json:
    """Makes `user` what the given ones of TRAITS and FACTS say, such as a guest, or deactivated."""
    user = call.world.users.get(call.text("user"))
    if user is None:
        raise SlackError("user_not_found")
    for name in TRAITS:
        if call.args.get(name) is not None:
            setattr(user, name, call.flag(name))
    for name in FACTS:
        if call.args.get(name) is not None:
            setattr(user, name, call.text(name))
    channel_news.user_changed(call.workspace, user)
    return {"user": user.as_slack()}


def change_channel(call: Call) -> Json:
    """Shares a channel (is_ext_shared, `outsiders`) or takes it back, makes it private, or puts a
    member out.
    """
    channel = call.channel()
    if call.flag("is_private") and channel.kind == "channel":
        channel.kind = "group"
    if call.text("put_out") in channel.members:
        membership.put_out(call, channel, call.text("put_out"))
    if call.args.get("is_ext_shared") is not None:
        before = list(channel.outsiders)
        channel.is_ext_shared = call.flag("is_ext_shared")
        channel.outsiders = [each for each in call.text("outsiders").split(",") if each]
        channel_news.shared(call.workspace, channel, before)
    return {"channel": channel.as_slack(call.user_id, call.world.team_id)}
