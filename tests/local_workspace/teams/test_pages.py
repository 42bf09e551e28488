"""In a real browser: the page of consent, and the page of either workspace."""

from __future__ import annotations

import contextlib
import http.server
import threading
import urllib.parse

import pytest

pytestmark = pytest.mark.browser


class _Landing(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>back at the app</title>")

    def log_message(self, *_):
        pass


@pytest.fixture
def landing(workspace):
    """An app's own address on this machine, to which the browser is sent back."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Landing) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}/slack/oauth_redirect"
        workspace.redirect_urls.append(address)
        yield address
        server.shutdown()
        thread.join()


@pytest.fixture
def browse(chromium):
    """Opens an address; anything that the browser complains of fails the test."""
    with contextlib.ExitStack() as stack:
        complaints = []

        def begin(address):
            context = chromium.new_context()
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(5000)
            # A browser asks an app for its icon by itself.
            page.on("console", lambda m: m.type == "error" and complaints.append(m.text))
            page.goto(address)
            return page

        yield begin
    assert not complaints


def test_the_buttons_lead_back_to_the_app(maker, partner, landing, browse):
    page = browse(maker.question(redirect_uri=landing))
    page.get_by_test_id("cancel").click()
    page.wait_for_url(f"{landing}?error=access_denied**")
    page.go_back()
    page.get_by_role("link", name="Partner Ltd").click()
    page.get_by_role("heading", name="Install db-agent to Partner Ltd?").wait_for()
    page.get_by_test_id("allow").click()
    page.wait_for_url(f"{landing}?**")
    assert page.title() == "back at the app"
    said = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))
    assert said["state"] == maker.state
    answer = maker.exchange(code=said["code"], redirect_uri=landing)
    assert answer["team"] == {"id": "T0PARTNER", "name": "Partner Ltd"}


def test_a_shared_channel_is_seen_from_both_sides(workspace, open_page, you, pat, partner):
    channel = you.api_call("workspace.addChannel", json={"name": "partners"})["channel"]["id"]
    here = open_page(f"#{channel}")
    there = open_page("?team=T0PARTNER")
    people = there.get_by_test_id("person").locator("option")
    assert people.all_inner_texts() == ["Pat Quinn (owner)", "Lee Park"]
    you.api_call("workspace.shareChannel", json={"channel": channel, "team": "T0PARTNER"})
    pat.api_call("workspace.acceptChannel", json={"channel": channel})
    here.get_by_text("Shared with Partner Ltd").wait_for()
    there.get_by_test_id("channel-link").filter(has_text="partners").click()
    there.get_by_text("Shared with Local workspace").wait_for()
    for writer, reader, text, team in (
        (there, here, "hello from us", "Partner Ltd"),
        (here, there, "hello to you", "Local workspace"),
    ):
        writer.get_by_test_id("composer").fill(text)
        writer.get_by_test_id("composer").press("Enter")
        message = reader.locator("#messages [data-ts]").filter(has_text=text)
        message.get_by_text(team, exact=True).wait_for()


def test_the_page_changes_to_the_other_workspace_and_shows_nothing_of_the_first(
    workspace, open_page, you, partner
):
    you.chat_postMessage(channel=workspace.channels["general"], text="only for us")
    page = open_page()
    page.locator("#messages").get_by_text("only for us").wait_for()
    assert page.get_by_test_id("team").locator("option").count() == 2
    page.get_by_test_id("team").select_option("T0PARTNER")
    page.wait_for_selector("body[data-ready]")
    page.get_by_test_id("channel-link").first.wait_for()
    assert page.get_by_test_id("channel-link").all_inner_texts() == ["#\ngeneral"]
    you.chat_postMessage(channel=workspace.channels["general"], text="still only for us")
    assert page.get_by_text("only for us").count() == 0
    page.get_by_test_id("person").select_option("lee")
    page.wait_for_url("**/?team=T0PARTNER&as=lee*")
