"""What Slack's events are for: the bot in one workspace, or what stands before those in several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from slack_bolt import BoltRequest, BoltResponse

from bot.queue import Again

Pages = Mapping[str, Callable[[BoltRequest], BoltResponse]]
"""What answers GET, by path."""


class Front(Protocol):
    """Takes events from `start` to `stop`, and knows of what runs."""

    @property
    def served(self) -> str:
        """What is served, in words for who starts the bot."""

    def start(self) -> None:
        """Look after what is left of earlier questions, from now on."""

    def stop(self) -> None:
        """Look after nothing any more."""

    def dispatch(self, req: BoltRequest) -> BoltResponse:
        """Take what Slack sends."""

    @property
    def trouble(self) -> str:
        """Why Slack lets us do nothing, as half a sentence; "" where it does."""

    @property
    def remark(self) -> str:
        """What is wrong and keeps us from little, as half a sentence; "" for nothing."""

    def tell_operators(self, words: str) -> bool:
        """Post words to those who run the bot; False where they did not go out."""

    def look_at_slack(self) -> str:
        """Ask Slack whether it still lets us in, and note what it says. May take long."""

    @property
    def unfinished(self) -> int:
        """How many questions are taken on and not yet answered."""

    def answer(self, run_id: str) -> Again | None:
        """Answer the question of a run; when it is to be tried again, None where it is over."""

    def hand_over(self) -> None:
        """Stop what runs, without a word: another process goes on with it."""
