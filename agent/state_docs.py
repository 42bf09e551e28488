"""The state machine as a page and a picture, drawn from the table that runs it.

`python -m agent.state_docs` writes docs/state-machine.md, and the diagram in README.md.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from itertools import groupby, pairwise
from pathlib import Path
from typing import Final

from agent import state
from agent.state import TERMINAL_PHASES, TOOL_SCOPE, TRANSITIONS, Event, Phase

ROOT: Final = Path(__file__).parent.parent
PAGE: Final = ROOT / "docs" / "state-machine.md"
README: Final = ROOT / "README.md"
REFRESH: Final = "python -m agent.state_docs"
BEGIN: Final = f"<!-- drawn by {REFRESH} from agent/state.py: change that, not this -->"
END: Final = "<!-- end of the drawing -->"

_PHASES: Final = {
    Phase.PLANNING: "the first model turn: what is asked, where to look, in which steps",
    Phase.THOUGHT: "one model turn",
    Phase.ACTION: "the tool calls of that turn are run, in order",
    Phase.OBSERVATION: "what came back is recorded and audited, errors too",
    Phase.CRITIQUE: "the draft is checked against the evidence, then by the judge",
    Phase.BACKTRACK: "the memory is rewound to the last verified checkpoint",
    Phase.FINISH: "the draft is the answer",
    Phase.CLARIFY: "the person is asked back",
    Phase.ESCALATED: "no draft held: a person has to look at it",
    Phase.FAILED: "a ceiling was met, or something broke",
    Phase.CANCELLED: "somebody stopped it",
}
_EVENTS: Final = {
    Event.PLAN_READY: "the turn holds a plan and no more",
    Event.TOOLS_REQUESTED: "the turn calls tools",
    Event.DRAFT_READY: "the turn is text: a draft of the answer",
    Event.MODEL_OUTPUT_INVALID: "the turn is empty, or was cut off",
    Event.TOOLS_DONE: "every call has a result, or the reason why not",
    Event.OBSERVED: "the model may go on",
    Event.CLARIFICATION_NEEDED: "the model asked the person back",
    Event.RETRY_CEILING: "too many errors, in a row or in all",
    Event.BACKTRACK: "a call that had failed was made again",
    Event.ACCEPTED: "the draft holds, or its faults are named on the card",
    Event.REJECTED: "the draft is refused",
    Event.ESCALATE: "the draft is refused, and the last backtrack is spent",
    Event.RESUMED: "the model is told what was wrong and asked for another way",
    Event.BACKTRACK_CEILING: "the last backtrack is spent",
    Event.HOP_CEILING: "no tool call is left",
    Event.BUDGET_SPENT: "no model turn is left, or no money",
    Event.TIMED_OUT: "no time is left",
    Event.MODEL_FAILED: "the model is out of reach, or declines",
    Event.TOOL_FAILED: "the database is out of reach, or our own code has a bug",
    Event.CANCELLED: "somebody stopped the run",
}
_SCOPES: Final = {
    (False, False): "no table has been read yet",
    (True, False): "a table has been read",
    (True, True): "and a query gave rows",
}


def render_page() -> str:
    """Return docs/state-machine.md."""
    parts = [
        "# The state machine",
        f"{BEGIN}",
        "A run is always in one phase. An event moves it to the next one, and which one that is "
        "stands in the table `TRANSITIONS` and nowhere else: a pair that is not in it raises. "
        "Every phase either leads on or is an end, and every way through is bounded.",
        render_diagram(),
        "## Phases",
        *_table("phase | what happens", _phase_rows()),
        "## Transitions",
        *_table("phase | event | which means | next", _transition_rows()),
        "From every phase that is not an end:",
        *_table("event | which means | next", _anywhere_rows()),
        "## Ceilings",
        "All are compared with `>=`, and before anything is spent.",
        *_table("name | value | meaning", _ceiling_rows()),
        "## Tools in scope",
        "The tools that a model turn may use. A call of another one is refused and counts.",
        *_table("when | tools", _scope_rows()),
        END,
    ]
    return "\n\n".join(parts) + "\n"


def render_diagram() -> str:
    """Return the table as a Mermaid diagram, what may happen anywhere drawn once, as a note."""
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {Phase.PLANNING}"]
    for (source, target), events in _arrows().items():
        lines.append(f"    {source} --> {target}: {' / '.join(_words(event) for event in events)}")
    # Mermaid refuses a note at a state that no arrow touches, so every end gets its arrow.
    lines += [f"    {phase} --> [*]" for phase in Phase if phase in TERMINAL_PHASES]
    for target, events in _by_target(_anywhere()).items():
        lines += [
            f"    note right of {target}",
            "        from every phase that is not an end:",
            *(f"        {_words(event)}" for event in events),
            "    end note",
        ]
    return "\n".join([*lines, "```"])


def with_diagram(readme: str) -> str:
    """Return `readme` with the diagram between its two marks.

    Raises `ValueError` where a mark is missing.
    """
    head, begin, rest = readme.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"README.md has no place for the diagram: put {BEGIN} and {END} there")
    return f"{head}{BEGIN}\n{render_diagram()}\n{END}{tail}"


def _anywhere() -> dict[Event, Phase]:
    """Return the events that every phase knows that is not an end."""
    alive = [phase for phase in Phase if phase not in TERMINAL_PHASES]
    return {
        event: TRANSITIONS[alive[0], event]
        for event in Event
        if len({TRANSITIONS.get((phase, event)) for phase in alive}) == 1
        and (alive[0], event) in TRANSITIONS
    }


def _own() -> list[tuple[Phase, Event, Phase]]:
    """Return the transitions of single phases, in the order of the table."""
    everywhere = _anywhere()
    return [(p, e, target) for (p, e), target in TRANSITIONS.items() if e not in everywhere]


def _arrows() -> dict[tuple[Phase, Phase], list[Event]]:
    arrows: dict[tuple[Phase, Phase], list[Event]] = {}
    for source, event, target in _own():
        arrows.setdefault((source, target), []).append(event)
    return arrows


def _by_target(events: dict[Event, Phase]) -> dict[Phase, list[Event]]:
    targets: dict[Phase, list[Event]] = {}
    for event, target in events.items():
        targets.setdefault(target, []).append(event)
    return targets


def _phase_rows() -> Iterator[str]:
    for phase in Phase:
        end = " (an end)" if phase in TERMINAL_PHASES else ""
        yield f"**{phase}**{end} | {_PHASES[phase]}"


def _transition_rows() -> Iterator[str]:
    for phase, rows in groupby(_own(), key=lambda row: row[0]):
        for number, (_, event, target) in enumerate(rows):
            name = f"**{phase}**" if number == 0 else ""
            yield f"{name} | `{event}` | {_EVENTS[event]} | {target}"


def _anywhere_rows() -> Iterator[str]:
    for event, target in _anywhere().items():
        yield f"`{event}` | {_EVENTS[event]} | {target}"


def _ceiling_rows() -> Iterator[str]:
    """Yield each number of agent/state.py with the words that stand below it there."""
    body = ast.parse(inspect.getsource(state)).body
    for number, words in pairwise(body):
        if not (isinstance(number, ast.AnnAssign) and isinstance(words, ast.Expr)):
            continue
        value, meaning = ast.unparse(number.value or words), ast.literal_eval(words.value)
        if value.replace(".", "").isdigit():
            name = ast.unparse(number.target)
            yield f"`{name}` | {float(value):g} | {' '.join(meaning.split())}"


def _scope_rows() -> Iterator[str]:
    for known, tools in TOOL_SCOPE.items():
        yield f"{_SCOPES[known]} | {', '.join(f'`{tool}`' for tool in tools)}"
    yield f"all {state.MAX_HOPS} calls are used | none: one last turn may say what was found"


def _table(head: str, rows: Iterator[str]) -> list[str]:
    rule = " | ".join("---" for _ in head.split(" | "))
    return ["\n".join(f"| {line} |" for line in (head, rule, *rows))]


def _words(event: Event) -> str:
    return event.value.replace("_", " ")


def main() -> None:
    """Write the page and the README's diagram."""
    PAGE.write_text(render_page(), encoding="utf-8")
    README.write_text(with_diagram(README.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}, {README.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
