"""Which workspaces have installed the app: the newest state of each, asked of the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from slack_sdk.oauth.installation_store import Bot
from sqlalchemy import Connection, Engine, and_, select, text
from sqlalchemy.exc import SQLAlchemyError

from bot.installations.sealed_stores import SealedInstallations
from bot.store import StoreUnavailable

LOCK_WAIT_MS: Final = 30_000
"""How long a process waits for another one that renews the token of the same workspace."""


@dataclass(frozen=True)
class Known:
    """That the app is in a workspace, and since when; no secret is in it."""

    team: str
    enterprise: str | None
    bot_user: str
    installed_at: float
    """In seconds since 1970."""


@dataclass(frozen=True)
class Installed:
    """The app in one workspace, with the token that opens it."""

    team: str
    team_name: str
    token: str
    expires_at: float | None
    """When the token ends, in seconds since 1970; None: never."""
    installed_at: float
    bot_user: str

    @classmethod
    def of(cls, bot: Bot) -> Installed:
        """Return what the SDK has found."""
        return cls(
            team=str(bot.team_id),
            team_name=bot.team_name or "",
            token=bot.bot_token or "",
            expires_at=bot.bot_token_expires_at,
            installed_at=bot.installed_at,
            bot_user=bot.bot_user_id or "",
        )


class Directory:
    """Looks up, changes and locks installations; safe to share between threads and processes.

    Each method may raise `StoreUnavailable`.
    """

    def __init__(self, engine: Engine, installations: SealedInstallations) -> None:
        self._engine = engine
        self._store = installations

    def teams(self) -> tuple[str, ...]:
        """Return the ids of the workspaces that have installed the app."""
        bots = self._store.bots.c
        query = (
            select(bots.team_id)
            .where(and_(bots.client_id == self._store.client_id, bots.team_id.is_not(None)))
            .distinct()
            .order_by(bots.team_id)
        )
        with _or_unavailable(), self._engine.connect() as connection:
            return tuple(str(row[0]) for row in connection.execute(query))

    def find(self, team: str) -> Installed | None:
        """Return the installation in a workspace. Raises `TokensUnreadable`."""
        bot = self.bot_of(team)
        return None if bot is None else Installed.of(bot)

    def bot_of(self, team: str) -> Bot | None:
        """Return the same as the SDK has it, refresh token and all. Raises `TokensUnreadable`."""
        known = self.known(team)
        if known is None:
            return None
        with _or_unavailable():
            return self._store.find_bot(enterprise_id=known.enterprise, team_id=team)

    def known(self, team: str) -> Known | None:
        """Return the newest installation in a workspace, whatever key its tokens need."""
        bots = self._store.bots.c
        query = (
            select(bots.enterprise_id, bots.bot_user_id, bots.installed_at)
            .where(and_(bots.client_id == self._store.client_id, bots.team_id == team))
            .order_by(bots.installed_at.desc())
            .limit(1)
        )
        with _or_unavailable(), self._engine.connect() as connection:
            row = connection.execute(query).fetchone()
        if row is None:
            return None
        at = row.installed_at.replace(tzinfo=UTC).timestamp()
        return Known(team, row.enterprise_id, row.bot_user_id or "", at)

    def keep(self, bot: Bot) -> None:
        """Write down renewed tokens, unless the app was removed from the workspace meanwhile."""
        with _or_unavailable():
            if self.known(str(bot.team_id)) is not None:
                self._store.save_bot(bot)

    def remove(self, team: str, *, installed_before: float) -> None:
        """Forget the workspace, but for an installation that is newer; seconds since 1970."""
        before = datetime.fromtimestamp(installed_before, tz=UTC).replace(tzinfo=None)
        with _or_unavailable(), self._engine.begin() as connection:
            for table in (self._store.bots, self._store.installations):
                is_of_it = and_(
                    table.c.client_id == self._store.client_id,
                    table.c.team_id == team,
                    table.c.installed_at < before,
                )
                connection.execute(table.delete().where(is_of_it))

    @contextmanager
    def alone_with(self, team: str) -> Iterator[None]:
        """Keep every other process and thread from renewing the tokens of a workspace."""
        with _or_unavailable(), self._engine.begin() as connection:
            _lock(connection, f"{self._store.client_id}/{team}")
            yield


def _lock(connection: Connection, name: str) -> None:
    # It goes with the transaction, and so with the process too, however that ends.
    connection.execute(text(f"set local statement_timeout = {LOCK_WAIT_MS}"))
    connection.execute(text("set local idle_in_transaction_session_timeout = 0"))
    connection.execute(
        text("select pg_advisory_xact_lock(hashtextextended(:name, 0))"),
        {"name": f"db-agent token of {name}"},
    )


@contextmanager
def _or_unavailable() -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreUnavailable.because(getattr(error, "orig", None) or error) from error
