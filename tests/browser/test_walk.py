"""A walk through everything that a person meets, with a picture of each: `make walk`.

Each stop says what has to be on the screen; the pictures are for eyes, in the folder that
SCREENSHOTS_IN names.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(300)]

StartDemo = Callable[..., str]
FOLDER = os.environ.get("SCREENSHOTS_IN")
NEW_GUEST = """name => fetch("/api/workspace.addUser", {
    method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({name, is_restricted: true}),
}).then((answer) => answer.json())"""

SLOW_END = """() => fetch("/api/workspace.faults", {
    method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({slow: {method: "chat.stopStream", seconds: 2}}),
}).then((answer) => answer.json())"""
"""The steps stand for two seconds more before the card takes their place."""


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Write the turns of a scripted model; returns the value for --model."""

    def write(*turns: dict[str, Any]) -> str:
        path = tmp_path / "script.json"
        path.write_text(json.dumps(turns))
        return f"scripted:{path}"

    return write


def does(tool: str, words: str = "", **arguments: Any) -> dict[str, Any]:
    """A turn of a script that calls one tool."""
    return {"text": words, "tool_calls": [{"name": tool, "arguments": arguments}]}


def ask(page: Page, text: str, where: str = "composer") -> None:
    page.get_by_test_id(where).click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def thread(page: Page) -> Locator:
    return page.get_by_test_id("thread-pane")


def last_card(page: Page) -> Locator:
    return thread(page).get_by_test_id("card").last


def button(where: Locator | Page, name: str) -> Locator:
    return where.get_by_role("button", name=name, exact=True)


def go_to(page: Page, name: str) -> None:
    page.get_by_test_id("channel-link").filter(has_text=name).click()


def picture(page: Page, name: str) -> None:
    if FOLDER:
        page.wait_for_timeout(300)  # for the eye: what slides in has arrived
        page.screenshot(path=f"{FOLDER}/{name}.png")


def see_top(page: Page, what: Locator, name: str) -> None:
    """A picture of the card from its first line on."""
    what.evaluate("element => element.scrollIntoView({block: 'start'})")
    picture(page, name)


def test_answers_of_every_kind(page: Page, start_demo: StartDemo) -> None:
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.goto(start_demo("--model", "offline"))
    picture(page, "00-first-sight")

    assert page.evaluate(SLOW_END)["ok"]
    ask(page, "@db-agent top five film categories by revenue, as a bar chart")
    expect(button(thread(page), "Stop").first).to_be_visible()
    picture(page, "01-steps-while-it-works")
    expect(last_card(page)).to_contain_text("How:")
    expect(last_card(page).get_by_role("img", name=re.compile("^Bar chart"))).to_be_visible()
    see_top(page, last_card(page), "01-table-and-bars")
    last_card(page).get_by_role("img").first.scroll_into_view_if_needed()
    picture(page, "01-table-and-bars-below")

    go_to(page, "data")
    ask(page, "@db-agent revenue per month from January 2024 to December 2025, as a line chart")
    expect(last_card(page).get_by_role("img", name=re.compile("^Line chart"))).to_be_visible()
    last_card(page).get_by_role("img").first.scroll_into_view_if_needed()
    picture(page, "02-line-over-two-years")

    ask(page, "how many films are there?", "thread-composer")
    expect(thread(page).get_by_test_id("card")).to_have_count(2)
    expect(last_card(page)).to_contain_text("1,000 films")
    see_top(page, last_card(page), "03-one-number")

    ask(page, "which films were released in 1950?", "thread-composer")
    expect(thread(page).get_by_test_id("card")).to_have_count(3)
    expect(last_card(page)).to_contain_text("How:")
    see_top(page, last_card(page), "04-no-data")


def test_a_private_answer_and_its_sharing(page: Page, start_demo: StartDemo) -> None:
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.goto(start_demo("--model", "offline"))
    ask(page, "/ask private top three customers by payments")
    here = page.get_by_test_id("messages")
    share = button(here, "Share")
    share.wait_for()
    share.scroll_into_view_if_needed()
    picture(page, "08-private-answer")
    share.click()
    picture(page, "08-private-answer-asks-first")
    button(page.locator("dialog"), "Share").click()
    expect(here).to_contain_text("Shared with everybody in this channel.")
    picture(page, "09-shared")


def test_home_prompts_and_feedback(page: Page, start_demo: StartDemo) -> None:
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.goto(start_demo("--model", "offline"))
    go_to(page, "db-agent")
    prompts = page.get_by_test_id("prompt")
    expect(prompts.first).to_be_visible()
    picture(page, "11-agent-view-prompts")
    prompts.first.click()
    page.get_by_test_id("open-thread").first.click()
    expect(last_card(page)).to_contain_text("How:")
    picture(page, "11-agent-view-answer")
    button(last_card(page), "Bad answer").click()
    modal = page.get_by_test_id("modal")
    modal.get_by_role("textbox").first.fill("It counts returned films twice.")
    picture(page, "12-feedback-modal")
    button(modal, "Send").click()
    expect(modal).to_be_hidden()
    page.get_by_test_id("tab-home").click()
    expect(page.locator("#home")).to_contain_text("Only you see this page.")
    picture(page, "10-app-home")


def test_failed_unproven_and_escalated(
    page: Page, start_demo: StartDemo, script: Callable[..., str]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 1000})
    look = does("get_schema", table_name="film")
    count = does(
        "execute_read_only_sql", query="SELECT rating, count(*) AS films FROM film GROUP BY 1"
    )
    lost = does("no_such_tool")
    page.goto(start_demo("--model", script(look, count, lost, lost, lost)))
    ask(page, "@db-agent how many films are there of each rating?")
    expect(last_card(page)).to_contain_text("This run failed")
    see_top(page, last_card(page), "05-failed-run")

    page.goto(start_demo("--model", script({"text": "You have about 42 films."})))
    ask(page, "@db-agent how many films are there?")
    expect(last_card(page)).to_contain_text("No query was run for this answer")
    see_top(page, last_card(page), "06-no-query")

    look = does("get_schema", table_name="payment")
    wrong = does("execute_read_only_sql", query="SELECT sum(total) AS revenue FROM payment")
    good = does("execute_read_only_sql", query="SELECT sum(amount) AS revenue FROM payment")
    again = does("get_schema", table_name="staff")
    page.goto(start_demo("--model", script(look, wrong, wrong, good, wrong, again, wrong)))
    ask(page, "@db-agent how much money came in?")
    expect(last_card(page)).to_contain_text("This needs a person.")
    see_top(page, last_card(page), "07-escalated")


def test_a_guest_is_refused(page: Page, start_demo: StartDemo) -> None:
    page.set_viewport_size({"width": 1440, "height": 1000})
    address = start_demo("--model", "offline")
    page.goto(address)
    assert page.evaluate(NEW_GUEST, "gast")["ok"]
    page.goto(f"{address}/?as=gast")
    ask(page, "@db-agent how many films are there?")
    expect(last_card(page)).to_contain_text("guest")
    see_top(page, last_card(page), "13-guest-refused")
