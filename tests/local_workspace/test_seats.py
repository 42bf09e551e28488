"""The page can be seen as anybody who is a member, so that two people can talk."""

from __future__ import annotations

import http.client
import json
import urllib.parse

import pytest


def ask(workspace, path, cookie="", body=None):
    """One request of a browser; (status, cookie that was set, body)."""
    parts = urllib.parse.urlsplit(workspace.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=5)
    try:
        headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
        text = None if body is None else json.dumps(body)
        connection.request("POST" if body is not None else "GET", path, text, headers)
        answer = connection.getresponse()
        set_cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        return answer.status, set_cookie, answer.read()
    finally:
        connection.close()


def me(workspace, cookie):
    return json.loads(ask(workspace, "/api/auth.test", cookie, body={})[2]).get("user_id")


def test_the_page_is_yours_at_first_and_anybodys_who_is_named(workspace):
    _, yours, _ = ask(workspace, "/")
    _, mias, _ = ask(workspace, "/?as=mia")
    assert me(workspace, yours) == "U0LOCALYOU"
    assert me(workspace, mias) == "U0LOCALMIA"


def test_a_window_stays_with_its_member(workspace):
    _, mias, _ = ask(workspace, "/?as=mia")
    assert ask(workspace, "/", mias)[1] == ""
    assert me(workspace, mias) == "U0LOCALMIA"
    assert ask(workspace, "/?as=mia")[1] == mias


@pytest.mark.parametrize("name", ["nobody", "db-agent", "", "U0LOCALMIA"])
def test_who_is_no_member_is_not_played(workspace, name):
    _, cookie, _ = ask(workspace, f"/?as={name}")
    assert me(workspace, cookie) == "U0LOCALYOU"


def test_a_window_of_another_workspace_stays_with_its_member(workspace):
    partner = workspace.add_team()
    _, first, _ = ask(workspace, "/?team=T0PARTNER")
    assert me(workspace, first) == partner.user_ids["pat"]
    _, lees, _ = ask(workspace, "/?team=T0PARTNER&as=lee")
    assert ask(workspace, "/?team=T0PARTNER", lees)[1] == ""
    assert me(workspace, lees) == partner.user_ids["lee"]
    _, yours, _ = ask(workspace, "/?team=T0NOBODY&as=pat")
    assert me(workspace, yours) == "U0LOCALYOU"


def test_each_is_told_only_what_they_may_see(workspace, bot, general):
    _, mias, _ = ask(workspace, "/?as=mia")
    body = {"channel": general, "thread_ts": ""}
    bot.chat_postEphemeral(channel=general, user="U0LOCALYOU", text="only for you")
    bot.chat_postMessage(channel=general, text="for all")
    shown = ask(workspace, "/api/workspace.messages", mias, body)[2].decode()
    assert "for all" in shown
    assert "only for you" not in shown


def test_without_the_pages_cookie_nobody_is_anybody(workspace):
    assert me(workspace, "") is None
    assert me(workspace, "local_workspace_1=U0LOCALYOU") is None
