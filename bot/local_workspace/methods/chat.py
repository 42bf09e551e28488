"""chat.*: posting, changing and deleting messages."""

from __future__ import annotations

from bot.local_workspace import happenings
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.posting import MAX_UPDATE_TEXT, Content, read_content
from bot.local_workspace.methods.slack_files import note_shown
from bot.local_workspace.methods.threads import read_thread
from bot.local_workspace.shown import message_json, page_address
from bot.local_workspace.values import Channel, Json, Message
from bot.local_workspace.wording import as_rich_text


def post_message(call: Call) -> Json:
    """A new message in a channel, or in a thread of it."""
    channel = call.open_channel()
    content = read_content(call)
    message = new_message(call, channel, content, read_thread(call, channel))
    message.broadcast = call.flag("reply_broadcast") and message.is_reply
    call.world.add_message(message)
    note_shown(call.world, message)
    clear_status(call, message)
    happenings.posted(call.workspace, message)
    body: Json = {
        "channel": channel.id,
        "ts": message.ts,
        "message": message_json(call.world, message),
    }
    return body | _warnings(content)


def new_message(call: Call, channel: Channel, content: Content, thread_ts: str | None) -> Message:
    """A message by the caller. What a person types carries a rich_text block and a client id."""
    user = call.world.users[call.user_id]
    blocks = content.blocks
    if blocks is None and not user.is_bot:
        blocks = as_rich_text(content.text)
    return Message(
        channel=channel.id,
        ts=call.world.new_ts(),
        user=user.id,
        text=content.text,
        blocks=blocks,
        bot_id=user.bot_id,
        app_id=user.app_id,
        thread_ts=thread_ts,
        attachments=content.attachments,
        metadata=content.metadata or None,
        client_msg_id="" if user.is_bot else call.world.new_id("M"),
    )


def _warnings(content: Content) -> Json:
    if not content.truncated:
        return {}
    return {
        "warning": "message_truncated",
        "response_metadata": {"warnings": ["message_truncated"]},
    }


def clear_status(call: Call, message: Message) -> None:
    """A status line goes away when its app posts into the thread."""
    if not message.app_id:
        return
    session = call.world.sessions.get((message.app_id, message.channel, message.root))
    if session is not None and session.line:
        session.line, session.loading = "", []
        happenings.tell_status(call.workspace, session)


def post_ephemeral(call: Call) -> Json:
    """A message that one member (`user`) sees and nobody can find again."""
    channel = call.open_channel()
    call.require("user")
    if call.text("user") not in channel.members:
        raise SlackError("user_not_in_channel")
    content = read_content(call)
    message = new_message(call, channel, content, read_thread(call, channel))
    message.ephemeral_to = call.text("user")
    call.world.add_message(message)
    note_shown(call.world, message)
    happenings.posted(call.workspace, message)
    return {"message_ts": message.ts}


def update(call: Call) -> Json:
    """Changes one's own message: its text, and its blocks if they are sent along."""
    call.require("ts")
    message = _own_message(call, "cant_update_message")
    if call.world.channels[message.channel].is_archived:
        raise SlackError("is_inactive")
    if message.stream is not None and message.stream.goes_on(call.world.faults.stream_life_s):
        raise SlackError("streaming_state_conflict")
    content = read_content(call, most_text=MAX_UPDATE_TEXT)
    before = message_json(call.world, message)
    message.text = content.text
    # Blocks that are not sent stay, as live apps found out; an empty array takes them away.
    if call.args.get("blocks") is not None or call.text("markdown_text"):
        message.blocks = content.blocks
    elif not call.is_bot:
        message.blocks = as_rich_text(content.text)
    if call.args.get("attachments") is not None:
        message.attachments = content.attachments
    if content.metadata is not None:
        message.metadata = content.metadata or None
    message.edited = {"user": call.user_id, "ts": call.world.new_ts()}
    note_shown(call.world, message)
    happenings.edited(call.workspace, message, before)
    return {
        "channel": message.channel,
        "ts": message.ts,
        "text": message.text,
        "message": message_json(call.world, message),
    }


def delete(call: Call) -> Json:
    """Takes back one's own message."""
    call.require("ts")
    message = _own_message(call, "cant_delete_message")
    before = message_json(call.world, message)
    call.world.remove_message(message)
    happenings.deleted(call.workspace, message, before)
    return {"channel": message.channel, "ts": message.ts}


def _own_message(call: Call, refusal: str) -> Message:
    channel = call.joined_channel()
    message = call.world.message(channel.id, call.text("ts"))
    if message.user != call.user_id:
        raise SlackError(refusal)
    return message


def get_permalink(call: Call) -> Json:
    """The address of a message on the page."""
    channel = call.channel()
    call.require("message_ts")
    message = call.world.message(channel.id, call.text("message_ts"))
    link = page_address(call.world, f"channel={channel.id}&message={message.ts}")
    if message.is_reply:
        link += f"&thread={message.thread_ts}"
    return {"channel": channel.id, "permalink": link}
