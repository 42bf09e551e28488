"""A judge made of a model: one turn with a prompt of its own, or a second that mends the first."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from agent.errors import ModelUnavailable, NoVerdict
from agent.judge.material import describe_case
from agent.judge.verdict import VerdictInvalid, read_verdict, verdict_spec
from agent.messages import (
    Case,
    Judgement,
    Message,
    Observations,
    ToolResult,
    Turn,
    Usage,
    UserMessage,
    Verdict,
)
from agent.prompts import judge_prompt
from agent.protocols import Model
from agent.watched_turn import watched_turn

MAX_TURNS = 2
"""Model turns of one verdict: the second one mends a first that held none."""

UNEXPLAINED: Final = "The second look found it wrong, and did not say why."


@dataclass(frozen=True)
class ModelJudge:
    """Asks a model whether a draft may be sent. Safe to share between threads."""

    model: Model
    clock: Callable[[], float] = time.monotonic

    @property
    def name(self) -> str:
        return self.model.name

    def judge(
        self,
        case: Case,
        *,
        timeout_s: float,
        max_turns: int = MAX_TURNS,
        may_go_on: Callable[[Usage], bool] = lambda _: True,
    ) -> Judgement:
        """Return the verdict, and what all its turns took, within `timeout_s` seconds.

        `may_go_on` is asked before a second turn, with what the first one took.

        Raises `NoVerdict`, which is a `ModelUnavailable`, where the model is out of reach,
        declines, or gives no verdict in two turns, or in `max_turns` if that is less.
        """
        hearing = _Hearing(self.model, [UserMessage(describe_case(case))])
        deadline = self.clock() + timeout_s
        wrong, refused = "", False
        turns = min(MAX_TURNS, max_turns)
        while hearing.turns < turns and (not hearing.turns or may_go_on(hearing.usage)):
            turn = hearing.ask(deadline - self.clock())
            try:
                return hearing.judgement(read_verdict(turn))
            except VerdictInvalid as invalid:
                wrong, refused = str(invalid), refused or invalid.refused
                hearing.correct(turn, wrong)
        if refused:  # who says no and not why has still said no
            return hearing.judgement(Verdict(False, UNEXPLAINED))
        raise hearing.without_verdict(
            "The judge gave no verdict on the answer; ask again in a minute.",
            f"{self.name}: no verdict in {hearing.turns} turns; the last one: {wrong}",
        )


@dataclass
class _Hearing:
    """One case under way: what was said, and what it took."""

    model: Model
    messages: list[Message]
    usage: Usage = field(default_factory=Usage)
    turns: int = 0
    by_model: dict[str, Usage] = field(default_factory=dict)

    def ask(self, timeout_s: float) -> Turn:
        """Return the model's next turn. Raises `NoVerdict` where there is none."""
        if timeout_s <= 0:
            raise self.without_verdict(
                "The judge gave no verdict in time; ask again in a minute.",
                f"{self.model.name}: no time left for another turn",
            )
        self.turns += 1
        try:
            turn = watched_turn(
                self.model,
                judge_prompt(),
                tuple(self.messages),
                (verdict_spec(),),
                timeout_s=timeout_s,
            )
        except ModelUnavailable as fault:
            raise self.without_verdict(str(fault), fault.detail) from fault
        self.usage = self.usage + turn.usage
        whose = turn.model or self.model.name
        self.by_model[whose] = self.by_model.get(whose, Usage()) + turn.usage
        self.messages.append(turn)
        if turn.stop_reason == "refusal":
            raise self.without_verdict(
                "The judge declined to look at this answer; put the question differently.",
                f"{self.model.name}: refused to judge",
            )
        return turn

    def judgement(self, verdict: Verdict) -> Judgement:
        """Return the verdict with what all turns took."""
        return Judgement(verdict, self.usage, self.turns, self.by_model)

    def without_verdict(self, message: str, detail: str) -> NoVerdict:
        """Return that there is none, with what all turns took."""
        return NoVerdict(message, self.usage, self.turns, detail=detail, by_model=self.by_model)

    def correct(self, turn: Turn, wrong: str) -> None:
        """Tell the model what was wrong with its turn; each of its calls gets a result."""
        if turn.tool_calls:
            results = (ToolResult(c.id, c.name, wrong, is_error=True) for c in turn.tool_calls)
            self.messages.append(Observations(tuple(results)))
        else:
            self.messages.append(UserMessage(wrong))
