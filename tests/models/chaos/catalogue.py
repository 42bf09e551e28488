"""Every kind of fault: what it does to a reply, and what may come of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Sort(StrEnum):
    """What a fault means for the run."""

    NONE = "none"  # the reply is what it should be
    ODD = "odd"  # it looks strange, and counts
    PASSES = "passes"  # asking again may help
    LATE = "late"  # no whole answer before the time is up
    ENDS = "ends"  # asking again is of no use
    DECLINES = "declines"  # the model will not answer this
    SPOILS = "spoils"  # a turn that the loop cannot use as it is


class Manner(StrEnum):
    """How the bytes go out."""

    WHOLE = "whole"
    SLOW = "slow"
    RESET_AT_ONCE = "reset at once"
    RESET_IN_HEADERS = "reset in the headers"
    RESET_IN_BODY = "reset in the body"
    CUT = "cut"
    CUT_CHUNK = "cut chunk"
    ENDLESS = "endless"
    ENDLESS_HEADERS = "endless headers"
    HANG = "hang"
    DOOR_SHUT = "door shut"
    HANGS_UP = "hangs up"


@dataclass(frozen=True)
class Fault:
    """One kind of trouble; `status` 0 is a good reply that something befalls."""

    kind: str
    sort: Sort
    status: int = 0
    message: str = ""
    code: str = ""
    """For chat completions; the Messages API has types of its own."""
    headers: dict[str, str] = field(default_factory=dict)
    manner: Manner = Manner.WHOLE
    raw: bytes | None = None
    """The body, where it is not the server's own wording."""
    twist: str = ""
    """What is odd about the turn; see `twists`."""
    told: str = ""
    """What the person reads where the run ends by it; a pattern."""
    about_request: bool = False
    """Another model would not help either."""
    only: str = ""
    """"claude" or "chat": the only servers that have it."""


PROXY: Final = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
LOGIN: Final = {"location": "/login"}
LOAD: Final = r"limits how often|overloaded|has trouble"
NETWORK: Final = "cannot be reached over the network"
STRANGER: Final = "that (is not Claude|does not answer as)"
GARBLED: Final = rf"{NETWORK}|{STRANGER}|has trouble"
TOO_LARGE: Final = "grown too large"
LATE: Final = "did not answer in time"
DECLINED: Final = "declined to answer"


GOOD: Final = Fault("good", Sort.NONE)
HANG: Final = Fault("hang", Sort.LATE, manner=Manner.HANG, told=LATE)


