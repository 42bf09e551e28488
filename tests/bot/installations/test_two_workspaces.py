"""Two workspaces have the app: each is answered in its own, and knows nothing of the other."""

from __future__ import annotations

import threading

import psycopg
import pytest
from slack_bolt import BoltRequest

from bot.installations.switchboard import NOT_INSTALLED


@pytest.fixture
def teams_kept(store_url):
    """The workspaces of which the store knows an installation."""

    def kept():
        with psycopg.connect(store_url) as connection:
            return {
                table: {
                    row[0] for row in connection.execute(f"select team_id from db_agent.{table}")
                }
                for table in ("slack_bots", "slack_installations")
            }

    return kept


@pytest.fixture
def running_in(store_url):
    """The workspaces in which a question is worked on."""

    def look():
        query = "select team_id from db_agent.runs where status = 'running' order by 1"
        with psycopg.connect(store_url) as connection:
            return [row[0] for row in connection.execute(query)]

    return look


def test_each_workspace_is_answered_by_its_own_bot(in_both, agent):
    _, ann, pat = in_both()
    for who in (ann, pat):
        card = who.card("general", who.ask("general", f"how many films, {who.id}?"))
        assert card["user"] == who.workspace.bot_user_id
        assert "You asked: how many films" in card["text"]
    assert ann.workspace.bot_user_id != pat.workspace.bot_user_id
    assert len(agent.asked) == 2


def test_nobody_learns_of_the_questions_and_the_use_of_another_workspace(in_both, agent):
    _, ann, pat = in_both()
    ann.card("general", ann.ask("general", "how many secret films?"))
    told = {
        "log": "I found no such question",
        "why": "You have asked me nothing",
        "usage": "This month: 0 questions",
    }
    for words, expected in told.items():
        pat.command("general", words)
        pat.told("general", expected)
    assert "secret" not in str(pat.seen("general"))
    ann.command("general", "log")
    ann.told("general", "secret")
    pat.card("general", pat.ask("general", "and by store?"))
    assert agent.histories[-1] == ()


def test_channel_that_both_share_is_answered_by_nobody_until_that_is_allowed(
    in_both, agent, ours, partner
):
    _, ann, pat = in_both()
    channel = ours.channels["general"]
    card = ann.card("general", ann.ask("general", "how many films?"))
    offer = {"channel": channel, "team": partner.team_id}
    ann.client.api_call("workspace.shareChannel", json=offer)
    pat.client.api_call("workspace.acceptChannel", json={"channel": channel})
    ts = ann.ask("general", "how many films?")
    assert "People of another organisation read along" in ann.card("general", ts)["text"]
    ts = pat.say(channel, f"{ann.mention} how many films?")
    assert "I only answer members" in ann.card("general", ts)["text"]
    pat.click(card, "show_sql")
    pat.eventually(lambda: "I only answer members" in str(pat.seen(channel, card["thread_ts"])))
    assert agent.asked == ["how many films?"]


def test_event_that_names_the_other_organisation_is_for_whom_it_was_sent_to(
    in_both, agent, deliver, partner
):
    bot, ann, _ = in_both()
    ann.card("general", ann.ask("general", "how many films?"))
    ts = ann.say("general", "the message")
    payload = ann.payload(ts=ts, text=f"{ann.mention} how many more?")
    payload["team_id"] = payload["context_team_id"] = partner.team_id
    assert deliver(bot, payload) == 200
    assert ann.card("general", ts)["user"] == ann.workspace.bot_user_id


def test_click_is_for_the_bot_whose_card_it_was_on(in_both, partner):
    bot, ann, _ = in_both()
    card = ann.card("general", ann.ask("general", "how many films?"))
    ann.click(card, "show_sql")
    sent = [each["payload"] for each in ann.deliveries()]
    (click,) = (each for each in sent if each.get("type") == "block_actions")
    ann.eventually(lambda: len(shown_sql(ann, card)) == 1)
    click["team"]["id"] = partner.team_id
    assert bot.app.dispatch(in_socket(click)).status == 200
    ann.eventually(lambda: len(shown_sql(ann, card)) == 2)


def shown_sql(who, card):
    seen = who.from_bot("general", card["thread_ts"])
    return [each for each in seen if "select category" in str(each)]


def test_removed_from_one_workspace_the_others_go_on(
    in_both, agent, caplog, teams_kept, running_in
):
    agent.gate = threading.Event()
    bot, ann, pat = in_both()
    lost = pat.ask("general", "how many films here?")
    kept = ann.ask("general", "how many films there?")
    ann.eventually(lambda: len(agent.asked) == 2)
    pat.client.api_call("workspace.removeApp")
    # The gate is shut: only being stopped ends a run.
    ann.eventually(lambda: running_in() == ["T0LOCALDEV"])
    assert teams_kept() == {"slack_bots": {"T0LOCALDEV"}, "slack_installations": {"T0LOCALDEV"}}
    agent.gate.set()
    assert "You asked" in ann.card("general", kept)["text"]
    assert all("You asked" not in each["text"] for each in pat.from_bot("general", lost))
    assert "workspace T0PARTNER do nothing any more: it was removed" in caplog.text
    assert "https://bot.example.com/slack/install" in caplog.text
    assert bot.connected
    ann.card("general", ann.ask("general", "how many more?"))


