"""conversations.*: channels, their members, and what was said in them."""

from __future__ import annotations

from bot.local_workspace.errors import SlackError
from bot.local_workspace.methods.call import Call
from bot.local_workspace.shown import message_json
from bot.local_workspace.values import Channel, ChannelKind, Json, Message
from bot.local_workspace.world import READ_SCOPES


def info(call: Call) -> Json:
    """One channel."""
    channel = call.channel()
    call.need_scope_for(channel, "read")
    return {"channel": channel.as_slack(call.user_id, call.world.team_id)}


def list_all(call: Call) -> Json:
    """Channels by `types`; private ones only to their members."""
    wanted = set((call.text("types") or "public_channel").split(","))
    kinds: dict[str, ChannelKind] = {
        "public_channel": "channel",
        "private_channel": "group",
        "mpim": "mpim",
        "im": "im",
    }
    chosen = {kinds[each] for each in wanted if each in kinds}
    for kind in sorted(chosen):
        call.need_scope(f"{READ_SCOPES[kind]}:read")
    channels = [
        channel.as_slack(call.user_id, call.world.team_id)
        for channel in call.world.channels.values()
        if channel.kind in chosen
        and (call.user_id in channel.members or channel.is_known_to(call.world.users[call.user_id]))
        and not (channel.is_archived and call.flag("exclude_archived"))
    ]
    return {"channels": channels, "response_metadata": {"next_cursor": ""}}


def members(call: Call) -> Json:
    """The ids of the members of a channel."""
    channel = call.channel()
    call.need_scope_for(channel, "read")
    return {"members": list(channel.members), "response_metadata": {"next_cursor": ""}}


def history(call: Call) -> Json:
    """Messages of a channel, newest first, without the replies."""
    channel = _readable(call)
    shown = [
        message
        for message in call.world.messages[channel.id].values()
        if message.ephemeral_to is None and (not message.is_reply or message.broadcast)
    ]
    return _page(call, shown[::-1], most=999, newest_first=True)


def replies(call: Call) -> Json:
    """A thread, root first; `ts` may be that of any message in it."""
    call.require("channel", "ts")
    channel = _readable(call)
    stored = call.world.messages[channel.id]
    asked = stored.get(call.text("ts"))
    if asked is None or asked.ephemeral_to is not None:
        raise SlackError("thread_not_found")
    root = stored.get(asked.root, asked)
    shown = [root, *(stored[ts] for ts in root.replies)]
    return _page(call, shown, most=1000, newest_first=False)


def _readable(call: Call) -> Channel:
    channel = call.channel()
    call.need_scope_for(channel, "history")
    if call.user_id not in channel.members:
        raise SlackError("not_in_channel")
    return channel


def _page(call: Call, messages: list[Message], *, most: int, newest_first: bool) -> Json:
    """One page of messages between `oldest` and `latest`; the cursor is a position."""
    limit = call.whole("limit", 100 if newest_first else most)
    if not 1 <= limit <= most:
        raise SlackError("invalid_limit")
    chosen = [message for message in messages if _within(call, message.ts)]
    start = 0
    if call.text("cursor"):
        digits = call.text("cursor").removeprefix("at:")
        if not digits.isdecimal() or int(digits) > len(chosen):
            raise SlackError("invalid_cursor")
        start = int(digits)
    page = chosen[start : start + limit]
    more = start + limit < len(chosen)
    body: Json = {
        "messages": [_shown(call, message) for message in page],
        "has_more": more,
    }
    if more or not newest_first:
        body["response_metadata"] = {"next_cursor": f"at:{start + limit}" if more else ""}
    return body


def _shown(call: Call, message: Message) -> Json:
    """A message, with what apps noted on it only where that is asked for."""
    body = message_json(call.world, message)
    if not call.flag("include_all_metadata"):
        body.pop("metadata", None)
    return body


def _within(call: Call, ts: str) -> bool:
    oldest, latest = call.text("oldest"), call.text("latest")
    try:
        after, before = float(oldest or 0), float(latest) if latest else float("inf")
    except ValueError:
        raise SlackError("invalid_ts_oldest" if oldest else "invalid_ts_latest") from None
    at = float(ts)
    if call.flag("inclusive"):
        return after <= at <= before
    return after < at < before
