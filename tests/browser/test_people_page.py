"""On the page: a run that errs and corrects itself, with its why; and one that a person answers."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

StartDemo = Callable[..., str]
SCREENSHOTS = os.environ.get("SCREENSHOTS_IN")
"""A folder to keep pictures of the page in, to be looked at."""

WRONG = "SELECT staff_id, sum(total) AS revenue FROM payment GROUP BY 1 ORDER BY 1"
RIGHT = "SELECT staff_id, sum(amount) AS revenue FROM payment GROUP BY 1 ORDER BY 2 DESC LIMIT 3"
CHART = {
    "title": "Revenue by staff member",
    "mark": "bar",
    "encoding": {"x": {"field": "staff_id"}, "y": {"field": "revenue"}},
}


def does(tool: str, words: str = "", **arguments: Any) -> dict[str, Any]:
    """A turn of a script that calls one tool."""
    return {"text": words, "tool_calls": [{"name": tool, "arguments": arguments}]}


LOOK = does("get_schema", table_name="payment")
MISTAKE = does("execute_read_only_sql", query=WRONG)
PLAN = "Plan:\n1. Add up the payments of each staff member.\n2. Draw them as bars."


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Write the turns of a scripted model; returns the value for --model."""

    def write(*turns: dict[str, Any]) -> str:
        path = tmp_path / "script.json"
        path.write_text(json.dumps(turns))
        return f"scripted:{path}"

    return write


def ask(page: Page, text: str, where: str = "composer") -> None:
    page.get_by_test_id(where).click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def thread(page: Page) -> Locator:
    return page.get_by_test_id("thread-pane")


def button(where: Locator | Page, name: str) -> Locator:
    return where.get_by_role("button", name=name, exact=True)


def see_as(page: Page, name: str) -> None:
    """Let the page be somebody else's."""
    page.get_by_test_id("person").select_option(name.split()[0].lower())
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.get_by_test_id("person")).to_have_value(name.split()[0].lower())


def go_to(page: Page, channel: str) -> None:
    page.locator(f'[data-testid="channel-link"][data-name="{channel}"]').click()


def picture(page: Page, name: str) -> None:
    if SCREENSHOTS:
        page.screenshot(path=f"{SCREENSHOTS}/{name}.png")


def test_a_run_that_plans_errs_corrects_and_draws_says_why(
    page: Page, start_demo: StartDemo, script: Callable[..., str]
) -> None:
    turns = (
        LOOK | {"text": PLAN},
        MISTAKE,
        does("execute_read_only_sql", query=RIGHT),
        does("generate_chart", spec=CHART),
        {"text": "These three staff members took in the most."},
    )
    page.goto(start_demo("--model", script(*turns)))
    ask(page, "@db-agent revenue by staff member, as a chart")
    card = thread(page).get_by_test_id("card").last
    expect(card).to_contain_text("These three staff members took in the most.")
    expect(card).to_contain_text("Plan: 1. Add up the payments of each staff member")
    expect(card.get_by_role("img", name=re.compile("^Bar chart"))).to_be_visible()
    expect(card).to_contain_text("Staff ID: Revenue")

    button(card, "Why").click()
    story = thread(page).get_by_test_id("card").last
    expect(story).to_contain_text("What I did, and why")
    expect(story).to_contain_text("there is no column total; I used amount instead")
    expect(story).to_contain_text("I drew a chart")
    expect(story).not_to_contain_text("SELECT")
    story.scroll_into_view_if_needed()
    picture(page, "why")

    ask(page, "why?", "thread-composer")
    expect(thread(page).get_by_text("What I did, and why")).to_have_count(2)


def test_a_question_without_an_answer_is_taken_and_answered_by_a_colleague(
    page: Page, start_demo: StartDemo, script: Callable[..., str]
) -> None:
    # The same mistake again and again: each time it goes back, and the third time it stops.
    good = does("execute_read_only_sql", query=RIGHT)
    turns = (LOOK, MISTAKE, MISTAKE, good, MISTAKE, does("get_schema", table_name="staff"), MISTAKE)
    page.goto(start_demo("--model", script(*turns)))
    ask(page, "@db-agent revenue by staff member")
    card = thread(page).get_by_test_id("card").last
    expect(card).to_contain_text("This needs a person.")
    expect(card).to_contain_text("I have passed it on to a person")
    expect(card).to_contain_text(re.compile("What I had found by then:.*Staff"))
    picture(page, "escalated")

    see_as(page, "Mia Torres")
    go_to(page, "helpdesk")
    post = page.get_by_test_id("messages").get_by_test_id("card").last
    expect(post).to_contain_text("A question for a person: @You asked")
    expect(post).to_contain_text("revenue by staff member")
    expect(post).to_contain_text("Nobody has taken it yet.")
    button(post, "I take it").click()
    expect(post).to_contain_text("@Mia Torres has had it since")
    expect(button(post, "I take it")).to_have_count(0)
    picture(page, "taken")

    button(post, "Answer").click()
    modal = page.get_by_test_id("modal")
    expect(modal).to_contain_text("@You asked:")
    modal.get_by_role("textbox").fill("Staff member 1 took in the most: *8,000 USD*.")
    picture(page, "modal")
    button(modal, "Send").click()
    expect(post).to_contain_text("✅ Answered")
    expect(button(post, "Answer")).to_have_count(0)
    picture(page, "answered")

    post.get_by_role("link", name="asked").click()
    see_as(page, "You")
    page.get_by_test_id("open-thread").first.click()
    answer = thread(page).get_by_test_id("card").last
    expect(answer).to_contain_text("@You: @Mia Torres answers:")
    expect(answer).to_contain_text("8,000 USD")
    picture(page, "answer")

    ask(page, "/ask queue")
    expect(page.get_by_test_id("messages")).to_contain_text("No question waits for a person.")


def test_a_wrong_answer_gets_its_warning(
    page: Page, start_demo: StartDemo, script: Callable[..., str]
) -> None:
    turns = (LOOK, does("execute_read_only_sql", query=RIGHT), {"text": "Here they are."})
    page.goto(start_demo("--model", script(*turns)))
    ask(page, "@db-agent revenue by staff member")
    card = thread(page).get_by_test_id("card").first
    button(card, "Ask a person").click()
    button(page, "Ask a person").last.click()
    expect(thread(page)).to_contain_text("@You has asked a person to look at this.")

    go_to(page, "helpdesk")
    post = page.get_by_test_id("messages").get_by_test_id("card").last
    button(post, "Mark as wrong").click()
    modal = page.get_by_test_id("modal")
    modal.get_by_role("textbox").fill("Refunds are missing.")
    button(modal, "Mark as wrong").click()
    expect(post).to_contain_text("⚠️ Marked as wrong")

    go_to(page, "general")
    page.get_by_test_id("open-thread").first.click()
    expect(card).to_contain_text("@You says that this answer is wrong: Refunds are missing.")
    picture(page, "wrong")
