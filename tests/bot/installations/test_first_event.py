"""A workspace whose bot is yet to be made: what comes meanwhile is not lost, and does not wait."""

from __future__ import annotations

import psycopg
import pytest
from slack_bolt import BoltRequest

from bot.installations import switchboard


@pytest.fixture
def met_slowly(monkeypatch, in_both, make_bot, open_store, store_url, partner):
    """Another process that has not met the workspace yet, while Slack is slow to say who we are."""
    monkeypatch.setattr(switchboard, "START_WITHIN_S", 0.1)

    def make(seconds):
        second = make_bot(start=False, store=open_store(store_url))
        first, _, pat = in_both()
        pat.card("general", pat.ask("general", "how many films?"))
        first.stop()
        ts = pat.say("general", "how many more?")
        payload = pat.payload(ts=ts, text=f"{pat.mention} how many more?")
        if seconds:
            slow = {"method": "auth.test", "seconds": seconds, "taken": True}
            pat.faults(slow=slow)
        return second, pat, payload

    return make


def command(pat, team):
    body = {"command": "/ask", "text": "films?", "team_id": team, "user_id": pat.id}
    return BoltRequest(body=body, mode="socket_mode")


def test_what_comes_before_it_can_be_taken_is_not_acknowledged_and_comes_again(
    met_slowly, deliver, agent, partner
):
    second, pat, payload = met_slowly(seconds=1.5)
    assert deliver(second, payload) == 503
    answer = second.app.dispatch(command(pat, partner.team_id))
    assert (answer.status, answer.body) == (200, switchboard.STARTING)
    # The window in which somebody wrote stays open, and no click looks as if it had done something.
    for kind in ("view_submission", "block_actions"):
        body = {"type": kind, "team": {"id": partner.team_id}, "view": {"callback_id": "reason"}}
        assert second.app.dispatch(BoltRequest(body=body, mode="socket_mode")).status == 503
    pat.eventually(lambda: deliver(second, payload) == 200)
    second.start()  # until then it answers nothing
    pat.eventually(lambda: agent.asked[1:] == ["how many more?"])


def test_where_the_store_is_away_an_event_is_left_to_come_again(
    met_slowly, deliver, store_url, agent
):
    second, _, payload = met_slowly(seconds=0)
    with psycopg.connect(store_url, autocommit=True) as connection:
        connection.execute("alter table db_agent.slack_bots rename to elsewhere")
        try:
            assert deliver(second, payload) == 503
        finally:
            connection.execute("alter table db_agent.elsewhere rename to slack_bots")
    assert len(agent.asked) == 1
