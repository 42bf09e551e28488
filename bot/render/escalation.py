"""The post with which a run goes to the people who answer what the bot could not; pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from agent.messages import AgentResult, Outcome
from bot.render.blocks import MAX_SECTION, Block, Button, buttons, context, section, size
from bot.render.card import MAX_BLOCK_TEXT, MAX_TEXT, Card
from bot.render.counting import counted
from bot.render.endings import LEADS
from bot.render.how import how_line, note_line
from bot.render.markdown import pack, pieces
from bot.render.people import (
    in_a_line,
    link,
    member,
    moment,
    quoted,
    quoted_markdown,
    quoted_words,
)
from bot.render.table import render_table
from bot.render.text import clip, code_blocks, fallback, plain

TAKE: Final = "take_escalation"
ANSWER: Final = "answer_escalation"
MARK_WRONG: Final = "mark_wrong"
CLOSE: Final = "close_escalation"

Ending = Literal["", "answered", "marked_wrong", "closed"]

# In characters of mrkdwn; together they fit into one message of Slack's.
_QUESTION: Final = 1_000
_ABOUT: Final = 400  # of the message that the question is about
_WORDS: Final = 1_500  # of the answer, of the refused draft, of what a person wrote
_OBJECTIONS: Final = 4
_ONE_OBJECTION: Final = 250
_QUERIES: Final = 2
_ONE_QUERY: Final = 800
_ROWS: Final = 10
_TABLE: Final = 2_000
_STORY: Final = 1_400
_CONFIRM_CLOSE: Final[Block] = {
    "title": {"type": "plain_text", "text": "Close without an answer?"},
    "text": {"type": "plain_text", "text": "Whoever asked is told that nobody will answer."},
    "confirm": {"type": "plain_text", "text": "Close"},
    "deny": {"type": "plain_text", "text": "Keep"},
    "style": "danger",
}


@dataclass(frozen=True)
class Handed:
    """A run in the hands of people, as its post shows it. Members are ids."""

    id: str
    """What the buttons carry."""
    result: AgentResult
    asker: str
    caller: str
    """Who called for a person; "" where the bot's own checks did."""
    objections: tuple[str, ...]
    """What the checks said, each a sentence."""
    story: str
    thread_link: str
    opened_at: datetime
    holder: str = ""
    held_since: datetime | None = None
    ending: Ending = ""
    settled_by: str = ""
    settled_at: datetime | None = None
    answer: str = ""
    """The person's answer, or what they noted of a wrong one."""
    about: str = ""
    """The message that the question is about; "" for none."""
    undelivered: bool = False
    """What they wrote could not be brought to the one who asked."""

    @property
    def is_refused(self) -> bool:
        """There is no answer: the checks refused it."""
        return self.result.outcome is Outcome.ESCALATED


def render_escalation(handed: Handed) -> Card:
    """Return the post; with buttons as long as nobody has settled it."""
    head = [section(_asked(handed)), *_settled(handed), *_said(handed), *_objections(handed)]
    foot = [*_notes(handed), *_queries(handed), *_story(handed), *_standing(handed)]
    room = min(_TABLE, MAX_BLOCK_TEXT - size([*head, *foot]) - 300)
    blocks = [*head, *_rows(handed, room), *foot]
    text = f"{_title(handed)} {member(handed.asker)} asked {in_a_line(handed.result.question)}"
    return Card(blocks, fallback(text, MAX_TEXT))


def _title(handed: Handed) -> str:
    return {
        "": "🙋 A question for a person:",
        "answered": "✅ Answered:",
        "marked_wrong": "⚠️ Marked as wrong:",
        "closed": "Closed without an answer:",
    }[handed.ending]


def _asked(handed: Handed) -> str:
    asked = link("asked", handed.thread_link)
    if handed.caller:
        why = f"{member(handed.caller)} asked for a person to look at it."
    elif handed.result.draft.strip():
        why = "My own checks refused what I had written."
    else:
        why = "I found no way to an answer."
    about = f"about this message:\n{quoted(handed.about, _ABOUT)}\n" if handed.about else ""
    return (
        f"*{_title(handed)}* {member(handed.asker)} {asked}\n"
        f"{quoted(handed.result.question, _QUESTION)}\n{about}{why}"
    )


