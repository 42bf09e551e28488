"""A question that is changed is answered again in place, whenever that happens."""

from __future__ import annotations


def change(person, channel, ts, text):
    channel = person.workspace.channels.get(channel, channel)
    person.client.chat_update(channel=channel, ts=ts, text=text)


def shows(person, channel, ts, words):
    """Wait until the one message of the bot's in a thread says `words`."""

    def shown():
        found = person.from_bot(channel, ts)
        assert len(found) <= 1
        return found and words in found[0]["text"] and found[0]

    return person.eventually(shown)


def test_question_changed_after_its_answer_is_answered_again_in_the_same_card(bot, agent, you):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    change(you, "data", ts, f"{you.mention} how many rentals?")
    again = shows(you, "data", ts, "You asked: how many rentals?")
    assert again["ts"] == card["ts"]
    assert agent.asked == ["how many films?", "how many rentals?"]
    assert agent.histories[-1] == ()


def test_follow_up_knows_the_answer_to_the_changed_question_alone(bot, agent, you):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    change(you, "data", ts, f"{you.mention} how many rentals?")
    shows(you, "data", ts, "You asked: how many rentals?")
    you.say("data", "only drama", thread_ts=ts)
    you.cards("data", ts, 2)
    assert [each.question for each in agent.histories[-1]] == ["how many rentals?"]


def test_changed_root_is_answered_without_what_was_said_after_it(bot, agent, you):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    you.say("data", "only drama", thread_ts=ts)
    you.cards("data", ts, 2)
    change(you, "data", ts, f"{you.mention} how many rentals?")
    you.eventually(lambda: "rentals" in you.from_bot("data", ts)[0]["text"])
    assert agent.histories[-1] == ()
    you.say("data", "and by store?", thread_ts=ts)
    you.cards("data", ts, 3)
    assert [each.question for each in agent.histories[-1]] == ["how many rentals?", "only drama"]


def test_question_changed_while_it_runs_has_one_card_with_the_new_answer(
    start_bot, agent, gate, you
):
    start_bot()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    working = you.eventually(lambda: you.from_bot("data", ts))[0]
    for number, words in enumerate(("how many rentals?", "how many stores?"), 2):
        change(you, "data", ts, f"{you.mention} {words}")
        you.eventually(lambda: len(agent.asked) == number)  # noqa: B023 (called at once)
    gate.set()
    card = shows(you, "data", ts, "You asked: how many stores?")
    assert card["ts"] == working["ts"]
    assert agent.asked == ["how many films?", "how many rentals?", "how many stores?"]


def test_run_of_a_changed_question_never_says_that_it_was_stopped(start_bot, agent, gate, you):
    bot = start_bot()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked and you.from_bot("data", ts))
    before = len(edits_of_cards(you))
    change(you, "data", ts, f"{you.mention} how many rentals?")
    you.eventually(lambda: len(agent.asked) == 2)
    gate.set()
    shows(you, "data", ts, "You asked: how many rentals?")
    bot.stop()
    shown = edits_of_cards(you)[before:]
    assert shown
    assert all("Working on it" in text for text in shown[:-1])


def edits_of_cards(person):
    """The texts that the bot's own messages were changed to, in order."""
    events = [each["payload"].get("event", {}) for each in person.deliveries()]
    changed = [each["message"] for each in events if each.get("subtype") == "message_changed"]
    return [each["text"] for each in changed if each.get("bot_id")]


def test_question_changed_twice_while_it_waits_is_answered_in_its_last_words(
    start_bot, agent, gate, you
):
    start_bot(workers=1)
    first = you.ask("data", "the first")
    you.eventually(lambda: agent.asked == ["the first"])
    ts = you.ask("data", "how many films?")
    for words in ("how many rentals?", "how many stores?"):
        change(you, "data", ts, f"{you.mention} {words}")
    you.settled()
    gate.set()
    shows(you, "data", ts, "You asked: how many stores?")
    you.card("data", first)
    assert agent.asked == ["the first", "how many stores?"]


def test_changed_question_takes_the_room_that_its_last_wording_leaves(start_bot, agent, gate, you):
    start_bot(workers=1)
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked and you.from_bot("data", ts))
    change(you, "data", ts, f"{you.mention} how many rentals?")
    you.eventually(lambda: len(agent.asked) == 2)
    gate.set()
    shows(you, "data", ts, "You asked: how many rentals?")


def test_changed_direct_message_is_answered_again(bot, agent, you):
    ts = you.say(you.dm(), "how many films?")
    card = you.card(you.dm(), ts)
    change(you, you.dm(), ts, "how many rentals?")
    assert shows(you, you.dm(), ts, "how many rentals?")["ts"] == card["ts"]


def test_help_changed_to_a_question_is_answered(bot, agent, you):
    ts = you.ask("data", "help")
    card = you.card("data", ts)
    change(you, "data", ts, f"{you.mention} how many films?")
    assert shows(you, "data", ts, "You asked: how many films?")["ts"] == card["ts"]


def test_question_that_another_process_works_on_is_stopped_there_and_answered_here(
    start_bot, agent, gate, deliver, told, you, store_url, open_store
):
    start_bot()
    ts = you.ask("data", "how many films?")
    working = you.eventually(lambda: agent.asked and you.from_bot("data", ts))[0]
    other = start_bot(store=open_store(store_url))
    assert deliver(other, told(ts)) == 200
    you.eventually(lambda: len(agent.asked) == 2)  # the first has let go of its thread by then
    gate.set()
    card = shows(you, "data", ts, "You asked: how many rentals?")
    assert card["ts"] == working["ts"]


def test_changed_question_is_answered_by_the_next_process_too(
    start_bot, agent, you, store_url, open_store
):
    first = start_bot()
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    first.stop()
    start_bot(store=open_store(store_url))
    change(you, "data", ts, f"{you.mention} how many rentals?")
    assert shows(you, "data", ts, "how many rentals?")["ts"] == card["ts"]
