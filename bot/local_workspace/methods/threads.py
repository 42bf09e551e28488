"""thread_ts: which thread a message goes into."""

from __future__ import annotations

import re

from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.values import Channel

_TS = re.compile(r"\d{1,12}\.\d{6}")


def read_thread(call: Call, channel: Channel) -> str | None:
    """The thread to post into.

    Slack refuses a thread_ts that is no timestamp, and quietly misplaces a message whose thread_ts
    is a reply's or was never a message's. This workspace refuses those too, so that the mistake
    is seen. A root that was deleted meanwhile is as in Slack: the message appears in the channel.
    """
    thread_ts = call.text("thread_ts")
    if not thread_ts:
        return None
    if not _TS.fullmatch(thread_ts):
        raise SlackError("invalid_thread_ts", f"[ERROR] {thread_ts} is not a valid thread_ts")
    root = call.world.messages[channel.id].get(thread_ts)
    if root is not None and (root.is_reply or root.ephemeral_to is not None):
        raise SlackError("cannot_reply_to_message")
    if root is None:
        if thread_ts in call.world.gone.get(channel.id, set()):
            return None
        raise SlackError("thread_not_found")
    return thread_ts
