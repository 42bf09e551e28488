"""chat.startStream, appendStream, stopStream: a message that is written while it is read."""

from __future__ import annotations

import time
from typing import Any

from bot.local_workspace import happenings, wording
from bot.local_workspace.blocks.validate import check_message_blocks
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.agents import STATUSES, WORKING
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.chat import clear_status, new_message
from bot.local_workspace.methods.posting import (
    MAX_MARKDOWN_TEXT,
    Content,
    read_blocks,
    read_metadata,
)
from bot.local_workspace.methods.slack_files import file_problem, note_shown
from bot.local_workspace.methods.threads import read_thread
from bot.local_workspace.shown import message_json
from bot.local_workspace.values import Channel, Json, Message, Stream

TASK_STATUSES = ("pending", "in_progress", "complete", "error")
MAX_CHUNK_TEXT = 256
MAX_CHUNK_BLOCKS = 50


def start(call: Call) -> Json:
    """Begins a streamed message in a thread; answers with its ts. Outside direct messages it needs
    a recipient (missing_recipient_user_id, missing_recipient_team_id).
    """
    channel = call.open_channel()
    thread_ts = read_thread(call, channel)
    if thread_ts is None:
        raise SlackError("invalid_thread_ts")
    _check_recipient(call, channel)
    display = call.text("task_display_mode") or "timeline"
    if display not in ("timeline", "plan"):
        raise SlackError("invalid_arguments", "[ERROR] must be one of: timeline, plan")
    stream = Stream(call.text("recipient_user_id"), display, time.monotonic())
    message = new_message(call, channel, Content("", None, [], None), thread_ts)
    message.stream = stream
    _append(call, stream)
    _rewrite(message)
    call.world.add_message(message)
    clear_status(call, message)
    if call.app.manifest.is_agent:
        session = call.world.session(call.app.id, channel.id, thread_ts)
        session.status, session.line = "processing", WORKING
        happenings.tell_status(call.workspace, session)
    happenings.posted(call.workspace, message)
    return {"channel": channel.id, "ts": message.ts}


def append(call: Call) -> Json:
    """Adds chunks or markdown_text; message_not_in_streaming_state once the stream has ended."""
    message, stream = _streaming(call)
    _append(call, stream)
    _rewrite(message)
    happenings.tell_pages(call.workspace, message)
    return {"channel": message.channel, "ts": message.ts}


def stop(call: Call) -> Json:
    """Ends the stream with last chunks and with blocks below them; answers with the message."""
    message, stream = _streaming(call)
    before = message_json(call.world, message)
    status = call.text("session_status") or "active"
    if status not in STATUSES:
        raise SlackError("invalid_arguments", f"[ERROR] must be one of: {', '.join(STATUSES)}")
    blocks = read_blocks(call) or []
    metadata = read_metadata(call)
    _append(call, stream)
    message.metadata = metadata or message.metadata
    stream.blocks += blocks
    stream.open = False
    _rewrite(message)
    note_shown(call.world, message)
    if call.app.manifest.is_agent:
        session = call.world.session(call.app.id, message.channel, message.root)
        session.status = status
        session.line = ""
        happenings.tell_status(call.workspace, session)
    happenings.edited(call.workspace, message, before)
    return {
        "channel": message.channel,
        "ts": message.ts,
        "message": message_json(call.world, message),
    }


def _check_recipient(call: Call, channel: Channel) -> None:
    if channel.is_im:
        return
    if not call.text("recipient_user_id"):
        raise SlackError("missing_recipient_user_id")
    if not call.text("recipient_team_id"):
        raise SlackError("missing_recipient_team_id")
    if call.text("recipient_user_id") not in call.world.users:
        raise SlackError("user_not_found")


