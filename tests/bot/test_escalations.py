"""A run goes to a person: posted, taken, answered or marked as wrong; and back to who asked."""

from __future__ import annotations

import pytest

from agent.messages import Column, Outcome, QueryResult
from bot.store import EscalationStatus, Store

DRAFT = "There are 9,999 films in all."
REASON = "9,999 stands in no row."
NOT_PUBLIC = {"name": "inner", "is_private": True}


@pytest.fixture
def refused(agent):
    """The agent's answers do not pass their checks."""
    agent.outcome = Outcome.ESCALATED
    summary = f"My answer did not pass its checks: {REASON}"
    agent.changes = {"answer": "", "draft": DRAFT, "summary": summary}


@pytest.fixture
def desk(start_bot, workspace):
    """A bot with an escalation channel; gives the channel's name."""
    start_bot(escalation_channel=workspace.channels["helpdesk"])
    return "helpdesk"


def buttons(post):
    (row,) = [block for block in post["blocks"] if block["type"] == "actions"]
    return [each["text"]["text"] for each in row["elements"]]


def post_in(person, channel, words="A question for a person"):
    return person.told(channel, words)


def test_a_refused_run_is_posted_with_all_that_a_person_needs(desk, refused, you, mia):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    assert "I have passed it on to a person" in card["text"]
    assert DRAFT not in str(card)
    post = post_in(mia, desk)
    text = str(post["blocks"])
    for words in (f"<@{you.id}>", "how many films?", DRAFT, REASON, "select category", "Sports"):
        assert words in text
    assert "My refused draft" in text
    assert f"message={card['ts']}" in text
    assert buttons(post) == ["I take it", "Answer", "Close"]


def test_the_refused_draft_is_never_in_the_thread(desk, refused, you, mia):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    post_in(mia, desk)
    assert DRAFT not in str(you.seen("data", ts))


def test_an_answer_that_passed_is_not_posted(desk, you, mia):
    you.card("data", you.ask("data", "how many films?"))
    you.settled()
    assert mia.from_bot(desk) == []


def test_whoever_is_second_to_take_it_is_told_who_has_it(
    start_bot, workspace, refused, you, mia, deliver, store
):
    bot = start_bot(escalation_channel=workspace.channels["helpdesk"])
    you.card("data", you.ask("data", "how many films?"))
    post = post_in(mia, "helpdesk")
    mia.click(post, "take_escalation")
    taken = mia.told("helpdesk", f"<@{mia.id}> has had it since")
    assert taken["ts"] == post["ts"]
    assert buttons(taken) == ["Answer", "Close"]
    # An old screen still shows the button.
    click = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"][-1]
    click["user"]["id"] = you.id
    assert deliver(bot, click) == 200
    told = you.eventually(
        lambda: [each for each in you.seen("helpdesk") if each.get("is_ephemeral")]
    )
    assert told[-1]["text"].startswith(f"<@{mia.id}> has had it since")
    (open_one,) = store.open_escalations()
    assert open_one.claimed_by == mia.id


def test_whoever_takes_it_before_its_place_is_recorded_is_shown_on_the_post(
    desk, refused, you, mia, store, monkeypatch
):
    place = Store.place_escalation

    def slowly(self, escalation_id, channel, ts):
        assert store.claim_escalation(escalation_id, mia.id) is not None
        place(self, escalation_id, channel, ts)

    monkeypatch.setattr(Store, "place_escalation", slowly)
    you.card("data", you.ask("data", "how many films?"))
    taken = mia.told(desk, f"<@{mia.id}> has had it since")
    assert buttons(taken) == ["Answer", "Close"]


def test_an_answer_reaches_the_thread_under_the_persons_name(desk, refused, you, mia, store):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    post = post_in(mia, desk)
    mia.click(post, "answer_escalation")
    modal = mia.modal()
    assert "how many films?" in str(modal["blocks"])
    assert mia.submit(modal, "There are *1,000*: see https://wiki.example/films & ask me.")["ok"]
    _, answer = you.cards("data", ts, 2)
    text = str(answer["blocks"])
    assert f"<@{you.id}>: *<@{mia.id}> answers:*" in text
    assert "*1,000*" in text
    assert "<https://wiki.example/films>" in text
    assert "&amp; ask me" in text
    settled = mia.told(desk, "✅ Answered")
    assert settled["ts"] == post["ts"]
    assert "There are" in str(settled["blocks"])
    assert not [block for block in settled["blocks"] if block["type"] == "actions"]
    assert store.open_escalations() == ()