def test_installed_again_it_answers_without_a_restart(in_both, browse, partner, teams_kept):
    bot, _, pat = in_both()
    pat.client.api_call("workspace.removeApp")
    pat.eventually(lambda: "T0PARTNER" not in teams_kept()["slack_bots"])
    assert browse(bot).install(partner).status == 200
    invite = {"channel": partner.channels["general"], "users": pat.workspace.bot_user_id}
    pat.client.conversations_invite(**invite)
    assert "You asked" in pat.card("general", pat.ask("general", "how many films?"))["text"]


def test_removed_while_nobody_heard_of_it_is_found_out_at_the_next_start(
    in_both, make_bot, agent, caplog
):
    bot, ann, pat = in_both()
    ann.eventually(lambda: bot.served == "in 2 workspaces")
    bot.stop()
    pat.client.api_call("workspace.removeApp")
    assert make_bot().served == "in 1 workspace"
    assert caplog.text.count("T0PARTNER do nothing any more: it was removed") == 1
    ann.card("general", ann.ask("general", "how many films?"))


def test_installed_over_itself_it_ends_no_question(in_both, browse, partner, agent, caplog):
    caplog.set_level("INFO", "bot.installations")
    agent.gate = threading.Event()
    bot, _, pat = in_both()
    ts = pat.ask("general", "how many films?")
    pat.eventually(lambda: agent.asked)
    caplog.clear()
    assert browse(bot).install(partner).status == 200
    pat.eventually(lambda: "T0PARTNER is served" in caplog.text)
    agent.gate.set()
    assert "You asked" in pat.card("general", ts)["text"]
    assert "do nothing any more" not in caplog.text


def test_news_of_a_removal_that_come_late_do_not_end_a_new_installation(
    in_both, deliver, teams_kept
):
    bot, _, pat = in_both()
    pat.card("general", pat.ask("general", "how many films?"))
    late = pat.payload()
    late["event"] = {"type": "app_uninstalled"}
    late["event_time"] -= 3600
    assert deliver(bot, late) == 200
    assert "T0PARTNER" in teams_kept()["slack_bots"]
    pat.card("general", pat.ask("general", "how many more?"))


def test_token_of_a_person_ends_no_installation(in_both, deliver, teams_kept):
    bot, _, pat = in_both()
    pat.card("general", pat.ask("general", "how many films?"))
    payload = pat.payload()
    payload["event"] = {"type": "tokens_revoked", "tokens": {"oauth": [pat.id]}}
    assert deliver(bot, payload) == 200
    payload["event"] = {"type": "tokens_revoked", "tokens": {"bot": [pat.workspace.bot_user_id]}}
    assert "T0PARTNER" in teams_kept()["slack_bots"]
    assert deliver(bot, payload) == 200
    assert teams_kept()["slack_bots"] == {"T0LOCALDEV"}


def test_workspace_that_another_process_let_in_is_served_with_its_first_event(
    make_bot, browse, partner, somebody, open_store, store_url
):
    first = make_bot()
    second = make_bot(start=False, store=open_store(store_url))
    assert browse(first).install(partner).status == 200
    pat = somebody(partner)
    first.stop()
    pat.client.conversations_invite(
        channel=partner.channels["general"], users=pat.workspace.bot_user_id
    )
    second.start()
    assert "You asked" in pat.card("general", pat.ask("general", "how many films?"))["text"]


def test_workspace_without_the_app_gets_no_answer_and_its_people_a_word(
    in_both, agent, deliver, ours
):
    bot, ann, _ = in_both()
    ann.card("general", ann.ask("general", "how many films?"))
    payload = ann.payload(ts="1700000000.000100")
    payload["team_id"] = payload["authorizations"][0]["team_id"] = "T0STRANGER"
    assert deliver(bot, payload) == 200
    assert len(agent.asked) == 1
    command = {"command": "/ask", "text": "films?", "team_id": "T0STRANGER", "user_id": ann.id}
    assert NOT_INSTALLED in str(bot.app.dispatch(in_socket(command)).body)


def in_socket(body):
    return BoltRequest(body=body, mode="socket_mode")


def test_organisation_that_has_it_in_all_workspaces_is_told_that_this_cannot_be(
    in_both, agent, ours
):
    bot, ann, _ = in_both()
    command = {"command": "/ask", "text": "films?", "team_id": ours.team_id, "user_id": ann.id}
    command |= {"is_enterprise_install": "true", "enterprise_id": "E0BIG"}
    assert "whole organisation" in str(bot.app.dispatch(in_socket(command)).body)
    assert agent.asked == []


def test_workspace_that_is_allowed_no_more_gets_no_answer(in_both, make_bot, agent, partner):
    bot, _, pat = in_both()
    bot.stop()
    later = make_bot(teams="T0LOCALDEV")
    assert later.served == "in 1 workspace"
    pat.ask("general", "how many films?")
    said = pat.command("general", "how many films?")
    assert "not one of those that I answer" in str(said) + str(pat.seen("general"))
    assert agent.asked == []
