"""workspace.faults: the switches of what goes wrong. Not Slack's."""

from __future__ import annotations

from bot.local_workspace import happenings
from bot.local_workspace.errors import SlackError
from bot.local_workspace.faults import COUNTED, RATES, Faults, Kind, Mix, Trouble
from bot.local_workspace.methods.call import Call
from bot.local_workspace.values import Json

REASONS = ("warning", "refresh_requested", "link_disabled")
STATUSES = range(500, 600)


def faults(call: Call) -> Json:
    """Sets switches; every argument is optional. Answers with the switches as they are then.

    file_ready_after_s, file_ready_polls, stream_life_s, and the booleans slack_rate_limits and
    refuse_stream_blocks (a stream takes no chunk of blocks).

    For the next `times` (1) calls of `method`, in `channel` if that is given; `taken` says whether
    what they ask is done all the same: rate_limit {method, retry_after}, error {method, error},
    server_error {method, status, taken}, break {method, taken}, slow {method, seconds, taken}.
    "response_url" and "upload" are methods too.

    For the next so many, a number: duplicate_event, redelivery, cut_frame, refused_file.
    At once: disconnect (a reason), drop_sockets, close_sockets (with a close frame),
    expire_streams (booleans).

    mix {seed, rates {name: 0 to 1}}: at random; the names are RATES. Without rates it ends.
    """
    switches = call.world.faults
    for name in ("file_ready_after_s", "stream_life_s"):
        setattr(switches, name, call.seconds(name, getattr(switches, name)))
    switches.file_ready_polls = call.whole("file_ready_polls", switches.file_ready_polls)
    for name in ("slack_rate_limits", "refuse_stream_blocks"):
        if call.args.get(name) is not None:
            setattr(switches, name, call.flag(name))
    for kind in Kind:
        _plan(call, kind)
    for name in COUNTED:
        switches.counted[name] = call.whole(name, switches.counted[name])
    mix = _part(call, "mix")
    if mix is not None:
        switches.mix = _mix(mix)
    _sockets(call)
    if call.flag("expire_streams"):
        _expire_streams(call)
    return {"faults": _told(switches)}


def _told(switches: Faults) -> Json:
    return {
        "file_ready_after_s": switches.file_ready_after_s,
        "file_ready_polls": switches.file_ready_polls,
        "stream_life_s": switches.stream_life_s,
        "slack_rate_limits": switches.slack_rate_limits,
        "refuse_stream_blocks": switches.refuse_stream_blocks,
        "struck": dict(switches.mix.struck),
    }


def _plan(call: Call, kind: Kind) -> None:
    part = _part(call, kind)
    if part is None:
        return
    part.require("method", *(["error"] if kind is Kind.ERROR else []))
    status = part.whole("status", 503)
    if status not in STATUSES:
        raise SlackError("invalid_arguments", "[ERROR] status must be one of 500 to 599")
    trouble = Trouble(
        kind,
        taken=part.flag("taken") and kind not in (Kind.RATE_LIMIT, Kind.ERROR),
        retry_after=part.whole("retry_after", 1),
        error=part.text("error"),
        status=status,
        seconds=part.seconds("seconds", 0.0),
    )
    where = part.text("method"), part.text("channel")
    call.world.faults.plan(trouble, *where, part.whole("times", 1))


def _mix(part: Call) -> Mix:
    rates = part.args.get("rates") or {}
    is_good = isinstance(rates, dict) and all(
        isinstance(rate, int | float) and 0 <= rate <= 1 for rate in rates.values()
    )
    if not is_good or not rates.keys() <= RATES:
        names = ", ".join(sorted(RATES))
        raise SlackError("invalid_arguments", f"[ERROR] rates must be 0 to 1, of: {names}")
    return Mix(part.whole("seed", 0), rates)


def _part(call: Call, name: str) -> Call | None:
    """An object among the arguments, to be read as the arguments themselves are."""
    value = call.args.get(name)
    return Call(call.workspace, call.token, value) if isinstance(value, dict) else None


def _sockets(call: Call) -> None:
    reason = call.text("disconnect")
    if reason and reason not in REASONS:
        raise SlackError("invalid_arguments", f"[ERROR] must be one of: {', '.join(REASONS)}")
    for app_id in call.world.commons.registered:
        for connection in call.workspace.deliveries.connections(app_id):
            if reason:
                connection.disconnect(reason)
            if call.flag("close_sockets"):
                connection.close()
            if call.flag("drop_sockets"):
                connection.drop()


def _expire_streams(call: Call) -> None:
    for stored in call.world.messages.values():
        for message in stored.values():
            if message.stream is not None and message.stream.open:
                message.stream.open = False
                happenings.tell_pages(call.workspace, message)
