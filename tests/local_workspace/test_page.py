"""The page in a real browser: write, read, click, and nothing typed or answered runs as code."""

import urllib.request

import pytest

pytestmark = pytest.mark.browser

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da63"
    "fccff0bf1e0005fe02fea72d1d7b0000000049454e44ae426082"
)


@pytest.fixture
def hurry(hurry):
    # A browser, or Bolt, on a busy machine needs more than the half second of the other tests.
    return {**hurry, "ack_within": 1.0}


def section(text):
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def messages(page):
    return page.locator("#messages").get_by_test_id("message")


def thread(page):
    return page.locator("#thread-messages").get_by_test_id("message")


def test_it_says_what_it_is(start, chromium):
    workspace = start(about="db-agent answers with the offline model")
    context = chromium.new_context()
    page = context.new_page()
    page.goto(workspace.url)
    banner = page.get_by_role("note")
    banner.get_by_text("db-agent answers with the offline model").wait_for()
    assert "not Slack, a stand-in on this machine" in banner.inner_text()
    context.close()


def test_writing_a_message_with_a_mention_from_the_completion(open_page, you, workspace, general):
    page = open_page("#general")
    box = page.get_by_test_id("composer")
    box.press_sequentially("@db")
    page.get_by_role("option", name="@db-agent").wait_for()
    box.press("Tab")
    box.press_sequentially("is 1 < 2 & so on?")
    box.press("Enter")
    messages(page).get_by_text("is 1 < 2 & so on?").wait_for()
    assert box.input_value() == ""
    stored = you.conversations_history(channel=general)["messages"][0]["text"]
    assert stored == f"<@{workspace.bot_user_id}> is 1 &lt; 2 &amp; so on?"


TYPED = {
    "@db-agent, hi": "<@BOT>, hi",
    "hi @mia.": "hi <@U0LOCALMIA>.",
    "mail a@mia.org": "mail a@mia.org",
    "in #general: x": "in <#C0LOCALGEN>: x",
    "@nobody #nowhere": "@nobody #nowhere",
    "<@U0LOCALMIA> <!here>": "&lt;@U0LOCALMIA&gt; &lt;!here&gt;",
}


def test_what_is_typed_becomes_slack_s_text(open_page, you, workspace, general):
    page = open_page("#general")
    for number, typed in enumerate(TYPED):
        page.get_by_test_id("composer").fill(typed)
        page.get_by_test_id("composer-send").click()
        messages(page).nth(number).wait_for()
    history = you.conversations_history(channel=general)["messages"]
    stored = [each["text"].replace(workspace.bot_user_id, "BOT") for each in reversed(history)]
    assert stored == list(TYPED.values())


def test_shift_enter_starts_a_line(open_page, you, general):
    page = open_page("#general")
    box = page.get_by_test_id("composer")
    box.press_sequentially("one")
    box.press("Shift+Enter")
    box.press_sequentially("two")
    box.press("Enter")
    messages(page).first.wait_for()
    assert you.conversations_history(channel=general)["messages"][0]["text"] == "one\ntwo"


def test_messages_appear_change_and_go_as_they_happen(open_page, bot, general):
    page = open_page("#general")
    ts = bot.chat_postMessage(channel=general, text="first words")["ts"]
    messages(page).get_by_text("first words").wait_for()
    bot.chat_update(channel=general, ts=ts, text="second thoughts")
    messages(page).get_by_text("second thoughts").wait_for()
    bot.chat_delete(channel=general, ts=ts)
    messages(page).get_by_text("second thoughts").wait_for(state="detached")


def test_a_thread_opens_is_answered_and_closes(open_page, bot, you, mia, general):
    root = mia.chat_postMessage(channel=general, text="question")["ts"]
    bot.chat_postMessage(channel=general, thread_ts=root, text="answer")
    page = open_page("#general")
    page.get_by_test_id("open-thread").click()
    thread(page).get_by_text("answer").wait_for()
    assert f"thread={root}" in page.url
    page.get_by_test_id("thread-composer").fill("thanks")
    page.get_by_test_id("thread-composer").press("Enter")
    thread(page).get_by_text("thanks").wait_for()
    assert you.conversations_replies(channel=general, ts=root)["messages"][2]["text"] == "thanks"
    page.keyboard.press("Escape")
    page.get_by_test_id("thread-pane").wait_for(state="hidden")


