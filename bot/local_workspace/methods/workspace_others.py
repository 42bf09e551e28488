"""workspace.*: those who write and are no people. Not Slack's."""

from __future__ import annotations

from bot.local_workspace import cast, happenings
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.threads import read_thread
from bot.local_workspace.values import Channel, Json, Message

WORKFLOW = "workflow"
SLACKBOT = "slackbot"


def add_bot(call: Call) -> Json:
    """Adds another app (`name`) whose bot is in `channels` (ids, commas); all its secrets."""
    call.require("name")
    channels = [each for each in call.text("channels").split(",") if each]
    found = [call.world.visible_channel(each, call.user_id) for each in channels]
    app = cast.install_bot(call.world, call.text("name"))
    call.workspace.changes.add("user", call.world.users[app.bot_user].as_slack())
    for channel in found:
        channel.members.append(app.bot_user)
        happenings.channel_changed(call.workspace, channel)
    made = call.world.commons.registered[app.id]
    secrets = {"client_id": made.client_id, "client_secret": made.client_secret}
    return {"user": app.bot_user, "token": app.bot_token, "app_token": app.app_token, **secrets}


def say_as(call: Call) -> Json:
    """Has a `workflow` or `slackbot` (argument `who`) say `text` in `channel`, or in a thread."""
    call.require("who", "text")
    channel = call.open_channel()
    message = _message(call, channel)
    message.thread_ts = read_thread(call, channel)
    happenings.posted(call.workspace, call.world.add_message(message))
    return {"channel": channel.id, "ts": message.ts}


def _message(call: Call, channel: Channel) -> Message:
    ts, text = call.world.new_ts(), call.text("text")
    if call.text("who") == SLACKBOT:
        return Message(channel.id, ts, cast.slackbot(call.world).id, text)
    if call.text("who") != WORKFLOW:
        raise SlackError("invalid_arguments", f"[ERROR] must be one of: {WORKFLOW}, {SLACKBOT}")
    return Message(
        channel.id,
        ts,
        "",
        text,
        bot_id=call.world.new_id("B"),
        subtype="bot_message",
        username="Workflow",
    )
