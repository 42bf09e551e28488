"""From a run under way to its checkpoints."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import Any, Final

from agent.checkpoint.delta import FORMAT, difference
from agent.checkpoint.snapshot import Opening, Snapshot
from agent.messages import AuditNote, QueryResult, Transition
from agent.running import Run

UNWRITTEN: Final = "unwritten"

logger = logging.getLogger(__name__)


def keep(run: Run, transition: Transition) -> None:
    """Give the run's trail the checkpoint of its newest transition."""
    if run.trail is not None:
        checkpoint, run.kept = _checkpoint(run)
        run.trail.keep(len(run.transitions), transition, checkpoint)


def keep_part(run: Run) -> None:
    """Give the trail what the phase under way has done so far."""
    if run.trail is not None:
        checkpoint, _ = _checkpoint(run, ahead=1)
        run.trail.keep_part(len(run.transitions) + 1, checkpoint)


def _checkpoint(run: Run, ahead: int = 0) -> tuple[dict[str, Any], Snapshot]:
    """Return what is new, and what it was measured against next time."""
    number = len(run.transitions) + ahead
    try:
        now = snapshot_of(run, run.kept)
        return difference(run.kept, now, number), now
    except Exception:
        # The run itself is well; only, nobody could go on from here.
        logger.exception("bug in writing a checkpoint")
        return {"format": UNWRITTEN, "number": number, "for": FORMAT}, run.kept


def snapshot_of(run: Run, before: Snapshot) -> Snapshot:
    """Return all of `run` that its later phases read; `before` is the snapshot before this one."""
    memory, attempts = run.memory, run.attempts
    pool = _Pool(list(before.fetched), list(before.audits))
    set_aside = tuple(map(pool.place, memory.set_aside))
    results = tuple(map(pool.place, memory.results))
    return Snapshot(
        opening=before.opening or _opening(run),
        state=run.state,
        spent_s=round(run.clock() - run.started, 3),
        answering=run.answering,
        usage=memory.usage,
        judge_usage=run.judge_usage,
        last_turn=memory.last_turn,
        clarification=memory.clarification,
        setback=run.setback,
        rethinking=run.rethinking,
        refusals=run.refusals,
        ceiling=run.ceiling,
        fault=run.fault,
        messages=tuple(memory.messages),
        fetched=tuple(pool.fetched),
        audits=tuple(pool.audits),
        results=results,
        set_aside=set_aside,
        charts=tuple(memory.charts),
        calculations=tuple(memory.calculations),
        tables=tuple(memory.tables),
        calls_that_worked=tuple(memory.calls_that_worked),
        checkpoints=tuple(memory.checkpoints),
        usage_by_model=tuple(memory.usage_by_model.items()),
        judge_usage_by_model=tuple(run.judge_usage_by_model.items()),
        pending=tuple(run.pending),
        said=tuple(run.said),
        steps=tuple(run.steps),
        in_vain=tuple(attempts.in_vain.items()),
        went_back_for=tuple(attempts.refusals),
        critiques=tuple(run.critiques),
    )


@dataclass
class _Pool:
    """Each result that there ever was; what is new is added behind the others."""

    fetched: list[QueryResult]
    audits: list[tuple[AuditNote, ...]]
    taken: set[int] = field(default_factory=set)

    def place(self, result: QueryResult) -> int:
        """Return where a result stands; its notes may be newer than those that are here."""
        bare = replace(result, audit=())
        # The rows of a result stay one object, so that no others are compared value by value.
        alike = (
            at
            for at, each in enumerate(self.fetched)
            if each.rows is bare.rows and at not in self.taken and each == bare
        )
        place = next(alike, len(self.fetched))
        if place == len(self.fetched):
            self.fetched.append(bare)
            self.audits.append(())
        self.audits[place] = result.audit
        self.taken.add(place)
        return place


def _opening(run: Run) -> Opening:
    return Opening(
        question=run.question,
        prompt=run.prompt,
        today=run.today,
        today_in_words=run.today_in_words,
        time_zone=run.time_zone,
        model=run.opened_by,
        locale=run.locale,
        asked_by=run.asked_by,
        earlier=tuple(replace(each, results=()) for each in run.earlier),
        inherited=run.memory.inherited,
    )
