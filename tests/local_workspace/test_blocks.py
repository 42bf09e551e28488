"""Blocks: the limits and rules of Slack, each refused with a message that names the path."""

import pytest


def mrkdwn(text="x"):
    return {"type": "mrkdwn", "text": text}


def plain(text="x"):
    return {"type": "plain_text", "text": text}


def section(text="x", **more):
    return {"type": "section", "text": mrkdwn(text), **more}


def button(text="Go", **more):
    return {"type": "button", "text": plain(text), "action_id": "go", **more}


def actions(*elements, **more):
    return {"type": "actions", "elements": list(elements), **more}


def cell(text="1"):
    return {"type": "raw_text", "text": text}


def table(*rows, **more):
    return {"type": "table", "rows": [list(row) for row in rows], **more}


def feedback(**more):
    side = {"text": plain("Good"), "value": "good"}
    buttons = {"positive_button": side, "negative_button": {**side, "value": "bad"}}
    return {"type": "feedback_buttons", "action_id": "vote", **buttons, **more}


def rich(*parts):
    return {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": list(parts)}],
    }


GOOD = {
    "section": section("x" * 3000, expand=True),
    "fields": {"type": "section", "fields": [mrkdwn("x" * 2000)] + [mrkdwn()] * 9},
    "accessory": section(accessory=button()),
    "header": {"type": "header", "text": plain("x" * 150)},
    "divider": {"type": "divider"},
    "context": {"type": "context", "elements": [mrkdwn()] * 10},
    "actions": actions(*[button(action_id=f"a{n}") for n in range(25)]),
    "button": actions(button("x" * 75, value="v" * 2000, style="danger")),
    "confirm": actions(
        button(confirm={"title": plain(), "text": mrkdwn(), "confirm": plain(), "deny": plain()})
    ),
    "feedback": {"type": "context_actions", "elements": [feedback()]},
    "icon": {
        "type": "context_actions",
        "elements": [{"type": "icon_button", "icon": "trash", "text": plain(), "action_id": "t"}],
    },
    "markdown": {"type": "markdown", "text": "x" * 12_000},
    "image": {"type": "image", "image_url": "https://example.org/x.png", "alt_text": "x"},
    "rich_text": rich({"type": "text", "text": "x", "style": {"bold": True}}),
    "table": table(*[[cell()] * 20] * 100, column_settings=[{"align": "right"}, None]),
    "rich_cell": table([rich({"type": "text", "text": "x"}), cell()]),
    "task_card": {"type": "task_card", "task_id": "1", "title": "Look", "status": "complete"},
    "plan": {
        "type": "plan",
        "title": "Plan",
        "tasks": [{"type": "task_card", "task_id": "1", "title": "x", "status": "error"}],
    },
}


@pytest.mark.parametrize("block", GOOD.values(), ids=GOOD)
def test_blocks_at_their_limits_are_accepted(bot, general, block):
    message = bot.chat_postMessage(channel=general, text="x", blocks=[block])["message"]
    shown = message["blocks"][0]
    assert shown.pop("block_id")
    assert shown == {each: value for each, value in block.items() if each != "block_id"}


BAD = {
    # block, what the message says, the path that it names
    "unknown type": ({"type": "shrug"}, "unsupported type: shrug", "/blocks/0/type"),
    "no type": ({"text": plain()}, "missing required field: type", "/blocks/0"),
    "unknown field": (section(color="red"), "invalid additional property: color", "/blocks/0"),
    "section 3001": (section("x" * 3001), "must be less than 3001", "/blocks/0/text/text"),
    "section empty text": (section(""), "must be more than 0", "/blocks/0/text/text"),
    "section empty": ({"type": "section"}, "text, fields", "/blocks/0"),
    "section text string": ({"type": "section", "text": "x"}, "object", "/blocks/0/text"),
    "field 2001": (
        {"type": "section", "fields": [mrkdwn("x" * 2001)]},
        "must be less than 2001",
        "/blocks/0/fields/0/text",
    ),
    "11 fields": ({"type": "section", "fields": [mrkdwn()] * 11}, "10", "/blocks/0/fields"),
    "header 151": (
        {"type": "header", "text": plain("x" * 151)},
        "must be less than 151",
        "/blocks/0/text/text",
    ),
    "header mrkdwn": ({"type": "header", "text": mrkdwn()}, "plain_text", "/blocks/0/text/type"),
    "11 context": ({"type": "context", "elements": [mrkdwn()] * 11}, "10", "/blocks/0/elements"),
    "26 actions": (
        actions(*[button(action_id=f"a{n}") for n in range(26)]),
        "no more than 25 items",
        "/blocks/0/elements",
    ),
    "6 context actions": (
        {"type": "context_actions", "elements": [feedback(action_id=f"{n}") for n in range(6)]},
        "no more than 5 items",
        "/blocks/0/elements",
    ),
    "button in context actions": (
        {"type": "context_actions", "elements": [button()]},
        "unsupported type: button",
        "/blocks/0/elements/0/type",
    ),
    "button 76": (actions(button("x" * 76)), "76", "/blocks/0/elements/0/text/text"),
    "button value": (actions(button(value="v" * 2001)), "2001", "/blocks/0/elements/0/value"),
    "button style": (actions(button(style="loud")), "primary", "/blocks/0/elements/0/style"),
    "action_id 256": (
        actions(button(action_id="x" * 256)),
        "256",
        "/blocks/0/elements/0/action_id",
    ),
    "action_id twice": (
        actions(button(), button()),
        "`action_id` go already exists",
        "/blocks/0/elements/1/action_id",
    ),
    "block_id 256": (section(block_id="x" * 256), "256", "/blocks/0/block_id"),
    "markdown 12001": ({"type": "markdown", "text": "x" * 12_001}, "12001", "/blocks/0/text"),
    "image without alt": (
        {"type": "image", "image_url": "https://example.org"},
        "missing required field: alt_text",
        "/blocks/0",
    ),
    "image with two sources": (
        {
            "type": "image",
            "alt_text": "x",
            "image_url": "https://example.org",
            "slack_file": {"id": "F1"},
        },
        "exactly one",
        "/blocks/0",
    ),
    "image without source": ({"type": "image", "alt_text": "x"}, "exactly one", "/blocks/0"),
    "table 101 rows": (table(*[[cell()]] * 101), "no more than 100", "/blocks/0/rows"),
    "table 21 columns": (table([cell()] * 21), "no more than 20", "/blocks/0/rows/0"),
    "table no rows": (table(), "no fewer than 1", "/blocks/0/rows"),
    "table empty cell": (table([cell("")]), "more than 0", "/blocks/0/rows/0/0/text"),
    "table uneven": (table([cell()], [cell(), cell()]), "same number", "/blocks/0/rows"),
    "table raw_number": (
        table([{"type": "raw_number", "value": 1, "text": "1"}]),
        "unsupported type: raw_number",
        "/blocks/0/rows/0/0/type",
    ),
    "table align": (
        table([cell()], column_settings=[{"align": "middle"}]),
        "left, center, right",
        "/blocks/0/column_settings/0/align",
    ),
    "rich text part": (
        rich({"type": "blink", "text": "x"}),
        "unsupported type: blink",
        "/blocks/0/elements/0/elements/0/type",
    ),
    "task status": (
        {"type": "task_card", "task_id": "1", "title": "x", "status": "completed"},
        "must be one of",
        "/blocks/0/status",
    ),
    "input in a message": (
        {"type": "input", "label": plain(), "element": {"type": "plain_text_input"}},
        "unsupported type: input",
        "/blocks/0/type",
    ),
}


