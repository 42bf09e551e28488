"""What no table of the workspace says of itself: when an event comes, what an interaction is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.local_workspace.faults import COUNTED, EVENTS, FILES, RATES, SOCKETS, STREAM, Kind

EVENTS_COME: Final[Mapping[str, str]] = MappingProxyType(
    {
        "app_mention": "a message names the bot in a conversation that it is in, but for messages "
        "of two; also the mention that led to an invitation",
        "message.channels": "a message, an edit or a deletion in a public channel with the bot",
        "message.groups": "the same in a private channel",
        "message.im": "the same in the direct messages of a person and the bot",
        "message.mpim": "the same in direct messages of several",
        "app_home_opened": "a person opens the Home tab or the messages of the app",
        "app_context_changed": "never; a manifest may ask for it",
        "agent_session_stopped": "a person presses Stop",
        "agent_session_title_changed": "never; a manifest may ask for it",
        "channel_archive": "a public channel with the bot is archived",
        "channel_left": "the bot is put out of a public channel, or leaves it",
        "channel_shared": "another organisation comes into a channel with the bot",
        "channel_unarchive": "a public channel with the bot is opened again",
        "channel_unshared": "another organisation is out of a channel with the bot",
        "group_archive": "as channel_archive, private",
        "group_left": "as channel_left, private",
        "group_unarchive": "as channel_unarchive, private",
        "member_joined_channel": "somebody, or the bot itself, comes into a channel",
        "member_left_channel": "somebody, or the bot itself, leaves a channel or is put out",
        "user_change": "a member is another: a guest, deactivated, in another time zone",
        "reaction_added": "an emoji on a message in a conversation with the bot",
        "reaction_removed": "the same, taken back",
        "tokens_revoked": "a token of the app is revoked",
        "app_uninstalled": "the app is removed",
    }
)
INTERACTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "block_actions": "a click in a message, a modal or the Home tab; a trigger_id, and for "
        "messages a response_url",
        "message_action": "a shortcut in the menu of a message; a trigger_id and a response_url",
        "view_submission": "a modal is sent; the acknowledgement may hold `response_action`: "
        "errors, update, push, clear",
        "view_closed": "a modal with `notify_on_close` is closed; `is_cleared`: with all below it",
        "slash_commands": "a slash command, flat; the acknowledgement may hold a first answer",
    }
)
FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(Kind, ""),
        Kind.RATE_LIMIT: "429 with Retry-After",
        Kind.ERROR: "an error by any name",
        Kind.SERVER_ERROR: "a 5xx with a page for people",
        Kind.BREAK: "the connection breaks",
        Kind.SLOW: "the answer comes late, or the connection ends without one",
        "server_error_taken": "a 5xx, though what was asked is done",
        "reset": "the connection breaks before what was asked is done",
        "reset_taken": "and after it",
        "slow_taken": "a late answer to what was done",
        EVENTS[0]: "an event comes again under a new envelope",
        EVENTS[1]: "an event comes again, since its acknowledgement was not heard",
        SOCKETS[0]: "half a frame, and then nothing",
        SOCKETS[1]: "the connection ends without a word",
        SOCKETS[2]: "the connection is to be made anew",
        FILES[0]: "an upload that blocks cannot show",
        FILES[1]: "an upload that takes its time",
        STREAM: "a stream is over before its time",
    }
)
AT_ONCE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "slack_rate_limits": "the tiers above are kept, and one post a second and channel",
        "file_ready_after_s, file_ready_polls": "how long an upload is looked at",
        "stream_life_s, expire_streams": "how long a stream lives; all end now",
        "refuse_stream_blocks": "a stream takes no chunk of blocks",
        "disconnect, drop_sockets, close_sockets": "every connection is asked to end, cut, closed",
    }
)


def ways_of(fault: str) -> str:
    """Return how a fault is had: planned for a method, for the next so many, or at random."""
    ways = [
        ("planned", fault in set(Kind)),
        ("the next so many", fault in COUNTED),
        ("at random", fault in RATES),
    ]
    return ", ".join(name for name, is_so in ways if is_so)
