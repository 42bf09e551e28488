"""The Home tab: one's own questions, what may be read, what was used, and help; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.render.blocks import MAX_SECTION, Block, context, section
from bot.render.card import Card
from bot.render.counting import counted
from bot.render.markdown import Piece, pack
from bot.render.reader import ENGLISH, Reader
from bot.render.tables import FOUND_BY_WORDS, NOTHING, ListedTable, listed
from bot.render.text import clip, plain

MAX_BLOCKS: Final = 100
"""Slack refuses a Home tab of more."""
MAX_TABLES: Final = 10
MAX_OF_TABLES: Final = 2_800
"""Characters of the tables that are listed."""
ALL_TABLES: Final = f"`/ask tables` tells of all. {FOUND_BY_WORDS}"
NO_QUESTIONS: Final = "You have asked me nothing yet."
ONLY_YOURS: Final = "Only you see this page. `/ask log` finds more of what was asked."


@dataclass(frozen=True)
class HomePage:
    """What is on one person's Home tab, for whoever may ask. None: it cannot be had now."""

    recent: Sequence[str] | None
    """Their newest questions, each a sentence of mrkdwn."""
    tables: Sequence[ListedTable] | None
    """What may be read, what matters most first."""
    usage: Card
    prompts: Sequence[str] = ()
    """Questions that this database can answer."""
    reader: Reader = ENGLISH
    """Whose tab it is."""


def render_home(page: HomePage | None, help_card: Card) -> list[Block]:
    """Return the blocks of a Home tab; of help alone, where there is no `page` for somebody."""
    blocks = help_card.blocks if page is None else [*_own(page), *help_card.blocks]
    return blocks[:MAX_BLOCKS]


def _own(page: HomePage) -> list[Block]:
    return [
        *_sections(_recent(page.recent)),
        context(ONLY_YOURS),
        *page.usage.blocks[:2],  # one's own figures; what all others took is in `/ask usage`
        {"type": "divider"},
        *(_sections(_prompts(page.prompts)) if page.prompts else []),
        *_sections(_tables(page.tables, page.reader)),
        *([context(ALL_TABLES)] if page.tables else []),
        {"type": "divider"},
    ]


def _sections(lines: Sequence[str]) -> list[Block]:
    return [*map(section, pack([Piece(line, close=True) for line in lines], MAX_SECTION))]


def _recent(sentences: Sequence[str] | None) -> list[str]:
    if sentences is None:
        return ["*Your recent questions*", "I cannot reach my own record at the moment."]
    return ["*Your recent questions*", *(f"• {each}" for each in sentences or [NO_QUESTIONS])]


def _prompts(prompts: Sequence[str]) -> list[str]:
    return ["*To begin with*", *(f"• {plain(clip(prompt, 200))}" for prompt in prompts)]


def _tables(tables: Sequence[ListedTable] | None, reader: Reader) -> list[str]:
    title = "*What I may read*"
    if tables is None:
        return [title, "I cannot look at the database at the moment."]
    if not tables:
        return [title, NOTHING]
    lines = listed(tables[:MAX_TABLES], MAX_OF_TABLES, reader)
    left = len(tables) - len(lines)
    more = [f"…and {counted(left, 'more table', reader)}."] if left else []
    return [f"*What I may read: {counted(len(tables), 'table', reader)}*", *lines, *more]
