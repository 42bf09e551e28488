"""On the page: messages to several people, and channels that are closed or left."""

from __future__ import annotations

import pytest
from slack_sdk import WebClient

pytestmark = pytest.mark.browser


def write(page, text):
    page.get_by_test_id("composer").fill(f"{text} ")  # a space: no name is left to be completed
    page.get_by_test_id("composer").press("Enter")


def test_a_message_to_several_people_is_opened_written_and_read(open_page, bot):
    page = open_page("#general")
    write(page, "/dm @mia @db-agent")
    page.get_by_role("heading", name="Mia Torres, db-agent").wait_for()
    write(page, "hello both")
    hers = open_page("?as=mia")
    hers.get_by_test_id("channel-link").filter(has_text="You, db-agent").click()
    hers.locator("#messages").get_by_text("hello both").wait_for()
    assert hers.locator("#channel-topic").inner_text() == "Group message"


def test_a_closed_channel_is_read_and_opened_again(open_page, workspace):
    page = open_page(f"#{workspace.channels['data']}")
    write(page, "the last word")
    page.locator("#messages").get_by_text("the last word").wait_for()
    write(page, "/archive")
    page.get_by_test_id("unarchive").wait_for()
    assert page.locator("#messages").get_by_text("the last word").is_visible()
    assert page.get_by_test_id("composer").is_hidden()
    page.get_by_test_id("unarchive").click()
    page.get_by_test_id("composer").wait_for()


def test_whoever_is_put_out_of_a_private_channel_sees_it_no_more(open_page, workspace):
    private = workspace.channels["finance-private"]
    his = open_page(f"?as=ben#{private}")
    his.get_by_role("heading", name="#finance-private").wait_for()
    page = open_page(f"?as=you#{private}")
    write(page, "/remove @ben")
    his.get_by_role("heading", name="#general").wait_for()
    assert his.get_by_test_id("channel-link").filter(has_text="finance-private").count() == 0
    you = WebClient(workspace.user_tokens["you"], base_url=workspace.api_url)
    assert you.conversations_members(channel=private)["members"] == ["U0LOCALYOU"]


class TestShortcut:
    @pytest.fixture
    def workspace(self, start, manifest):
        entry = {"name": "Ask about this message", "type": "message", "callback_id": "ask_about"}
        manifest["features"]["shortcuts"] = [entry]
        return start(manifest)

    def test_it_is_chosen_in_the_menu_of_a_message(self, open_page, bolt, you, general):
        @bolt.event("message")
        def ignore():
            pass

        @bolt.message_shortcut("ask_about")
        def take(ack, shortcut, client):
            ack()
            title = {"type": "plain_text", "text": "About it"}
            quoted = {"type": "plain_text", "text": shortcut["message"]["text"]}
            view = {
                "type": "modal",
                "title": title,
                "blocks": [{"type": "section", "text": quoted}],
            }
            client.views_open(trigger_id=shortcut["trigger_id"], view=view)

        you.chat_postMessage(channel=general, text="Refunds were 9,999.")
        page = open_page("#general")
        page.get_by_test_id("message").hover()
        page.get_by_role("button", name="Ask about this message").click()
        page.get_by_test_id("modal").get_by_text("Refunds were 9,999.").wait_for()
