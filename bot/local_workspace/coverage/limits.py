"""The limits that are kept, as they stand in the source, each with what it is of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.local_workspace import deliveries, replies, socket_mode, wording, world
from bot.local_workspace.blocks import table, validate
from bot.local_workspace.methods import (
    agents,
    membership,
    posting,
    reactions,
    slack_files,
    streams,
    views,
)
from bot.local_workspace.oauth import grants
from bot.local_workspace.rate_limits import POST_GAP_S, TIER_PER_MINUTE

CHARACTERS: Final = "characters"
LIMITS: Final[tuple[tuple[str, float, str], ...]] = (
    ("blocks of a message", validate.MAX_MESSAGE_BLOCKS, ""),
    ("blocks of a modal or the Home tab", validate.MAX_VIEW_BLOCKS, ""),
    ("text in all blocks of a message", validate.MAX_BLOCK_TEXT, CHARACTERS),
    ("text in its markdown blocks", validate.MAX_MARKDOWN, CHARACTERS),
    ("tables of a message", 1, ""),
    ("rows of a table", table.MAX_ROWS, ""),
    ("columns of a table", table.MAX_COLUMNS, ""),
    ("text in all cells of a message", table.MAX_CELL_CHARACTERS, CHARACTERS),
    ("text of a message; what is beyond is cut", wording.MAX_TEXT, CHARACTERS),
    ("text of an edit without blocks; beyond it is refused", posting.MAX_UPDATE_TEXT, CHARACTERS),
    ("`markdown_text`", posting.MAX_MARKDOWN_TEXT, CHARACTERS),
    ("attachments of a message", posting.MAX_ATTACHMENTS, ""),
    ("metadata of a message", posting.MAX_METADATA, CHARACTERS),
    ("emoji of a message", reactions.MAX_EMOJI, "kinds"),
    ("a field of a task or plan in a stream", streams.MAX_CHUNK_TEXT, CHARACTERS),
    ("blocks of a stream", streams.MAX_CHUNK_BLOCKS, ""),
    ("title of a session", agents.MAX_TITLE, CHARACTERS),
    ("loading messages", agents.MAX_LOADING_MESSAGES, ""),
    ("a loading message", agents.MAX_LOADING_TEXT, CHARACTERS),
    ("suggested prompts", agents.MAX_PROMPTS, ""),
    ("a modal", views.MAX_VIEW_BYTES, "bytes"),
    ("modals that stand on each other", views.MAX_STACK, ""),
    ("a trigger_id, used once", world.TRIGGER_LIFE_S, "s"),
    ("uses of a response_url", replies.MAX_USES, ""),
    ("a response_url", replies.LIFE_S, "s"),
    ("an upload", slack_files.MAX_BYTES, "bytes"),
    ("text for those who do not see an upload", slack_files.MAX_ALT_TEXT, CHARACTERS),
    ("others in direct messages of several", membership.MOST_OTHERS, ""),
    ("an acknowledgement", deliveries.ACK_WITHIN_S, "s"),
    ("connections of an app", deliveries.MAX_CONNECTIONS, ""),
    ("a ticket for a connection, used once", socket_mode.TICKET_LIFE_S, "s"),
    ("a code of the consent page, used once", grants.CODE_LIFE_S, "s"),
    ("an access token that is rotated", grants.ACCESS_LIFE_S, "s"),
    ("posts in one channel, where limits are on: one each", POST_GAP_S, "s"),
)


def rows() -> Iterator[tuple[str, str]]:
    """Yield what each limit is of, and how much."""
    for what, most, unit in LIMITS:
        yield what, f"{most:,.0f} {unit}".strip()
    for tier, calls in TIER_PER_MINUTE.items():
        yield f"calls of a method of tier {tier}, where limits are on", f"{calls} a minute"
    pauses = ", ".join(f"{pause:,.0f}" for pause in deliveries.RETRY_PAUSES_S)
    yield "an event that is not acknowledged comes again after", f"{pauses} s"