def _said(handed: Handed) -> list[Block]:
    """What the bot had to say: its answer, or the draft that was refused, marked as such."""
    result = handed.result
    if handed.is_refused:
        title = "🚫 *My refused draft, which nobody else has seen:*"
        return (
            [section(f"{title}\n{quoted_markdown(result.draft, _WORDS)}")]
            if result.draft.strip()
            else []
        )
    words = result.answer.strip() or result.summary.strip()
    lead = LEADS[result.outcome]
    return [section(f"*On the card:* {lead}\n{quoted_markdown(words, _WORDS)}")] if words else []


def _objections(handed: Handed) -> list[Block]:
    lines = [f"• {clip(plain(each), _ONE_OBJECTION)}" for each in handed.objections[:_OBJECTIONS]]
    stopped = handed.is_refused and not handed.result.draft.strip()
    title = "*Why I stopped:*" if stopped else "*What my checks said:*"
    return [section("\n".join([title, *lines]))] if lines else []


def _rows(handed: Handed, room: int) -> list[Block]:
    """The first rows of the last result that has any."""
    with_rows = [each for each in handed.result.results if each.rows and each.columns]
    if not with_rows or room < 1:
        return []
    table = render_table(with_rows[-1], room, rows=_ROWS)
    # A post has no CSV of its own: the card has.
    left_out = " ".join(table.notes).replace("the CSV has", "the card’s CSV has")
    shown = [table.block] if table.block else []
    return [*shown, *([context(plain(left_out))] if left_out else [])]


def _notes(handed: Handed) -> list[Block]:
    lines = (how_line(handed.result, None), note_line(handed.result))
    return [context(line) for line in lines if line]


def _queries(handed: Handed) -> list[Block]:
    sql = handed.result.sql
    left = len(sql) - _QUERIES
    earlier = f"{counted(left, 'earlier query')} left out here; the card has all."
    return [
        *([context(earlier)] if left > 0 else []),
        *(_query(query) for query in sql[-_QUERIES:]),
    ]


def _query(query: str) -> Block:
    parts = code_blocks(query, _ONE_QUERY) or ["(empty)"]
    cut = "\n✂️ _Cut here; the card has all of it._" if len(parts) > 1 else ""
    return section(f"{parts[0]}{cut}")


def _story(handed: Handed) -> list[Block]:
    told = pack(pieces(handed.story), MAX_SECTION)[:1]
    return [section(f"*What I did:*\n{clip(text, _STORY)}") for text in told]


def _standing(handed: Handed) -> list[Block]:
    """Who has it, and what can be done; nothing once it is settled."""
    if handed.ending:
        return []
    held = (
        f"{member(handed.holder)} has had it since {moment(handed.held_since)}."
        if handed.holder and handed.held_since
        else "Nobody has taken it yet."
    )
    row = [
        *([] if handed.holder else [Button(TAKE, "I take it", "primary")]),
        Button(ANSWER, "Answer", "primary" if handed.holder else ""),
        *([] if handed.is_refused else [Button(MARK_WRONG, "Mark as wrong")]),
        Button(CLOSE, "Close", confirm=_CONFIRM_CLOSE),
    ]
    return [
        context(f"Waiting since {moment(handed.opened_at)}. {held}"),
        buttons(row, handed.id),
    ]


def _settled(handed: Handed) -> list[Block]:
    """Who settled it, and what they said; nothing before."""
    if not handed.ending:
        return []
    when = f", {moment(handed.settled_at)}" if handed.settled_at else ""
    who, said = member(handed.settled_by), quoted_words(handed.answer, _WORDS)
    words = {
        "answered": f"*{who} answered*{when}:\n{said}",
        "marked_wrong": f"*{who} says that the answer is wrong*{when}:\n{said}",
        "closed": f"*{who} closed it without an answer*{when}.",
    }[handed.ending]
    missed = f"❗ Slack did not let me tell {member(handed.asker)}. Please tell them yourself."
    return [section(words), *([section(missed)] if handed.undelivered else [])]
