"""The processor time of the loop for one question, beside LangGraph and pydantic-ai.

No model and no database are at work: the model answers at once, in process, with a fixed course,
and the database gives again what a real one gave before the measurement. All sides take the same
number of turns and of tool calls. Ours is measured three times: the whole run, with the audit of
the rows, the chart and the check of every figure; the same number of calls as mere look-ups, so
that there is nothing to audit and to draw; and those without the check of figures, which is the
loop alone, the part that the others have too. The guard belongs to the database and is in none of
them (`make bench-guard`). Run by name: `make bench-loop`.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent))

from canned_database import CannedDatabase, CannedRenderer
from loop_sides import (
    Ask,
    Texts,
    hand_made_graph,
    langchain_agent,
    prebuilt_agent,
    pydantic_ai_agent,
)
from packages import require_packages, set_up_environment
from trajectory import PLAN, QUESTION, TABLES, WORDS, Said, new_id, top_five, turns_ours

from agent import critique, unproven
from agent.charts.renderer import ProcessRenderer
from agent.database.demo import demo_database
from agent.database.postgres import PostgresDatabase
from agent.messages import Evidence, Observations, Outcome, ToolCall, Turn
from agent.run import Agent
from agent.testing import RecordingModel, ScriptedModel

ROUNDS, WARM_UP, QUESTIONS = 30, 3, 10
AIM: Final = 0.10
OURS: Final = "db-agent"
OURS_WHOLE: Final = "db-agent, the whole run"
OURS_LOOKING: Final = "db-agent, look-ups only"
OURS_ALONE: Final = "db-agent, the loop alone"
LOOKED_UP: Final = (
    Said(PLAN, (("find_tables", {"words": WORDS}),)),
    Said(calls=tuple(("get_schema", {"table_name": table}) for table in TABLES)),
    Said(calls=(("get_schema", {"table_name": "revenue"}),)),  # there is none: a failing call
    Said(calls=(("get_schema", {"table_name": "rental"}),)),
    Said(calls=(("get_schema", {"table_name": "inventory"}),)),
    Said("The tables category, film_category and payment hold what you ask for."),
)


def main() -> None:
    set_up_environment()
    require_packages("bench-loop")
    with demo_database() as demo:
        database, renderer = PostgresDatabase(demo.url), ProcessRenderer()
        try:
            canned, pictures = CannedDatabase(database), CannedRenderer(renderer)
            turns = turns_ours(top_five(demo.url), together=True)
            whole, texts = _ours(turns, canned, pictures)
            looking, _ = _ours(LOOKED_UP, canned, pictures)
            canned.is_closed = True
            _compare(
                {
                    OURS_WHOLE: whole,
                    OURS_LOOKING: looking,
                    OURS_ALONE: _without_checks(looking),
                    "LangChain, create_agent": langchain_agent(turns, texts),
                    "LangGraph, prebuilt agent": prebuilt_agent(turns, texts),
                    "LangGraph, a graph by hand": hand_made_graph(turns, texts),
                    "pydantic-ai": pydantic_ai_agent(turns, texts),
                }
            )
        finally:
            renderer.close()
            database.close()


def _ours(
    turns: Sequence[Said], database: CannedDatabase, renderer: CannedRenderer
) -> tuple[Ask, Texts]:
    """Return our side, and what its tools gave: the others' tools give the same."""
    recording = RecordingModel(ScriptedModel(*map(_turn, turns)))
    result = Agent(recording, database, renderer).run(QUESTION)
    if result.outcome is not Outcome.ANSWERED:
        raise SystemExit(f"Our run took another course: {result.outcome}, {result.summary}")
    agent = Agent(ScriptedModel(*map(_turn, turns)), database, renderer)
    return lambda: agent.run(QUESTION).answer, _texts(turns, recording)


def _without_checks(ask: Ask) -> Ask:
    """Return the same without the check of figures, which the others do not have."""
    real = [(module, module.check_evidence) for module in (critique, unproven)]

    def asked() -> str:
        for module, _ in real:
            module.check_evidence = lambda *_: Evidence()
        try:
            return ask()
        finally:
            for module, check in real:
                module.check_evidence = check

    return asked


def _turn(said: Said) -> Turn:
    calls = tuple(ToolCall(new_id(), name, arguments) for name, arguments in said.calls)
    return Turn(said.text, calls, "tool_use" if calls else "end_turn")


def _texts(turns: Sequence[Said], heard: RecordingModel) -> Texts:
    """Return by tool and arguments the texts that the model read in the last turn."""
    given = [
        result.content
        for message in heard.heard[-1]
        if isinstance(message, Observations)
        for result in message.results
    ]
    calls = [call for turn in turns for call in turn.calls]
    by_call = {(name, str(dict(a))): text for (name, a), text in zip(calls, given, strict=True)}

    def text_of(name: str) -> Any:
        return lambda arguments: by_call[name, str(dict(arguments))]

    return {name: text_of(name) for name, _ in calls}


def _compare(sides: dict[str, Ask]) -> None:
    """Measure all sides in rounds, each round in another order, and print medians."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    order = random.Random(1)
    for number in range(WARM_UP + ROUNDS):
        for name in order.sample(list(sides), len(sides)):
            taken = _milliseconds_a_question(sides[name])
            if number >= WARM_UP:
                times[name].append(taken)
    medians = {name: median(each) for name, each in times.items()}
    print(f"processor time a question: median of {ROUNDS} rounds of {QUESTIONS}, and the range")
    for name, taken in medians.items():
        spread = f"{min(times[name]):.2f} to {max(times[name]):.2f}"
        print(f"{name:28}{taken:8.2f} ms   ({spread})")
    others = [name for name in medians if not name.startswith(OURS)]
    print(f"\n{'of the time of':28}" + "".join(f"{name:>28}" for name in others))
    for name in (OURS_WHOLE, OURS_LOOKING, OURS_ALONE):
        ratios = "".join(f"{medians[name] / medians[other]:>28.0%}" for other in others)
        print(f"{name:28}{ratios}")
    met = [name for name in others if medians[OURS_ALONE] <= AIM * medians[name]]
    print(f"aim: the loop alone at most {AIM:.0%}; met beside {', '.join(met) or 'none of them'}")


def _milliseconds_a_question(ask: Ask) -> float:
    started = time.process_time()
    for _ in range(QUESTIONS):
        if not ask():
            raise SystemExit("A run ended without an answer.")
    return (time.process_time() - started) * 1000 / QUESTIONS


if __name__ == "__main__":
    main()