def test_an_empty_answer_keeps_the_window_open(desk, refused, you, mia, store):
    you.card("data", you.ask("data", "how many films?"))
    mia.click(post_in(mia, desk), "answer_escalation")
    outcome = mia.submit(mia.modal(), "  ")
    assert outcome["errors"] == {"words": "Please write something."}
    assert [each.status for each in store.open_escalations()] == [EscalationStatus.OPEN]


def test_two_who_answer_at_once_are_not_both_heard(desk, refused, you, mia, newcomer):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    post = post_in(mia, desk)
    mia.click(post, "answer_escalation")
    first = mia.modal()
    you.click(post, "answer_escalation")
    second = you.modal()
    mia.submit(first, "One thousand.")
    you.cards("data", ts, 2)
    outcome = you.submit(second, "Two thousand.")
    assert outcome["errors"] == {"words": "mia answered it already. Yours was not sent."}
    assert "Two thousand" not in str(you.seen("data", ts))


def test_the_same_answer_sent_twice_arrives_once(desk, refused, you, mia, deliver, start_bot):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    mia.click(post_in(mia, desk), "answer_escalation")
    mia.submit(mia.modal(), "One thousand.")
    you.cards("data", ts, 2)
    bodies = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"]
    again = next(each for each in bodies if each["type"] == "view_submission")
    other = start_bot(escalation_channel=you.workspace.channels[desk])
    assert deliver(other, again) == 200
    you.settled()
    assert len(you.cards("data", ts, 2)) == 2


@pytest.mark.parametrize("outcome", [Outcome.ANSWERED, Outcome.FAILED])
def test_any_card_can_be_passed_on_by_whoever_reads_it(desk, agent, you, mia, outcome):
    agent.outcome = outcome
    ts = you.ask("data", "how many films?")
    mia.click(you.card("data", ts), "ask_a_person")
    post = post_in(mia, desk)
    assert f"<@{mia.id}> asked for a person" in str(post["blocks"])
    assert buttons(post) == ["I take it", "Answer", "Mark as wrong", "Close"]
    _, told = you.cards("data", ts, 2)
    assert f"<@{mia.id}> has asked a person to look at this" in told["text"]


def test_a_second_press_says_who_has_it_and_posts_nothing(desk, you, mia):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    you.click(card, "ask_a_person")
    post = post_in(mia, desk)
    you.cards("data", ts, 2)
    you.click(card, "ask_a_person")
    waiting = you.cards("data", ts, 3)[-1]
    assert "nobody has taken it yet" in waiting["text"]
    assert waiting["is_ephemeral"]
    mia.click(post, "take_escalation")
    mia.told(desk, f"<@{mia.id}> has had it since")
    you.click(card, "ask_a_person")
    assert f"<@{mia.id}> has had it since" in you.cards("data", ts, 4)[-1]["text"]
    assert len(mia.from_bot(desk)) == 1


def test_a_wrong_answer_gets_its_warning_on_top_of_the_card(desk, agent, you, mia, chart, store):
    agent.charts = (chart,)
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    you.click(card, "ask_a_person")
    mia.click(post_in(mia, desk), "mark_wrong")
    mia.submit(mia.modal(), "Drama is counted twice.")
    warned = you.eventually(
        lambda: [each for each in you.from_bot("data", ts) if "is wrong:" in str(each["blocks"][0])]
    )[0]
    assert warned["ts"] == card["ts"]
    first = warned["blocks"][0]["text"]["text"]
    assert first == f"⚠️ *<@{mia.id}> says that this answer is wrong:* Drama is counted twice."
    kinds = [block["type"] for block in warned["blocks"][1:]]
    assert kinds == [block["type"] for block in card["blocks"]]
    assert "image" in kinds
    assert warned["text"].startswith("⚠️")
    *_, news = you.cards("data", ts, 3)
    assert f"<@{you.id}>: *<@{mia.id}> says that my answer is wrong:*" in news["text"]
    mia.told(desk, "⚠️ Marked as wrong")
    assert store.open_escalations() == ()


