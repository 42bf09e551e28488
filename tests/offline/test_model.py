"""How the offline model behaves as a model: its turns, its repairs, its honesty."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from agent.database.schema import TableSearch
from agent.errors import SqlFailed
from agent.messages import Observations, Outcome, ToolResult, ToolSpec, UserMessage
from agent.models.offline import OfflineModel
from agent.run import Agent
from agent.tools.schema import describe_search

SYSTEM = "Today is 2026-11-30 (Monday). Time zone: Europe/Berlin."
EXPLORING = tuple(ToolSpec(name, "", {}) for name in ("find_tables", "get_schema", "ask_user"))


@dataclass
class FailsOnce:
    """A database that refuses its first query about rows with an error that a server would give."""

    database: object
    error: SqlFailed
    sent: list[str] = field(default_factory=list)

    def fetch(self, sql):
        self.sent.append(sql)
        if len(self.sent) == 1:
            raise self.error
        return self.database.fetch(sql)

    def __getattr__(self, name):
        return getattr(self.database, name)


def _with_database(agent: Agent, database: object) -> Agent:
    return replace(agent, database=database)


def test_it_begins_by_looking_for_tables_and_uses_no_tool_out_of_scope():
    turn = OfflineModel().respond(SYSTEM, [UserMessage("how many films?")], EXPLORING, timeout_s=9)
    assert [call.name for call in turn.tool_calls] == ["find_tables"]
    assert turn.stop_reason == "tool_use"


def test_the_same_messages_give_the_same_turn():
    messages = [UserMessage("revenue by month")]
    first, second = (
        OfflineModel().respond(SYSTEM, messages, EXPLORING, timeout_s=9) for _ in range(2)
    )
    assert first == second


def test_a_database_without_readable_tables_says_just_that_and_what_to_do():
    model = OfflineModel()
    first = model.respond(SYSTEM, [UserMessage("how many films?")], EXPLORING, timeout_s=9)
    nothing = ToolResult(
        first.tool_calls[0].id, "find_tables", describe_search(TableSearch((), (), 0))
    )
    messages = [UserMessage("how many films?"), first, Observations((nothing,))]
    turn = model.respond(SYSTEM, messages, EXPLORING, timeout_s=9)
    assert [call.name for call in turn.tool_calls] == ["ask_user"]
    assert "no SELECT right" in turn.tool_calls[0].arguments["question"]
    assert "GRANT SELECT" in turn.tool_calls[0].arguments["question"]


def test_a_list_in_the_text_says_how_many_rows_it_leaves_out(demo_agent):
    result = demo_agent.run("films in the Horror category")
    assert len(result.results[-1].rows) == 56
    assert "and 53 more" in result.answer
    assert "table" not in result.answer


def test_a_chart_that_is_asked_for_is_drawn_of_the_last_result(demo_agent):
    result = demo_agent.run("top five film categories by revenue, as a bar chart")
    (chart,) = result.charts
    assert chart.result_number == len(result.results)
    assert "bar chart" in chart.alt_text.lower()
    assert len(result.results[-1].rows) == 5


def test_a_series_over_time_is_drawn_unasked_and_a_single_figure_is_not(demo_agent):
    assert len(demo_agent.run("rentals per month in 2025").charts) == 1
    assert demo_agent.run("how many rentals were there in 2025?").charts == ()


def test_a_follow_up_changes_only_the_kind_of_chart(demo_agent, ask):
    first, second = ask(demo_agent, "films by language as a pie chart", "as a bar chart")
    assert first.results[-1].rows == second.results[-1].rows
    assert len(first.charts) == len(second.charts) == 1


def test_what_was_assumed_is_said_in_the_answer(demo_agent):
    answer = demo_agent.run("total revenue in 2024").answer
    assert "payment.amount" in answer
    assert "2024" in answer


def test_a_number_that_was_said_is_kept_and_a_tie_at_the_last_place_is_said(demo_agent):
    first, second = demo_agent.run("the 3 cheapest films"), demo_agent.run("the 3 cheapest films")
    assert len(first.results[-1].rows) == 3
    assert first.results[-1].rows == second.results[-1].rows
    assert "Others may share the last place" in first.answer


def test_who_has_the_most_of_something_shows_all_that_tie(demo_agent):
    result = demo_agent.run("which film has the lowest rental rate?")
    assert len(result.results[-1].rows) > 1


def test_the_top_groups_are_as_many_as_were_asked_for(demo_agent):
    assert len(demo_agent.run("top 5 cities by number of customers").results[-1].rows) == 5
    assert len(demo_agent.run("top 10 films by length").results[-1].rows) == 10


@pytest.mark.parametrize(
    "question",
    [
        "how many rentals yesterday",
        "rentals in the last three months",
        "revenue this year",
        "list rentals of this year",
    ],
)
def test_a_period_past_the_data_is_answered_with_the_newest_date(question, demo_agent):
    result = demo_agent.run(question)
    assert "is of 31 Dec 2025" in result.answer
    assert "latest" not in result.sql[-1]


def test_who_did_nothing_in_a_period_past_the_data_is_told_when_the_data_end(demo_agent):
    result = demo_agent.run("which customers have not rented anything this year?")
    assert "without rentals" in result.answer
    assert "is of 31 Dec 2025" in result.answer


def test_a_period_with_data_is_answered_without_the_newest_date(demo_agent):
    assert "The latest" not in demo_agent.run("how many rentals last year").answer


def test_a_line_over_what_has_no_order_is_drawn_as_bars_and_said(demo_agent, ask):
    _, bars = ask(demo_agent, "revenue by store", "as a line chart")
    assert "bar chart" in bars.charts[0].alt_text.lower()
    assert "Drawn as bars" in bars.answer
    _, line = ask(demo_agent, "rentals per month in 2025", "as a line chart")
    assert "line chart" in line.charts[0].alt_text.lower()
    assert "Drawn as bars" not in line.answer


def test_a_chart_of_counts_is_called_by_the_plural(demo_agent):
    (chart,) = demo_agent.run("rentals per month in 2025").charts
    assert "number of rentals by month" in chart.alt_text.lower()


def test_a_list_of_rows_chosen_by_a_figure_shows_the_figure(demo_agent):
    result = demo_agent.run("customers from Portugal who spent more than 100")
    labels = [column.name for column in result.results[-1].columns]
    spent = [row[labels.index("total_amount")] for row in result.results[-1].rows]
    assert spent
    assert min(spent) > 100


def test_a_period_without_data_is_an_honest_no_data_answer(demo_agent):
    result = demo_agent.run("list rentals in march 1999 by customer 10")
    assert result.outcome is Outcome.NO_DATA
    assert "no rentals" in result.answer


def test_an_unknown_word_is_named_and_no_answer_is_guessed(demo_agent):
    result = demo_agent.run("revenue by zodiac sign")
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert "zodiac" in result.answer


def test_a_misspelt_value_is_read_and_the_reading_is_said(demo_agent):
    result = demo_agent.run("films in the horor category")
    assert len(result.results[-1].rows) == 56
    assert "horor" in result.answer


def test_a_question_back_offers_choices_and_takes_the_answer(demo_agent, ask):
    asked, answered = ask(demo_agent, "best customers", "by number of rentals")
    assert asked.outcome is Outcome.NEEDS_CLARIFICATION
    assert asked.clarification.options
    assert answered.outcome is Outcome.ANSWERED
    assert answered.results[-1].columns[1].name == "rental_count"


def test_the_number_of_a_choice_is_an_answer_too(demo_agent, ask):
    asked, answered = ask(demo_agent, "best customers", "2")
    assert "payments" in asked.clarification.options[1]
    assert answered.results[-1].columns[1].name == "payment_count"


def test_two_ways_that_agree_for_every_row_need_no_question(demo_agent):
    result = demo_agent.run("revenue by store")
    assert result.outcome is Outcome.ANSWERED
    assert "store = the store of each payment's staff" in result.answer


def test_a_wrong_column_is_replaced_by_the_one_that_the_server_hints_at(demo_agent):
    error = SqlFailed(
        "42703",
        "column payment.amount does not exist. "
        'Perhaps you meant to reference the column "payment.amount".',
    )
    database = FailsOnce(demo_agent.database, error)
    result = _with_database(demo_agent, database).run("total revenue")
    # The mended query is the same as the first here, so there is nothing left to try: it asks.
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert "payment.amount" in result.answer


def test_a_query_that_took_too_long_is_sent_without_its_order(demo_agent):
    error = SqlFailed("57014", "canceling statement due to statement timeout")
    database = FailsOnce(demo_agent.database, error)
    result = _with_database(demo_agent, database).run("revenue by category")
    assert result.outcome is Outcome.ANSWERED
    assert "ORDER BY" in database.sent[0]
    assert "ORDER BY" not in database.sent[1]


def test_asking_what_there_is_names_tables_and_runs_no_query(demo_agent):
    result = demo_agent.run("what tables are there?")
    assert result.n_queries == 0
    assert "film" in result.answer
    assert result.answer.endswith("?")
    assert result.warnings == ()


@pytest.mark.parametrize(
    "question",
    ["Wie viele Kunden haben wir?", "Combien de clients avons-nous ?", "¿Cuántas tiendas hay?"],
)
def test_another_language_is_told_once_that_english_is_read(question, demo_agent):
    result = demo_agent.run(question)
    assert result.answer == "I read English only. Could you ask in English?"
    assert result.n_queries == 0


def test_a_period_that_moves_with_today_tells_its_days(demo_agent):
    said = demo_agent.run("rentals last month").answer
    assert said.startswith("There are no rentals (last month, 1 Oct 2026 to 31 Oct 2026). The ")
    assert "The latest rental is of 31 Dec 2025." in said


def test_the_best_may_be_those_that_bring_the_most_money(demo_agent):
    asked = demo_agent.run("who are our best customers?").clarification
    assert asked is not None
    assert "by revenue" in asked.options


def test_which_of_two_prices_was_taken_is_told(demo_agent):
    said = demo_agent.run("how many films cost more than 3 dollars?").answer
    assert "Read as: cost = film.replacement_cost." in said


def test_a_row_that_only_has_a_number_is_told_with_its_kind(demo_agent):
    assert demo_agent.run("which store has the most rentals?").answer.startswith("Store 2 has ")


@pytest.mark.parametrize("question", ["?", "🎬", "x" * 10_000, "SELECT 1 FROM film WHERE 1=1"])
def test_what_is_no_question_gets_a_question_back(question, demo_agent):
    result = demo_agent.run(question)
    assert result.outcome is Outcome.NEEDS_CLARIFICATION
    assert result.n_queries == 0


def test_no_question_needs_more_hops_than_a_run_has(demo_agent, questions):
    entries: Sequence[dict] = [e for e in questions("demo_fourth") if "q" in e][:25]
    assert max(demo_agent.run(entry["q"]).hops for entry in entries) <= 8


def test_a_turn_takes_well_under_a_tenth_of_a_second(demo_agent):
    demo_agent.run("revenue by category")
    started = time.perf_counter()
    result = demo_agent.run("revenue by category")
    spent = time.perf_counter() - started
    assert spent / (len(result.trail) / 3) < 0.1


def test_importing_the_model_loads_no_heavy_library():
    code = (
        "import sys, agent.models.offline; "
        "print([m for m in ('networkx', 'number_parser', 'rapidfuzz') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
