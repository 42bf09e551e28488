"""What holds in a channel, as a form for administrators and as what they have set; pure."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Final

from bot.channel_rule import ChannelSettings
from bot.render.blocks import Block, context, section
from bot.render.people import channel_link, member, moment
from bot.render.text import plain

FIELD: Final = "channel_settings"
"""The block and the action of the form's one input, and what its submission is called."""
ALLOWED: Final = "allowed"
FOLLOW_UPS: Final = "follow_ups"
PRIVATE: Final = "private"
GUESTS: Final = "guests"

_TITLE: Final = "Channel settings"
_SHARED: Final = "⚠️ People of another organisation read along in this channel."
_STRANGERS_SEE: Final = "People of another organisation read along, and see the answers."
_NOBODY: Final = "Nobody has set anything for this channel yet."
_LABELS: Final = {
    ALLOWED: ("Answer questions in this channel", ""),
    FOLLOW_UPS: ("Follow-ups without a mention", "A reply in my threads is a question to me."),
    PRIVATE: ("Private answers", "Only the one who asks sees the answer."),
    GUESTS: ("Guests may ask", "Guests of this workspace get data from the database."),
}
_ON: Final = {
    ALLOWED: "Questions are answered here",
    FOLLOW_UPS: "A reply in my threads needs no mention",
    PRIVATE: "Only the one who asks sees an answer",
    GUESTS: "Guests may ask",
}
_OFF: Final = {
    ALLOWED: "No questions are answered here",
    FOLLOW_UPS: "A reply in my threads needs a mention",
    PRIVATE: "Everybody in the channel sees the answers",
    GUESTS: "Guests get no answers",
}


def render_settings_form(
    channel: str, settings: ChannelSettings, outsiders: Collection[str] | None
) -> Block:
    """Return the modal with what holds now.

    `outsiders` are the other organisations that read along, as far as they are named; None where
    there are none. Its submission brings the channel and them back, so that nobody is let in whom
    the administrator has not seen.
    """
    shared = [] if outsiders is None else [section(_SHARED)]
    # One text: a window carries 3,000 characters, and up to 249 organisations read along.
    about = {"channel": channel, "outsiders": None if outsiders is None else _joined(outsiders)}
    return {
        "type": "modal",
        "callback_id": FIELD,
        "title": _text(_TITLE),
        "submit": _text("Save"),
        "close": _text("Cancel"),
        "private_metadata": json.dumps(about),
        "blocks": [
            section(f"Settings for {channel_link(channel)}"),
            *shared,
            _boxes(_on(settings, outsiders), is_shared=outsiders is not None),
            context(f"{_last_set(settings)} All channels ask the same database."),
        ],
    }


def read_settings_form(view: Block, user: str) -> tuple[str, ChannelSettings]:
    """Return the channel of a submitted form, and what `user` has set for it."""
    about = json.loads(view["private_metadata"])
    chosen = view["state"]["values"][FIELD][FIELD].get("selected_options") or ()
    ticked = {str(each["value"]) for each in chosen}
    outsiders = about["outsiders"]
    lets_read = ALLOWED in ticked and outsiders is not None
    return str(about["channel"]), ChannelSettings(
        allowed=ALLOWED in ticked,
        shared_with=frozenset(outsiders.split()) if lets_read else None,
        follow_ups=FOLLOW_UPS in ticked,
        private=PRIVATE in ticked,
        guests=GUESTS in ticked,
        set_by=user,
    )


def render_settings_saved(channel: str, settings: ChannelSettings) -> Block:
    """Return what takes the form's place once it is saved."""
    on = _on(settings, settings.shared_with)
    lines = [f"• {_ON[each] if each in on else _OFF[each]}" for each in _LABELS]
    if settings.shared_with is not None:
        lines.append(f"• {_STRANGERS_SEE}")
    return _said("Saved", f"In {channel_link(channel)} this holds now:\n" + "\n".join(lines))


def render_settings_refused(words: str) -> Block:
    """Return what takes the form's place where nothing was changed."""
    return _said(_TITLE, plain(words))


def settings_error(words: str) -> dict[str, Any]:
    """Return the acknowledgement that keeps the form open and says why."""
    return {"response_action": "errors", "errors": {FIELD: words}}


def _joined(outsiders: Collection[str]) -> str:
    return " ".join(sorted(outsiders))


def _on(settings: ChannelSettings, outsiders: Collection[str] | None) -> frozenset[str]:
    let = settings.shared_with
    may_read = outsiders is None or (let is not None and set(outsiders) <= let)
    states = {
        ALLOWED: settings.allowed and may_read,
        FOLLOW_UPS: settings.follow_ups,
        PRIVATE: settings.private,
        GUESTS: settings.guests,
    }
    return frozenset(name for name, is_on in states.items() if is_on)


def _boxes(on: Collection[str], *, is_shared: bool) -> Block:
    options = {name: _option(name, is_shared=is_shared) for name in _LABELS}
    element: Block = {
        "type": "checkboxes",
        "action_id": FIELD,
        "options": [*options.values()],
    }
    chosen = [option for name, option in options.items() if name in on]
    if chosen:  # Slack takes no empty list
        element["initial_options"] = chosen
    return {
        "type": "input",
        "block_id": FIELD,
        "optional": True,
        "label": _text("Settings"),
        "element": element,
    }


def _option(name: str, *, is_shared: bool) -> Block:
    words, more = _LABELS[name]
    if name == ALLOWED and is_shared:
        more = _STRANGERS_SEE
    option: Block = {"value": name, "text": _text(words)}
    return option | ({"description": _text(more)} if more else {})


def _last_set(settings: ChannelSettings) -> str:
    if not settings.set_by or settings.set_at is None:
        return _NOBODY
    return f"Set by {member(settings.set_by)}, {moment(settings.set_at)}."


def _said(title: str, mrkdwn: str) -> Block:
    return {
        "type": "modal",
        "title": _text(title),
        "close": _text("Close"),
        "blocks": [section(mrkdwn)],
    }


def _text(words: str) -> Block:
    return {"type": "plain_text", "text": words}
