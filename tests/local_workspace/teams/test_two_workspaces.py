"""Two workspaces behind one server: each has its own, and an app in both hears of both."""

from __future__ import annotations

import http.client
import urllib.parse

from slack_bolt import App
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient
from slack_sdk.webhook import WebhookClient


def test_each_token_is_told_its_own_workspace(maker, you, pat, ours, theirs):
    for answer, team in ((ours, "T0LOCALDEV"), (theirs, "T0PARTNER")):
        bot = maker.caller(answer["access_token"])
        assert answer["team"]["id"] == bot.auth_test()["team_id"] == team
        assert bot.auth_test()["user_id"] == answer["bot_user_id"]
    assert theirs["authed_user"]["id"] == pat.auth_test()["user_id"]
    assert (you.team_info()["team"]["name"], pat.team_info()["team"]["name"]) == (
        "Local workspace",
        "Partner Ltd",
    )
    assert pat.team_info()["team"]["domain"] == "partner-ltd"


def test_an_app_is_another_bot_in_each(maker, ours, theirs):
    assert ours["app_id"] == theirs["app_id"]
    for one, other in ((ours, theirs), (theirs, ours)):
        bot = maker.caller(one["access_token"])
        me = bot.auth_test()
        about = bot.bots_info(bot=me["bot_id"])["bot"]
        assert (about["app_id"], about["user_id"]) == (one["app_id"], one["bot_user_id"])
        assert bot.users_info(user=me["user_id"])["user"]["team_id"] == one["team"]["id"]
        assert me["user_id"] != other["bot_user_id"]


def test_a_token_opens_nothing_of_the_other_workspace(
    workspace, maker, partner, you, ours, theirs, refused
):
    bot, here = maker.caller(theirs["access_token"]), workspace.channels["general"]
    theirs_bot = bot.auth_test()
    ts = you.chat_postMessage(channel=here, text="ours")["ts"]
    refused("channel_not_found", bot.conversations_info, channel=here)
    refused("channel_not_found", bot.conversations_history, channel=here)
    refused("channel_not_found", bot.conversations_replies, channel=here, ts=ts)
    refused("channel_not_found", bot.conversations_members, channel=here)
    refused("channel_not_found", bot.chat_postMessage, channel=here, text="x")
    refused("channel_not_found", bot.chat_postMessage, channel="U0LOCALYOU", text="x")
    refused("channel_not_found", bot.chat_update, channel=here, ts=ts, text="x")
    refused("channel_not_found", bot.reactions_add, channel=here, name="eyes", timestamp=ts)
    refused("user_not_found", bot.users_info, user="U0LOCALYOU")
    refused("user_not_found", bot.conversations_open, users="U0LOCALYOU")
    refused("user_not_found", you.conversations_invite, channel=here, users=theirs["bot_user_id"])
    refused("bot_not_found", you.bots_info, bot=theirs_bot["bot_id"])
    refused("team_not_found", you.team_info, team="T0PARTNER")
    assert {each["name"] for each in bot.users_list()["members"]} == {"pat", "lee", "db-agent"}
    listed = bot.conversations_list()["channels"]
    assert [each["id"] for each in listed] == [partner.channels["general"]]


def test_a_name_of_a_channel_is_that_of_the_callers_workspace(maker, partner, pat, theirs):
    bot = maker.caller(theirs["access_token"])
    pat.conversations_invite(channel=partner.channels["general"], users=theirs["bot_user_id"])
    assert (
        bot.chat_postMessage(channel="#general", text="hi")["channel"]
        == (partner.channels["general"])
    )


def test_files_are_read_in_their_own_workspace_alone(maker, you, ours, theirs, refused, workspace):
    bot = maker.caller(ours["access_token"])
    channel = workspace.channels["general"]
    you.conversations_invite(channel=channel, users=ours["bot_user_id"])
    file = bot.files_upload_v2(filename="a.csv", content="a,b", channel=channel)["file"]
    assert you.files_info(file=file["id"])["file"]["id"] == file["id"]
    refused("file_not_found", maker.caller(theirs["access_token"]).files_info, file=file["id"])


def test_one_socket_brings_the_events_of_both(workspace, you, pat, partner, ours, theirs, link):
    socket = link()
    for person, team, answer in ((you, workspace, ours), (pat, partner, theirs)):
        channel = team.channels["general"]
        person.conversations_invite(channel=channel, users=answer["bot_user_id"])
        person.chat_postMessage(channel=channel, text=f"<@{answer['bot_user_id']}> how many?")
        payloads = [socket.take()["payload"] for _ in range(2)]
        assert {each["event"]["type"] for each in payloads} == {"app_mention", "message"}
        for payload in payloads:
            installed = payload["authorizations"][0]
            assert payload["team_id"] == payload["context_team_id"] == team.team_id
            assert installed["team_id"] == payload["event"]["team"] == team.team_id
            assert installed["user_id"] == answer["bot_user_id"]
            assert payload["is_ext_shared_channel"] is False
    assert socket.nothing()


