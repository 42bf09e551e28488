"""files.*: the three-step upload, and what a file must be before a block can show it."""

from __future__ import annotations

import secrets
import time

from bot.local_workspace import happenings, wording
from bot.local_workspace.blocks.validate import walk
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.threads import read_thread
from bot.local_workspace.shown import file_json
from bot.local_workspace.values import Channel, File, Json, Message, now
from bot.local_workspace.world import World

MAX_BYTES = 1_000_000_000
MAX_ALT_TEXT = 1000
LATE_S = 1.0
"""How much longer Slack looks at a file that is late, in seconds."""
SHOWABLE = ("png", "jpg", "jpeg", "gif")


def file_problem(call: Call, reference: Json) -> str | None:
    """What is wrong with a slack_file object in a block, in Slack's words, or None."""
    file = find_file(call.world, str(reference.get("id") or reference.get("url") or ""))
    if file is None or file.owner != call.user_id:
        return "invalid slack file"
    if file.name.rpartition(".")[2].lower() not in SHOWABLE:
        return "invalid slack file"
    # Each try is a poll: an app may wait by posting again instead of asking files.info.
    ready = call.world.file_is_ready(file)
    file.polls += 1
    return None if ready else "invalid slack file"


def find_file(world: World, reference: str) -> File | None:
    """A file by id, or by its private address."""
    if reference in world.files:
        return world.files[reference]
    return next((file for file in world.files.values() if f"/files/{file.id}/" in reference), None)


def note_shown(world: World, message: Message) -> None:
    """Files in the blocks of a posted message can from now on be read in its channel."""
    for _, each in walk(message.blocks or []):
        reference = each.get("slack_file")
        if isinstance(reference, dict):
            file = find_file(world, str(reference.get("id") or reference.get("url")))
            if file is not None and message.channel not in file.shared_in:
                file.shared_in.append(message.channel)


def get_upload_url(call: Call) -> Json:
    """First step of an upload: an address for the bytes, and the id of the file."""
    call.require("filename", "length")
    length, alt_text = call.whole("length", 0), call.text("alt_txt")
    if length < 1:
        raise SlackError("missing_argument")
    if length > MAX_BYTES:
        raise SlackError("file_upload_size_restricted")
    if len(alt_text) > MAX_ALT_TEXT:
        raise SlackError("alt_txt_too_large")
    file = File(
        id=call.world.new_id("F"),
        name=call.text("filename"),
        length=length,
        owner=call.user_id,
        upload_key=secrets.token_urlsafe(24),
        created=now(),
        alt_text=alt_text,
    )
    call.world.files[file.id] = file
    return {"upload_url": f"{call.world.base_url}/upload/{file.upload_key}", "file_id": file.id}


def receive_upload(world: World, key: str, content: bytes) -> File | None:
    """Takes the bytes of an upload. None: no such upload, sent already, or another length."""
    with world.lock:
        for file in world.files.values():
            if file.upload_key == key and file.content is None:
                if len(content) != file.length:
                    return None
                file.content = content
                return file
    return None


def complete_upload(call: Call) -> Json:
    """Last step, once a file: titles it, and shares it where `channel_id` says."""
    wanted = call.structure("files")
    if not isinstance(wanted, list) or not wanted:
        raise SlackError("invalid_arguments", "[ERROR] missing required field: files")
    channels = _channels(call)
    if channels and call.structure("blocks"):
        _refuse_markdown(call)
    files = [_uploaded(call, each) for each in wanted]
    for file in files:
        file.completed_at = time.monotonic()
        _draw_fate(call, file)
    for channel in channels:
        _share(call, channel, files)
    return {"files": [file_json(call.world, file) for file in files]}


def _draw_fate(call: Call, file: File) -> None:
    faults = call.world.faults
    file.refused = faults.is_due("refused_file")
    if faults.is_due("late_file"):
        file.late_s = LATE_S


def _refuse_markdown(call: Call) -> None:
    # Seen on the live service: a markdown block there breaks the call.
    blocks = call.structure("blocks")
    if any(isinstance(each, dict) and each.get("type") == "markdown" for each in blocks):
        raise SlackError("internal_error")


def _channels(call: Call) -> list[Channel]:
    names = [call.text("channel_id"), *call.text("channels").split(",")]
    found = [
        call.world.visible_channel(name.strip(), call.user_id) for name in names if name.strip()
    ]
    if any(call.user_id not in channel.members for channel in found):
        raise SlackError("not_in_channel")
    if any(channel.is_archived for channel in found):
        raise SlackError("is_archived")
    return found


def _uploaded(call: Call, wanted: object) -> File:
    file_id = str(wanted.get("id")) if isinstance(wanted, dict) else ""
    file = call.world.files.get(file_id)
    if file is None or file.content is None or file.completed_at is not None:
        raise SlackError("file_not_found")
    if file.owner != call.user_id:
        raise SlackError("access_denied")
    if isinstance(wanted, dict) and wanted.get("title"):
        file.title = str(wanted["title"])
    return file


def _share(call: Call, channel: Channel, files: list[File]) -> None:
    thread_ts = read_thread(call, channel)
    user = call.world.users[call.user_id]
    for file in files:
        file.shared_in.append(channel.id)
    message = Message(
        channel=channel.id,
        ts=call.world.new_ts(),
        user=user.id,
        text=wording.stored(call.text("initial_comment")),
        bot_id=user.bot_id,
        app_id=user.app_id,
        thread_ts=thread_ts,
        subtype="file_share" if not user.is_bot else None,
        files=[file.id for file in files],
    )
    happenings.posted(call.workspace, call.world.add_message(message))


def files_info(call: Call) -> Json:
    """A file that the caller may read; its type is empty until it is ready."""
    call.require("file")
    file = call.world.files.get(call.text("file"))
    if file is None or not may_read(call.world, file, call.user_id):
        raise SlackError("file_not_found")
    shown = file_json(call.world, file)
    file.polls += 1
    return {"file": shown, "comments": [], "response_metadata": {"next_cursor": ""}}


def may_read(world: World, file: File, user_id: str) -> bool:
    """Its owner may, and whoever is in a channel where a message shows it."""
    if file.owner == user_id:
        return True
    shown_in = (world.channels.get(each) for each in file.shared_in)
    return any(channel is not None and user_id in channel.members for channel in shown_in)
