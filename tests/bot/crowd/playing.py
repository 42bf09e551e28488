"""The people of the crowd, each in a thread of their own."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from .deeds import CLOSED, Deed, Kind, Then

TIMEOUT_S = 60
READ_WITHIN_S = 60.0
TRIES = 5
"""How often somebody repeats a command that Slack says the app did not hear."""


@dataclass(frozen=True)
class Asked:
    """A question as it was put: where, and how often (a command may have to be repeated)."""

    deed: Deed
    channel: str
    ts: str = ""
    thread_ts: str = ""
    times: int = 1


class Person:
    """Somebody who asks, and knows where."""

    def __init__(self, place: dict[str, Any], token: str) -> None:
        self.client = WebClient(token, base_url=place["api_url"], timeout=TIMEOUT_S)
        self.id = str(self.client.auth_test()["user_id"])
        self._mention = f"<@{place['bot_user_id']}>"
        self._channels = place["channels"]
        opened = self.client.conversations_open(users=place["bot_user_id"])
        self._direct = str(opened["channel"]["id"])
        self._bot = place["bot_user_id"]
        self.asked: dict[int, Asked] = {}
        self.clicks: Counter[str] = Counter()

    def lab(self, method: str, **given: Any) -> Any:
        """What people do and Slack has no method for."""
        return self.client.api_call(f"workspace.{method}", json=given)

    def do(self, deed: Deed) -> None:
        """Ask, and whatever comes then."""
        self.asked[deed.number] = self._ask(deed)
        if deed.then is Then.EDIT:
            self._edit(self.asked[deed.number])
        elif deed.then is Then.DELETE:
            asked = self.asked[deed.number]
            self.client.chat_delete(channel=asked.channel, ts=asked.ts)
        elif deed.then is Then.CLICK:
            self._click()

    def _ask(self, deed: Deed) -> Asked:
        if deed.kind in (Kind.COMMAND, Kind.WHISPER):
            return self._command(deed)
        if deed.kind is Kind.FOLLOW_UP and deed.after is not None:
            before = self.asked[deed.after]
            words = deed.words if self._has_read(before) else f"{self._mention} {deed.words}"
            ts = self._post(before.channel, words, before.thread_ts)
            return Asked(deed, before.channel, ts, before.thread_ts)
        is_direct = deed.kind is Kind.DIRECT
        channel = self._direct if is_direct else self._channels[deed.channel]
        ts = self._post(channel, self._addressed(deed, deed.words))
        return Asked(deed, channel, ts, ts)

    def _addressed(self, deed: Deed, words: str) -> str:
        return words if deed.kind is Kind.DIRECT else f"{self._mention} {words}"

    def _post(self, channel: str, text: str, thread_ts: str | None = None) -> str:
        answer = self.client.chat_postMessage(channel=channel, text=text, thread_ts=thread_ts)
        return str(answer["ts"])

    def _command(self, deed: Deed) -> Asked:
        channel = self._channels[deed.channel]
        for times in range(1, TRIES + 1):
            try:
                self.lab("slashCommand", channel=channel, command="/ask", text=deed.words)
            except SlackApiError:  # as Slack tells people: the app did not respond
                time.sleep(0.5)
            else:
                return Asked(deed, channel, times=times)
        return Asked(deed, channel, times=0)

    def _edit(self, asked: Asked) -> None:
        text = self._addressed(asked.deed, asked.deed.last_words)
        self.client.chat_update(channel=asked.channel, ts=asked.ts, text=text)

    def _click(self) -> None:
        """Click on the newest card of one's own that is there."""
        for asked in reversed(self.asked.values()):
            card = self._card(asked)
            if card is not None:
                try:
                    self.lab("clickButton", channel=asked.channel, ts=card, action_id="show_sql")
                    self.clicks["heard"] += 1
                except SlackApiError as error:
                    self.clicks[str(error.response["error"])] += 1
                return

    def _has_read(self, asked: Asked) -> bool:
        """Wait for the answer to an earlier question: nobody goes on before."""
        until = time.monotonic() + READ_WITHIN_S
        while time.monotonic() < until:
            if self._card(asked) is not None:
                return True
            time.sleep(0.05)
        return False

    def _card(self, asked: Asked) -> str | None:
        if not asked.thread_ts or asked.channel == CLOSED:
            return None
        with contextlib.suppress(SlackApiError):
            found = self.lab("messages", channel=asked.channel, thread_ts=asked.thread_ts)
            for each in found["messages"]:
                if each.get("user") == self._bot and "show_sql" in str(each.get("blocks")):
                    return str(each["ts"])
        return None


@dataclass
class Crowd:
    """All of them."""

    people: Sequence[Person]
    errors: list[str] = field(default_factory=list)

    def play(self, series: Sequence[Deed], has_room: Callable[[], bool]) -> None:
        """Let everybody do what is theirs, in order; they wait while the bot has no room."""

        def one(number: int, person: Person) -> None:
            try:
                for deed in series:
                    if deed.person == number:
                        while not has_room():
                            time.sleep(0.05)
                        person.do(deed)
            except Exception as error:
                self.errors.append(f"{person.id}: {error!r}")

        threads = [
            threading.Thread(target=one, args=(number, person), name=f"person-{number}")
            for number, person in enumerate(self.people)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    @property
    def asked(self) -> list[Asked]:
        """Every question that was put."""
        return [asked for person in self.people for asked in person.asked.values()]
