"""A private answer is shared where it was asked, once, by the one who asked and by nobody else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.messages import Outcome, Step
from bot.store import ChannelSettings, StoreUnavailable

TEAM = "T0LOCALDEV"
SHARES = "asked this in private, and shares the answer"


@pytest.fixture
def ask_privately(you):
    """Asks by the command, for one's own eyes; returns the card."""

    def ask(channel="data", person=you):
        person.command(channel, "private how many films?")
        return person.told(channel, "You asked: how many films?")

    return ask


@pytest.fixture
def shared(you, mia):
    """Everything in a channel that everybody sees as shared."""
    return lambda channel="data": [
        each for each in mia.from_bot(channel) if SHARES in str(each["blocks"])
    ]


def buttons(card):
    rows = [block for block in card["blocks"] if block["type"] == "actions"]
    return {element["action_id"]: element for row in rows for element in row["elements"]}


def words(card):
    """The blocks of a card, without what differs: buttons and ids."""
    told = [block for block in card["blocks"] if block["type"] not in ("actions",)]
    return [{key: block[key] for key in block if key != "block_id"} for block in told]


def test_private_answer_is_shared_with_the_same_words_and_who_shared_it(
    bot, you, mia, ask_privately, shared
):
    private = ask_privately()
    assert shared() == []
    you.click(private, "share")
    assert "Shared with everybody" in you.told("data", "Shared with everybody")["text"]
    (card,) = shared()
    opening, *answer = words(card)
    assert f"<@{you.id}> {SHARES}" in str(opening)
    assert "how many films?" in str(opening)
    assert answer == words(private)
    assert "share" not in buttons(card)
    assert "thread_ts" not in card


def test_share_asks_first_and_stands_on_private_answers_alone(bot, agent, you, ask_privately):
    confirm = buttons(ask_privately())["share"]["confirm"]
    assert "Everybody in this channel will see" in confirm["text"]["text"]
    assert "share" not in buttons(you.card("data", you.ask("data", "in public")))
    you.command(you.dm(), "private how many films?")
    assert "share" not in buttons(you.told(you.dm(), "You asked: how many films?"))
    agent.outcome = Outcome.FAILED
    you.command("data", "private how many actors?")
    assert "share" not in buttons(you.told("data", "This run failed"))


def test_answer_is_shared_once_however_often_it_is_pressed(bot, you, ask_privately, shared):
    private = ask_privately()
    for _ in range(3):
        you.click(private, "share")
    you.told("data", "Shared with everybody")
    you.click(private, "share")
    you.told("data", "shared already")
    assert len(shared()) == 1


def test_warnings_stay_above_who_shared(bot, agent, you, ask_privately, shared):
    agent.changes = {"warnings": ("7 stands in no row.",)}
    you.click(ask_privately(), "share")
    (card,) = you.eventually(shared)
    assert "7 stands in no row." in str(card["blocks"][0])
    assert SHARES in str(card["blocks"][1])
    assert card["text"].startswith("⚠️ 7 stands in no row.")


def test_chart_that_is_not_kept_is_said_to_be_missing(bot, agent, you, ask_privately, shared):
    plain, drawn = agent._step, Step("generate_chart", True, "Films")
    agent._step = lambda text: replace(plain(text), steps=(drawn,))
    you.click(ask_privately(), "share")
    (card,) = you.eventually(shared)
    assert "chart that stood beside the private answer is not kept" in str(card["blocks"])


def test_buttons_of_a_shared_answer_work_for_everybody(bot, you, mia, ask_privately, shared):
    you.click(ask_privately(), "share")
    (card,) = you.eventually(shared)
    mia.click(card, "show_sql")
    mia.eventually(lambda: "select category" in str(mia.from_bot("data", card["ts"])))
    mia.click(card, "csv")
    mia.eventually(lambda: any(each.get("files") for each in mia.from_bot("data", card["ts"])))


def test_nobody_but_the_one_who_asked_can_share(bot, you, mia, ask_privately, shared, deliver):
    private = ask_privately()
    you.click(private, "show_sql")
    body = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"][-1]
    body["user"]["id"] = mia.id
    body["actions"][0]["action_id"] = "share"
    assert deliver(bot, body) == 200
    you.told("data", "I have no record of this answer")
    assert shared() == []