def test_the_thread_of_an_answer_opens_by_itself(open_page, bot, you, general):
    page = open_page("#general")
    page.get_by_test_id("composer").fill("@db-agent how many?")
    page.get_by_test_id("composer").press("Enter")
    messages(page).get_by_text("how many?").wait_for()
    ts = you.conversations_history(channel=general)["messages"][0]["ts"]
    bot.assistant_threads_setStatus(
        channel_id=general, thread_ts=ts, status="is thinking…", loading_messages=["Reading film"]
    )
    status = page.get_by_test_id("thread-pane").get_by_test_id("status")
    status.get_by_text("db-agent is thinking…").wait_for()
    status.get_by_text("Reading film").wait_for()
    bot.chat_postMessage(channel=general, thread_ts=ts, text="42")
    thread(page).get_by_text("42").wait_for()
    status.wait_for(state="detached")


def test_deep_links(open_page, bot, general):
    root = bot.chat_postMessage(channel=general, text="root")["ts"]
    reply = bot.chat_postMessage(channel=general, thread_ts=root, text="deep down")["ts"]
    link = bot.chat_getPermalink(channel=general, message_ts=reply)["permalink"]
    page = open_page(link.partition("/?")[2].join(["?", ""]))
    thread(page).get_by_text("deep down").wait_for()
    page = open_page("#data")
    page.get_by_role("heading", name="#data").wait_for()


def test_going_through_the_channels_and_what_is_unread(open_page, mia, workspace):
    page = open_page("#general")
    link = page.get_by_test_id("channel-link").filter(has_text="data")
    mia.chat_postMessage(channel=workspace.channels["data"], text="<@U0LOCALYOU> look")
    page.locator(".channel-link.unread .count").wait_for()
    link.click()
    messages(page).get_by_text("@You look").wait_for()
    page.locator(".new-line").wait_for()
    assert page.locator(".channel-link.unread").count() == 0
    page.go_back()
    page.get_by_role("heading", name="#general").wait_for()


def test_every_block_type_is_drawn(open_page, bot, general, workspace):
    upload = bot.files_getUploadURLExternal(filename="chart.png", length=len(PNG))
    urllib.request.urlopen(upload["upload_url"], data=PNG, timeout=5).close()
    bot.files_completeUploadExternal(files=[{"id": upload["file_id"]}])
    cell = [{"type": "raw_text", "text": each} for each in ("Category", "Revenue")]
    row = [{"type": "raw_text", "text": each} for each in ("Sports", "5,314.21")]
    rich = [{"type": "text", "text": "rich", "style": {"bold": True}}]
    task = {"type": "task_card", "task_id": "1", "title": "Look", "status": "complete"}
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": "Head :warning:"}},
        section("*bold* _it_ ~no~ `code` <https://example.org|link>\n&gt; quoted"),
        {"type": "divider"},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "small print"}]},
        {
            "type": "table",
            "rows": [cell, row],
            "column_settings": [None, {"align": "right"}],
        },
        {"type": "image", "slack_file": {"id": upload["file_id"]}, "alt_text": "A chart"},
        {"type": "image", "image_url": "https://example.org/x.png", "alt_text": "elsewhere"},
        {"type": "markdown", "text": "## Title\n\n- [x] done\n\n|a|b|\n|-|-:|\n|1|2|"},
        {
            "type": "rich_text",
            "elements": [{"type": "rich_text_section", "elements": rich}],
        },
        {"type": "plan", "title": "Plan", "tasks": [task]},
    ]
    bot.chat_postMessage(channel=general, text="x", blocks=blocks)
    page = open_page("#general")
    card = page.get_by_test_id("card")
    assert card.get_by_role("heading", name="Head ⚠️").is_visible()
    for tag, words in (("strong", "bold"), ("em", "it"), ("s", "no"), ("code", "code")):
        assert card.locator(tag, has_text=words).first.is_visible()
    assert card.get_by_role("link", name="link", exact=True).get_attribute("rel") == (
        "noopener noreferrer nofollow"
    )
    assert card.locator("blockquote").inner_text() == "quoted"
    table = card.get_by_test_id("table")
    assert table.get_by_role("columnheader").all_inner_texts() == ["Category", "Revenue"]
    number = table.get_by_role("cell", name="5,314.21")
    assert number.evaluate("each => getComputedStyle(each).textAlign") == "right"
    chart = card.get_by_test_id("chart-image")
    assert chart.get_attribute("alt") == "A chart"
    assert chart.evaluate("each => each.decode().then(() => each.naturalWidth)") == 1
    assert card.locator("img").count() == 1, "a foreign picture is never fetched"
    assert card.locator(".markdown input[type=checkbox]").is_checked()
    assert card.get_by_test_id("task").get_attribute("data-status") == "complete"
    chart.click()
    page.get_by_role("dialog", name="Image").get_by_text("A chart").wait_for()
    page.keyboard.press("Escape")


