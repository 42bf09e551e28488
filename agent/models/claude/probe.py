"""Whether a key and a model's name work, found out with the smallest turn there is."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from agent.giving_up import in_time
from agent.models.claude import failures
from agent.models.claude.replies import NotAMessage, read_message
from agent.models.hiding import without

MAX_TOKENS: Final = 1
"""Of the answer; with the question's few it costs less than a hundredth of a cent."""


class Trouble(Enum):
    """Why there was no turn, sorted by what helps."""

    KEY = "key"
    PERMISSION = "permission"
    MODEL = "model"
    MONEY = "money"
    BUSY = "busy"
    TIMEOUT = "timeout"
    NETWORK = "network"
    OTHER = "other"


@dataclass(frozen=True)
class Probe:
    """What came of it."""

    trouble: Trouble | None = None
    """None: a turn came back."""
    detail: str = ""
    """For the operator; holds no key."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Of the answer, if there was one."""
    asked: float = field(default_factory=time.time)
    """When the call began, in seconds since 1970."""


def probe(api_key: str, model: str, *, base_url: str, timeout_s: float) -> Probe:
    """Ask `model` for one token, once, within about `timeout_s` seconds. Raises nothing.

    A turn, and not a free call, since only that shows that the account has credit left.
    """
    try:
        return in_time(
            lambda: _probe(api_key, model, base_url, timeout_s), time.monotonic() + timeout_s
        )
    except TimeoutError:
        return Probe(Trouble.TIMEOUT, failures.of_timeout(model, timeout_s).detail)


def _probe(api_key: str, model: str, base_url: str, timeout_s: float) -> Probe:
    import anthropic
    import httpx2

    client = anthropic.Anthropic(
        api_key=api_key, base_url=base_url, max_retries=0, timeout=timeout_s, open_telemetry=False
    )
    asked = time.time()
    client._custom_headers = {}  # of ANTHROPIC_CUSTOM_HEADERS; there is no public way
    try:
        with client:
            answer = client.messages.with_raw_response.create(
                model=model,
                max_tokens=MAX_TOKENS,
                messages=[{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
            )
            read_message(answer.http_response.content)
            return Probe(headers=dict(answer.headers), asked=asked)
    except anthropic.APITimeoutError:
        return Probe(Trouble.TIMEOUT, failures.of_timeout(model, timeout_s).detail)
    except anthropic.APIStatusError as error:
        detail = without(api_key, failures.of_status(error, model).detail)
        return Probe(_trouble(error), detail, dict(error.response.headers), asked)
    except (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError) as error:
        detail = without(api_key, failures.of_connection(model, base_url, error).detail)
        return Probe(Trouble.NETWORK, detail)
    except NotAMessage:
        return Probe(Trouble.OTHER)


def _trouble(error: object) -> Trouble:
    import anthropic

    assert isinstance(error, anthropic.APIStatusError)
    if failures.is_about_money(error):
        return Trouble.MONEY
    if error.status_code in (429, 503, 529) or error.status_code >= 500:
        return Trouble.BUSY
    if failures.is_elsewhere(error):
        return Trouble.OTHER
    known = {401: Trouble.KEY, 403: Trouble.PERMISSION, 404: Trouble.MODEL}
    return known.get(error.status_code, Trouble.OTHER)
