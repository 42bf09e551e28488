"""Whatever a model does, a run ends, within its ceilings, and says truly how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.as_json import result_as_json
from agent.errors import ModelUnavailable
from agent.messages import (
    AgentResult,
    Message,
    Observations,
    Outcome,
    ToolCall,
    ToolSpec,
    Turn,
    UserMessage,
)
from agent.protocols import Model
from agent.run import Agent
from agent.state import MAX_ERRORS, MAX_HOPS, MAX_MODEL_CALLS, MAX_RETRIES, Event
from agent.warnings import FAILED_WARNING, NO_QUERY_WARNING

MakeAgent = Callable[[Model], Agent]

TOOLS = ("find_tables", "get_schema", "execute_read_only_sql", "generate_chart", "ask_user")
REASONS = ("end_turn", "tool_use", "max_tokens", "refusal", "stop_sequence", "pause_turn", "")
BAR = {"mark": "bar", "encoding": {"x": {"field": "name"}, "y": {"field": "id"}}}

texts = st.one_of(st.sampled_from(["", " \n", "There are 16.", "\ud800", "\x00\x1b[2J"]), st.text())
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
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(said=st.lists(turns(), min_size=1, max_size=15))
def test_every_run_ends_within_its_ceilings_and_says_how(
    make_agent: MakeAgent, said: list[Turn | None]
) -> None:
    model = AnyModel(said)
    result = make_agent(model).run("how many?")
    _counters_stay_within_their_ceilings(result, model)
    _every_call_has_one_result(model)
    _the_outcome_is_true(result)
    json.dumps(result_as_json(result), allow_nan=False)


def _counters_stay_within_their_ceilings(result: AgentResult, model: AnyModel) -> None:
    assert len(model.heard) <= MAX_MODEL_CALLS
    assert result.hops <= MAX_HOPS
    hops = errors = 0
    for step in result.trail:
        state = step.state
        assert state.hop_count <= MAX_HOPS
        assert state.retry_count <= MAX_RETRIES
        assert state.error_count <= MAX_ERRORS
        assert state.model_calls <= MAX_MODEL_CALLS
        assert (hops, errors) <= (state.hop_count, state.error_count)
        hops, errors = state.hop_count, state.error_count
    assert result.trail[-1].state.is_terminal
    assert not any(step.state.is_terminal for step in result.trail[:-1])


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
    bad_end = result.outcome in (Outcome.FAILED, Outcome.SYSTEM_FAULT)
    assert result.failed is bad_end
    assert (FAILED_WARNING in result.warnings) is bad_end
    assert (result.answer == "") is bad_end
    assert result.summary.strip() == result.summary != ""
    assert result.n_queries == len(result.results) <= result.hops
    asked_back = last is Event.CLARIFICATION_NEEDED
    assert (result.outcome is Outcome.NEEDS_CLARIFICATION) is asked_back
    assert (result.clarification is not None) >= asked_back
    no_proof = last is Event.DRAFT_READY and not result.n_queries
    assert (NO_QUERY_WARNING in result.warnings) is no_proof
    # Nothing of this is a bug of ours: each end has a reason outside of it.
    if result.outcome is Outcome.SYSTEM_FAULT:
        assert "The model is away" in result.summary
