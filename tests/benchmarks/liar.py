"""A model that lies at a share of its turns; what it says otherwise is the offline model's.

Its lies are those that language models are caught at: a figure altered, an answer from nowhere, a
query that means something else, a query that fails, a tool that does not exist.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from agent.messages import Message, ToolCall, ToolSpec, Turn, UserMessage
from agent.models.offline import OfflineModel

FIGURE = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")


class Liar:
    """Lies at `share` of its turns; which ones follows from `seed`, the question and the turn."""

    name = "liar"

    def __init__(self, share: float, seed: int) -> None:
        self._share = share
        self._seed = seed
        self._honest = OfflineModel()
        self.turns = 0
        self.lied_answers: list[str] = []
        """The texts of answers that were altered or made up."""

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        self.turns += 1
        turn = self._honest.respond(system, messages, tools, timeout_s=timeout_s)
        luck = random.Random(f"{self._seed} {_question(messages)} {self.turns}")
        if luck.random() >= self._share:
            return turn
        return self._lie(turn, luck)

    def _lie(self, turn: Turn, luck: random.Random) -> Turn:
        if not turn.tool_calls:
            return self._answer(_altered(turn.text, luck))
        if luck.random() < 0.25:
            return self._answer(f"Altogether there are {luck.randint(11, 9_999):,}.")
        call = turn.tool_calls[0]
        if call.name == "execute_read_only_sql":
            spoilt = _spoilt(str(call.arguments["query"]), luck)
            call = replace(call, arguments={"query": spoilt})
        else:
            call = ToolCall(call.id, "look_everywhere", {"n": luck.randint(1, 99)})
        return replace(turn, tool_calls=(call, *turn.tool_calls[1:]))

    def _answer(self, text: str) -> Turn:
        self.lied_answers.append(text)
        return Turn(text)


def _question(messages: Sequence[Message]) -> str:
    return next((m.text for m in messages if isinstance(m, UserMessage)), "")


def _altered(text: str, luck: random.Random) -> str:
    """Return the text with its first figure made another one, or with a figure added."""
    figure = FIGURE.search(text)
    if figure is None:
        return f"{text} That is {luck.randint(11, 9_999):,} in all."
    value = float(figure[0].replace(",", ""))
    wrong = luck.choice([value * 10, value * 1.1 + 3, value + 17, value * 2 + 1])
    written = f"{wrong:,.2f}" if "." in figure[0] else f"{round(wrong):,}"
    return text[: figure.start()] + written + text[figure.end() :]


def _spoilt(sql: str, luck: random.Random) -> str:
    """Return a query that means something else, or that fails."""
    ways = [
        re.sub(r"\bWHERE\b.*?(?=\bGROUP BY\b|\bORDER BY\b|\bLIMIT\b|$)", "", sql, flags=re.DOTALL),
        re.sub(r"\bsum\(", "avg(", sql),
        re.sub(r"\bcount\(\*\)", "count(*) * 2", sql),
        re.sub(r"\bDESC\b", "ASC", sql),
        re.sub(r"\bLIMIT (\d+)", "LIMIT 1", sql),
        re.sub(r"\b(\w+)\.(\w+)_id\b", r"\1.\2_key", sql, count=1),
        re.sub(r"\bFROM (\w+)", r"FROM \1s", sql, count=1),
        re.sub(r"\bGROUP BY\b.*?(?=\bORDER BY\b|\bLIMIT\b|$)", "", sql, flags=re.DOTALL),
    ]
    different = [way for way in ways if way != sql]
    return luck.choice(different) if different else f"{sql} AND"
