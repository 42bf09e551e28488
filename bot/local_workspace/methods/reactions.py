"""reactions.*"""

from __future__ import annotations

import re

from bot.local_workspace import happenings
from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.values import Json, Message

_NAME = re.compile(r"[a-z0-9_+\-']{1,100}(?:::skin-tone-[2-6])?")
MAX_EMOJI = 23


def add(call: Call) -> Json:
    """Adds an emoji by name, once a member."""
    message, name = _target(call)
    users = message.reactions.setdefault(name, [])
    if call.user_id in users:
        raise SlackError("already_reacted")
    if len(message.reactions) > MAX_EMOJI:
        del message.reactions[name]
        raise SlackError("too_many_emoji")
    users.append(call.user_id)
    happenings.reacted(call.workspace, message, call.user_id, name, added=True)
    return {}


def remove(call: Call) -> Json:
    """Takes one's own emoji back; no_reaction when there is none."""
    message, name = _target(call)
    users = message.reactions.get(name, [])
    if call.user_id not in users:
        raise SlackError("no_reaction")
    users.remove(call.user_id)
    if not users:
        del message.reactions[name]
    happenings.reacted(call.workspace, message, call.user_id, name, added=False)
    return {}


def _target(call: Call) -> tuple[Message, str]:
    name = call.text("name").strip(":")
    if not _NAME.fullmatch(name):
        raise SlackError("invalid_name")
    if not call.text("timestamp"):
        raise SlackError("no_item_specified")
    channel = call.open_channel()
    return call.world.message(channel.id, call.text("timestamp")), name
