"""GET /readyz: green where the bot can work, red with the reason in words where it cannot."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.app import SlackBot
from bot.http.health import Health
from bot.manifest import load_manifest
from bot.metrics import Metrics
from bot.settings import read_settings


@pytest.fixture
def health(anybody):
    """Looks: the status, and the reason if there is one."""

    def look():
        reply = anybody("GET", "/readyz")
        assert reply.headers["content-type"] == "application/json"
        assert reply.headers["cache-control"] == "no-store"
        assert reply.json["ok"] is (reply.status == 200)
        return reply.status, reply.json.get("reason", "")

    return look


def test_it_is_red_while_starting_green_while_serving_and_red_from_stopping_on(
    service, over_port, store, agent, health, you, workspace
):
    assert health() == (503, "it is starting")
    agent.gate = threading.Event()
    bot = SlackBot(over_port, agent=agent, store=store)
    service.serve(bot)
    assert health() == (503, "no event connection to Slack")
    bot.start()
    workspace.set_request_url(f"{service.url}/slack/events")
    assert health() == (200, "")
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    stopping = threading.Thread(target=bot.stop)
    stopping.start()
    you.eventually(lambda: health() == (503, "it is stopping"))
    assert stopping.is_alive()  # red at once, and the question is worked on to its end
    agent.gate.set()
    assert "You asked" in you.card("data", ts)["text"]
    stopping.join()
    assert health() == (503, "it is stopping")


def test_a_process_that_cannot_work_is_alive_all_the_same(bot, store, health, anybody):
    store.close()
    deadline = time.monotonic() + 5
    while health()[0] == 200 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert health()[0] == 503
    alive = anybody("GET", "/healthz")  # starting it anew would cure nothing
    assert (alive.status, alive.json) == (200, {"ok": True})


def test_head_is_answered_without_a_body(bot, anybody):
    seen, head = anybody("GET", "/readyz"), anybody("HEAD", "/readyz")
    assert (head.status, head.body) == (200, "")
    assert head.headers["content-length"] == str(len(seen.body))


def test_it_is_red_while_the_record_is_away(bot, store, health):
    assert health() == (200, "")
    store.close()
    deadline = time.monotonic() + 5
    while health()[0] == 200 and time.monotonic() < deadline:  # a look is believed for a second
        time.sleep(0.05)
    assert health() == (503, "its own record of questions and answers cannot be reached")


@pytest.mark.parametrize("told", [True, False])
def test_it_is_red_once_the_token_is_revoked(bot, slack, health, you, told):
    if told:
        event = {"type": "tokens_revoked", "tokens": {"bot": [bot.me.user_id]}}
        envelope = {"type": "event_callback", "team_id": bot.me.team_id, "event": event}
        assert slack.event(envelope).status == 200
    else:
        you.faults(error={"method": "auth.test", "error": "token_revoked", "times": 99})
    you.eventually(lambda: health() == (503, "its token was revoked"))


class Hanging:
    """A bot whose record does not answer until it is let go."""

    trouble = remark = ""

    def __init__(self):
        self.metrics = Metrics()
        self.gate = threading.Event()
        self.looks = 0
        self.pages = {}

    def look_at_record(self):
        self.looks += 1
        self.gate.wait(20)
        return ""

    def look_at_slack(self):
        self.gate.wait(20)
        return ""

    def take(self, request):
        self.gate.wait(20)


@pytest.fixture
def hanging(service):
    hangs = Hanging()
    service.serve(hangs)
    yield hangs
    hangs.gate.set()


def test_record_that_hangs_keeps_nobody_waiting(hanging, slack, health, you):
    # More requests than there are threads for them, and none comes back.
    with ThreadPoolExecutor(20) as callers:
        calls = [callers.submit(slack.event, {"type": "x"}) for _ in range(20)]
        begun = time.monotonic()
        assert health() == (503, "its own record of questions and answers does not answer")
        assert time.monotonic() - begun < 8.0  # two seconds at most, and a busy machine
        begun = time.monotonic()
        for _ in range(5):
            assert health()[0] == 503
        assert time.monotonic() - begun < 6.0  # not ten: the same look is not waited for again
        assert hanging.looks == 1
        hanging.gate.set()
    assert [each.result().status for each in calls] == [503] * 20
    you.eventually(lambda: health() == (200, ""))


def test_look_that_breaks_down_is_red_and_says_nothing_private():
    class Broken(Hanging):
        def look_at_record(self):
            raise RuntimeError("postgresql://bot:secret@host")

    page = Health()
    page.watch(Broken())
    assert "secret" not in page.ready(None).body
    assert page.ready(None).status == 503


def test_nothing_secret_is_in_it(bot, store, health, workspace, anybody):
    store.close()
    said = anybody("GET", "/readyz").body
    for secret in (workspace.bot_token, workspace.signing_secret, "postgresql://"):
        assert secret not in said


class TestBesideSocketMode:
    @pytest.fixture
    def workspace(self, start_workspace):
        return start_workspace(manifest=load_manifest())

    @pytest.fixture
    def over_port(self, workspace):
        return read_settings(
            http=True,
            slack_bot_token=workspace.bot_token,
            slack_app_token=workspace.app_token,
            slack_url=workspace.api_url,
        )

    def test_port_has_a_health_page_and_nothing_for_slack(
        self, over_port, open_port, start_bot, anybody, service, you
    ):
        service.serve(start_bot())
        assert anybody("GET", "/readyz").status == 200
        assert anybody("POST", "/slack/events", b"{}").status == 404
        assert "You asked" in you.card("data", you.ask("data", "how many films?"))["text"]
