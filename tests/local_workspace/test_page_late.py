"""The page shows the newest words, also where its calls and its news overtake each other."""

import pytest

pytestmark = pytest.mark.browser


def test_a_message_that_changes_while_its_thread_is_read_shows_its_last_words(
    open_page, bot, mia, general
):
    root = mia.chat_postMessage(channel=general, text="question")["ts"]
    card = bot.chat_postMessage(channel=general, thread_ts=root, text="working on it")["ts"]
    gone = bot.chat_postMessage(channel=general, thread_ts=root, text="soon gone")["ts"]
    page = open_page("#general")

    def answer_late(route):
        answer = route.fetch()
        bot.chat_update(channel=general, ts=card, text="the answer")
        bot.chat_delete(channel=general, ts=gone)
        # A change of the channel itself, told after the others: so the page has heard of them.
        bot.chat_postMessage(channel=general, text="told")
        page.get_by_test_id("message").get_by_text("told").wait_for()
        route.fulfill(response=answer)

    page.route("**/api/workspace.messages", lambda route: in_thread(route, root, answer_late))
    page.get_by_test_id("open-thread").click()
    thread = page.locator("#thread-messages").get_by_test_id("message")
    thread.get_by_text("the answer").wait_for()
    assert thread.get_by_text("working on it").count() == 0
    assert thread.get_by_text("soon gone").count() == 0


def in_thread(route, root, handle):
    if (route.request.post_data_json or {}).get("thread_ts") == root:
        handle(route)
    else:
        route.continue_()
