"""What chat.postMessage, chat.update and their relatives check in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.local_workspace import wording
from bot.local_workspace.blocks.validate import check_message_blocks
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.methods.slack_files import file_problem
from bot.local_workspace.values import Json

MAX_UPDATE_TEXT = 4000
MAX_MARKDOWN_TEXT = 12_000
MAX_ATTACHMENTS = 100
MAX_METADATA = 8000


@dataclass(frozen=True)
class Content:
    """What a message says, checked. `truncated`: the text was cut at 40,000 characters."""

    text: str
    blocks: list[Json] | None
    attachments: list[Json]
    metadata: Json | None
    truncated: bool = False


def read_content(call: Call, *, most_text: int | None = None) -> Content:
    """Reads text, blocks, markdown_text, attachments and metadata.

    `most_text` is the length beyond which text is refused; without it, it is cut at 40,000.
    Raises no_text, msg_too_long, markdown_text_conflict, invalid_blocks and their like.
    """
    text, markdown = call.text("text"), call.text("markdown_text")
    blocks = read_blocks(call)
    if markdown:
        if text or blocks:
            raise SlackError("markdown_text_conflict")
        if len(markdown) > MAX_MARKDOWN_TEXT:
            raise SlackError("msg_too_long")
        blocks = [{"type": "markdown", "block_id": "markdown", "text": markdown}]
        text = markdown
    attachments = _attachments(call)
    if not text.strip() and not blocks and not attachments:
        raise SlackError("no_text")
    if most_text is not None and not blocks and len(text) > most_text:
        raise SlackError("msg_too_long")
    cut = wording.stored(text[: wording.MAX_TEXT])
    truncated = len(text) > wording.MAX_TEXT
    return Content(cut, blocks, attachments, read_metadata(call), truncated)


def read_blocks(call: Call, name: str = "blocks") -> list[Json] | None:
    """The checked blocks of an argument, or None when there are none."""
    blocks: Any = call.structure(name, on_error="invalid_blocks_format")
    if blocks in (None, []):
        return None
    return check_message_blocks(blocks, lambda file: file_problem(call, file))


def _attachments(call: Call) -> list[Json]:
    attachments = call.structure("attachments", on_error="invalid_attachments") or []
    if not isinstance(attachments, list):
        raise SlackError("invalid_attachments")
    if len(attachments) > MAX_ATTACHMENTS:
        raise SlackError("too_many_attachments")
    return attachments


def read_metadata(call: Call) -> Json | None:
    """The checked metadata of an argument; {} takes it away, None leaves it."""
    metadata: Any = call.structure("metadata", on_error="invalid_metadata_format")
    if metadata is None:
        return None
    if metadata == {}:
        return {}
    if (
        not isinstance(metadata, dict)
        or not isinstance(metadata.get("event_type"), str)
        or not isinstance(metadata.get("event_payload"), dict)
    ):
        raise SlackError("invalid_metadata_format")
    if len(repr(metadata)) > MAX_METADATA:
        raise SlackError("metadata_too_large")
    return metadata
