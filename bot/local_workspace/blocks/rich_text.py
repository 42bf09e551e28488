"""The rich_text block and its parts."""

from __future__ import annotations

from bot.local_workspace.blocks.rules import (
    Rule,
    boolean,
    by_type,
    choice,
    listing,
    number,
    shape,
    text,
)

STYLE = shape(
    {},
    {
        name: boolean
        for name in (
            "bold",
            "italic",
            "strike",
            "code",
            "underline",
            "highlight",
            "client_highlight",
        )
    },
)


def _part(**required: Rule) -> Rule:
    return shape(required, {"style": STYLE})


PARTS = by_type(
    {
        "text": _part(text=text(1)),
        "link": shape({"url": text(1)}, {"text": text(), "unsafe": boolean, "style": STYLE}),
        "user": _part(user_id=text(1)),
        "channel": _part(channel_id=text(1)),
        "usergroup": _part(usergroup_id=text(1)),
        "broadcast": _part(range=choice("here", "channel", "everyone")),
        "emoji": shape({"name": text(1)}, {"unicode": text(), "skin_tone": number, "style": STYLE}),
        "color": _part(value=text(1)),
        "date": shape(
            {"timestamp": number, "format": text(1)},
            {"url": text(1), "fallback": text(1), "style": STYLE},
        ),
    }
)
_SECTION = shape({"elements": listing(PARTS)})
_QUOTE = shape({"elements": listing(PARTS)}, {"border": number})
_PREFORMATTED = shape({"elements": listing(PARTS)}, {"border": number, "language": text(1)})
_LIST = shape(
    {
        "elements": listing(by_type({"rich_text_section": _SECTION})),
        "style": choice("bullet", "ordered"),
    },
    {"indent": number, "offset": number, "border": number},
)
RICH_TEXT = shape(
    {
        "elements": listing(
            by_type(
                {
                    "rich_text_section": _SECTION,
                    "rich_text_list": _LIST,
                    "rich_text_preformatted": _PREFORMATTED,
                    "rich_text_quote": _QUOTE,
                }
            )
        )
    },
    {"block_id": text(0, 255)},
)
