"""What went wrong with a call, for three readers: our retry, the person, the operator."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from agent.models.openai_compatible.complaint import Complaint
from agent.models.openai_compatible.presets import Preset
from agent.models.retrying import Failure

_AGAIN: Final = frozenset({408, 409, 425, 429, 498})
_MAX_DETAIL: Final = 600
_MONEY: Final = re.compile(
    r"insufficient_quota|exceeded your current quota|billing|credit balance|insufficient credits"
    r"|insufficient balance|out of credits|no credits|spend.limit|payment",
    re.IGNORECASE,
)
_TOO_LARGE: Final = re.compile(
    r"context_length_exceeded|exceed_context_size|context (?:length|size|window)|prompt is too long"
    r"|request too large|request entity too large|reduce the length|reduce your message size",
    re.IGNORECASE,
)
_WINDOW: Final = re.compile(r"context (?:length|size|window)[^\d]{1,12}(\d{3,7})\b", re.IGNORECASE)
_REFUSED: Final = re.compile(
    r"content[ _-]filter|content[ _-]policy|content management policy", re.IGNORECASE
)
_NO_MODEL: Final = re.compile(r"model_not_found|model_decommissioned|decommissioned", re.I)
_UNIT_S: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_SPAN: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)(?![a-z])")
_TRY_AGAIN: Final = re.compile(
    r"(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)?\s*(?:ms|s|m|h|d)(?![a-z])\s*)+"
    r"|\d+(?:\.\d+)? seconds?)",
    re.IGNORECASE,
)


def is_refusal(complaint: Complaint) -> bool:
    """Say whether the server will not have its model answer this: nothing is broken."""
    about = f"{complaint.code} {complaint.message}"
    return complaint.status in (200, 400, 403) and _REFUSED.search(about) is not None


def of_complaint(complaint: Complaint, preset: Preset, model: str, base_url: str) -> Failure:
    """Return what an error of the server means; one may come with status 200."""
    about = f"{complaint.code} {complaint.message}"
    status = complaint.status
    wait_s = _wait(complaint)
    detail = (
        f"{preset.name}:{model}: HTTP {status} {complaint.code}: {complaint.message} "
        f"(request {complaint.request_id})"
    )[:_MAX_DETAIL]
    if status == 402 or _MONEY.search(about):
        return _final(
            f"The account at {preset.label} has no credit left or has met its spending limit"
            if preset.account
            else f"{preset.label} says that there is no credit left",
            "ask your administrator to raise it",
            detail,
            f"add credit or raise the limit{_at(preset)}",
        )
    if status == 413 or (status != 429 and _TOO_LARGE.search(about)):
        return _too_large(preset, complaint.message, detail)
    is_at_home = bool(preset.account) and base_url == preset.base_url
    if _NO_MODEL.search(about) or (status == 404 and (is_at_home or "model" in about.casefold())):
        return _no_model(preset, model, detail)
    if status == 200 or status in _AGAIN or status >= 500:
        return _passing(preset, status, wait_s, detail)
    return _of_status(status, preset, model, detail)


def _too_large(preset: Preset, said: str, detail: str) -> Failure:
    what = f"This conversation has grown too large for {_inside(preset)}"
    window = _WINDOW.search(said) if preset.is_local else None
    if window is None:
        todo, advice = "", "take a model that reads more at once"
    else:
        what += f", which reads {int(window[1]):,} tokens at once"
        todo = ", or ask your administrator to let it read more"
        advice = (
            "start it with a context of 32,768 tokens (llama.cpp: -c, Ollama: "
            "OLLAMA_CONTEXT_LENGTH, vLLM: --max-model-len), or take a model that reads more"
        )
    todo = f"ask a narrower question, or start a new thread{todo}"
    return _final(what, todo, detail, advice, about_request=True)


def _no_model(preset: Preset, model: str, detail: str) -> Failure:
    return _final(
        f"There is no model {model} at {_inside(preset)}",
        "ask your administrator to check the model's name in the settings",
        detail,
        f"ollama pull {model}, or name another model"
        if preset.name == "ollama"
        else "name one that there is",
    )


def _passing(preset: Preset, status: int, wait_s: float | None, detail: str) -> Failure:
    if status == 429:
        what = f"{preset.label} limits how often we may ask, and the limit is met"
        advice = f"try again later; if it stays so, raise the limits{_at(preset)}"
    elif status in (498, 503, 529):
        what, advice = f"{preset.label} is overloaded right now", "try again in a few minutes"
    else:
        what = f"{preset.label} has trouble right now"
        advice = "try again in a few minutes, and look at the server's own log"
    return Failure(
        f"{what}; try again {_when(wait_s)}.", detail, True, wait_s, advice, is_load=True
    )


def _of_status(status: int, preset: Preset, model: str, detail: str) -> Failure:
    if status == 401:
        return _final(
            f"{preset.label} does not accept our key",
            f"ask your administrator to check {preset.key_variable}",
            detail,
            f"copy {preset.key_variable} again, or make another{_at(preset)}",
        )
    if status == 403:
        return _final(
            f"Our key may not use {model}",
            "ask your administrator to check the key's permissions",
            detail,
            f"check {preset.key_variable} and what it may use{_at(preset)}",
        )
    if status < 400 or status in (404, 405):
        return of_stranger(preset, detail)
    return _final(
        f"{preset.label} refused our request as malformed",
        "ask your administrator to look at the log",
        detail,
        f"read what the server said ({detail}), and try another model",
        about_request=True,
    )


def of_stranger(preset: Preset, detail: str, *, retry: bool = False) -> Failure:
    """Return what it means that whoever answered does not speak the protocol."""
    return Failure(
        f"The address of {_inside(preset)} is wrong, or something else answers there; "
        f"ask your administrator to check {preset.url_variable}.",
        detail[:_MAX_DETAIL],
        retry,
        advice=f"check {preset.url_variable}; most such addresses end in /v1",
    )


def of_timeout(preset: Preset, model: str, timeout_s: float) -> Failure:
    """Return what it means that no whole answer came in time."""
    return Failure(
        f"{preset.label} did not answer in time; try again, or ask a simpler question.",
        f"{preset.name}:{model}: no answer within {timeout_s:.0f} s",
        advice="check the network and the proxy, or take a smaller model",
    )


def of_connection(preset: Preset, model: str, base_url: str, error: BaseException) -> Failure:
    """Return what it means that the server could not be reached, or hung up."""
    cause = error.__cause__ or error
    return Failure(
        f"{preset.label} cannot be reached over the network; try again in a minute, "
        "and tell your administrator if it stays so.",
        f"{preset.name}:{model}: {base_url}: {type(cause).__name__}: {cause}"[:_MAX_DETAIL],
        retry=True,
        advice=f"start it, and check {preset.url_variable} ({base_url})"
        if preset.is_local
        else f"check the network, the proxy and {preset.url_variable} ({base_url})",
    )


def _final(
    what: str, todo: str, detail: str, advice: str, *, about_request: bool = False
) -> Failure:
    return Failure(f"{what}; {todo}.", detail, advice=advice, about_request=about_request)


def _inside(preset: Preset) -> str:
    """The server's name within a sentence."""
    return "the model's server" if preset.name == "compatible" else preset.label