def test_nothing_in_a_message_runs_as_code(open_page, bot, you, general):
    evil = "<img src=x onerror=alert(1)><script>alert(1)</script>"
    link = "<javascript:alert(1)|click> [x](javascript:alert(1))"
    text = {"type": "plain_text", "text": evil[:75]}
    blocks = [
        section(evil),
        section(link),
        {"type": "markdown", "text": f"{evil}\n\n{link}"},
        {"type": "table", "rows": [[{"type": "raw_text", "text": evil}]]},
        {"type": "actions", "elements": [{"type": "button", "action_id": "x", "text": text}]},
        {"type": "task_card", "task_id": "1", "title": evil, "status": "complete"},
    ]
    bot.chat_postMessage(channel=general, text=evil, blocks=blocks)
    you.chat_postMessage(channel=general, text=evil)
    page = open_page("#general")
    messages(page).nth(1).wait_for()
    assert page.locator("#messages script, #messages img").count() == 0
    addresses = page.locator("#messages a").evaluate_all("all => all.map(each => each.href)")
    assert not [each for each in addresses if each.startswith("javascript")]


def button(text, action_id, **more):
    label = {"type": "plain_text", "text": text}
    return {"type": "button", "action_id": action_id, "text": label, **more}


def test_buttons_answer_fail_and_ask_first(open_page, bolt, bot, general):
    label = {"type": "plain_text", "text": "Sure?"}
    sure = {"title": label, "text": label, "confirm": label, "deny": {**label, "text": "No"}}
    elements = [button("Show SQL", "sql"), button("Why", "why", confirm=sure)]
    bot.chat_postMessage(
        channel=general, text="x", blocks=[{"type": "actions", "elements": elements}]
    )

    @bolt.event("message")
    def ignore():
        pass

    @bolt.action("sql")
    def sql(ack, respond):
        ack()
        respond(text="```SELECT 1```", replace_original=False)

    page = open_page("#general")
    page.get_by_role("button", name="Show SQL").click()
    messages(page).get_by_text("Only visible to you").wait_for()
    assert messages(page).locator("pre", has_text="SELECT 1").is_visible()
    page.get_by_role("button", name="Why").click()
    page.locator("#ask").get_by_role("button", name="No").click()
    assert page.get_by_role("alert").count() == 0
    page.get_by_role("button", name="Why").click()
    page.locator("#ask").get_by_role("button", name="Sure?").click()
    # No listener answers: after the deadline the person is told.
    page.get_by_role("alert").get_by_text("operation_timeout").wait_for()


def test_feedback_stays_pressed(open_page, bolt, bot, general):
    side = {"text": {"type": "plain_text", "text": "Good"}, "value": "up"}
    vote = {
        "type": "feedback_buttons",
        "action_id": "vote",
        "positive_button": side,
        "negative_button": {**side, "value": "down"},
    }
    votes = []

    @bolt.event("message")
    def ignore():
        pass

    @bolt.action("vote")
    def take(ack, action):
        votes.append(action["value"])
        ack()

    bot.chat_postMessage(
        channel=general, text="x", blocks=[{"type": "context_actions", "elements": [vote]}]
    )
    page = open_page("#general")
    page.get_by_test_id("feedback-down").click()
    page.locator("[data-testid=feedback-down][aria-pressed=true]").wait_for()
    assert votes == ["down"]


