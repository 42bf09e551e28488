"""Everything over the bot's own port: the pages, and the events of two workspaces."""

from __future__ import annotations

import http.client
import re
from html import unescape
from urllib.parse import urlsplit

import pytest

from bot.http.port import Port
from bot.http.service import HttpService
from bot.manifest import EXAMPLE_ADDRESS, over_http
from bot.settings import read_settings


@pytest.fixture
def manifest(manifest):
    return over_http(manifest, EXAMPLE_ADDRESS)


@pytest.fixture
def bot(make_bot, workspace):
    return make_bot(http=True, slack_app_token="", slack_signing_secret=workspace.signing_secret)


@pytest.fixture
def get(bot, workspace):
    """Visits a page of the bot's at its port; the answer and its body."""
    settings = read_settings(
        http=True,
        slack_client_id="",
        slack_bot_token="xoxb-1",
        slack_signing_secret=workspace.signing_secret,
    )
    service = HttpService(settings, Port("127.0.0.1", 0))
    service.start()
    service.serve(bot)
    workspace.set_request_url(f"{service.url}/slack/events")

    def visit(path, cookie=""):
        connection = http.client.HTTPConnection(urlsplit(service.url).netloc, timeout=5)
        connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer, body

    yield visit
    service.stop()


def test_two_workspaces_install_the_app_and_are_answered(get, workspace, ours, partner, somebody):
    for team in (ours, partner):
        answer, page = get("/slack/install")
        assert answer.status == 200
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        state = answer.headers["Set-Cookie"].partition(";")[0]
        address = unescape(re.findall(r'href="([^"]+)"', page)[0])
        back = urlsplit(workspace.consent(address, team=team))
        assert get(f"{back.path}?{back.query}")[0].status == 400  # without the cookie
        answer, page = get(f"{back.path}?{back.query}", state)
        assert answer.status == 200
        assert "is installed" in page
        assert "deleted" in answer.headers["Set-Cookie"]
        who = somebody(team)
        channel = who.dm()
        assert "You asked" in who.card(channel, who.say(channel, "how many films?"))["text"]
