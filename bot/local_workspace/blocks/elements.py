"""Text objects and the elements that stand inside blocks."""

from __future__ import annotations

from bot.local_workspace.blocks.rules import (
    Rule,
    anything,
    at_least_one,
    boolean,
    by_type,
    choice,
    exactly_one,
    listing,
    number,
    shape,
    text,
)

ACTION_ID = text(1, 255)
BLOCK_ID = text(0, 255)
URL = text(1, 3000)


def plain(most: int, least: int = 1) -> Rule:
    """A plain_text object."""
    fields: dict[str, Rule] = {"text": text(least, most), "type": choice("plain_text")}
    return shape(fields, {"emoji": boolean})


def mrkdwn(most: int, least: int = 1) -> Rule:
    """A mrkdwn object."""
    fields: dict[str, Rule] = {"text": text(least, most), "type": choice("mrkdwn")}
    return shape(fields, {"verbatim": boolean})


def either(most: int, least: int = 1) -> Rule:
    """A plain_text or a mrkdwn object."""
    return by_type({"plain_text": plain(most, least), "mrkdwn": mrkdwn(most, least)})


CONFIRM = shape(
    {"title": plain(100), "text": either(300), "confirm": plain(30), "deny": plain(30)},
    {"style": choice("primary", "danger")},
)
OPTION = shape({"text": either(75), "value": text(1, 150)}, {"description": either(75)})
OPTION_GROUP = shape({"label": plain(75), "options": listing(OPTION, 1, 100)})
SLACK_FILE = shape({}, {"id": text(1), "url": text(1)}, exactly_one("id", "url"))

BUTTON = shape(
    {"text": plain(75)},
    {
        "action_id": ACTION_ID,
        "url": URL,
        "value": text(0, 2000),
        "style": choice("primary", "danger"),
        "confirm": CONFIRM,
        "accessibility_label": text(1, 75),
        "agent_prompt": text(1, 4000),
        "agent_prompt_display": anything,
        "visible_to_user_ids": listing(text(1), 0, 10),
    },
)
FEEDBACK_BUTTON = shape(
    {"text": plain(75), "value": text(1, 2000)}, {"accessibility_label": text(1, 75)}
)
FEEDBACK_BUTTONS = shape(
    {"positive_button": FEEDBACK_BUTTON, "negative_button": FEEDBACK_BUTTON},
    {"action_id": ACTION_ID},
)
ICON_BUTTON = shape(
    {"icon": text(1), "text": plain(75)},
    {
        "action_id": ACTION_ID,
        "accessibility_label": text(1, 75),
        "value": text(0, 2000),
        "visible_to_user_ids": listing(text(1), 0, 10),
        "confirm": CONFIRM,
    },
)
OVERFLOW = shape({"options": listing(OPTION, 1, 5)}, {"action_id": ACTION_ID, "confirm": CONFIRM})
IMAGE_ELEMENT = shape(
    {"alt_text": text(1, 2000)},
    {"image_url": URL, "slack_file": SLACK_FILE},
    exactly_one("image_url", "slack_file"),
)

_INPUT: dict[str, Rule] = {
    "action_id": ACTION_ID,
    "placeholder": plain(150),
    "focus_on_load": boolean,
}
_CHOICE: dict[str, Rule] = {**_INPUT, "confirm": CONFIRM}
_OPTIONS: dict[str, Rule] = {
    **_CHOICE,
    "options": listing(OPTION, 1, 100),
    "option_groups": listing(OPTION_GROUP, 1, 100),
}
STATIC_SELECT = shape(
    {}, {**_OPTIONS, "initial_option": OPTION}, at_least_one("options", "option_groups")
)
MULTI_STATIC_SELECT = shape(
    {},
    {**_OPTIONS, "initial_options": listing(OPTION, 1), "max_selected_items": number},
    at_least_one("options", "option_groups"),
)
CHECKBOXES = shape(
    {"options": listing(OPTION, 1, 10)},
    {"action_id": ACTION_ID, "initial_options": listing(OPTION, 1), "confirm": CONFIRM},
)
RADIO_BUTTONS = shape(
    {"options": listing(OPTION, 1, 10)},
    {"action_id": ACTION_ID, "initial_option": OPTION, "confirm": CONFIRM},
)
DATEPICKER = shape({}, {**_CHOICE, "initial_date": text(10, 10)})
USERS_SELECT = shape({}, {**_CHOICE, "initial_user": text(1)})
CHANNELS_SELECT = shape(
    {}, {**_CHOICE, "initial_channel": text(1), "response_url_enabled": boolean}
)
PLAIN_TEXT_INPUT = shape(
    {},
    {
        **_INPUT,
        "initial_value": text(),
        "multiline": boolean,
        "min_length": number,
        "max_length": number,
        "dispatch_action_config": anything,
    },
)
NUMBER_INPUT = shape(
    {"is_decimal_allowed": boolean},
    {**_INPUT, "initial_value": text(), "min_value": text(), "max_value": text()},
)

IN_ACTIONS = by_type(
    {
        "button": BUTTON,
        "overflow": OVERFLOW,
        "static_select": STATIC_SELECT,
        "multi_static_select": MULTI_STATIC_SELECT,
        "checkboxes": CHECKBOXES,
        "radio_buttons": RADIO_BUTTONS,
        "datepicker": DATEPICKER,
        "users_select": USERS_SELECT,
        "channels_select": CHANNELS_SELECT,
    }
)
AS_ACCESSORY = by_type(
    {
        "button": BUTTON,
        "image": IMAGE_ELEMENT,
        "overflow": OVERFLOW,
        "static_select": STATIC_SELECT,
        "checkboxes": CHECKBOXES,
        "radio_buttons": RADIO_BUTTONS,
        "datepicker": DATEPICKER,
    }
)
IN_CONTEXT = by_type({"plain_text": plain(2000), "mrkdwn": mrkdwn(2000), "image": IMAGE_ELEMENT})
IN_CONTEXT_ACTIONS = by_type({"feedback_buttons": FEEDBACK_BUTTONS, "icon_button": ICON_BUTTON})
IN_INPUT = by_type(
    {
        "plain_text_input": PLAIN_TEXT_INPUT,
        "number_input": NUMBER_INPUT,
        "static_select": STATIC_SELECT,
        "multi_static_select": MULTI_STATIC_SELECT,
        "checkboxes": CHECKBOXES,
        "radio_buttons": RADIO_BUTTONS,
        "datepicker": DATEPICKER,
        "users_select": USERS_SELECT,
        "channels_select": CHANNELS_SELECT,
    }
)
