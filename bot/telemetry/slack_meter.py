"""Slack's Web API as we call it, measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from slack_sdk.errors import SlackApiError

from agent.watching import Act, doing
from bot.telemetry.instruments import Instruments
from bot.telemetry.kinds import SLACK

NONE: Final = "none"
OTHER: Final = "other"
NO_ANSWER: Final = "no_answer"
MOST_WORDS: Final = 60
"""Slack's words for errors are not a closed set of ours: a label has an end all the same."""


class SlackMeter:
    """Counts calls by method and error; safe to share between threads."""

    def __init__(self, instruments: Instruments) -> None:
        self._instruments = instruments
        self._words: set[str] = set()

    @contextmanager
    def calling(self, method: str) -> Iterator[Act]:
        """Measure one call, and trace it where it is one of a run."""
        word = NO_ANSWER
        with doing(SLACK, method) as act:
            try:
                yield act
                word = NONE
            except SlackApiError as error:
                word = act.error = self._known(str(error.response.get("error") or OTHER))
                raise
            except Exception:
                act.error = NO_ANSWER
                raise
            finally:
                self._instruments.slack_calls.labels(method, word).inc()

    def put_off(self, method: str) -> None:
        """Slack wants the call later."""
        self._instruments.rate_limits.labels(method).inc()

    def _known(self, word: str) -> str:
        if len(self._words) < MOST_WORDS:
            self._words.add(word)
        return word if word in self._words else OTHER