def _load() -> list[Fault]:
    """The server is there and has too much to do."""
    waits = {
        "no retry-after": {},
        "retry-after in seconds": {"retry-after": "0"},
        "retry-after of a moment": {"retry-after": "0.2"},
        "retry-after-ms": {"retry-after-ms": "30"},
        "a negative retry-after": {"retry-after": "-5"},
        "a date as retry-after": {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"},
    }
    found = [
        Fault(
            f"429, {wait}", Sort.PASSES, 429, "Slowly.", "rate_limit_exceeded", headers, told=LOAD
        )
        for wait, headers in waits.items()
    ]
    hour = {"retry-after": "3600"}
    found.append(
        Fault(
            "429, retry-after of an hour",
            Sort.ENDS,
            429,
            "Slowly.",
            "rate_limit_exceeded",
            hour,
            told="again in about 60 minutes",
        )
    )
    for status in (500, 502, 503, 504, 529):
        found.append(Fault(f"{status}", Sort.PASSES, status, "Overloaded", told=LOAD))
    for status in (502, 503, 504):
        found.append(Fault(f"{status} of a proxy", Sort.PASSES, status, raw=PROXY, told=LOAD))
    found.append(Fault("500 without a word", Sort.PASSES, 500, raw=b"", told=LOAD))
    for status in (408, 409):
        found.append(Fault(f"{status}", Sort.PASSES, status, "Timeout", told=LOAD))
    return found


def _wire() -> list[Fault]:
    """The bytes do not come, or not all, or are not what they should be."""
    broken = {
        "connection refused": Manner.DOOR_SHUT,
        "reset before the headers": Manner.RESET_AT_ONCE,
        "reset in the headers": Manner.RESET_IN_HEADERS,
        "reset in the body": Manner.RESET_IN_BODY,
        "body shorter than its length": Manner.CUT,
        "body cut between chunks": Manner.CUT_CHUNK,
    }
    found = [Fault(k, Sort.PASSES, manner=m, told=NETWORK) for k, m in broken.items()]
    found += [
        Fault("slow drip", Sort.ODD, manner=Manner.SLOW),
        Fault("headers without an end", Sort.LATE, manner=Manner.ENDLESS_HEADERS, told=LATE),
        Fault("drip without an end", Sort.LATE, manner=Manner.ENDLESS, told=LATE),
        HANG,
    ]
    garbled = {
        "garbled JSON": b'{"id": "msg_1", "content": [{"type": "te\xff\xfe',
        "half of a JSON": b'{"choices": [{"message": {"content": "There are 1,0',
        "empty body": b"",
        "HTML with 200": b"<html><body>Welcome to the hotel's network</body></html>",
        "JSON that is no reply": b'{"ok": true}',
        "null": b"null",
    }
    found += [Fault(k, Sort.PASSES, 200, raw=b, told=GARBLED) for k, b in garbled.items()]
    zipped = {"content-encoding": "gzip"}
    found += [
        Fault("said to be gzip", Sort.PASSES, 200, raw=b'{"a": 1}', headers=zipped, told=GARBLED),
        Fault("error with 200", Sort.PASSES, 200, "Upstream broke", told=GARBLED),
        Fault("sent to a login page", Sort.PASSES, 302, raw=b"", headers=LOGIN, told=GARBLED),
        Fault("hung up after the reply", Sort.ODD, manner=Manner.HANGS_UP),
        Fault("wrong content type", Sort.ODD, headers={"content-type": "text/plain"}),
    ]
    return found


def _refusals() -> list[Fault]:
    """What asking again does not cure."""

    def ends(kind: str, status: int, message: str, told: str, **more: str) -> Fault:
        return Fault(kind, Sort.ENDS, status, message, told=told, **more)  # type: ignore[arg-type]

    large = {"told": TOO_LARGE, "about_request": True}
    long = "prompt is too long: 250000 tokens > 200000 maximum (context_length_exceeded)"
    return [
        ends("401", 401, "invalid key {key}", "does not accept our key; ask your administrator"),
        ends("402", 402, "Pay first.", "no credit left"),
        ends("403", 403, "Not allowed.", "permissions"),
        ends("404", 404, "model: small", "There is no model", code="model_not_found"),
        ends("400, no credit", 400, "Your credit balance is too low", "no credit left"),
        ends(
            *("429, quota", 429, "You exceeded your current quota, please check your plan"),
            *("no credit left",),
            code="insufficient_quota",
            only="chat",
        ),
        Fault("413", Sort.ENDS, 413, "Request too large", **large),  # type: ignore[arg-type]
        Fault("400, too long", Sort.ENDS, 400, long, **large),  # type: ignore[arg-type]
        Fault(
            *("400, malformed", Sort.ENDS, 400, "messages.0: wrong"),
            told="look at the log",
            about_request=True,
        ),
        Fault(
            *("400, content refused", Sort.DECLINES, 400),
            *("Output blocked by content filtering policy", "content_filter"),
            told=DECLINED,
            about_request=True,
        ),
    ]


def _turns() -> list[Fault]:
    """A whole reply with a turn that no sound model would say."""
    spoilt = (
        *("unknown stop reason", "cut off by max_tokens", "unreadable arguments"),
        *("arguments that are a list", "unknown tool", "empty turn", "blank text"),
    )
    odd = (
        *("no usage", "negative usage", "usage in words", "huge usage", "fractional usage"),
        *("the same id twice", "the id of an earlier call"),
    )
    return [
        *(Fault(kind, Sort.SPOILS, twist=kind) for kind in spoilt),
        *(Fault(kind, Sort.ODD, twist=kind) for kind in odd),
        Fault("pause_turn", Sort.ODD, twist="pause_turn", only="claude"),
        Fault("refusal", Sort.DECLINES, twist="refusal", told=DECLINED, about_request=True),
    ]


FAULTS: Final = tuple([*_load(), *_wire(), *_refusals(), *_turns()])


def faults_of(adapter: str, *, may_be_late: bool) -> list[Fault]:
    """Return the faults that a server of that kind may have."""
    family = "claude" if adapter == "claude" else "chat"
    return [
        fault
        for fault in FAULTS
        if fault.only in ("", family) and (may_be_late or fault.sort is not Sort.LATE)
    ]
