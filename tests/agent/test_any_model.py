"""Whatever a model does, a run ends, within its ceilings, and says truly how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.as_json import result_as_json
from agent.errors import ModelUnavailable, NoVerdict
from agent.messages import (
    AgentResult,
    Case,
    Judgement,
    Message,
    Observations,
    Outcome,
    Severity,
    ToolCall,
    ToolSpec,
    Turn,
    Usage,
    UserMessage,
    Verdict,
)
from agent.plan import MAX_STEPS
from agent.run import Agent
from agent.state import (
    MAX_BACKTRACKS,
    MAX_ERRORS,
    MAX_HOPS,
    MAX_MODEL_CALLS,
    MAX_RETRIES,
    TRANSITIONS,
    AgentState,
    Event,
    Phase,
)
from agent.warnings import ESCALATED_WARNING, FAILED_WARNING, NO_QUERY_WARNING

MakeAgent = Callable[..., Agent]

TOOLS = (
    "find_tables",
    "get_schema",
    "execute_read_only_sql",
    "generate_chart",
    "calculate",
    "ask_user",
)
REASONS = ("end_turn", "tool_use", "max_tokens", "refusal", "stop_sequence", "pause_turn", "")
BAR = {"mark": "bar", "encoding": {"x": {"field": "name"}, "y": {"field": "id"}}}

texts = st.one_of(
    st.sampled_from(["", " \n", "There are 16.", "Plan: count.", "\ud800", "\x00\x1b[2J"]),
    st.text(),
)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
good_calls = st.sampled_from(
    [
        ("find_tables", {"words": "film category"}),
        ("get_schema", {"table_name": "category"}),
        ("get_schema", {"table_name": "film"}),
        ("execute_read_only_sql", {"query": "SELECT name, category_id AS id FROM category"}),
        ("execute_read_only_sql", {"query": "SELECT title FROM film LIMIT 2"}),
        ("execute_read_only_sql", {"query": "SELECT name FROM category WHERE false"}),
        ("execute_read_only_sql", {"query": "SELECT 1 / 0 FROM category"}),
        ("execute_read_only_sql", {"query": "DROP TABLE category"}),
        ("calculate", {"expression": "r1.id[1] / sum(r1.id)"}),
    ]
)
# Of the charts only those that are refused: drawing tells nothing of the loop, and takes its time.
bad_calls = st.one_of(
    st.just(("ask_user", {"question": "Which one?", "options": ["this", "that"]})),
    st.tuples(texts, st.dictionaries(texts, junk, max_size=3)),
    st.tuples(st.sampled_from(TOOLS), st.dictionaries(texts, junk, max_size=3)),
    st.tuples(st.just("get_schema"), st.fixed_dictionaries({"table_name": junk})),
    st.tuples(st.just("execute_read_only_sql"), st.fixed_dictionaries({"query": junk})),
    st.tuples(st.just("generate_chart"), st.just({"spec": BAR | {"data": {"url": "file:///x"}}})),
)


verdicts = st.builds(Verdict, st.booleans(), st.just("So it is."), st.sampled_from(list(Severity)))


@st.composite
def turns(draw: st.DrawFn) -> Turn | None:
    """One turn of a model that may do anything, most often something; None is one out of reach."""
    luck = draw(st.integers(0, 19))
    if luck == 0:
        return None
    if luck <= 2:
        return Turn(draw(texts))
    mostly_good = st.integers(0, 4).flatmap(lambda n: bad_calls if n == 0 else good_calls)
    wanted = draw(st.lists(mostly_good, min_size=int(luck > 3), max_size=3 if luck < 19 else 20))
    malformed = "{not json" if luck == 18 else ""
    made = tuple(
        ToolCall(f"call_{number}", name, arguments, malformed if number == 0 else "")
        for number, (name, arguments) in enumerate(wanted)
    )
    reason = draw(st.sampled_from(REASONS)) if luck in (16, 17) else "tool_use"
    return Turn(draw(texts), made, reason)


class AnyJudge:
    """Finds what it was told to find, over and over; None is one out of reach."""

    name = "any judge"

    def __init__(self, said: Sequence[Verdict | None]) -> None:
        self.said = said
        self.asked = 0

    def judge(self, case: Case, *, max_turns: int, **_: object) -> Judgement:
        assert max_turns >= 1
        verdict = self.said[self.asked % len(self.said)]
        turns = min(1 + self.asked % 2, max_turns)
        self.asked += turns
        if verdict is None:
            raise NoVerdict("The judge is away. Try again.", Usage(), turns)
        return Judgement(verdict, Usage(input_tokens=1), turns)


class AnyModel:
    """Says what it was given, over and over, and keeps what it was told."""

    name = "any"

    def __init__(self, said: Sequence[Turn | None]) -> None:
        self.said = said
        self.heard: list[tuple[Message, ...]] = []

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        turn = self.said[len(self.heard) % len(self.said)]
        self.heard.append(tuple(messages))
        if turn is None:
            raise ModelUnavailable("The model is away. Try again.")
        return turn


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    said=st.lists(turns(), min_size=1, max_size=15),
    found=st.none() | st.lists(st.none() | verdicts, min_size=1, max_size=4),
)
def test_every_run_ends_within_its_ceilings_and_says_how(
    make_agent: MakeAgent, said: list[Turn | None], found: list[Verdict | None] | None
) -> None:
    model = AnyModel(said)
    judge = None if found is None else AnyJudge(found)
    result = make_agent(model, judge=judge).run("how many?")
    _counters_stay_within_their_ceilings(result, model, judge)
    _each_counter_counts_its_own(result)
    _every_call_has_one_result(model)
    _the_outcome_is_true(result)
    json.dumps(result_as_json(result), allow_nan=False)


def _counters_stay_within_their_ceilings(
    result: AgentResult, model: AnyModel, judge: AnyJudge | None
) -> None:
    asked = len(model.heard) + (judge.asked if judge is not None else 0)
    assert result.trail[-1].state.model_calls == asked <= MAX_MODEL_CALLS
    assert result.hops <= MAX_HOPS
    hops = errors = 0
    for step in result.trail:
        state = step.state
        assert state.hop_count <= MAX_HOPS
        assert state.retry_count <= MAX_RETRIES
        assert state.error_count <= MAX_ERRORS
        assert state.model_calls <= MAX_MODEL_CALLS
        assert state.backtrack_count <= MAX_BACKTRACKS
        assert (hops, errors) <= (state.hop_count, state.error_count)
        hops, errors = state.hop_count, state.error_count
    assert result.trail[-1].state.is_terminal
    assert not any(step.state.is_terminal for step in result.trail[:-1])


def _each_counter_counts_its_own(result: AgentResult) -> None:
    """Each phase spends its own counters and no other's; a success alone sets a row back to 0."""
    before = AgentState()
    for step in result.trail:
        after = step.state
        assert (step.source, step.target) == (before.phase, after.phase)
        assert after.phase is TRANSITIONS[step.source, step.event]
        turns = after.model_calls - before.model_calls
        most = {Phase.PLANNING: 1, Phase.THOUGHT: 1, Phase.CRITIQUE: 2}.get(step.source, 0)
        assert 0 <= turns <= most
        assert (after.hop_count == before.hop_count) or step.source is Phase.ACTION
        back = after.backtrack_count - before.backtrack_count
        assert back == int(step.event is Event.RESUMED)
        errors = after.error_count - before.error_count
        assert errors == 0 or step.source in (Phase.ACTION, Phase.OBSERVATION)
        if after.retry_count < before.retry_count + errors:
            assert step.source is Phase.ACTION  # something worked
        assert after.retry_count <= after.error_count
        assert after.failed is (after.phase is Phase.FAILED)
        before = after


