"""How the state machine with its gate compares with the same tools in one plain loop.

Both get the same 60 questions on the demo database and the same model, which lies at one turn in
five. Run by name: `make compare`. A wrong answer is one whose rows are not the truth's, or whose
text was altered; what counts is how many of them go out without a warning.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "offline"))

from comparing import same_rows
from liar import Liar
from plain_loop import answer_plainly

from agent.charts.renderer import ProcessRenderer
from agent.database.demo import demo_database
from agent.database.postgres import PostgresDatabase
from agent.messages import Outcome, QueryResult
from agent.prompts import system_prompt
from agent.run import Agent

QUESTIONS = 60
SHARE_OF_LIES = 0.2
SEEDS = (1, 2, 3)
FILE = Path(__file__).resolve().parent.parent / "offline" / "questions" / "demo.json"
ANSWERED = (Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS, Outcome.NO_DATA)


@dataclass
class Tally:
    """What one side did over all questions."""

    ends: Counter[str] = field(default_factory=Counter)
    hops: int = 0
    model_calls: int = 0

    def line(self, name: str) -> str:
        runs = sum(self.ends.values())
        ends = ", ".join(
            f"{end} {count} ({count / runs:.1%})" for end, count in sorted(self.ends.items())
        )
        return (
            f"{name}: {runs} runs, {self.hops / runs:.2f} hops and "
            f"{self.model_calls / runs:.2f} model calls a run\n    {ends}"
        )


def truth_of(sql: str, url: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(sql).fetchall()


def is_right(truth: Sequence[Any], results: Sequence[QueryResult], text: str, liar: Liar) -> bool:
    altered = any(lie.strip() == text.strip() for lie in liar.lied_answers)
    return not altered and bool(results) and same_rows(truth, results[-1].rows)


def main() -> None:
    entries = [each for each in json.loads(FILE.read_text()) if "q" in each][:QUESTIONS]
    ours, plain = Tally(), Tally()
    with demo_database() as demo:
        database, renderer = PostgresDatabase(demo.url), ProcessRenderer()
        today = datetime.now(UTC).strftime("%Y-%m-%d (%A)")
        system = system_prompt("acting", today=today, time_zone="UTC")
        for entry in entries:
            truth = truth_of(entry["sql"], demo.url)
            for seed in SEEDS:
                _ask_ours(ours, entry["q"], truth, Liar(SHARE_OF_LIES, seed), database, renderer)
                liar = Liar(SHARE_OF_LIES, seed)
                answer = answer_plainly(entry["q"], liar, database, renderer, system)
                plain.hops += answer.hops
                plain.model_calls += answer.model_calls
                if answer.asked_back or not answer.text:
                    plain.ends["no answer"] += 1
                else:
                    right = is_right(truth, answer.results, answer.text, liar)
                    plain.ends["right" if right else "WRONG without a warning"] += 1
        renderer.close()
        database.close()
    print(f"{len(entries)} questions, {len(SEEDS)} seeds, lies at {SHARE_OF_LIES:.0%} of the turns")
    print(ours.line("state machine with gate"))
    print(plain.line("one plain loop"))


def _ask_ours(
    tally: Tally,
    question: str,
    truth: Sequence[Any],
    liar: Liar,
    database: PostgresDatabase,
    renderer: ProcessRenderer,
) -> None:
    result = Agent(liar, database, renderer).run(question)
    tally.hops += result.hops
    tally.model_calls += result.trail[-1].state.model_calls
    if result.outcome not in ANSWERED:
        tally.ends[f"no answer ({result.outcome.value})"] += 1
        return
    right = is_right(truth, result.results, result.answer, liar)
    warned = "with a warning" if result.warnings else "without a warning"
    tally.ends[("right" if right else "WRONG") + f" {warned}"] += 1


if __name__ == "__main__":
    main()