def test_a_slash_command_from_the_composer(open_page, bolt, general):
    @bolt.event("message")
    def ignore():
        pass

    @bolt.command("/ask")
    def ask(ack, command):
        ack(f"You asked: {command['text']}")

    page = open_page("#general")
    box = page.get_by_test_id("composer")
    box.press_sequentially("/a")
    page.get_by_role("option").get_by_text("/ask question").wait_for()
    box.press("Enter")
    box.press_sequentially("how many films")
    box.press("Enter")
    messages(page).get_by_text("You asked: how many films").wait_for()
    box.fill("/nothing")
    box.press("Enter")
    page.get_by_test_id("notice").get_by_text("unknown_command").wait_for()


def test_a_command_without_an_app_says_so(open_page):
    page = open_page("#general")
    page.get_by_test_id("composer").fill("/ask x")
    page.get_by_test_id("composer").press("Enter")
    page.get_by_test_id("notice").get_by_text("the app is not connected").wait_for()


def test_an_app_that_is_not_in_the_channel_can_be_invited(open_page, link, bot, workspace):
    socket = link()
    page = open_page(f"#{workspace.channels['finance-private']}")
    page.get_by_test_id("composer").fill("@db-agent hello")
    page.get_by_test_id("composer").press("Enter")
    page.get_by_role("button", name="Invite db-agent").click()
    assert socket.take_event()["type"] == "app_mention"
    page.get_by_text("3 members").wait_for()


def test_a_modal_is_filled_in_corrected_and_sent(open_page, bolt, bot, general):
    label = {"type": "plain_text", "text": "Reason"}
    view = {
        "type": "modal",
        "callback_id": "why",
        "title": {**label, "text": "Tell us"},
        "submit": {**label, "text": "Send"},
        "blocks": [
            {
                "type": "input",
                "block_id": "r",
                "label": label,
                "element": {"type": "plain_text_input", "action_id": "t"},
            }
        ],
    }
    got = []

    @bolt.event("message")
    def ignore():
        pass

    @bolt.action("open")
    def begin(ack, body, client):
        ack()
        client.views_open(trigger_id=body["trigger_id"], view=view)

    @bolt.view("why")
    def take(ack, view):
        got.append(view["state"]["values"]["r"]["t"]["value"])
        if len(got) == 1:
            ack(response_action="errors", errors={"r": "Say more"})
        else:
            ack()

    elements = [button("Open", "open")]
    bot.chat_postMessage(
        channel=general, text="x", blocks=[{"type": "actions", "elements": elements}]
    )
    page = open_page("#general")
    page.get_by_role("button", name="Open", exact=True).click()
    modal = page.get_by_test_id("modal")
    modal.get_by_label("Reason").fill("no")
    modal.get_by_role("button", name="Send").click()
    modal.get_by_text("Say more").wait_for()
    modal.get_by_label("Reason").fill("the month is wrong")
    modal.get_by_role("button", name="Send").click()
    modal.wait_for(state="hidden")
    assert got == ["no", "the month is wrong"]


def test_the_app_s_home_and_prompts(open_page, bot, you, dm):
    home = {"type": "home", "blocks": [section("Welcome *home*")]}
    bot.views_publish(user_id="U0LOCALYOU", view=home)
    prompt = {"title": "Films", "message": "How many films?"}
    bot.assistant_threads_setSuggestedPrompts(channel_id=dm, prompts=[prompt])
    page = open_page(f"#{dm}")
    page.get_by_test_id("tab-home").click()
    page.get_by_test_id("app-home").get_by_text("Welcome").wait_for()
    page.get_by_test_id("tab-messages").click()
    page.get_by_test_id("prompt").click()
    messages(page).get_by_text("How many films?").wait_for()
    opened = [
        row["payload"]["event"]["tab"]
        for row in you.api_call("workspace.deliveries")["deliveries"]
        if row["payload"]["event"]["type"] == "app_home_opened"
    ]
    assert opened == ["messages", "home", "messages"]


def test_files_reactions_editing_and_deleting(open_page, bot, you, general):
    bot.files_upload_v2(channel=general, filename="rows.csv", content="a\n1\n", title="Rows")
    page = open_page("#general")
    with page.expect_download() as download:
        page.get_by_test_id("file").click()
    with open(download.value.path()) as file:
        assert file.read() == "a\n1\n"
    ts = you.chat_postMessage(channel=general, text="tpyo")["ts"]
    mine = page.locator(f'[data-ts="{ts}"]')
    mine.hover()
    mine.get_by_role("button", name="React with eyes").click()
    mine.locator(".reaction", has_text="👀 1").wait_for()
    mine.hover()
    mine.get_by_role("button", name="Edit").click()
    page.get_by_label("Edit message").fill("typo")
    page.get_by_label("Edit message").press("Enter")
    mine.get_by_text("typo").wait_for()
    mine.hover()
    mine.get_by_role("button", name="Delete").click()
    page.locator("#ask").get_by_role("button", name="Delete").click()
    mine.wait_for(state="detached")


