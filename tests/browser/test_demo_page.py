"""A person opens the demo's page, asks, reads, clicks and asks on."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

StartDemo = Callable[..., str]
SCREENSHOT = os.environ.get("SCREENSHOT_TO")
"""A file to keep a picture of the page in, to be looked at."""


def ask(page: Page, text: str, where: str = "composer") -> None:
    page.get_by_test_id(where).click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def last_card(page: Page) -> Locator:
    """The newest card of the open thread that is an answer and not a sign of work."""
    return page.get_by_test_id("thread-pane").get_by_test_id("card").last


def test_a_question_is_answered_with_steps_card_table_chart_and_sql(
    page: Page, start_demo: StartDemo
) -> None:
    page.goto(start_demo("--model", "offline"))
    expect(page.get_by_text("Local workspace: not Slack")).to_be_visible()
    expect(page.get_by_text("offline", exact=False).first).to_be_visible()

    ask(page, "@db-agent top five film categories by revenue, as a bar chart")
    pane = page.get_by_test_id("thread-pane")
    expect(pane.get_by_test_id("table")).to_be_visible()
    expect(pane.get_by_test_id("table").get_by_role("row")).to_have_count(6)
    picture = pane.get_by_role("img", name=re.compile("^Bar chart"))
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth") > 400
    expect(last_card(page)).to_contain_text("How:")

    pane.get_by_role("button", name="Show SQL").click()
    expect(pane.get_by_text("Only visible to you")).to_be_visible()
    expect(pane.get_by_text(re.compile(r"SELECT.*GROUP BY", re.DOTALL))).to_be_visible()
    if SCREENSHOT:
        last_card(page).scroll_into_view_if_needed()
        page.screenshot(path=SCREENSHOT)

    told = " ".join(page.evaluate("window.changes"))
    assert "Thinking about your question" in told
    assert re.search("(?:Looking|I looked) for the right tables", told)


def test_a_follow_up_in_the_thread_changes_the_question(page: Page, start_demo: StartDemo) -> None:
    page.goto(start_demo("--model", "offline"))
    ask(page, "@db-agent how many rentals were there in 2024?")
    pane = page.get_by_test_id("thread-pane")
    expect(last_card(page)).to_contain_text(re.compile(r"\d,\d{3} rentals"))
    first = last_card(page).inner_text()
    ask(page, "and in 2025?", "thread-composer")
    expect(pane.get_by_test_id("card")).to_have_count(2)
    expect(last_card(page)).to_contain_text("2025")
    expect(last_card(page)).to_contain_text(re.compile(r"\d,\d{3} rentals"))
    assert last_card(page).inner_text() != first


def test_the_slash_command_is_answered_in_a_thread_of_its_own(
    page: Page, start_demo: StartDemo
) -> None:
    page.goto(start_demo("--model", "offline"))
    ask(page, "/ask how many films are there?")
    expect(page.get_by_test_id("messages")).to_contain_text("asked: how many films are there?")
    page.get_by_test_id("open-thread").first.click()
    expect(last_card(page)).to_contain_text("1,000 films")


def test_a_direct_message_is_answered(page: Page, start_demo: StartDemo) -> None:
    page.goto(start_demo("--model", "offline"))
    page.get_by_test_id("channel-link").filter(has_text="db-agent").click()
    ask(page, "how many customers are there?")
    page.get_by_test_id("open-thread").first.click()
    expect(last_card(page)).to_contain_text(re.compile(r"\d+ customers"))


def test_an_answer_without_a_query_carries_its_warning(
    page: Page, start_demo: StartDemo, tmp_path: Path
) -> None:
    script = tmp_path / "liar.json"
    script.write_text(json.dumps([{"text": "You have about 42 films."}]))
    page.goto(start_demo("--model", f"scripted:{script}"))
    ask(page, "@db-agent how many films are there?")
    expect(last_card(page)).to_contain_text("No query was run for this answer")
    text = last_card(page).inner_text()
    assert text.index("No query was run") < text.index("You have about 42 films.")


def test_a_failed_run_carries_its_warning_and_what_was_found(
    page: Page, start_demo: StartDemo, tmp_path: Path
) -> None:
    script = tmp_path / "lost.json"
    look = {"name": "get_schema", "arguments": {"table_name": "film"}}
    count = {
        "name": "execute_read_only_sql",
        "arguments": {"query": "SELECT rating, count(*) FROM film GROUP BY 1"},
    }
    lost = [{"tool_calls": [{"name": "no_such_tool", "arguments": {}}]}] * 3
    script.write_text(json.dumps([{"tool_calls": [look]}, {"tool_calls": [count]}, *lost]))
    page.goto(start_demo("--model", f"scripted:{script}"))
    ask(page, "@db-agent how many films are there?")
    expect(last_card(page)).to_contain_text("This run failed")
    expect(last_card(page).get_by_test_id("table")).to_contain_text("PG-13")
