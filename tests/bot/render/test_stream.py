"""The chunks of a stream: what has changed, short enough for Slack, and inert."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from bot.local_workspace.blocks.validate import check_message_blocks
from bot.render import Doing, Mark, Working
from bot.render.stream import MAX_FIELD, news, opening

TOKENS = (
    *("<!channel>", "<!here|x>", "<@U123>", "<#C1>", "<!subteam^S1>"),
    *("<https://evil.example|x>", "https://evil.example/x", "a\u202eb\u200bc\x00\ndef"),
)
LIVE = re.compile(r"<[!@#a-z/]|://|[\u202e\u200b\x00\n]", re.IGNORECASE)
BEGUN = Working((Doing("Thinking."),), "offline", run_id="r1")


def titles(chunks):
    return [each["title"] for each in chunks if each["type"] == "task_update"]


def test_stream_begins_with_what_is_done_who_does_it_and_a_button_to_stop_it():
    heading, step, below = opening(BEGUN, "m", with_blocks=True)
    assert heading == {"type": "plan_update", "title": "Working on it…"}
    assert step == {
        **{"type": "task_update", "id": "m.0", "title": "Thinking…", "status": "in_progress"}
    }
    check_message_blocks(below["blocks"], lambda file: None)
    line, row = below["blocks"]
    assert line["elements"][0]["text"] == "offline"
    assert [each["value"] for each in row["elements"]] == ["r1"]
    assert opening(BEGUN, "m", with_blocks=False) == [heading, step]


def test_only_what_has_changed_is_sent_and_takes_the_place_of_what_went_on():
    steps = (Doing("I looked.", Mark.DONE), Doing("My query failed.", Mark.FAILED), Doing("Next."))
    first, *others = news(BEGUN, replace(BEGUN, steps=steps), "m")
    assert (first["id"], first["title"], first["status"]) == ("m.0", "I looked.", "complete")
    assert [(each["id"], each["status"]) for each in others] == [
        ("m.1", "error"),
        ("m.2", "in_progress"),
    ]
    assert news(BEGUN, BEGUN, "m") == []
    assert news(replace(BEGUN, steps=steps), replace(BEGUN, steps=steps[:1]), "m") == []


def test_plan_stands_under_the_step_that_made_it():
    steps = (Doing("small was away. I made a plan.", Mark.DONE), Doing("Next."))
    planned = replace(BEGUN, steps=steps, plan=("Look at film.", "Count."))
    made, following = news(BEGUN, planned, "m")
    assert made["details"] == "1. Look at film · 2. Count"
    assert "details" not in following


def test_long_words_are_cut_visibly_and_steps_without_end_share_the_last_place():
    steps = [Doing(f"{number} " + "long " * 100, Mark.DONE) for number in range(99)]
    steps += [Doing("I made a plan.", Mark.DONE)]
    chunks = opening(replace(BEGUN, steps=steps, plan=("long " * 100,) * 9), "m", with_blocks=True)
    *cut, last = chunks[1:-1]
    fields = [*titles(cut), last["details"]]
    assert all(len(field) <= MAX_FIELD and field.endswith("…") for field in fields)
    assert len(titles(chunks)) <= 50
    assert last["title"] == "I made a plan."


def test_what_models_and_tables_say_is_inert_in_every_field():
    for token in TOKENS:
        steps = (Doing(token), Doing(token, Mark.DONE), Doing(f"{token} I made a plan.", Mark.DONE))
        working = Working(steps, token, (token, token), "r1")
        said = json.dumps(opening(working, "m", with_blocks=True), ensure_ascii=False)
        assert not LIVE.search(said.replace("`https://", "").replace("&lt;", "").lower()), token


def test_step_without_words_has_a_title_all_the_same():
    assert titles(opening(replace(BEGUN, steps=(Doing(" ", Mark.DONE),)), "m", with_blocks=False))
