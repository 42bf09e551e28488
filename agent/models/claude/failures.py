"""What went wrong with a call, for three readers: our retry, the person, the operator."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from agent.models.retrying import Failure

if TYPE_CHECKING:
    import anthropic

_AGAIN: Final = frozenset({408, 409, 429})
_MAX_DETAIL: Final = 600
_NOT_CLAUDE: Final = (
    "Something that is not Claude answered in its place; "
    "ask your administrator to check ANTHROPIC_BASE_URL."
)
_REFUSED: Final = re.compile(r"content[ _-]filter|content[ _-]policy", re.IGNORECASE)


def of_status(error: anthropic.APIStatusError, model: str) -> Failure:
    """Return what an error reply of the server means."""
    said = f"{error.api_message or error.message or ''}"
    detail = (
        f"{model}: HTTP {error.status_code} {error.error_code or error.type or ''}: {said} "
        f"(request {error.request_id or 'without id'})"
    )
    wait_s = _wait(error.response.headers)
    return Failure(
        message=_say(error, model, said.casefold(), wait_s),
        detail=detail[:_MAX_DETAIL],
        retry=error.status_code in _AGAIN or error.status_code >= 500,
        wait_s=wait_s,
        about_request=not is_about_money(error) and _is_about_request(error, said.casefold()),
    )


def is_refusal(error: anthropic.APIStatusError) -> bool:
    """Say whether the model's words were held back, or the question was: nothing is broken."""
    said = f"{error.api_message or error.message or ''}"
    return error.status_code in (400, 403) and _REFUSED.search(said) is not None


def _is_about_request(error: anthropic.APIStatusError, said: str) -> bool:
    return _is_too_large(error, said) or error.status_code in (400, 422)


def _is_too_large(error: anthropic.APIStatusError, said: str) -> bool:
    return error.status_code == 413 or "too long" in said or "too large" in said


def _say(error: anthropic.APIStatusError, model: str, said: str, wait_s: float | None) -> str:
    status = error.status_code
    if is_about_money(error):
        return (
            "The Claude account has no credit left or has met its spending limit; "
            "ask your administrator to raise it."
        )
    if _is_too_large(error, said):
        return (
            "This conversation has grown too large for Claude; ask a narrower question, "
            "or start a new thread."
        )
    if is_elsewhere(error):
        return _NOT_CLAUDE
    for statuses, sentence in _SENTENCES.items():
        if status in statuses:
            return sentence.format(model=model, when=_when(wait_s))
    if status in _AGAIN or status >= 500:
        return "Claude has trouble right now; try again in a few minutes."
    return (
        "Claude refused our request as malformed, which is a mistake of this program; "
        "ask your administrator to look at the log."
    )


_SENTENCES: Final[dict[tuple[int, ...], str]] = {
    (401,): ("Claude does not accept our key; ask your administrator to check ANTHROPIC_API_KEY."),
    (403,): ("Our key may not use {model}; ask your administrator to check the key's permissions."),
    (404,): (
        "There is no model {model} for our key; "
        "ask your administrator to check the model's name in the settings."
    ),
    (429,): "Claude limits how often we may ask, and the limit is met; try again {when}.",
    (529, 503): "Claude is overloaded right now; try again {when}.",
}


def is_elsewhere(error: anthropic.APIStatusError) -> bool:
    """Say whether nothing is at the address, such as behind a /v1 too many.

    Where only the model is not there, Claude names it.
    """
    said = f"{error.api_message or error.message or ''}".casefold()
    return error.status_code in (404, 405) and "model" not in said


def is_about_money(error: anthropic.APIStatusError) -> bool:
    """Say whether the account has no credit left, or has met its spending limit."""
    said = f"{error.api_message or error.message or ''}".casefold()
    code = error.error_code or ""
    return (
        error.status_code == 402
        or error.type == "billing_error"
        or "spend_limit" in code
        or "billing" in code
        or "credit balance" in said
    )


def _when(wait_s: float | None) -> str:
    if wait_s is None:
        return "in a few minutes"
    if wait_s < 90:
        return f"in {max(1, round(wait_s))} seconds"
    return f"in about {round(wait_s / 60)} minutes"


def _wait(headers: Mapping[str, str]) -> float | None:
    """Read `retry-after-ms` and `retry-after`; a date, which the API does not send, is ignored."""
    for name, per_second in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            wait_s = float(headers.get(name, "")) / per_second
        except ValueError:
            continue
        if 0 <= wait_s < 1e9:  # neither negative nor NaN
            return wait_s
    return None


def of_timeout(model: str, timeout_s: float) -> Failure:
    """Return what it means that no whole answer came in time."""
    return Failure(
        "Claude did not answer in time; try again, or ask a simpler question.",
        f"{model}: no answer within {timeout_s:.0f} s",
    )


def of_connection(model: str, base_url: str, error: BaseException) -> Failure:
    """Return what it means that the server could not be reached, or hung up."""
    cause = error.__cause__ or error
    return Failure(
        "Claude cannot be reached over the network; try again in a minute, "
        "and tell your administrator if it stays so.",
        f"{model}: {base_url}: {type(cause).__name__}: {cause}"[:_MAX_DETAIL],
        retry=True,
    )


def of_garbled(model: str, base_url: str, error: ValueError) -> Failure:
    """Return what it means that a reply was no message, or only the beginning of one."""
    return Failure(
        _NOT_CLAUDE,
        f"{model}: {base_url}: {error}"[:_MAX_DETAIL],
        retry=True,
    )