def test_what_needs_no_answer_is_closed_and_whoever_asked_is_told(desk, refused, you, mia):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    mia.click(post_in(mia, desk), "close_escalation")
    _, news = you.cards("data", ts, 2)
    assert f"<@{you.id}>: <@{mia.id}> has closed this without an answer." in news["text"]
    mia.told(desk, "Closed without an answer")


def test_buttons_of_a_post_work_after_a_restart(
    start_bot, workspace, refused, you, mia, store_url, open_store
):
    channel = workspace.channels["helpdesk"]
    first = start_bot(escalation_channel=channel)
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    post = post_in(mia, "helpdesk")
    first.stop()
    start_bot(store=open_store(store_url), escalation_channel=channel)
    mia.click(post, "answer_escalation")
    mia.submit(mia.modal(), "One thousand.")
    assert "answers:" in you.cards("data", ts, 2)[-1]["text"]


class TestPrivacy:
    def test_a_direct_message_is_passed_on_only_when_its_person_says_so(
        self, desk, refused, you, mia
    ):
        ts = you.say(you.dm(), "how many films?")
        card = you.card(you.dm(), ts)
        assert "Press *Ask a person* to pass it on" in card["text"]
        assert mia.from_bot(desk) == []
        you.click(card, "ask_a_person")
        post = post_in(mia, desk)
        mia.click(post, "answer_escalation")
        mia.submit(mia.modal(), "One thousand.")
        assert "answers:" in you.cards(you.dm(), ts, 3)[-1]["text"]

    def test_a_private_channel_is_treated_likewise(self, desk, refused, you, mia):
        body = NOT_PUBLIC | {"members": you.workspace.bot_user_id}
        inner = you.client.api_call("workspace.addChannel", json=body)["channel"]["id"]
        card = you.card(inner, you.ask(inner, "how many films?"))
        assert "Nobody outside this conversation has seen it" in card["text"]
        assert mia.from_bot(desk) == []

    def test_an_answer_for_one_pair_of_eyes_comes_in_a_direct_message(
        self, desk, refused, you, mia
    ):
        you.command("finance-private", "how many films?")
        card = you.told("finance-private", "This needs a person")
        assert mia.from_bot(desk) == []
        you.click(card, "ask_a_person")
        assert "direct message" in you.told("finance-private", "passed it on")["text"]
        mia.click(post_in(mia, desk), "answer_escalation")
        mia.submit(mia.modal(), "One thousand.")
        assert f"<@{mia.id}> answers:" in you.told(you.dm(), "answers:")["text"]

    def test_a_public_channel_without_the_bot_is_no_reason_to_show_a_private_answer(
        self, desk, refused, you, mia
    ):
        body = {"name": "open-to-all", "members": mia.id}
        elsewhere = you.client.api_call("workspace.addChannel", json=body)["channel"]["id"]
        you.command(elsewhere, "how many films?")
        card = you.told(elsewhere, "This needs a person")
        assert "Press *Ask a person* to pass it on" in card["text"]
        assert mia.from_bot(desk) == []


class TestWithoutAChannel:
    @pytest.mark.parametrize(
        ("given", "words"),
        [({"contact": "the data team"}, "Ask the data team."), ({}, "Ask whoever runs this bot.")],
    )
    def test_card_and_button_say_whom_to_ask(self, start_bot, refused, you, given, words):
        start_bot(**given)
        ts = you.ask("data", "how many films?")
        card = you.card("data", ts)
        assert words in card["text"]
        you.click(card, "ask_a_person")
        told = you.cards("data", ts, 2)[-1]
        assert told["text"] == words
        assert told["is_ephemeral"]


def test_the_post_has_the_first_rows_only(desk, agent, refused, you, mia):
    rows = tuple((f"category {number}", number) for number in range(50))
    columns = (Column("category", "text"), Column("films", "int8"))
    agent.results = (QueryResult("select 1", columns, rows),)
    you.card("data", you.ask("data", "how many films?"))
    post = post_in(mia, desk)
    (table,) = [block for block in post["blocks"] if block["type"] == "table"]
    assert len(table["rows"]) == 11
    assert "First 10 of 50 rows" in str(post["blocks"])
