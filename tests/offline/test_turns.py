"""What the offline model does when its work is refused, corrected, or goes on from before."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from agent.database.postgres import PostgresDatabase
from agent.errors import ChartRejected
from agent.messages import (
    Message,
    Observations,
    Outcome,
    Severity,
    Turn,
    UserMessage,
    Verdict,
)
from agent.models.offline import OfflineModel
from agent.testing import RecordingModel, ScriptedJudge

SYSTEM = "Today is 2026-11-30 (Monday). Time zone: Europe/Berlin."
REFUSED = "Your last attempt was refused and taken back:\n- The unit is missing.\nWhat stands above"


def _steps(result, *tools: str) -> list:
    steps = [step for transition in result.trail for step in transition.steps]
    return [step for step in steps if not tools or step.tool in tools]


def _recorded(agent, question: str) -> tuple[tuple[Message, ...], Any]:
    """Return the messages before the last turn of a run, and the run."""
    model = RecordingModel(OfflineModel())
    result = replace(agent, model=model).run(question)
    return model.heard[-1], result


def _respond(messages, agent) -> Turn:
    tools = ("find_tables", "get_schema", "ask_user", "execute_read_only_sql", "generate_chart")
    specs = [replace(SPEC, name=name) for name in tools]
    return OfflineModel().respond(SYSTEM, messages, specs, timeout_s=9)


@dataclass(frozen=True)
class _Spec:
    name: str = ""


SPEC = _Spec()


# --- the plan


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("how many rentals were there in 2025?", ["Look up the rentals in 2025 and count them."]),
        ("total revenue", ["Look up the revenue and add it up."]),
        (
            "how many customers live in Germany",
            [
                "Look up how “Germany” is written in the data.",
                "Look up the customers and count them.",
            ],
        ),
        (
            "top five film categories by revenue, as a bar chart",
            [
                "Look up the film categories, put them in order and take the first five.",
                "Draw it as a bar chart.",
            ],
        ),
        ("Rentals in 2024 and 2025", ["Look up the rentals in 2024 and 2025."]),
        ("what tables are there?", ["See which tables there are."]),
    ],
)
def test_the_plan_says_in_plain_words_what_will_be_done(question, plan, demo_agent):
    assert list(demo_agent.run(question).plan) == plan


def test_the_plan_of_a_follow_up_says_what_it_changes(demo_agent, ask):
    _, narrowed = ask(demo_agent, "how many rentals in 2025", "only the Porto store")
    assert "only the Porto store" in narrowed.plan[0]
    _, reply = ask(demo_agent, "best customers", "2")
    assert reply.plan == ("Take “2” as the answer to my question, and go on from there.",)


def test_no_plan_speaks_of_sql_or_of_tools(demo_agent, questions):
    entries = [e for name in ("demo", "demo_third") for e in questions(name) if "q" in e]
    for entry in entries:
        plan = demo_agent.run(entry["q"]).plan
        assert 1 <= len(plan) <= 5, entry["q"]
        said = " ".join(plan).replace(entry["q"], "")
        assert not re.search(r"\b(?:SQL|SELECT|query|schema|join|find_tables)\b|_", said), plan


# --- corrections


@pytest.mark.parametrize(
    "words",
    [
        "The plan is good. Take its first step now.",
        "Your last turn held neither a tool call nor an answer. Call a tool that is allowed now.",
        REFUSED,
    ],
)
def test_what_the_loop_says_is_not_taken_for_the_question(words, demo_agent):
    first = _respond([UserMessage("revenue by category")], demo_agent)
    again = _respond([UserMessage("revenue by category"), UserMessage(words)], demo_agent)
    assert again.tool_calls == first.tool_calls


def test_a_refused_answer_is_not_written_again(demo_agent):
    drafts: list[str] = []

    def judge(case):
        drafts.append(case.draft)
        return Verdict(len(drafts) > 2, "The words are wrong.", Severity.MINOR)

    result = replace(demo_agent, judge=ScriptedJudge(judge)).run("top 5 customers by revenue")
    assert result.outcome in (Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS)
    assert len(drafts) == len(set(drafts)) == 3
    assert result.n_queries == 1


def test_a_refused_query_is_not_sent_again_but_asked_about(demo_agent):
    verdict = Verdict(False, "Gift cards are missing.", Severity.MAJOR)
    result = replace(demo_agent, judge=ScriptedJudge(lambda case: verdict)).run("total revenue")
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert "Gift cards are missing." in result.answer
    assert len(_steps(result, "execute_read_only_sql")) == 1
    assert all(step.ok for step in _steps(result))


# --- what was learnt before


def test_a_reply_reads_no_schema_again_and_finds_what_a_new_question_would(demo_agent, ask):
    asked, answered = ask(demo_agent, "best customers", "by number of rentals")
    assert _steps(asked, "get_schema")
    assert not _steps(answered, "get_schema")
    assert answered.results[-1].columns[1].name == "rental_count"
    assert answered.trail[0].state.seen_table


def test_a_failed_run_in_the_record_of_a_thread_leaves_nothing_behind(demo_agent, as_exchange):
    first = as_exchange(demo_agent.run("rentals by store in 2025"))
    told = "There were too many errors: 3 in a row, 3 in all. Put the question differently."
    failed = replace(first, question="only Horror films", answer=told, sql=(), results=())
    last = demo_agent.run("only Porto", history=[first, failed])
    assert "Horror" not in last.sql[-1]


# --- values that do not occur


@pytest.mark.parametrize(
    ("question", "said", "rows"),
    [
        ("films rated PG13", "There is no film rating “PG13”, so I took “PG-13”.", 253),
        ("customers in Lisbn", "There is no city “Lisbn”, so I took “Lisbon”.", 1),
        ("customers in Untied Kingdom", "“Untied Kingdom”, so I took “United Kingdom”.", 42),
        ("films in the scifi category", "so I took “Sci-Fi”.", 60),
    ],
)
def test_a_value_a_slip_away_is_taken_and_said(question, said, rows, demo_agent):
    result = demo_agent.run(question)
    assert said in result.answer
    assert len(result.results[-1].rows) == rows


def test_a_short_or_strange_word_is_asked_about(demo_agent):
    for question in ("films rated PGX", "customers in Atlantis", "revenue from Xyzzy"):
        assert demo_agent.run(question).outcome is Outcome.NEEDS_CLARIFICATION


NOTED = (
    "result 2: 0 rows in 3 ms\ncolumns: customer_id (integer)\n<data>\n</data>\n"
    "note: No country has the country 'Portugal'. Values of country.country: {offered}."
)


def _with_note(messages, offered: str) -> list[Message]:
    """Return the conversation as it would be had the last query found no such value."""
    last = messages[-1]
    assert isinstance(last, Observations)
    result = replace(last.results[-1], content=NOTED.format(offered=offered))
    return [*messages[:-1], Observations((result,))]


def test_what_the_notes_offer_is_taken_where_it_is_clearly_meant(demo_agent):
    messages, _ = _recorded(demo_agent, "customers from Portugal")
    turn = _respond(_with_note(messages, "'Portugal ', 'Poland'"), demo_agent)
    assert "= 'Portugal '" in turn.tool_calls[0].arguments["query"]
    stays = _respond(_with_note(messages, "'Poland', 'Peru'"), demo_agent)
    assert stays.text.startswith("There are no customers")


# --- what cannot be done


class NoChart:
    """A renderer that can draw nothing."""

    def render(self, spec: dict[str, object]) -> bytes:
        raise ChartRejected("It cannot be drawn.")


def test_a_chart_that_fails_is_said_and_not_tried_for_ever(demo_agent):
    agent = replace(demo_agent, renderer=NoChart())
    result = agent.run("revenue by category as a bar chart")
    assert "The chart could not be drawn." in result.answer
    assert len(_steps(result, "generate_chart")) == 1


def test_a_question_that_takes_too_long_is_asked_back(demo_agent, demo_database_url):
    hasty = PostgresDatabase(demo_database_url, time_zone="Europe/Berlin", statement_timeout_ms=1)
    hasty.find_tables("film")
    result = replace(demo_agent, database=hasty).run("revenue by category in 2025")
    hasty.close()
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert "takes too long" in result.answer