def test_stop_is_told_to_the_app(open_page, bot, you, dm):
    root = you.chat_postMessage(channel=dm, text="q")["ts"]
    page = open_page(f"?channel={dm}&thread={root}")
    bot.assistant_threads_setStatus(channel_id=dm, thread_ts=root, status="is thinking…")
    page.get_by_test_id("stop").click()

    def stopped():
        rows = you.api_call("workspace.deliveries")["deliveries"]
        return any(r["payload"]["event"]["type"] == "agent_session_stopped" for r in rows)

    page.wait_for_timeout(200)
    assert stopped()


def test_it_is_usable_400_pixels_wide(open_page, bot, general):
    root = bot.chat_postMessage(channel=general, text="root")["ts"]
    bot.chat_postMessage(channel=general, thread_ts=root, text="deep down")
    page = open_page("#general", viewport={"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    page.get_by_role("button", name="Channels").click()
    page.get_by_test_id("channel-link").filter(has_text="data").click()
    page.get_by_role("heading", name="#data").wait_for()
    page.go_back()
    page.get_by_test_id("open-thread").click()
    thread(page).get_by_text("deep down").wait_for()
    page.get_by_role("button", name="Close the thread").click()
    messages(page).get_by_text("root").wait_for()


def test_it_comes_back_when_another_run_answers_at_its_port(start, manifest, chromium, workspace):
    first = start(manifest)
    context = chromium.new_context()
    page = context.new_page()
    page.goto(first.url)
    page.wait_for_selector("body[data-ready]")
    port = int(first.url.rstrip("/").rpartition(":")[2])
    first.stop()
    page.locator("#connection").wait_for()
    second = start(manifest, port=port, about="the second run")
    page.get_by_text("the second run").wait_for(timeout=15_000)
    assert second.url == first.url
    context.close()


def test_a_long_answer_is_shown_from_its_top(open_page, bot, you, dm):
    root = you.chat_postMessage(channel=dm, text="q")["ts"]
    page = open_page(f"?channel={dm}&thread={root}")
    lines = "\n".join(f"line {number}" for number in range(60))
    blocks = [section(":warning: *No query was run*"), section(lines)]
    bot.chat_postMessage(channel=dm, thread_ts=root, text="x", blocks=blocks)
    warning = thread(page).get_by_text("No query was run")
    warning.wait_for()
    page.wait_for_timeout(100)
    inside = page.locator("#thread-scroller").bounding_box()
    assert warning.bounding_box()["y"] >= inside["y"]


def test_who_has_scrolled_away_is_not_pulled_back(open_page, bot, general):
    for number in range(30):
        bot.chat_postMessage(channel=general, text=f"line {number}\n\nand more")
    page = open_page("#general")
    messages(page).get_by_text("line 29").wait_for()
    page.locator("#scroller").hover()
    page.mouse.wheel(0, -1500)
    page.wait_for_timeout(200)
    before = page.locator("#scroller").evaluate("each => each.scrollTop")
    bot.chat_postMessage(channel=general, text="the newest")
    jump = page.locator("#channel").get_by_test_id("jump")
    jump.wait_for()
    assert page.locator("#scroller").evaluate("each => each.scrollTop") == before
    jump.click()
    page.wait_for_timeout(100)
    assert messages(page).get_by_text("the newest").is_visible()
    jump.wait_for(state="hidden")


def test_an_empty_channel_says_whom_to_ask_and_how(start, manifest, chromium, workspace):
    prompt = {"title": "Films", "message": "how many films?"}
    manifest["features"]["agent_view"]["suggested_prompts"] = [prompt]
    workspace = start(manifest)
    context = chromium.new_context()
    page = context.new_page()
    page.goto(workspace.url)
    page.get_by_text("Write @db-agent and your question, or /ask.").wait_for()
    page.get_by_role("button", name="Films").click()
    messages(page).get_by_text("@db-agent how many films?").wait_for()
    context.close()
