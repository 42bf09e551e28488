"""An entry of the log as one sentence in mrkdwn, with a link to its thread; pure."""

from __future__ import annotations

import html
import re
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from agent.messages import Outcome
from bot.render.counting import money
from bot.render.text import clip, plain
from bot.store.records import EscalationStatus, LogEntry

MAX_QUESTION: Final = 120
MAX_REASON: Final = 160

# Not strftime: its names follow the process's locale.
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_ID: Final = re.compile(r"[A-Z0-9]+")
_TOKEN: Final = re.compile(r"<[@#!][^<>]*>")


def log_sentence(
    entry: LogEntry,
    *,
    permalink: str,
    time_zone: str = "UTC",
    today: date | None = None,
    viewer: str = "",
) -> str:
    """Return mrkdwn such as "24 Nov, 14:05: @Ann asked “…”: answered in 12 s. Cost: $0.02."

    The time links to `permalink` ("" for no link). `today`, in `time_zone`, leaves the year out
    of its own dates. A question of the `viewer`'s is not said to be theirs.
    """
    when = _when(entry, time_zone, today)
    link = f"<{permalink}|{when}>" if permalink else when
    who = "" if entry.asked_by == viewer else f"{_person(entry.asked_by)} asked "
    asked = f"{link}: {who}{_question(entry)}: {_ending(entry)}"
    spent = f" Cost: {cost}." if (cost := money(entry.cost_usd)) else ""
    return asked + spent + _handed_over(entry) + _thought_of(entry)


def _when(entry: LogEntry, time_zone: str, today: date | None) -> str:
    at = entry.created_at.astimezone(ZoneInfo(time_zone))
    year = "" if today is not None and at.year == today.year else f" {at.year}"
    day = f"{_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]}{year}"
    return f"{day}, {at.hour:02}:{at.minute:02}"


def _person(user: str) -> str:
    return f"<@{user}>" if _ID.fullmatch(user) else plain(user)


def _question(entry: LogEntry) -> str:
    text = entry.question
    if entry.outcome is None:  # never came to a run: still as Slack wrote it
        text = html.unescape(_TOKEN.sub(" ", text))
    return f"“{plain(clip(' '.join(text.split()), MAX_QUESTION))}”"


def _ending(entry: LogEntry) -> str:
    if entry.outcome is None:
        return _never_ran(entry.summary)
    took = _seconds(entry.duration_ms)
    warned = ", with a warning" if entry.warnings and not entry.failed else ""
    reason = f" {_short(entry.summary)}" if entry.summary else ""
    return {
        Outcome.ANSWERED: f"answered{_after(' in', took)}{warned}.",
        Outcome.ANSWERED_WITH_CAVEATS: f"answered{_after(' in', took)}{warned or ', with a note'}.",
        Outcome.NO_DATA: f"there was no such data{warned}.",
        Outcome.NEEDS_CLARIFICATION: f"I asked back: “{_short(entry.answer)}”",
        Outcome.NOT_PERMITTED: f"not permitted.{reason}",
        Outcome.ESCALATED: f"no answer yet.{reason}",
        Outcome.CANCELLED: f"stopped{_after(' after', took)}.",
        Outcome.SYSTEM_FAULT: f"something broke on our side.{reason}",
        Outcome.FAILED: f"failed{_after(' after', took)}.{reason}",
    }[entry.outcome]


def _never_ran(summary: str) -> str:
    if summary == "cut off":
        return "cut off in the middle, because I was stopped."
    return f"not answered. {_short(summary)}".rstrip()


def _handed_over(entry: LogEntry) -> str:
    who = _person(entry.held_by) if entry.held_by else "somebody"
    match entry.escalation:
        case EscalationStatus.OPEN:
            return " It waits for a person."
        case EscalationStatus.CLAIMED:
            return f" {who} has it."
        case EscalationStatus.ANSWERED:
            return f" {who} answered it."
        case EscalationStatus.MARKED_WRONG:
            return f" {who} marked it as wrong."
        case EscalationStatus.CLOSED:
            return f" {who} closed it."
    return " Nobody was told." if entry.outcome is Outcome.ESCALATED else ""


def _thought_of(entry: LogEntry) -> str:
    votes = (("👍", entry.thumbs_up), ("👎", entry.thumbs_down))
    told = "".join(f" {thumb} {number}" for thumb, number in votes if number)
    return f"{told} “{_short(entry.complaint)}”" if entry.complaint else told


def _seconds(duration_ms: int | None) -> str:
    if duration_ms is None:
        return ""
    seconds = duration_ms / 1000
    return "less than a second" if seconds < 0.95 else f"{seconds:.0f} s"


def _after(word: str, took: str) -> str:
    return f"{word} {took}" if took else ""


def _short(text: str) -> str:
    return plain(clip(" ".join(text.split()), MAX_REASON))
