"""The buttons of a card, its Home tab and its prompts."""

from __future__ import annotations

import urllib.request

import pytest


def test_sql_is_shown_to_the_one_who_clicked(bot, you, mia):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    assert mia.click(card, "show_sql")["ack_ms"] < 1000
    _, sql = mia.cards("data", ts, 2)
    assert "select category, count(*) as films" in str(sql["blocks"])
    assert sql["is_ephemeral"]
    assert len(you.from_bot("data", ts)) == 1


def test_csv_holds_the_rows_of_the_card(bot, you):
    ts = you.ask("data", "how many films?")
    you.click(you.card("data", ts), "csv")
    _, shared = you.cards("data", ts, 2)
    (file,) = shared["files"]
    assert file["name"] == "how-many-films.csv"
    request = urllib.request.Request(
        file["url_private"], headers={"Authorization": f"Bearer {you.client.token}"}
    )
    with urllib.request.urlopen(request) as answer:
        text = answer.read().decode("utf-8-sig")
    assert text.splitlines() == [
        *('"category","films"', '"Sports",74', '"Drama",62', '"Sci-Fi",61', '"Music",51')
    ]


def test_buttons_work_after_a_restart(start_bot, you, store_url, open_store):
    first = start_bot()
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    first.stop()
    start_bot(store=open_store(store_url))
    you.click(card, "show_sql")
    _, sql = you.cards("data", ts, 2)
    assert "select category" in str(sql["blocks"])


@pytest.mark.parametrize("value", ["no id", "", "6f0f6f0e-2c1b-4c5e-9b1e-7d3c5a9b8e21"])
def test_button_of_an_unknown_run_says_so(bot, you, value, deliver):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    you.click(card, "show_sql")
    you.cards("data", ts, 2)
    body = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"][-1]
    body["actions"][0]["value"] = value
    assert deliver(bot, body) == 200
    assert "no record of this answer" in you.cards("data", ts, 3)[-1]["text"]


def test_run_is_not_shown_in_another_channel(bot, you, deliver):
    ts = you.ask("data", "how many films?")
    you.click(you.card("data", ts), "show_sql")
    you.cards("data", ts, 2)
    body = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"][-1]
    elsewhere = you.say("general", "hello")
    body["channel"]["id"] = you.workspace.channels["general"]
    body["container"] |= {"message_ts": elsewhere, "thread_ts": elsewhere}
    assert deliver(bot, body) == 200
    assert "no record of this answer" in you.card("general", elsewhere)["text"]


def test_click_that_nobody_knows_is_acknowledged(bot, you, deliver):
    you.click(you.card("data", you.ask("data", "how many films?")), "show_sql")
    body = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"][-1]
    body["actions"][0]["action_id"] = "something_older"
    assert deliver(bot, body) == 200


def test_home_tab_explains_the_bot(bot, you):
    you.client.api_call("workspace.openAppHome", json={"tab": "home"})

    def home():
        return you.client.api_call("workspace.boot")["apps"][0]["home"]

    assert "Ask me about your data" in str(you.eventually(home)["blocks"])


def test_direct_message_offers_questions_to_begin_with(start_bot, agent, you):
    start_bot(options={"prompts": ["Films per category", "Revenue by month " * 9]})
    you.client.api_call("workspace.openAppHome", json={"tab": "messages"})

    def prompts():
        return you.client.api_call("workspace.boot")["prompts"]

    (offered,) = you.eventually(prompts)
    assert offered["prompts"][0]["message"] == "Films per category"
    assert all(len(each["title"]) <= 60 for each in offered["prompts"])
