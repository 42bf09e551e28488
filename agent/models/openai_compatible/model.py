"""The adapter: one turn of a model behind chat completions, with retries within the run's time."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from pydantic import SecretStr

from agent.messages import Message, ToolSpec, Turn, Usage, UserMessage, call_ids
from agent.models.counting import estimated
from agent.models.hiding import without
from agent.models.openai_compatible import failures
from agent.models.openai_compatible.complaint import Complaint, read_complaint
from agent.models.openai_compatible.dialect import Dialect, learn
from agent.models.openai_compatible.pace import Pace
from agent.models.openai_compatible.presets import Preset, check_access
from agent.models.openai_compatible.replies import (
    NotACompletion,
    known_tools,
    read_reply,
    to_turn,
    turn_of_generation,
)
from agent.models.openai_compatible.unseen_tools import TRIAL_S, find_unseen
from agent.models.openai_compatible.wire import Json, to_request
from agent.models.retrying import Failure, once, until_answered

if TYPE_CHECKING:
    import openai

MAX_TOKENS: Final = 8_000
TRIAL_TOKENS: Final = 64
"""Of the answer to a trial; some models that think refuse to answer in fewer."""
CONNECT_S: Final = 10.0
MAX_BODY_BYTES: Final = 20_000_000

log = logging.getLogger(__name__)


class OpenAICompatibleModel:
    """A model behind an OpenAI-compatible server, as a `Model`. Safe to share between threads.

    `preset` says which server; `base_url` is its address where that is another than the preset's.
    `max_tokens` bounds one turn, as long as the server takes such a bound. `first_wait_s` is the
    pause before the first retry, in seconds; where the server asks for more than `longest_wait_s`,
    there is none. The key is given to the SDK here and nowhere else: none of the variables that the
    SDK itself would read has a say. What the server refuses is remembered, and not sent again.
    """

    def __init__(
        self,
        preset: Preset,
        model: str,
        *,
        api_key: str = "",
        base_url: str = "",
        max_tokens: int = MAX_TOKENS,
        first_wait_s: float = 0.5,
        longest_wait_s: float = math.inf,
    ) -> None:
        key, url = api_key.strip(), base_url.strip() or preset.base_url
        check_access(preset, key, url)
        self._preset, self._model = preset, model
        self._key = SecretStr(key)
        self._base_url = url
        self._max_tokens = max_tokens
        self._first_wait_s, self._longest_wait_s = first_wait_s, longest_wait_s
        self._dialect = Dialect(limit=preset.limit)
        self._starting = threading.Lock()
        self._client: openai.OpenAI | None = None
        self._told_of_guesses = False
        self._pace = Pace(may_be_slow=preset.is_local)
        self._shows_tools = not preset.is_local  # what others take, their models see

    def __repr__(self) -> str:
        return f"OpenAICompatibleModel({self.name!r}, base_url={self._base_url!r})"

    @property
    def name(self) -> str:
        """The server and the model, such as "groq:llama-3.3-70b-versatile"."""
        return f"{self._preset.name}:{self._model}"

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        """Return the model's next turn within `timeout_s` seconds, retries included.

        `Turn.stop_reason` is explained at `agent.models.openai_compatible.replies.to_turn`. Raises
        `ModelUnavailable` if no turn can be had.
        """
        deadline = time.monotonic() + timeout_s
        return until_answered(
            lambda: self._attempt(system, messages, tools, deadline, timeout_s, self._max_tokens),
            deadline=deadline,
            first_wait_s=self._first_wait_s,
            clean=self._without_key,
            longest_wait_s=self._longest_wait_s,
        )

    def try_once(self, *, timeout_s: float) -> Failure | None:
        """Ask for one short turn, once; return what went wrong. The failure holds no key."""
        deadline, said = time.monotonic() + timeout_s, [UserMessage("Hi")]
        outcome = once(
            lambda: self._attempt("", said, (), deadline, timeout_s, TRIAL_TOKENS), deadline
        )
        if not isinstance(outcome, Failure):
            return None
        clean = self._without_key
        return replace(outcome, detail=clean(outcome.detail), advice=clean(outcome.advice))

    def close(self) -> None:
        """Close the connections that are kept open between turns."""
        with self._starting:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _attempt(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        deadline: float,
        timeout_s: float,
        max_tokens: int,
    ) -> Turn | Failure:
        """Ask in one dialect after the other, until the server takes one."""
        known, taken, spent = known_tools(messages, tools), call_ids(messages), Usage()
        while True:
            dialect, began = self._dialect, time.monotonic()
            most = self._pace.bound(max_tokens, deadline - began)
            request = to_request(self._model, most, system, messages, tools, dialect)
            outcome = self._ask(request, deadline, timeout_s)
            if isinstance(outcome, Failure):
                return _unless_paid(outcome, spent)
            if not isinstance(outcome, Complaint):
                guess = estimated(request, outcome["choices"][0])
                turn = to_turn(outcome, known, taken, guess, thoughts=dialect.thoughts)
                self._count(turn, guess)
                self._pace.learn(turn.usage.output_tokens, time.monotonic() - began)
                spent += turn.usage
                if self._may_not_see(request, turn):
                    unseen, took = self._try_tools(deadline)
                    spent += took
                    if unseen:
                        self._dialect = replace(dialect, tools=False)
                        continue
                return replace(turn, usage=spent)
            if outcome.generation:
                spent += estimated(request, outcome.generation)
                return turn_of_generation(outcome, known, taken, spent)
            if failures.is_refusal(outcome):
                return Turn(stop_reason="refusal", usage=spent)
            learnt = learn(dialect, outcome)
            if learnt is None:
                told = failures.of_complaint(outcome, self._preset, self._model, self._base_url)
                return _unless_paid(told, spent)
            said = self._without_key(outcome.message[:200])  # it may quote what was asked
            log.info("%s refused a request; now %s", self.name, learnt, extra={"private": said})
            self._dialect = learnt

    def _may_not_see(self, request: Json, turn: Turn) -> bool:
        """Say whether nothing shows yet that the model sees the tools that its server is sent."""
        if turn.tool_calls and "tools" in request:
            self._shows_tools = True
        return not self._shows_tools and "tools" in request and "tool_choice" not in request

    def _try_tools(self, deadline: float) -> tuple[bool, Usage]:
        """Find out, once, whether the server drops tools, and what it took to find out."""
        until, limit = min(deadline, time.monotonic() + TRIAL_S), self._dialect.limit
        unseen, took = find_unseen(lambda each: self._ask(each, until, TRIAL_S), self._model, limit)
        self._shows_tools = unseen is not None
        if unseen:
            log.warning("%s shows its model no tools; now told in words", self.name)
        return bool(unseen), took

    def _ask(self, request: Json, deadline: float, timeout_s: float) -> Json | Complaint | Failure:
        """Make one call. The SDK's exceptions end here: they hold the request, and so the key."""
        import httpx2
        import openai

        left = deadline - time.monotonic()
        if left <= 0:
            return failures.of_timeout(self._preset, self._model, timeout_s)
        timeout = httpx2.Timeout(left, connect=min(left, CONNECT_S))
        try:
            return read_reply(self._call(request, timeout, deadline))
        except (openai.APITimeoutError, httpx2.TimeoutException, TimeoutError):
            return failures.of_timeout(self._preset, self._model, timeout_s)
        except openai.APIStatusError as error:
            told = error.response
            return read_complaint(error.status_code, told.text, dict(told.headers))
        except (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError) as error:
            return failures.of_connection(self._preset, self._model, self._base_url, error)
        except NotACompletion as error:
            said = f"{self.name}: {self._base_url}: {error}"
            return failures.of_stranger(self._preset, said, retry=True)

    def _call(self, request: Json, timeout: Any, deadline: float) -> bytes:
        """Return the reply's body as it came: the SDK's own types know fewer oddities than we."""
        completions = self._sdk().chat.completions.with_streaming_response
        body = bytearray()
        with completions.create(**request, timeout=timeout) as response:
            for part in response.iter_bytes():
                body += part
                if time.monotonic() > deadline:
                    raise TimeoutError
                if len(body) > MAX_BODY_BYTES:
                    raise NotACompletion(f"longer than {MAX_BODY_BYTES:,} bytes")
        return bytes(body)

    def _sdk(self) -> openai.OpenAI:
        with self._starting:
            if self._client is None:
                # Takes half a second to import, so not before it is needed.
                import openai

                client = openai.OpenAI(
                    api_key=self._key.get_secret_value() or "none",  # the SDK wants one
                    base_url=self._base_url,
                    max_retries=0,
                )
                # What the SDK read from OPENAI_… variables; there is no way to refuse it before.
                client.organization = client.project = client.admin_api_key = None
                client._custom_headers = {}
                self._client = client
            return self._client

    def _count(self, turn: Turn, guess: Usage) -> None:
        if turn.usage is guess and not self._told_of_guesses:
            self._told_of_guesses = True
            log.warning("%s does not count tokens; they are estimated", self.name)

    def _without_key(self, text: str) -> str:
        return without(self._key.get_secret_value(), text)


def _unless_paid(failure: Failure, spent: Usage) -> Turn | Failure:
    """What took tokens is a turn, though one that nobody can use: it is on the bill."""
    return Turn(stop_reason="unknown", usage=spent) if spent.total else failure
