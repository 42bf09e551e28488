"""What does not fit into a message can be had whole, and nothing that was refused with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

LONG = "\n\n".join(f"Paragraph {n} says what is to be said of category {n}." for n in range(400))
LONG_SQL = "select category, count(*) as films from film where " + " or ".join(
    f"title = 'a film of a rather long name that is number {n}'" for n in range(300)
)


@pytest.fixture
def ask(bot, agent, you):
    """Asks a question whose run holds what is given; returns its card and the ts."""

    def asked(channel="data", **changes):
        agent.changes = changes
        ts = you.ask(channel, "tell me everything")
        return you.card(channel, ts), ts

    return asked


def labels(card):
    return [
        element["text"]["text"]
        for block in card["blocks"]
        if block["type"] == "actions"
        for element in block["elements"]
    ]


def test_an_answer_that_is_cut_can_be_had_whole_as_a_file(ask, you, file_in):
    card, ts = ask(answer=LONG, warnings=("These are last year's prices.",))
    assert "⚠️ *These are last year's prices.*" in card["blocks"][0]["text"]["text"]
    assert "The answer goes on" in str(card["blocks"])
    you.click(card, "whole_answer")
    file = file_in(you, "data", ts)
    assert file.name == "answer.txt"
    assert file.text.startswith("Question: tell me everything\n\nWARNING: These are last year's")
    assert LONG in file.text


def test_an_answer_that_fits_has_no_such_button(ask):
    card, _ = ask()
    assert "Whole answer" not in labels(card)


def test_a_private_answer_that_is_cut_goes_to_its_reader_alone(bot, agent, you, mia, file_in):
    agent.changes = {"answer": LONG}
    you.command("data", "private tell me everything")

    def answered():
        return [each for each in you.from_bot("data") if "Paragraph 1 " in str(each)]

    card = you.eventually(answered)[-1]
    you.click(card, "whole_answer")
    roots = you.eventually(
        lambda: [each for each in you.from_bot(you.dm()) if "What belongs to" in each["text"]]
    )
    assert LONG in file_in(you, you.dm(), roots[0]["ts"]).text
    assert not [each for each in mia.from_bot("data") if each.get("files")]


def test_more_warnings_than_a_message_bears_are_all_in_the_file(ask, you, file_in):
    warnings = tuple(f"Warning {n}: {'a source is not what it seems, ' * 9}" for n in range(90))
    card, ts = ask(warnings=warnings)
    assert "more warnings are too long to stand here" in str(card["blocks"])
    you.click(card, "whole_answer")
    text = file_in(you, "data", ts).text
    assert all(f"WARNING: Warning {n}:" in text for n in range(90))


def test_a_query_that_is_cut_is_sent_whole_to_the_one_who_asked_for_it(
    ask, agent, you, mia, file_in
):
    agent.results = (replace(agent.results[0], sql=LONG_SQL),)
    card, ts = ask()
    mia.click(card, "show_sql")
    shown, told = mia.cards("data", ts, 3)[1:]
    assert "Cut here" in str(shown["blocks"])
    assert "as a file, in a direct message" in told["text"]
    root = mia.from_bot(mia.dm())[0]
    file = file_in(mia, mia.dm(), root["ts"])
    assert (file.name, file.text) == ("queries.sql", f"-- Query 1\n{LONG_SQL};\n")
    assert len(you.from_bot("data", ts)) == 1