def _streaming(call: Call) -> tuple[Message, Stream]:
    call.require("ts")
    channel = call.open_channel()
    message = call.world.message(channel.id, call.text("ts"))
    if message.user != call.user_id:
        raise SlackError("message_not_owned_by_app")
    stream = message.stream
    if stream is not None and stream.stopped_by_user:
        raise SlackError("stopped_by_user")
    if stream is None or not stream.open:
        raise SlackError("message_not_in_streaming_state")
    if call.world.faults.is_due("stream_expiry") or not stream.goes_on(
        call.world.faults.stream_life_s
    ):
        stream.open = False
        happenings.tell_pages(call.workspace, message)
        raise SlackError("message_not_in_streaming_state")
    return message, stream


def _append(call: Call, stream: Stream) -> None:
    chunks = call.structure("chunks")
    markdown = call.text("markdown_text")
    if markdown and chunks:
        raise SlackError("markdown_text_conflict")
    for chunk in chunks or ([{"type": "markdown_text", "text": markdown}] if markdown else []):
        _take(call, stream, chunk)


def _take(call: Call, stream: Stream, chunk: Any) -> None:
    kind = chunk.get("type") if isinstance(chunk, dict) else None
    if kind == "markdown_text":
        text = _chunk_text(chunk, "text", MAX_MARKDOWN_TEXT)
        stream.text += text
    elif kind == "plan_update":
        stream.plan_title = _chunk_text(chunk, "title", MAX_CHUNK_TEXT)
    elif kind == "task_update":
        _take_task(stream, chunk)
    elif kind == "blocks" and not call.world.faults.refuse_stream_blocks:
        blocks = chunk.get("blocks")
        checked = check_message_blocks(blocks, lambda file: file_problem(call, file))
        stream.blocks += checked
    else:
        raise SlackError("invalid_chunks", f"[ERROR] unsupported type: {kind}")
    if len(stream.blocks) > MAX_CHUNK_BLOCKS:
        raise SlackError("invalid_blocks", "[ERROR] no more than 50 items allowed")


def _take_task(stream: Stream, chunk: Json) -> None:
    task_id = _chunk_text(chunk, "id", MAX_CHUNK_TEXT)
    task = stream.tasks.setdefault(task_id, {"task_id": task_id})
    task["title"] = _chunk_text(chunk, "title", MAX_CHUNK_TEXT)
    task["status"] = chunk.get("status")
    if task["status"] not in TASK_STATUSES:
        raise SlackError("invalid_chunks", f"[ERROR] must be one of: {', '.join(TASK_STATUSES)}")
    for name in ("details", "output"):
        if chunk.get(name):
            task[name] = _as_rich_text(_chunk_text(chunk, name, MAX_CHUNK_TEXT))
    if chunk.get("sources"):
        task["sources"] = chunk["sources"]


def _chunk_text(chunk: Json, name: str, most: int) -> str:
    text = chunk.get(name)
    if not isinstance(text, str):
        raise SlackError("invalid_chunks", f"[ERROR] missing required field: {name}")
    if len(text) > most:
        raise SlackError(
            "invalid_chunks", f"[ERROR] {name} must be less than {most + 1} characters"
        )
    return text


def _as_rich_text(text: str) -> Json:
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    return {"type": "rich_text", "elements": [section]}


def _rewrite(message: Message) -> None:
    """Puts what has been streamed so far into the message."""
    stream = message.stream
    assert stream is not None, "only called on streaming messages"
    blocks: list[Json] = []
    cards = [{"type": "task_card", **task} for task in stream.tasks.values()]
    if stream.display == "plan" and (cards or stream.plan_title):
        blocks.append({"type": "plan", "title": stream.plan_title or "Plan", "tasks": cards})
    else:
        blocks += cards
    if stream.text:
        blocks.append({"type": "markdown", "text": stream.text})
    blocks += stream.blocks
    # The words for notifications, of which the app of a stream has no say.
    message.text = wording.stored(stream.text or _last_words(stream))
    message.blocks = [
        {**block, "block_id": f"s{position}"} if not block.get("block_id") else block
        for position, block in enumerate(blocks)
    ]


def _last_words(stream: Stream) -> str:
    titles = [task["title"] for task in stream.tasks.values()]
    return " ".join(each for each in (stream.plan_title, *titles[-1:]) if each)
