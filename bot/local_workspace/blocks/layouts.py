"""Every block type that is known here, each with its rule. An unknown type is refused.

Known to Slack and not to this workspace: call, card, carousel, alert, container, data_table,
data_visualization, file, video. A row here adds one.
"""

from __future__ import annotations

from bot.local_workspace.blocks.elements import (
    AS_ACCESSORY,
    BLOCK_ID,
    IN_ACTIONS,
    IN_CONTEXT,
    IN_CONTEXT_ACTIONS,
    IN_INPUT,
    SLACK_FILE,
    URL,
    either,
    plain,
)
from bot.local_workspace.blocks.rich_text import RICH_TEXT
from bot.local_workspace.blocks.rules import (
    Rule,
    at_least_one,
    boolean,
    by_type,
    choice,
    exactly_one,
    listing,
    shape,
    text,
)
from bot.local_workspace.blocks.table import TABLE

_ID = {"block_id": BLOCK_ID}

_SOURCE = by_type({"url": shape({"url": text(1), "text": text(1)})})
_RICH = by_type({"rich_text": RICH_TEXT})
_TASK_CARD = shape(
    {
        "task_id": text(1, 255),
        "title": text(1),
        "status": choice("pending", "in_progress", "complete", "error"),
    },
    {"details": _RICH, "output": _RICH, "sources": listing(_SOURCE), **_ID},
)

MESSAGE_BLOCKS: dict[str, Rule] = {
    "section": shape(
        {},
        {
            "text": either(3000),
            "fields": listing(either(2000), 1, 10),
            "accessory": AS_ACCESSORY,
            "expand": boolean,
            **_ID,
        },
        at_least_one("text", "fields"),
    ),
    "divider": shape({}, _ID),
    "header": shape({"text": plain(150)}, _ID),
    "context": shape({"elements": listing(IN_CONTEXT, 1, 10)}, _ID),
    "actions": shape({"elements": listing(IN_ACTIONS, 1, 25)}, _ID),
    "context_actions": shape({"elements": listing(IN_CONTEXT_ACTIONS, 1, 5)}, _ID),
    "image": shape(
        {"alt_text": text(1, 2000)},
        {"image_url": URL, "slack_file": SLACK_FILE, "title": plain(2000), **_ID},
        exactly_one("image_url", "slack_file"),
    ),
    "markdown": shape({"text": text(1, 12_000)}, _ID),
    "rich_text": RICH_TEXT,
    "table": TABLE,
    "task_card": _TASK_CARD,
    "plan": shape(
        {"title": text(1)}, {"tasks": listing(by_type({"task_card": _TASK_CARD})), **_ID}
    ),
}

_INPUT = shape(
    {"label": plain(2000), "element": IN_INPUT},
    {"hint": plain(2000), "optional": boolean, "dispatch_action": boolean, **_ID},
)

VIEW_BLOCKS: dict[str, Rule] = {
    **{
        name: rule
        for name, rule in MESSAGE_BLOCKS.items()
        if name not in ("table", "task_card", "plan", "markdown", "context_actions")
    },
    "input": _INPUT,
}