def _every_call_has_one_result(model: AnyModel) -> None:
    """A provider refuses a conversation in which a call has no result, or two."""
    for heard in model.heard:
        assert isinstance(heard[0], UserMessage)
        for position, message in enumerate(heard):
            if not isinstance(message, Turn):
                continue
            answer = heard[position + 1]
            if message.tool_calls:
                assert isinstance(answer, Observations)
                wanted = [(call.id, call.name) for call in message.tool_calls]
                assert [(each.call_id, each.tool) for each in answer.results] == wanted
            else:
                assert isinstance(answer, UserMessage)


def _the_outcome_is_true(result: AgentResult) -> None:
    last = result.trail[-1].event
    bad_end = result.trail[-1].target is Phase.FAILED
    escalated = last in (Event.ESCALATE, Event.BACKTRACK_CEILING)
    assert result.failed is bad_end
    assert (FAILED_WARNING in result.warnings) is bad_end
    assert (ESCALATED_WARNING in result.warnings) is escalated
    assert (result.outcome is Outcome.ESCALATED) is escalated
    assert (result.answer == "") is (bad_end or escalated)
    assert result.summary.strip() == result.summary != ""
    assert result.n_queries == len(result.results)
    assert result.n_queries + len(result.set_aside) <= result.hops
    asked_back = last is Event.CLARIFICATION_NEEDED
    assert (result.outcome is Outcome.NEEDS_CLARIFICATION) is asked_back
    assert (result.clarification is not None) >= asked_back
    no_proof = last is Event.ACCEPTED and not result.n_queries
    assert (NO_QUERY_WARNING in result.warnings) is no_proof
    if last is Event.ACCEPTED:
        assert set(result.warnings) >= set(result.evidence.faults)
        assert all(figure in " ".join(result.warnings) for figure in result.evidence.untraced[:6])
    assert len(result.plan) <= MAX_STEPS
    # Nothing of this is a bug of ours: each end has a reason outside of it.
    if result.outcome is Outcome.SYSTEM_FAULT:
        assert "The model is away" in result.summary
