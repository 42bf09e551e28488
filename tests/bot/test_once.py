"""A question is answered once, whoever brings it how often; and bots are not answered at all."""

from __future__ import annotations


def test_mention_that_arrives_as_two_events_is_answered_once(bot, agent, you):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    you.settled()
    kinds = [each["payload"]["event"]["type"] for each in you.deliveries()]
    assert {"app_mention", "message"} <= set(kinds)
    assert agent.asked == ["how many films?"]
    assert len(you.from_bot("data", ts)) == 1


def test_event_that_comes_again_is_acknowledged_and_not_answered_again(bot, agent, deliver, you):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    payload = you.payload()
    assert deliver(bot, payload, retry="1") == 200
    payload["event_id"] = "Ev0ANOTHERID"
    assert deliver(bot, payload) == 200
    assert agent.asked == ["how many films?"]


def test_event_that_comes_again_after_a_restart_is_not_answered_again(
    start_bot, agent, deliver, you, store_url, open_store
):
    first = start_bot()
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    payload = you.payload()
    first.stop()
    second = start_bot(store=open_store(store_url))
    assert deliver(second, payload) == 200
    second.stop()  # waits for whatever it might have begun
    assert agent.asked == ["how many films?"]
    assert len(you.from_bot("data", ts)) == 1


def test_two_processes_on_one_store_give_one_answer(
    start_bot, agent, deliver, you, store_url, open_store
):
    first, second = start_bot(), start_bot(store=open_store(store_url))
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    payload = you.payload()
    assert [deliver(each, payload) for each in (first, second)] == [200, 200]
    assert agent.asked == ["how many films?"]


NO_PERSON = [
    {"bot_id": "B0OTHER"},
    {"bot_profile": {"id": "B0OTHER"}},
    {"app_id": "A0OTHER"},
    {"subtype": "bot_message"},
    {"user": "USLACKBOT"},
    {"user": None},
    {"subtype": "message_changed"},
    {"subtype": "message_deleted"},
    {"subtype": "channel_join"},
]


def test_what_no_person_wrote_is_acknowledged_and_left_alone(bot, agent, deliver, you):
    you.card("data", you.ask("data", "how many films?"))
    for number, trait in enumerate(NO_PERSON):
        for kind in ("app_mention", "message"):
            text, ts = f"{you.mention} more?", f"1700000000.00{number}"
            assert deliver(bot, you.payload(kind, ts=ts, text=text, **trait)) == 200
    bot.stop()  # waits for whatever it might have begun
    assert agent.asked == ["how many films?"]


def test_message_with_a_file_is_a_question_too(bot, agent, deliver, you):
    you.card("data", you.ask("data", "how many films?"))
    ts = you.say("data", "a picture")
    payload = you.payload()
    payload["event"] |= {"ts": ts, "text": f"{you.mention} and this?", "subtype": "file_share"}
    assert deliver(bot, payload) == 200
    you.card("data", ts)
    assert agent.asked[1:] == ["and this?"]


def test_question_by_mention_in_a_group_message(bot, agent, deliver, you):
    you.card("data", you.ask("data", "how many films?"))
    ts = you.say("data", "in a group")
    payload = you.payload("message")
    payload["event"] |= {"ts": ts, "channel_type": "mpim", "text": f"{you.mention} and rentals?"}
    assert deliver(bot, payload) == 200
    you.card("data", ts)
    assert agent.asked[1:] == ["and rentals?"]
