"""Who sits before the page: anybody of any workspace here may be played."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from bot.local_workspace.workspace import Workspace


@dataclass(frozen=True)
class Seat:
    """A member in front of the page, and the token that the page calls with for them."""

    person: str
    token: str


class Seats:
    """The sessions of the page, by the secret in its cookie."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._seats: dict[str, Seat] = {}

    def get(self, session: str) -> Seat | None:
        """The seat of a session."""
        return self._seats.get(session)

    def named(self, team_id: str, name: str, seated: Seat | None) -> str | None:
        """The id of a person by name, in the first workspace or in another.

        Of another workspace without a name: the first of its people, unless one is `seated`.
        """
        side = self._workspace.teams.get(team_id) if team_id else self._workspace
        people = [each for each in side.world.users.values() if not each.is_bot] if side else []
        if team_id and not name:
            if seated is not None and seated.person in [each.id for each in people]:
                return None
            return next((each.id for each in people), None)
        return next((each.id for each in people if each.name == name), None)

    def session_of(self, person: str) -> str:
        """The session of a member: the same for all their windows."""
        with self._workspace.world.lock:
            for session, seat in self._seats.items():
                if seat.person == person:
                    return session
            session = secrets.token_urlsafe(24)
            token = self._workspace.of_member(person).world.user_token(person)
            self._seats[session] = Seat(person, token)
            return session