def _at(preset: Preset) -> str:
    return f" at {preset.account}" if preset.account else ""


def _when(wait_s: float | None) -> str:
    if wait_s is None:
        return "in a few minutes"
    if wait_s < 90:
        return f"in {max(1, round(wait_s))} seconds"
    return f"in about {round(wait_s / 60)} minutes"


def _wait(complaint: Complaint) -> float | None:
    """Return how long the server asks us to wait: in a header, in its words, or in its limits."""
    for name, per_second in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        wait_s = _number(complaint.headers.get(name, ""), per_second)
        if wait_s is not None:
            return wait_s
    if complaint.status != 429:
        return None
    if found := _TRY_AGAIN.search(complaint.message):
        return _seconds(found[1].replace("seconds", "s").replace("second", "s"))
    return _reset(complaint.headers)


def _reset(headers: Mapping[str, str]) -> float | None:
    """Return when the limit that is used up begins anew."""
    waits = [
        _seconds(headers.get(f"x-ratelimit-reset-{what}", ""))
        for what in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{what}", "").strip() == "0"
    ]
    return max((wait for wait in waits if wait is not None), default=None)


def _seconds(span: str) -> float | None:
    """Read a span such as "7.66s", "1m2.5s" or "850ms"."""
    parts = _SPAN.findall(span.lower())
    if not parts:
        return _number(span, 1.0)
    return min(sum(float(number) * _UNIT_S[unit] for number, unit in parts), 1e9)


def _number(text: str, per_second: float) -> float | None:
    """A date, which no server of these sends, is ignored; so is what is negative or no number."""
    try:
        wait_s = float(text) / per_second
    except ValueError:
        return None
    return wait_s if 0 <= wait_s < 1e9 else None