@pytest.mark.parametrize(("block", "says", "path"), BAD.values(), ids=BAD)
def test_a_wrong_block_is_refused_and_its_path_named(bot, general, refused, block, says, path):
    body = refused(
        "invalid_blocks", bot.chat_postMessage, channel=general, text="x", blocks=[block]
    )
    messages = body["response_metadata"]["messages"]
    assert any(says in each and f"[json-pointer:{path}]" in each for each in messages), messages


def test_fifty_blocks_and_no_more(bot, general, refused):
    divider = {"type": "divider"}
    bot.chat_postMessage(channel=general, text="x", blocks=[divider] * 50)
    post = {"channel": general, "text": "x", "blocks": [divider] * 51}
    body = refused("invalid_blocks", bot.chat_postMessage, **post)
    assert "no more than 50 items" in body["response_metadata"]["messages"][0]


def test_blocks_that_are_no_list_are_a_format_error(bot, general, refused):
    for wrong in ('{"type": "divider"}', '["divider"]', "nonsense"):
        refused(
            "invalid_blocks_format", bot.chat_postMessage, channel=general, text="x", blocks=wrong
        )


def test_block_ids_are_unique_in_a_message(bot, general, refused):
    twice = [section(block_id="b"), section(block_id="b")]
    body = refused("invalid_blocks", bot.chat_postMessage, channel=general, text="x", blocks=twice)
    assert "`block_id` b already exists" in body["response_metadata"]["messages"][0]
    given = [section(block_id="b0"), section()]
    shown = bot.chat_postMessage(channel=general, text="x", blocks=given)["message"]["blocks"]
    assert shown[0]["block_id"] == "b0" != shown[1]["block_id"]


def test_the_same_action_id_may_stand_in_two_blocks(bot, general):
    bot.chat_postMessage(channel=general, text="x", blocks=[actions(button()), actions(button())])


def test_one_table_a_message(bot, general, refused):
    two = [table([cell()]), table([cell()])]
    body = refused(
        "invalid_attachments", bot.chat_postMessage, channel=general, text="x", blocks=two
    )
    assert "only_one_table_allowed" in body["response_metadata"]["messages"][0]


def test_table_cells_hold_10000_characters_together(bot, general, refused):
    post = {"channel": general, "text": "x"}
    bot.chat_postMessage(**post, blocks=[table([cell("x" * 5000), cell("y" * 5000)])])
    over = [table([cell("x" * 5000), cell("y" * 5001)])]
    refused("invalid_blocks", bot.chat_postMessage, **post, blocks=over)


def test_markdown_blocks_hold_12000_characters_together(bot, general, refused):
    half = {"type": "markdown", "text": "x" * 6000}
    post = {"channel": general, "text": "x"}
    bot.chat_postMessage(**post, blocks=[half, half])
    more = {"type": "markdown", "text": "x"}
    refused("msg_too_long", bot.chat_postMessage, **post, blocks=[half, half, more])


def test_all_block_text_together_has_13000_characters(bot, general, refused):
    fits = [section("x" * 3000)] * 4 + [section("x" * 1000)]
    post = {"channel": general, "text": "x"}
    bot.chat_postMessage(**post, blocks=fits)
    refused("msg_blocks_too_long", bot.chat_postMessage, **post, blocks=[*fits, section("x")])


def test_update_ephemeral_and_response_check_blocks_too(bot, general, refused):
    ts = bot.chat_postMessage(channel=general, text="x")["ts"]
    bad = [{"type": "shrug"}]
    refused("invalid_blocks", bot.chat_update, channel=general, ts=ts, text="x", blocks=bad)
    to_you = {"channel": general, "user": "U0LOCALYOU", "text": "x"}
    refused("invalid_blocks", bot.chat_postEphemeral, **to_you, blocks=bad)
