"""Checks texts with the guard, has the judges run what it accepts, and says what changed."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from agent.database import guard
from agent.database.guard import GuardPolicy
from agent.database.guard.policy import AcceptedSql
from agent.database.tables.catalog import Catalog
from agent.errors import SqlRejected

from .arena import Arena
from .calls import read_catalogue
from .judges import BareJudge, SessionJudge
from .reader import Reader
from .texts import Text, Texts
from .watch import Sight, Watcher

BATCH = 50
SLOW_S = 0.25
"""Of the processor's time: a machine that is busy with others is no slow guard."""

_OF_THE_TEXT = ("syntax", "invisible_character", "control_character", "empty", "several_statements")
"""Codes that are the same whatever the database holds."""


@dataclass(frozen=True)
class Finding:
    """A text that the guard should not have let through, and what gave it away."""

    text: Text
    what: list[str]

    def __str__(self) -> str:
        return f"{self.text.seed} ({self.text.family}) {self.what}\n    {self.text.sql!r}"


@dataclass
class Report:
    """What a run has come to."""

    counts: Counter[str] = field(default_factory=Counter)
    by_family: Counter[tuple[str, str]] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        lines = [
            f"{self.counts['texts']:,} texts in {self.seconds:.0f} s"
            f" ({self.counts['texts'] / max(self.seconds, 0.001):.0f} a second)",
            ", ".join(f"{name} {n:,}" for name, n in sorted(self.counts.items())),
            "refused: " + ", ".join(f"{code} {n:,}" for code, n in self.codes.most_common()),
        ]
        families = sorted({family for family, _ in self.by_family})
        for family in families:
            total = self.by_family[family, "texts"]
            share = self.by_family[family, "accepted"] / total
            ran = self.by_family[family, "ran"] / max(self.by_family[family, "accepted"], 1)
            lines.append(f"  {family}: {total:,}, accepted {share:.0%}, of those ran {ran:.0%}")
        return "\n".join([*lines, f"differences: {len(self.findings)}"])