def test_commands_and_clicks_name_the_workspace_they_come_from(
    maker, pat, partner, ours, theirs, link, in_background
):
    bot, socket = maker.caller(theirs["access_token"]), link()
    channel = partner.channels["general"]
    pat.conversations_invite(channel=channel, users=theirs["bot_user_id"])
    button = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    ts = bot.chat_postMessage(
        channel=channel, text="x", blocks=[{"type": "actions", "elements": [button]}]
    )["ts"]
    body = {"channel": channel, "command": "/ask", "text": "how many?"}
    in_background(pat.api_call, "workspace.slashCommand", json=body)
    command = socket.take(kind="slash_commands")["payload"]
    assert (command["team_id"], command["team_domain"]) == ("T0PARTNER", "partner-ltd")
    in_background(pat.api_call, "workspace.clickButton", json={**body, "ts": ts, "action_id": "go"})
    click = socket.take(kind="interactive")["payload"]
    assert click["team"]["id"] == click["user"]["team_id"] == "T0PARTNER"
    # What answers it is written by the bot of that workspace.
    WebhookClient(click["response_url"]).send(text="done", response_type="in_channel")
    newest = pat.conversations_history(channel=channel)["messages"][0]
    assert (newest["text"], newest["user"]) == ("done", theirs["bot_user_id"])


def test_bolt_answers_in_each_workspace_with_the_token_of_it(
    workspace, maker, you, pat, partner, ours, theirs, eventually, socket_mode
):
    tokens = {each["team"]["id"]: each for each in (ours, theirs)}

    def authorize(team_id):
        answer = tokens[team_id]
        return AuthorizeResult(
            enterprise_id=None,
            team_id=team_id,
            bot_token=answer["access_token"],
            bot_user_id=answer["bot_user_id"],
        )

    app = App(authorize=authorize, client=WebClient(base_url=workspace.api_url))
    app.event("app_mention")(lambda say, context: say(f"in {context.team_id}"))
    app.event("message")(lambda: None)
    socket_mode(app)
    for person, team, answer in ((you, workspace, ours), (pat, partner, theirs)):
        channel = team.channels["general"]
        person.conversations_invite(channel=channel, users=answer["bot_user_id"])
        person.chat_postMessage(channel=channel, text=f"<@{answer['bot_user_id']}> where?")
        said = eventually(
            lambda channel=channel, person=person, answer=answer: [
                each["text"]
                for each in person.conversations_history(channel=channel)["messages"]
                if each["user"] == answer["bot_user_id"]
            ]
        )
        assert said == [f"in {team.team_id}"]


def test_a_removal_leaves_the_other_installation_alone(maker, pat, ours, theirs, link, refused):
    socket = link()
    pat.api_call("workspace.removeApp")
    told = [socket.take()["payload"] for _ in range(2)]
    assert [each["event"]["type"] for each in told] == ["tokens_revoked", "app_uninstalled"]
    assert {each["team_id"] for each in told} == {"T0PARTNER"}
    refused("account_inactive", maker.caller(theirs["access_token"]).auth_test)
    assert maker.caller(ours["access_token"]).auth_test()["ok"]


def test_a_token_of_one_workspace_is_no_administrators_in_the_other(
    workspace, you, partner, refused
):
    channel = workspace.channels["general"]
    lee = WebClient(token=partner.user_tokens["lee"], base_url=workspace.api_url)
    refused("channel_not_found", lee.api_call, "workspace.changeChannel", json={"channel": channel})
    refused("user_not_found", lee.api_call, "workspace.changeUser", json={"user": "U0LOCALYOU"})


def test_the_page_of_one_workspace_is_told_nothing_of_the_other(workspace, you, pat, partner):
    """Not that it would show it: what its connection brings is looked at."""
    parts = urllib.parse.urlsplit(workspace.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=5)
    connection.request("GET", "/?team=T0PARTNER")
    answer = connection.getresponse()
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    answer.read()
    connection.request("GET", "/page/changes", headers={"Cookie": cookie})
    told = connection.getresponse()
    you.chat_postMessage(channel="general", text="ours alone")
    you.api_call("workspace.addUser", json={"name": "newcomer"})
    pat.chat_postMessage(channel="general", text="theirs")
    lines = []
    while not lines or b"theirs" not in lines[-1]:
        lines.append(told.readline())
    connection.close()
    told.close()
    assert not [each for each in lines if b"ours alone" in each or b"newcomer" in each]


def test_links_lead_to_the_page_of_their_own_workspace(workspace, you, pat, partner):
    assert you.auth_test()["url"] == workspace.url
    assert pat.auth_test()["url"] == f"{workspace.url}?team=T0PARTNER"
    channel = partner.channels["general"]
    ts = pat.chat_postMessage(channel=channel, text="hello")["ts"]
    link = pat.chat_getPermalink(channel=channel, message_ts=ts)["permalink"]
    assert link == f"{workspace.url}?team=T0PARTNER&channel={channel}&message={ts}"
    ts = you.chat_postMessage(channel="general", text="hello")["ts"]
    link = you.chat_getPermalink(channel=workspace.channels["general"], message_ts=ts)["permalink"]
    assert link == f"{workspace.url}?channel={workspace.channels['general']}&message={ts}"
