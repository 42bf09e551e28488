"""The adapter: one turn of Claude, with retries that never outlast the run."""

from __future__ import annotations

import logging
import math
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from pydantic import SecretStr

from agent.errors import ModelUnavailable, SettingsInvalid
from agent.messages import Message, ToolSpec, Turn, Usage, call_ids
from agent.models.addresses import BARE, is_address
from agent.models.claude import failures
from agent.models.claude.extras import Extra, NotTaken, check_extras
from agent.models.claude.replies import (
    DECLINED,
    NotAMessage,
    read_message,
    to_turn,
)
from agent.models.claude.wire import Json, fingerprint, to_request
from agent.models.counting import estimated
from agent.models.hiding import without
from agent.models.retrying import Failure, until_answered

if TYPE_CHECKING:
    import anthropic

DEFAULT_MODEL: Final = "claude-sonnet-5"
API_URL: Final = "https://api.anthropic.com"
MAX_TOKENS: Final = 16_000
MAX_PIECES: Final = 4
"""How often a turn that pauses is taken up again, the first call included."""
CONNECT_S: Final = 10.0
MAX_BODY_BYTES: Final = 20_000_000

log = logging.getLogger(__name__)


class ClaudeModel:
    """Claude as a `Model`. Safe to share between threads.

    `max_tokens` bounds one turn, thinking included. `first_wait_s` is the pause before the first
    retry, in seconds; it doubles with each further one. Where the API asks for more than
    `longest_wait_s`, there is none. The key is given to the SDK here and
    nowhere else: none of the variables that the SDK itself would read has a say. What of a request
    can be left out and is refused, as by a gateway before the API, is not sent again.
    """

    def __init__(
        self,
        api_key: str,
        model: str = DEFAULT_MODEL,
        *,
        base_url: str = API_URL,
        max_tokens: int = MAX_TOKENS,
        first_wait_s: float = 0.5,
        longest_wait_s: float = math.inf,
    ) -> None:
        if not re.fullmatch(r"[\x21-\x7e]+", api_key.strip()):
            raise SettingsInvalid(
                "ANTHROPIC_API_KEY is empty or holds characters that no key has; copy it again."
            )
        if not is_address(base_url):
            raise SettingsInvalid(
                f"ANTHROPIC_BASE_URL must be an address such as {API_URL}, {BARE}."
            )
        self._key = SecretStr(api_key.strip())
        self._model = model
        self._base_url = base_url
        self._max_tokens = max_tokens
        self._first_wait_s = first_wait_s
        self._longest_wait_s = longest_wait_s
        self._extras = frozenset(Extra)
        self._starting = threading.Lock()
        self._client: anthropic.Anthropic | None = None

    def __repr__(self) -> str:
        return f"ClaudeModel({self._model!r}, base_url={self._base_url!r})"

    @property
    def name(self) -> str:
        """The model's name as the API knows it."""
        return self._model

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        """Return Claude's next turn within `timeout_s` seconds, retries and pauses included.

        `Turn.stop_reason` is explained at `agent.models.claude.replies.to_turn`. Raises
        `ModelUnavailable` if no turn can be had.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            extras = self._extras
            request = to_request(
                self._model, self._max_tokens, system, messages, tools, extras=extras
            )
            try:
                return self._turn(request, deadline, timeout_s, call_ids(messages))
            except NotTaken as refused:
                log.warning("%s takes no %s; going on without", self._model, refused.extra)
                self._extras -= {refused.extra}

    def _turn(
        self, request: Json, deadline: float, timeout_s: float, taken: frozenset[str]
    ) -> Turn:
        conversation, answers = request["messages"], fingerprint(request)
        pieces: list[Json] = []
        guesses: list[Usage] = []
        for _ in range(MAX_PIECES):
            try:
                pieces.append(self._message(request, deadline, timeout_s))
            except (ModelUnavailable, NotTaken):
                if not pieces:
                    raise
                break  # what did come is on the bill, so it is a turn, though an unfinished one
            guesses.append(estimated(request, pieces[-1]["content"]))
            if pieces[-1].get("stop_reason") != "pause_turn":
                break
            # A paused turn goes on when it is sent back as it is.
            begun = [block for piece in pieces for block in piece["content"]]
            request["messages"] = [*conversation, {"role": "assistant", "content": begun}]
        return replace(to_turn(pieces, guesses, taken), answers=answers)

    def close(self) -> None:
        """Close the connections that are kept open between turns."""
        with self._starting:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _message(self, request: Json, deadline: float, timeout_s: float) -> Json:
        """Ask until there is a message, a failure that no retry cures, or no time left."""
        return until_answered(
            lambda: self._attempt(request, deadline, timeout_s),
            deadline=deadline,
            first_wait_s=self._first_wait_s,
            clean=self._without_key,
            longest_wait_s=self._longest_wait_s,
        )

    def _attempt(self, request: Json, deadline: float, timeout_s: float) -> Json | Failure:
        """Make one call. The SDK's exceptions end here: they hold the request, and so the key."""
        import anthropic
        import httpx2

        left = deadline - time.monotonic()
        if left <= 0:
            return failures.of_timeout(self._model, timeout_s)
        timeout = httpx2.Timeout(left, connect=min(left, CONNECT_S))
        try:
            body = self._call(request, timeout, deadline)
            return read_message(body)
        except (anthropic.APITimeoutError, httpx2.TimeoutException, TimeoutError):
            return failures.of_timeout(self._model, timeout_s)
        except anthropic.APIStatusError as error:
            check_extras(error, request)
            if failures.is_refusal(error):
                return DECLINED
            return failures.of_status(error, self._model)
        except (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError) as error:
            return failures.of_connection(self._model, self._base_url, error)
        except NotAMessage as error:
            return failures.of_garbled(self._model, self._base_url, error)

    def _call(self, request: Json, timeout: Any, deadline: float) -> bytes:
        """Return the reply's body as it came, since blocks must go back unchanged."""
        messages = self._sdk().messages.with_streaming_response
        body = bytearray()
        with messages.create(**request, timeout=timeout) as response:
            for part in response.iter_bytes():
                body += part
                if time.monotonic() > deadline:
                    raise TimeoutError
                if len(body) > MAX_BODY_BYTES:
                    raise NotAMessage(f"longer than {MAX_BODY_BYTES:,} bytes")
        return bytes(body)

    def _sdk(self) -> anthropic.Anthropic:
        with self._starting:
            if self._client is None:
                # Takes more than a second to import, so not before it is needed.
                import anthropic

                self._client = anthropic.Anthropic(
                    api_key=self._key.get_secret_value(),
                    base_url=self._base_url,
                    max_retries=0,
                    open_telemetry=False,
                )
                # Headers from ANTHROPIC_CUSTOM_HEADERS; there is no public way to refuse them.
                self._client._custom_headers = {}
            return self._client

    def _without_key(self, text: str) -> str:
        return without(self._key.get_secret_value(), text)
