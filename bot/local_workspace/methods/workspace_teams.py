"""workspace.*: channels shared between workspaces, and the lives of tokens. Not Slack's."""

from __future__ import annotations

from bot.local_workspace import sharing
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.oauth import remove_app
from bot.local_workspace.methods.workspace_people import some_app
from bot.local_workspace.oauth import installing
from bot.local_workspace.values import Json


def share_channel(call: Call) -> Json:
    """Offers `channel` to the workspace `team`; it has to be accepted there."""
    channel = call.joined_channel()
    sharing.offer(call.workspace, channel, call.text("team"))
    return {"channel": channel.as_slack(call.user_id, call.world.team_id)}


def accept_channel(call: Call) -> Json:
    """Takes the offer of `channel`; the caller is in it, and `members` (ids, commas) are."""
    call.require("channel")
    worlds = call.world.commons.worlds.values()
    offered = (each.channels.get(call.text("channel")) for each in worlds)
    channel = next((each for each in offered if each is not None), None)
    if channel is None:
        raise SlackError("channel_not_found")
    members = [call.user_id, *(each for each in call.text("members").split(",") if each)]
    if any(each not in call.world.users for each in members):
        raise SlackError("user_not_found")
    sharing.accept(call.workspace, channel, members)
    return {"channel": channel.as_slack(call.user_id, call.world.team_id)}


def disconnect_channel(call: Call) -> Json:
    """Ends the sharing of `channel` with `team`, or with the caller's own."""
    channel = call.joined_channel()
    team_id = call.text("team") or call.world.team_id
    if call.world.team_id not in (channel.host, team_id):
        raise SlackError("restricted_action")
    sharing.disconnect(call.workspace, channel, team_id)
    return {}


def remove_installed(call: Call) -> Json:
    """An administrator removes `app` (or the only one) from their workspace."""
    if not call.world.users[call.user_id].administers:
        raise SlackError("restricted_action")
    app = some_app(call)
    remove_app(call, app)
    return {"app": app.id}


def tokens(call: Call) -> Json:
    """Sets how long tokens live that rotate: life_s; exchanged_life_s, for one that was exchanged.

    `expire` (boolean) ends those of the caller's workspace now. Answers with what holds.
    """
    life = call.world.commons.token_life
    life.access_s = call.seconds("life_s", life.access_s)
    life.exchanged_s = call.seconds("exchanged_life_s", life.exchanged_s)
    ended = installing.expire_now(call.world) if call.flag("expire") else 0
    return {"life_s": life.access_s, "exchanged_life_s": life.exchanged_s, "ended": ended}
