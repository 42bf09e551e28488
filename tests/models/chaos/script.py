"""What the model means to say, and what becomes of a turn on its way."""

from __future__ import annotations

import random
import threading
from typing import Any

from agent.messages import Outcome

from .catalogue import Fault
from .stand_ins import speaking
from .voices import VERDICT, Json, Voice, calls_of, set_arguments, set_stop, set_usage

Says = speaking.Says
_ENDS_WELL = (Outcome.ANSWERED, Outcome.NEEDS_CLARIFICATION)
SCENARIOS: dict[str, tuple[Any, ...]] = {
    name: speaking.whole(turns, outcome)
    for name, (outcome, turns) in speaking.SCENARIOS.items()
    if outcome in _ENDS_WELL and all(isinstance(turn, Says) for turn in turns)
}
"""Trajectories over the demo database that would end well."""

TABLES = ("actor", "category", "city", "country", "customer", "inventory", "payment", "rental")

ODD_USAGE: dict[str, Any] = {
    "no usage": None,
    "negative usage": -1_000,
    "usage in words": "eleven",
    "huge usage": 10**15,
    "fractional usage": 11.5,
}


class Script:
    """The turns of one trajectory; two models that share a run share it. Safe between threads."""

    def __init__(self, scenario: str, draw: random.Random) -> None:
        self._turns = SCENARIOS[scenario]
        self._draw = draw
        self._at = 0
        self._lock = threading.Lock()
        self._paused: list[Any] = []
        self._earlier_id = ""
        self.last_text = str(self._turns[-1].text)

    @property
    def is_paused(self) -> bool:
        """A piece of a turn was said, and not yet the rest."""
        return bool(self._paused)

    def on(self) -> None:
        """The turn has been said; the next one follows. The last one is said again and again."""
        with self._lock:
            self._at = min(self._at + 1, len(self._turns) - 1)

    def body(self, voice: Voice, fault: Fault, *, judging: bool) -> tuple[Json, bool]:
        """Return a reply with the turn that is due, as `fault` has it; and whether it can be used.

        Where a turn is spoilt, it is said again the next time.
        """
        turn = VERDICT if judging else self._turns[self._at]
        if fault.twist == "the same id twice" and turn.calls:
            more = ("get_schema", {"table_name": self._draw.choice(TABLES)})
            turn = Says(turn.text, (*turn.calls, more))
        spoilt = self._spoilt(turn, fault.twist)
        if spoilt is not None:
            return voice.say(spoilt), False
        if fault.twist == "pause_turn":
            return self._pause(voice), False
        body = voice.say(turn)
        is_usable = not self._twist(body, fault.twist)
        self._remember(body)
        return body, is_usable

    def _spoilt(self, turn: Any, twist: str) -> Any:
        """Return another turn in the place of the one that is due; None for that one."""
        match twist:
            case "cut off by max_tokens":
                return Says(turn.text[:9], turn.calls, cut=True)
            case "refusal":
                return Says(declined=True)
            case "unknown tool":
                name = f"film_{self._draw.randrange(10**6)}"
                return speaking.call("drop_table", name=name)
            case "empty turn" if not self._paused:  # else the piece before it is all there is
                return Says()
            case "blank text" if not self._paused:
                return Says(" \n ")
        return None

    def _twist(self, body: Json, twist: str) -> bool:
        """Make the reply odd; say whether that spoils it."""
        calls = calls_of(body)
        if twist in ODD_USAGE:
            set_usage(body, self._draw, ODD_USAGE[twist])
        elif twist == "unknown stop reason":
            set_stop(body, "quantum")
            return True
        elif calls and twist in ("unreadable arguments", "arguments that are a list"):
            given = '{"query": "SELECT' if twist.startswith("un") else '["film"]'
            for call in calls:
                set_arguments(call, given if "function" in call else [given])
            return True
        elif calls and twist == "the same id twice":
            for call in calls:
                call["id"] = calls[0].get("id", "twice")
        elif calls and twist == "the id of an earlier call" and self._earlier_id:
            calls[0]["id"] = self._earlier_id
        return False

    def _remember(self, body: Json) -> None:
        for call in calls_of(body):
            self._earlier_id = str(call.get("id", ""))
        self._paused = []

    def _pause(self, voice: Voice) -> Json:
        """Say a piece of a turn, to be sent back as it is; with the pieces before it, too."""
        body = voice.say(Says("Let me see."))
        set_stop(body, "pause_turn")
        self._paused = [*self._paused, *body["content"]]
        voice.server.given.append(self._paused)
        return body
