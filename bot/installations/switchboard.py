"""Stands before the bots in several workspaces, and hands each what Slack sends for it.

What other processes do - install, remove, renew - they write down: it is looked at now and again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from slack_bolt import BoltRequest, BoltResponse

from agent.errors import Fault
from bot.front import Front
from bot.installations.directory import Directory
from bot.installations.envelopes import (
    addressee_of,
    answered_with,
    ended_at,
    is_about_an_end,
    not_now,
)
from bot.installations.rotation import State
from bot.installations.seal import TokensUnreadable
from bot.installations.seat import Seat
from bot.installations.seats import Seats
from bot.queue import Again
from bot.render.counting import counted
from bot.rounds import Rounds
from bot.store import StoreUnavailable

log = logging.getLogger(__name__)

LOOK_EVERY_S: Final = 30.0
"""Between two looks at what other processes have done, and at tokens that end."""
START_WITHIN_S: Final = 1.5
"""How long an envelope waits for its bot to be made: it is to be acknowledged within three."""
START_ALL_WITHIN_S: Final = 20.0
NOT_YET: Final = Again(2.0)
AWAY: Final = Again(300.0)
STARTING: Final = "I am just starting in this workspace. Please try again in a moment."
NOT_INSTALLED: Final = (
    "I am not installed in this workspace any more. An administrator can install me again."
)
NOT_ALLOWED: Final = "This workspace is not one of those that I answer. Whoever runs me decides."
NO_ORGANISATIONS: Final = (
    "I am installed for a whole organisation, which I cannot serve. Please install me in single "
    "workspaces."
)


class Switchboard(Front):
    """Safe to share between threads; all workspaces have the same threads and the same store."""

    def __init__(
        self,
        directory: Directory,
        seats: Seats,
        allows: Callable[[str], bool],
        team_of: Callable[[str], str | None],
    ) -> None:
        """`allows` says which workspaces may be served, installed or not.

        `team_of` says whose a run is.
        """
        self._team_of = team_of
        self._directory = directory
        self._seats = seats
        self._allows = allows
        self._rounds = Rounds([self.look], every_s=LOOK_EVERY_S)
        self._untold: set[str] = set()

    @property
    def served(self) -> str:
        """How many workspaces there are, in words."""
        return f"in {counted(len(self._seats.all()), 'workspace')}"

    @property
    def trouble(self) -> str:
        """Why none is served; that one is shut keeps none of the others from being served."""
        shut, working = self._shut()
        return f"no workspace lets it in: {shut[0]}" if shut and len(shut) == working else ""

    @property
    def remark(self) -> str:
        """How many workspaces are shut to us, where some are."""
        shut, working = self._shut()
        if not shut:
            return ""
        return f"{len(shut)} of {counted(working, 'workspace')} let it in no more: {shut[0]}"

    def _shut(self) -> tuple[list[str], int]:
        """Return why workspaces are shut to us, and how many there are."""
        troubles = [seat.bot.trouble for seat in self._seats.working()]
        return [each for each in troubles if each], len(troubles)

    @property
    def unfinished(self) -> int:
        """How many questions are taken on and not yet answered."""
        return sum(seat.bot.unfinished for seat in self._seats.working())

    def prepare(self) -> None:
        """Make the bots of all workspaces that have installed the app.

        One that cannot be made now is made later. Raises `TokensUnreadable`, `StoreUnavailable`.
        """
        teams = [team for team in self._directory.teams() if self._allows(team)]
        for team in teams:
            self._directory.find(team)  # a key that is wrong shows before anything is begun
        coming = [self._seats.begin(team) for team in teams]
        until = time.monotonic() + START_ALL_WITHIN_S
        for each in coming:
            _wait_for(each, max(0.0, until - time.monotonic()))

    def start(self) -> None:
        """Look after tokens, and at what other processes do, from now on."""
        self._rounds.start()

    def stop(self) -> None:
        """Look after nothing any more."""
        self._rounds.stop()
        self._seats.stop()

    def answer(self, run_id: str) -> Again | None:
        """Answer the question of a run in its workspace.

        One of a workspace that has removed the app waits: it may be installed there again.
        """
        try:
            team = self._team_of(run_id)
            if team is None:
                return None
            seat = self._seats.get(team, START_WITHIN_S) if self._allows(team) else None
        except (Fault, TimeoutError) as fault:
            log.warning("run %s has to wait for its workspace: %s", run_id, fault)
            return NOT_YET
        return AWAY if seat is None else seat.bot.answer(run_id)

    def hand_over(self) -> None:
        """Stop what runs, without a word: another process goes on with it."""
        for seat in self._seats.working():
            seat.bot.hand_over()

    def tell_operators(self, words: str) -> bool:
        """Post words to those who run the bot, in whatever workspace their channel is."""
        return any(seat.bot.tell_operators(words) for seat in self._seats.working())

    def look_at_slack(self) -> str:
        """Nothing is asked: each workspace has its own way in."""
        return ""

    def dispatch(self, req: BoltRequest) -> BoltResponse:
        """Hand an envelope to the bot of its workspace."""
        to = addressee_of(req)
        if to.is_organisation or not to.team:
            log.error("an envelope is for a whole organisation, or for nobody: it is left")
            return answered_with(NO_ORGANISATIONS, req.body)
        try:
            if is_about_an_end(req.body):
                self._end(to.team, req)
                return answered_with("", req.body)
            if not self._allows(to.team):
                log.error("workspace %s is none of DB_AGENT_TEAMS: it gets no answer", to.team)
                return answered_with(NOT_ALLOWED, req.body)
            seat = self._seats.get(to.team, START_WITHIN_S)
        except Fault as fault:
            log.warning("workspace %s has to wait: %s", to.team, fault.detail or fault)
            return _later(req)
        except TimeoutError:
            log.warning("workspace %s has to wait: its bot is being made", to.team)
            return _later(req)
        return answered_with(NOT_INSTALLED, req.body) if seat is None else seat.bot.dispatch(req)

    def look(self) -> None:
        """Take over what other processes have done, and renew tokens that end."""
        try:
            teams = self._directory.teams()
        except StoreUnavailable as fault:
            log.warning("installations were not looked at: %s", fault.detail)
            return
        for team in set(self._seats.all()) - set(teams):
            self._seats.retire(team)
        for team in filter(self._allows, teams):
            try:
                self._look_at(team)
                self._untold.discard(team)
            except (StoreUnavailable, TokensUnreadable) as fault:
                level = logging.DEBUG if team in self._untold else logging.ERROR
                log.log(level, "workspace %s: %s", team, fault.detail or fault)
                self._untold.add(team)

    def _look_at(self, team: str) -> None:
        seat = self._seats.all().get(team)
        if seat is None:
            self._seats.begin(team)
        elif seat.key.look() is State.GONE:
            self._seats.retire(team)
        elif seat.key.is_superseded:
            self._seats.begin(team)

    def _end(self, team: str, req: BoltRequest) -> None:
        """Forget the installation that is gone; one that was made since stays."""
        known = self._directory.known(team)
        ended = None if known is None else ended_at(req.body, known.bot_user)
        if known is not None and ended is not None and known.installed_at < ended:
            self._directory.remove(team, installed_before=ended)
            self._seats.retire(team)


def _wait_for(coming: Future[Seat | None], within_s: float) -> None:
    try:
        coming.result(within_s)
    except TimeoutError:
        log.warning("a workspace takes long to begin; it is served once it has")
    except Fault:
        pass  # it has been told of


def _later(req: BoltRequest) -> BoltResponse:
    """Slack sends events again; a person who used a command is told to do so.

    Of anything else it says itself that it was not taken, and a window stays open: what was
    written in it is not lost.
    """
    return answered_with(STARTING, req.body) if "command" in req.body else not_now()
