"""The way in: from the page where one adds the app, over Slack, to an installation that is kept."""

from __future__ import annotations

import logging

import psycopg
import pytest

from bot.local_workspace.errors import SlackError


@pytest.fixture
def rows(store_url):
    """What the store holds of installations."""

    def look(table="slack_bots"):
        with psycopg.connect(store_url) as connection:
            return connection.execute(f"select * from db_agent.{table}").fetchall()

    return look


def test_page_leads_to_slack_and_asks_for_what_the_manifest_says(make_bot, browse, workspace):
    page = browse(make_bot()).get("/slack/install")
    assert page.status == 200
    assert "Add db-agent to Slack" in page.body
    assert page.headers["cache-control"] == ["no-store"]
    assert "HttpOnly" in page.headers["set-cookie"][0]
    said = browse(make_bot()).said(browse(make_bot()).to_slack())
    assert said["client_id"] == workspace.client_id
    assert said["redirect_uri"] == "https://bot.example.com/slack/oauth_redirect"
    assert "chat:write" in said["scope"]


def test_who_allows_it_has_it_and_is_told_so(make_bot, browse, ours, rows):
    page = browse(make_bot()).install(ours)
    assert page.status == 200
    assert "db-agent is installed" in page.body
    assert "Local workspace" in page.body
    assert len(rows()) == len(rows("slack_installations")) == 1
    assert rows("slack_oauth_states") == []


def test_who_cancels_is_told_that_nothing_happened(make_bot, browse, ours, rows):
    page = browse(make_bot()).install(ours, allow=False)
    assert "You chose not to install the app" in page.body
    assert rows() == []


def test_same_way_back_is_not_gone_twice(make_bot, browse, workspace, ours, rows):
    browser = browse(make_bot())
    back = workspace.consent(browser.to_slack(), team=ours)
    cookies = dict(browser.cookies)
    assert browser.back(back).status == 200
    browser.cookies = cookies
    page = browser.back(back)
    assert page.status == 401
    assert 'href="install">Begin again' in page.body
    assert len(rows()) == 1


def test_another_browser_cannot_finish_what_somebody_began(make_bot, browse, workspace, ours, rows):
    bot = make_bot()
    back = workspace.consent(browse(bot).to_slack(), team=ours)
    stranger = browse(bot)
    stranger.to_slack()
    page = stranger.back(back)
    assert page.status == 400
    assert "in this browser" in page.body
    assert rows() == []


def test_way_back_is_open_for_ten_minutes(make_bot, browse, workspace, ours, rows, store_url):
    browser = browse(make_bot())
    back = workspace.consent(browser.to_slack(), team=ours)
    with psycopg.connect(store_url) as connection:
        connection.execute(
            "update db_agent.slack_oauth_states set expire_at = expire_at - interval '601 s'"
        )
    page = browser.back(back)
    assert page.status == 401
    assert "took too long" in page.body
    assert rows() == []


def test_workspace_that_is_not_allowed_is_not_let_in_and_gets_its_app_taken_back(
    make_bot, browse, ours, partner, rows, workspace, caplog, you
):
    browser = browse(make_bot(teams=ours.team_id))
    page = browser.install(partner)
    assert page.status == 403
    assert "one company&#x27;s database" in page.body
    assert partner.team_id in page.body
    assert rows() == rows("slack_installations") == []
    pat = type(you)(workspace, "pat", partner.user_tokens["pat"])
    assert pat.client.api_call("workspace.boot")["apps"] == []
    assert browser.install(ours).status == 200


@pytest.mark.parametrize(
    ("fault", "status", "words"),
    [
        ({"error": {"method": "oauth.v2.access", "error": "invalid_code"}}, 401, "any more"),
        ({"error": {"method": "auth.test", "error": "internal_error"}}, 401, "begin again"),
    ],
)
def test_where_slack_refuses_a_page_says_what_to_do(
    make_bot, browse, ours, rows, you, fault, status, words
):
    browser = browse(make_bot())
    you.faults(**fault)
    page = browser.install(ours)
    assert page.status == status
    assert words in page.body
    assert "Traceback" not in page.body
    assert rows() == []
    assert browser.install(ours).status == 200


def test_where_slack_is_away_a_page_says_so(make_bot, browse, workspace, ours, rows):
    browser = browse(make_bot())
    back = workspace.consent(browser.to_slack(), team=ours)
    workspace.stop()
    page = browser.back(back)
    assert page.status == 502
    assert "Slack did not answer" in page.body
    assert rows() == []


def test_where_the_record_is_away_a_page_says_so(make_bot, browse, store_url):
    bot = make_bot()
    with psycopg.connect(store_url, autocommit=True) as connection:
        connection.execute("alter table db_agent.slack_oauth_states rename to elsewhere")
        try:
            page = browse(bot).get("/slack/install")
        finally:
            connection.execute("alter table db_agent.elsewhere rename to slack_oauth_states")
    assert page.status == 503
    assert "try again" in page.body


def test_made_up_way_back_lets_nobody_in(make_bot, browse, rows):
    browser = browse(make_bot())
    for query in ("", "state=x", "code=1&state=x", "code=1", "error=<script>&state=1", "state=x"):
        page = browser.get("/slack/oauth_redirect", query)
        assert "not installed" in page.body
        assert "<script>" not in page.body
    assert rows() == []


def test_secrets_are_not_in_the_log_even_at_its_most_talkative(
    make_bot, browse, ours, workspace, caplog
):
    caplog.set_level(logging.DEBUG)
    bot = make_bot()
    assert browse(bot).install(ours).status == 200
    assert workspace.client_secret not in caplog.text
    assert "xoxb-" not in caplog.text


def test_guest_cannot_install_it(make_bot, browse, workspace, ours, you):
    you.client.api_call("workspace.addUser", json={"name": "gus", "is_restricted": True})
    with pytest.raises(SlackError):
        browse(make_bot()).install(ours, person="gus")