class Fuzz:
    """One arena with its judges."""

    def __init__(self, arena: Arena) -> None:
        self.agent = SessionJudge(arena.agent_url)
        self.writer = SessionJudge(arena.writer_url, may_write=True)
        self.bare = BareJudge(arena)
        self.watcher = Watcher(arena)
        self.agent_policy = Catalog(self.agent.database).policy()
        self.writer_policy = Catalog(self.writer.database).policy()
        self.reader = Reader(arena, self.writer_policy)
        self.texts = Texts(
            arena,
            read_catalogue(arena),
            self.writer_policy.functions,
            lambda: self.watcher.sleeper_pid,
        )
        self._may_differ = True
        self.report = Report()

    def __enter__(self) -> Fuzz:
        return self

    def __exit__(self, *error: object) -> None:
        for part in (self.agent, self.writer, self.bare, self.watcher, self.reader):
            part.close()

    @contextlib.contextmanager
    def weakened(self, allow: dict[str, Any]) -> Iterator[None]:
        """Within the block the guard is weaker, to see that the judges notice; reports anew."""
        kept = self.agent_policy, self.writer_policy, self.report
        self.agent_policy = weakened(self.agent_policy, allow)
        self.writer_policy = weakened(self.writer_policy, allow)
        self.report = Report()
        try:
            yield
        finally:
            self.agent_policy, self.writer_policy, self.report = kept

    def run(self, texts: Iterable[Text], *, stop_at_first: bool = False) -> Report:
        """Judge all texts; return the report, which is kept from run to run."""
        started = time.monotonic()
        accepted = self._accepted(texts)
        while batch := list(islice(accepted, BATCH)):
            self._judge(batch)
            if stop_at_first and self.report.findings:
                break
        self.watcher.make_room()
        self.report.seconds += time.monotonic() - started
        return self.report

    def _accepted(self, texts: Iterable[Text]) -> Iterator[tuple[Text, bool, bool]]:
        """Yield what the guard accepts, for the agent's database, for the armed one, or both."""
        for text in texts:
            for_writer = self._check(text, self.writer_policy)
            for_agent = self._check(text, self.agent_policy) if self._may_differ else False
            self._count("texts", text)
            if for_agent or for_writer:
                self._count("accepted", text)
                yield text, for_agent, for_writer

    def _check(self, text: Text, policy: GuardPolicy) -> bool:
        started = time.thread_time()
        self._may_differ = True
        try:
            accepted = guard.check(text.sql, policy)
        except SqlRejected as rejection:
            accepted = None
            if rejection.code == "guard_fault":
                self._find(text, [f"guard: {rejection.name}"])
            if policy is self.writer_policy:
                self._may_differ = rejection.code not in _OF_THE_TEXT
                self.report.codes[rejection.code] += 1
        spent = time.thread_time() - started
        if spent > SLOW_S:
            self._find(text, [f"guard: took {spent:.2f} s"])
        if accepted is not None and accepted != AcceptedSql(
            text.sql, accepted.tables, accepted.functions
        ):
            self._find(text, ["guard: changed the text"])
        return accepted is not None

    def _judge(self, batch: list[tuple[Text, bool, bool]]) -> None:
        for text, _, for_writer in batch:
            if for_writer and (what := self.reader.judge(text.sql)):
                self._find(text, what)
        known = len(self.report.findings)
        changed = self._run_all(batch)
        if changed and all(what.startswith("wal:") for what in changed):
            # Without a transaction; if not again, a page was tidied up while it was read.
            changed = self._run_all(batch, again=True)
        if not changed or self._single_out(batch, changed) or len(self.report.findings) > known:
            return
        suspects = {text for text, *_ in batch} & {found.text for found in self.report.findings}
        if len(suspects) == 1:
            self._find(suspects.pop(), changed)
        else:
            joined = "; ".join(text.sql for text, *_ in batch)
            self._find(replace(batch[0][0], family="batch", sql=joined), changed)

    def _settled(self) -> Sight:
        self.bare.settle()
        return self.watcher.settled()

    def _run_all(self, batch: list[tuple[Text, bool, bool]], *, again: bool = False) -> list[str]:
        before = self._settled()
        for item in batch:
            self._let_run(item, again=again)
        return self._changed(before)

    def _changed(self, before: Sight) -> list[str]:
        return before.differences(self.watcher.sight()) + self.bare.settle()

    def _single_out(self, batch: list[tuple[Text, bool, bool]], seen: list[str]) -> bool:
        """Run each text of a batch once more by itself; say whether one was found guilty.

        `seen` is what the whole batch has changed: some of it happens only once.
        """
        guilty = []
        for item in batch:
            before = self._settled()
            self._let_run(item, again=True)
            if changed := self._changed(before):
                self._find(item[0], changed)
                guilty.append(item[0])
        if len(guilty) == 1:
            self._find(guilty[0], seen)
        return bool(guilty)

    def _let_run(self, item: tuple[Text, bool, bool], *, again: bool = False) -> None:
        text, for_agent, for_writer = item
        outcomes = []
        if for_agent:
            outcomes.append(("agent", self.agent.run(text.sql)))
        if for_writer:
            if not (outcomes and outcomes[0][1].timed_out):
                outcomes.append(("writer", self.writer.run(text.sql)))
            outcomes.append(("bare", self.bare.run(text.sql)))
        for judge, outcome in outcomes:
            if outcome.differences or outcome.state.startswith("broken"):
                self._find(text, [f"{judge}: {x}" for x in outcome.differences or [outcome.state]])
                self.bare.settle()
        if not again:
            self._count(_verdict([outcome.state for _, outcome in outcomes]), text)

    def _count(self, name: str, text: Text) -> None:
        self.report.counts[name] += 1
        self.report.by_family[text.family, name] += 1

    def _find(self, text: Text, what: list[str]) -> None:
        for known in self.report.findings[-2 * BATCH :]:
            if known.text == text:
                known.what.extend(x for x in what if x not in known.what)
                return
        self.report.findings.append(Finding(text, list(what)))


def _verdict(states: list[str]) -> str:
    if "" in states:
        return "ran"
    return "timed out" if any(state in ("57014", "25P04") for state in states) else "errored"


def weakened(policy: GuardPolicy, allow: dict[str, Any]) -> GuardPolicy:
    """Return a policy that also lets through what it should not: added names, or for a value of
    None, nothing of that kind is watched any more.
    """
    changes = {
        name: frozenset() if more is None else frozenset(getattr(policy, name)) | frozenset(more)
        for name, more in allow.items()
    }
    return replace(policy, **changes)
