"""What the store keeps, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Literal

from agent.checkpoint import Recorded
from agent.messages import (
    Calculation,
    Clarification,
    Evidence,
    Outcome,
    QueryResult,
    Usage,
    Verdict,
)


@dataclass(frozen=True)
class Thread:
    """A thread in Slack; `ts` is the one of its first message."""

    team: str
    channel: str
    ts: str

    @property
    def is_direct(self) -> bool:
        """In the direct messages with the bot."""
        return self.channel.startswith("D")


@dataclass(frozen=True)
class Question:
    """A question as it was asked. (team, channel, ts) is its name for good."""

    thread: Thread
    ts: str
    asked_by: str
    text: str
    about: str = ""
    """The message that it is about, which may be anybody's; "" for none."""


@dataclass(frozen=True)
class HowAsked:
    """How a question came, and where its answer goes: all that another process needs to give it."""

    place: Literal["thread", "whisper", "reply"] = "thread"
    """A message in its thread; one there that only the asker sees; or replies to `response_url`."""
    response_url: str = ""
    asker_only: bool = False
    """Nobody but the one who asked sees the answer."""
    from_outside: bool = False
    has_strangers: bool = False
    """Slack said that another organisation reads along."""
    about_itself: bool = False
    """It is about the bot's own record."""
    carried: Mapping[str, str] = field(default_factory=dict)
    """Where its trace goes on: `bot.telemetry.traces`."""


@dataclass(frozen=True)
class Hold:
    """Whose a run is. What is written of a run says so, and changes nothing once it is another's.

    A process that was frozen while another took its run over changes nothing when it wakes.
    """

    owner: str
    attempt: int


@dataclass(frozen=True)
class Renewed:
    """What others want of a run that is ours."""

    dropped: Dropped | None = None
    stop_by: str = ""


@dataclass(frozen=True)
class Begun:
    """A run that a process has made its own, as far as it had come."""

    run_id: str
    question: Question
    how: HowAsked
    hold: Hold
    failures: int
    """How many processes have died over it."""
    asked_at: datetime
    card_ts: str | None
    has_ended: bool
    """How it ended is written down: what is left is to show it."""
    kept: tuple[Recorded, ...] = ()
    """What was written down of it while it went on."""
    wish: Renewed = Renewed()
    """What others want of it."""


@dataclass(frozen=True)
class RunRecord:
    """A run as the store remembers it; what it says of the run is what `AgentResult` said."""

    id: str
    question: Question
    outcome: Outcome | None
    """None: still running, cut off, or turned away."""
    answer: str
    summary: str
    card_ts: str | None
    results: tuple[QueryResult, ...]
    failed: bool = False
    warnings: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    clarification: Clarification | None = None
    calculations: tuple[Calculation, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    verdict: Verdict | None = None
    judge: str = ""
    draft: str = ""
    set_aside: tuple[QueryResult, ...] = ()
    model: str = ""
    hops: int = 0
    duration_ms: int = 0
    usage: Usage = field(default_factory=Usage)
    cost_usd: Decimal | None = None
    fault_detail: str = ""
    time_zone: str = ""
    """In which its dates and times were read; "" where nobody noted it."""
    created_at: datetime | None = None
    finished_at: datetime | None = None
    rows_gone: bool = False
    """The rows of its results were too old to be kept; their SQL was not."""


class Dropped(StrEnum):
    """Why nobody wants the answer of a run any more."""

    EDITED = "edited"
    """Its question was changed, and is answered by another run."""
    DELETED = "deleted"


class EscalationStatus(StrEnum):
    """Where an escalation stands."""

    OPEN = "open"
    CLAIMED = "claimed"
    ANSWERED = "answered"
    MARKED_WRONG = "marked_wrong"
    CLOSED = "closed"
    """Nobody needs it any more."""


@dataclass(frozen=True)
class Escalation:
    """A run that a person is to look at."""

    id: str
    run: RunRecord
    status: EscalationStatus
    reason: str
    """Why, such as "refused by the checks" or "asked for by a person"."""
    asked_by: str
    """Who asked for a person; whoever asked the question, where the checks did."""
    opened_at: datetime
    channel: str | None = None
    """Where it was posted, and as which message."""
    ts: str | None = None
    claimed_by: str | None = None
    claimed_at: datetime | None = None
    answered_by: str | None = None
    """Who settled it: answered, marked the answer wrong, or closed it."""
    answered_at: datetime | None = None
    answer: str = ""
    """The person's answer, or what they noted of a wrong one."""
    answer_ts: str | None = None
    """The message with which the answer reached the thread of the question."""

    @property
    def is_settled(self) -> bool:
        return self.status not in (EscalationStatus.OPEN, EscalationStatus.CLAIMED)


@dataclass(frozen=True)
class Vote:
    """What one person thinks of an answer."""

    is_good: bool
    reason: str = ""
    """Why it is bad; "" where nobody said."""


class SharingStatus(StrEnum):
    """Where the sharing of a private answer stands, for whoever is about to share it."""

    NEW = "new"
    LEFT_BEHIND = "left_behind"
    """Somebody was at it and did not come back: their message may stand there."""
    UNDER_WAY = "under_way"
    DONE = "done"


@dataclass(frozen=True)
class Sharing:
    """A private answer on its way to everybody in its channel."""

    status: SharingStatus
    ts: str | None = None
    """The message that it is, where it has been shared."""


@dataclass(frozen=True)
class LogSearch:
    """Which runs of a workspace to find; None and empty fields ask for nothing.

    `outcomes`, `failed` and `escalated` are endings: a run is found that has any of those asked
    for, and none of those that are False. All other fields have to hold together.

    Found is what `viewer` may see: their own questions, those asked in the channel `here`, and
    those of public channels; never what was only for somebody else's eyes.
    """

    team: str
    viewer: str
    here: str = ""
    outcomes: frozenset[Outcome] | None = None
    failed: bool | None = None
    warned: bool | None = None
    """With a warning on the card, or without."""
    escalated: bool | None = None
    """Handed to a person at any time, or never."""
    thumbs_up: bool | None = None
    """Found good by somebody; False: by nobody. `thumbs_down`: found bad."""
    thumbs_down: bool | None = None
    asked_by: str | None = None
    channel: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """The first moment that is too late."""
    words: tuple[str, ...] = ()
    """Words or phrases; each has to occur in the question, the answer or the tables read."""


@dataclass(frozen=True)
class LogEntry:
    """A run in the log."""

    run_id: str
    question: str
    asked_by: str
    channel: str
    thread_ts: str
    message_ts: str
    card_ts: str | None
    outcome: Outcome | None
    """None: turned away or cut off; `summary` says why."""
    failed: bool
    created_at: datetime
    summary: str
    answer: str
    duration_ms: int | None = None
    cost_usd: Decimal | None = None
    warnings: tuple[str, ...] = ()
    escalation: EscalationStatus | None = None
    """Where its newest escalation stands."""
    held_by: str | None = None
    """Who claimed or settled that escalation."""
    thumbs_up: int = 0
    thumbs_down: int = 0
    complaint: str = ""
    """Why somebody found it bad; the newest reason that was given."""