def test_who_has_left_a_private_channel_shares_nothing_there(
    bot, you, newcomer, ask_privately, shared, deliver
):
    leaver = newcomer("lea")
    members = f"{bot.me.user_id},{leaver.id},U0LOCALMIA"
    body = {"name": "inner", "is_private": True, "members": members}
    inner = str(you.client.api_call("workspace.addChannel", json=body)["channel"]["id"])
    leaver.click(ask_privately(inner, leaver), "show_sql")
    click = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"][-1]
    click["actions"][0]["action_id"] = "share"
    you.client.conversations_kick(channel=inner, user=leaver.id)
    assert deliver(bot, click) == 200
    bot.stop()  # what is under way is finished first
    assert shared(inner) == []


@pytest.mark.parametrize("let", [frozenset({"T0OTHER"}), None], ids=["let in", "not let in"])
def test_nothing_is_shared_where_outsiders_came_to_read(
    start_bot, store, you, ask_privately, shared, let
):
    channel = you.workspace.channels["data"]
    store.set_channel(TEAM, channel, ChannelSettings(set_by="U0BOSS", shared_with=let))
    start_bot()
    private = ask_privately()
    body = {"channel": channel, "is_ext_shared": True, "outsiders": "T0OTHER"}
    you.client.api_call("workspace.changeChannel", json=body)
    you.click(private, "share")
    you.told("data", "of another organisation read")
    assert shared() == []


def test_nothing_is_shared_where_the_bot_is_no_member_until_it_is_invited(
    bot, you, ask_privately, shared
):
    private = ask_privately("finance-private")
    you.click(private, "share")
    assert "Invite me with /invite" in you.told("finance-private", "press Share again")["text"]
    channel = you.workspace.channels["finance-private"]
    you.client.conversations_invite(channel=channel, users=you.workspace.bot_user_id)
    you.click(private, "share")
    you.told("finance-private", "Shared with everybody")


def test_answer_in_a_thread_is_shared_in_that_thread(start_bot, store, you, mia, workspace):
    channel = workspace.channels["data"]
    store.set_channel(TEAM, channel, ChannelSettings(set_by="U0BOSS", private=True))
    start_bot()
    ts = you.ask("data", "how many films?")
    alone = you.eventually(
        lambda: [each for each in you.from_bot("data", ts) if each.get("is_ephemeral")]
    )
    you.click(alone[0], "share")
    you.eventually(lambda: SHARES in str(mia.from_bot("data", ts)))
    assert SHARES not in str(mia.from_bot("data"))


def test_answer_is_shared_after_a_restart(start_bot, you, store_url, open_store, shared):
    first = start_bot()
    you.command("data", "private how many films?")
    private = you.told("data", "You asked: how many films?")
    first.stop()
    start_bot(store=open_store(store_url))
    you.click(private, "share")
    assert len(you.eventually(shared)) == 1


@pytest.mark.parametrize("taken", [True, False], ids=["taken", "not taken"])
def test_connection_that_breaks_over_it_leaves_it_shared_once(
    bot, you, ask_privately, shared, taken, monkeypatch
):
    monkeypatch.setattr("bot.sharing.PAUSES_S", (0.05, 0.05))
    private = ask_privately()
    you.settled()
    you.faults(**{"break": {"method": "chat.postMessage", "times": 1, "taken": taken}})
    you.click(private, "share")
    you.told("data", "Shared with everybody")
    assert len(shared()) == 1


def test_post_that_is_not_on_record_is_found_and_not_repeated(
    bot, you, store, ask_privately, shared, monkeypatch
):
    def away(*_):
        raise StoreUnavailable("gone", detail="gone")

    private = ask_privately()
    with monkeypatch.context() as broken:
        broken.setattr(store, "end_share", away)
        you.click(private, "share")
        you.told("data", "Shared with everybody")
    you.click(private, "share")
    you.told("data", "being shared at this moment")
    begin = store.begin_share
    monkeypatch.setattr(store, "begin_share", lambda run_id: begin(run_id, lease_s=0.0))
    you.click(private, "share")
    told = "Shared with everybody"
    you.eventually(lambda: sum(told in each["text"] for each in you.from_bot("data")) == 2)
    assert len(shared()) == 1


def test_larger_cards_than_slack_takes_are_shared_in_less(bot, you, ask_privately, shared):
    private = ask_privately()
    you.settled()
    you.faults(error={"method": "chat.postMessage", "error": "invalid_blocks", "times": 1})
    you.click(private, "share")
    (card,) = you.eventually(shared)
    assert "table" not in {block["type"] for block in card["blocks"]}
    assert "Slack did not take the table" in str(card["blocks"])
