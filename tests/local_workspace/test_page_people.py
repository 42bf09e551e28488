"""On the page: who somebody is, what each finds at the side, and whose time it is."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from slack_sdk import WebClient

pytestmark = pytest.mark.browser

AT = int(datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC).timestamp())


class TestCast:
    @pytest.fixture
    def workspace(self, start):
        return start(cast=True)

    def test_the_home_is_that_of_the_app_whose_messages_are_open(self, open_page, workspace, bot):
        bot.views_publish(user_id="U0LOCALYOU", view=home("Welcome"))
        page = open_page(f"#{workspace.channels['data']}")
        page.get_by_test_id("channel-link").filter(has_text="db-agent").click()
        page.get_by_test_id("tab-home").click()
        page.get_by_test_id("app-home").get_by_text("Welcome").wait_for()
        you = WebClient(workspace.user_tokens["you"], base_url=workspace.api_url)
        opened = you.api_call("workspace.deliveries")["deliveries"]
        assert {row["payload"]["event"]["tab"] for row in opened} == {"home", "messages"}
        page.reload()
        assert page.get_by_test_id("channel-link").filter(has_text="pollbot").count() == 0

    def test_a_public_channel_is_looked_into_and_joined(self, open_page, workspace):
        partners = workspace.channels["partners"]
        you = WebClient(workspace.user_tokens["you"], base_url=workspace.api_url)
        you.chat_postMessage(channel=partners, text="hello all")
        page = open_page(f"?as=ben#{partners}")
        page.locator("#messages").get_by_text("hello all").wait_for()
        assert page.get_by_test_id("composer").is_hidden()
        page.get_by_test_id("join").click()
        page.get_by_test_id("composer").wait_for()
        assert page.get_by_test_id("notice").count() == 0
        assert "U0LOCALBEN" in you.conversations_members(channel=partners)["members"]

    def test_it_says_who_is_no_full_member_and_what_is_shared(self, open_page):
        page = open_page("#general")
        seen = page.get_by_test_id("person").locator("option").all_inner_texts()
        assert set(seen) == {
            "You (owner)",
            "Mia Torres",
            "Ben Okafor",
            "Ada Lindqvist (administrator)",
            "Gus Marini (guest)",
            "Sol Reyes (guest of one channel)",
            "Eva Novak (other organisation)",
        }
        marked = page.get_by_test_id("channel-link").filter(has=page.get_by_test_id("shared"))
        assert marked.count() == 1
        marked.click()
        topic = page.locator("#channel-topic")
        topic.get_by_text("Shared with another organisation").wait_for()


def home(text):
    words = {"type": "mrkdwn", "text": text}
    return {"type": "home", "blocks": [{"type": "section", "text": words}]}


def test_every_member_finds_the_app_at_the_side(open_page):
    page = open_page("?as=mia#general")
    page.get_by_test_id("channel-link").filter(has_text="db-agent").click()
    page.get_by_test_id("tab-home").wait_for()


def test_times_are_those_of_whom_the_page_is_seen_as(open_page, you, bot, general):
    you.api_call("workspace.changeUser", json={"user": "U0LOCALYOU", "tz": "Asia/Tokyo"})
    text = f"since <!date^{AT}^{{date_short_pretty}}, {{time}}|some time> or <!date^x^{{time}}|n/a>"
    sent = bot.chat_postMessage(channel=general, text=text)
    page = open_page("#general", timezone_id="America/New_York")
    message = page.get_by_test_id("message")
    message.get_by_text("since 15 Nov 2023, 07:13 or n/a").wait_for()
    assert page.get_by_test_id("zone").inner_text() == "Times in Asia/Tokyo"
    tokyo = datetime.fromtimestamp(float(sent["ts"]) + 9 * 3600, UTC)
    assert message.locator("time").inner_text() == f"{tokyo:%H:%M}"


def test_at_midnight_today_is_another_day(open_page, bot, general):
    bot.chat_postMessage(channel=general, text="before midnight")
    page = open_page("#general")
    page.locator(".day-line").get_by_text("Today").wait_for()
    page.clock.install(time=datetime.now(UTC).timestamp() + 86_400)
    bot.chat_postMessage(channel=general, text="and now")
    page.clock.run_for(1_000)
    page.locator(".day-line").get_by_text("Yesterday").wait_for()
    assert page.locator(".day-line").count() == 1


def test_a_deleted_message_is_by_nobody(open_page, you, general):
    ts = you.chat_postMessage(channel=general, text="slip")["ts"]
    you.chat_postMessage(channel=general, text="a reply", thread_ts=ts)
    you.chat_delete(channel=general, ts=ts)
    page = open_page("#general")
    message = page.get_by_test_id("message")
    message.get_by_text("This message was deleted.").wait_for()
    assert re.sub(r"\s+", " ", message.inner_text()) == (
        "This message was deleted. Y 1 reply last at "
        + message.get_by_test_id("open-thread").inner_text().rpartition(" ")[2]
    )
