"""response_url: how an app answers a click or a command without a token."""

from __future__ import annotations

import time

from bot.local_workspace import happenings
from bot.local_workspace.errors import SlackError
from bot.local_workspace.grants import ReplyAddress
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.chat import new_message
from bot.local_workspace.methods.posting import read_content
from bot.local_workspace.methods.slack_files import note_shown
from bot.local_workspace.methods.threads import read_thread
from bot.local_workspace.shown import message_json
from bot.local_workspace.values import Json, Message
from bot.local_workspace.workspace import Workspace

MAX_USES = 5
LIFE_S = 30 * 60


def respond(workspace: Workspace, key: str, body: Json) -> None:
    """Takes one post to a response_url. Raises SlackError when Slack would refuse it."""
    with workspace.world.lock:
        address = workspace.world.reply_addresses.get(key)
        if address is None:
            raise SlackError("expired_url")
        if time.monotonic() - address.issued > LIFE_S:
            raise SlackError("expired_url")
        if address.uses >= MAX_USES:
            raise SlackError("used_url")
        address.uses += 1
        answer(workspace.of(address.team_id), address, body)


def answer(workspace: Workspace, address: ReplyAddress, body: Json) -> None:
    """Posts, replaces or deletes, as the body of a reply asks for."""
    app = workspace.world.apps[address.app_id]
    call = Call(workspace, app.as_caller(), body)
    original = _original(workspace, address)
    if call.flag("delete_original"):
        if original is None:
            raise SlackError("no_original")
        before = message_json(workspace.world, original)
        workspace.world.remove_message(original)
        happenings.deleted(workspace, original, before)
    elif call.flag("replace_original") and original is not None:
        _replace(call, original)
    else:
        _post(call, address, original)


def _original(workspace: Workspace, address: ReplyAddress) -> Message | None:
    if address.message_ts is None:
        return None
    return workspace.world.messages[address.channel].get(address.message_ts)


def _replace(call: Call, original: Message) -> None:
    content = read_content(call)
    before = message_json(call.world, original)
    original.text, original.blocks = content.text, content.blocks
    original.attachments = content.attachments
    original.edited = {"user": call.user_id, "ts": call.world.new_ts()}
    note_shown(call.world, original)
    happenings.edited(call.workspace, original, before)


def _post(call: Call, address: ReplyAddress, original: Message | None) -> None:
    kind = call.text("response_type") or "ephemeral"
    if kind not in ("ephemeral", "in_channel"):
        raise SlackError("invalid_response_type")
    channel = call.world.channels[address.channel]
    if channel.is_archived:
        raise SlackError("channel_is_archived")
    content = read_content(call)
    message = new_message(call, channel, content, read_thread(call, channel))
    if kind == "ephemeral":
        message.ephemeral_to = address.user_id
        # An answer to a click inside a thread appears in that thread.
        message.thread_ts = message.thread_ts or address.thread_ts
    call.world.add_message(message)
    note_shown(call.world, message)
    happenings.posted(call.workspace, message)
