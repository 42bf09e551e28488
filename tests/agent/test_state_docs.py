"""The page and the picture of the state machine say what the code does, all of it and no more."""

from __future__ import annotations

import re

import pytest

from agent import state
from agent.state import TERMINAL_PHASES, TOOL_SCOPE, TRANSITIONS, Event, Phase
from agent.state_docs import PAGE, README, REFRESH, render_diagram, render_page, with_diagram

ALIVE = [phase for phase in Phase if phase not in TERMINAL_PHASES]
HOW = f"the table in agent/state.py has changed: run {REFRESH}"


def rows(heading: str, columns: int) -> list[list[str]]:
    """The rows of the tables below a heading of the page that have so many columns."""
    section = render_page().partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    cells = [[cell.strip(" `*") for cell in line] for line in lines]
    return [line for line in cells if len(line) == columns and line[0] not in ("---", "phase")]


def test_the_page_is_what_the_code_draws() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page(), HOW


def test_the_diagram_in_the_readme_is_what_the_code_draws() -> None:
    readme = README.read_text(encoding="utf-8")
    assert readme == with_diagram(readme), HOW


def test_the_tables_of_the_page_hold_every_transition_and_no_other() -> None:
    drawn: dict[tuple[Phase, Event], Phase] = {}
    phase = ""
    for name, event, _, target in rows("Transitions", 4):
        phase = name or phase
        drawn[Phase(phase), Event(event)] = Phase(target)
    for event, _, target in rows("Transitions", 3):
        if event != "event":
            drawn |= {(each, Event(event)): Phase(target) for each in ALIVE}
    assert drawn == TRANSITIONS


def test_the_arrows_and_notes_of_the_diagram_hold_every_transition_and_no_other() -> None:
    drawn: dict[tuple[Phase, Event], Phase] = {}
    for source, target, words in re.findall(r"(\w+) --> (\w+): (.+)", render_diagram()):
        for word in words.split(" / "):
            drawn[Phase(source), Event(word.replace(" ", "_"))] = Phase(target)
    for target, note in re.findall(
        r"note right of (\w+)\n.*:\n((?:.*\n)*?) +end", render_diagram()
    ):
        for word in note.splitlines():
            event = Event(word.strip().replace(" ", "_"))
            drawn |= {(phase, event): Phase(target) for phase in ALIVE}
    assert drawn == TRANSITIONS


def test_every_end_of_the_diagram_is_an_end_of_the_table() -> None:
    assert set(re.findall(r"(\w+) --> \[\*\]", render_diagram())) == TERMINAL_PHASES
    assert re.findall(r"\[\*\] --> (\w+)", render_diagram()) == [state.AgentState().phase]


def test_every_phase_and_event_is_put_into_words_of_its_own() -> None:
    page = render_page()
    assert all(f"**{phase}**" in page for phase in Phase)
    assert all(f"`{event}` | " in page for event in Event)
    said = [words for _, words in rows("Phases", 2)]
    assert len(set(said)) == len(Phase)


@pytest.mark.parametrize(
    "name",
    ["MAX_HOPS", "MAX_RETRIES", "MAX_ERRORS", "MAX_BACKTRACKS", "MAX_MODEL_CALLS", "WALL_CLOCK_S"],
)
def test_every_ceiling_stands_there_with_its_value_and_its_meaning(name: str) -> None:
    ceilings = {row[0]: row[1:] for row in rows("Ceilings", 3)}
    value, meaning = ceilings[name]
    assert float(value) == getattr(state, name)
    assert meaning.endswith(".")


def test_the_scope_names_the_tools_of_each_state() -> None:
    drawn = [re.findall(r"\w+", tools) for _, tools in rows("Tools in scope", 2)[1:]]
    assert drawn[: len(TOOL_SCOPE)] == [list(tools) for tools in TOOL_SCOPE.values()]


def test_a_readme_without_its_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="no place for the diagram"):
        with_diagram("# A readme\n")
