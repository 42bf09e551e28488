"""slack_sdk's stores of installations and of states, in the bot's own PostgreSQL.

The SDK writes tokens down as they are; here they are encrypted on the way in, and read on the way
out. The tables are made by the store's migrations.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import psycopg
from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.sqlalchemy import SQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.sqlalchemy import SQLAlchemyOAuthStateStore
from sqlalchemy import Engine, and_, create_engine
from sqlalchemy.pool import NullPool

from bot.installations.seal import Seal
from bot.store.migrate import SCHEMA

STATE_LIFE_S: Final = 600
"""How long somebody may look at Slack's page before they allow the app, in seconds."""
CONNECT_TIMEOUT_S: Final = 3
STATEMENT_TIMEOUT_MS: Final = 5_000
BOT_SECRETS: Final = ("bot_token", "bot_refresh_token")
SECRETS: Final = (
    *BOT_SECRETS,
    "user_token",
    "user_refresh_token",
    "incoming_webhook_url",
    "incoming_webhook_configuration_url",
)
Kept = TypeVar("Kept", Bot, Installation)


def open_engine(store_url: str) -> Engine:
    """Return SQLAlchemy's way to the bot's own tables; nothing is connected yet.

    Each use is a connection of its own: uses are seldom, and some last as long as Slack takes.
    """

    def connect() -> psycopg.Connection[Any]:
        connection = psycopg.connect(store_url, connect_timeout=CONNECT_TIMEOUT_S)
        connection.execute(f"set statement_timeout = {STATEMENT_TIMEOUT_MS}")
        connection.execute("set application_name = 'db-agent installations'")
        connection.commit()
        return connection

    engine = create_engine("postgresql+psycopg://", creator=connect, poolclass=NullPool)
    return engine.execution_options(schema_translate_map={None: SCHEMA})


class SealedInstallations(SQLAlchemyInstallationStore):
    """Installations with their tokens encrypted; those of the bot are kept in one place only.

    The SDK keeps them twice, and after a refresh one of the two would be a token that is spent.
    """

    def __init__(self, client_id: str, engine: Engine, seal: Seal) -> None:
        super().__init__(client_id, engine)
        self._seal = seal

    def save(self, installation: Installation) -> None:
        """Keep an installation in place of the workspace's earlier ones."""
        self.save_bot(installation.to_bot())
        bare = Installation(**installation.to_dict_for_copying())
        bare.bot_token = bare.bot_refresh_token = bare.bot_token_expires_at = None
        super().save(_with_secrets(bare, self._sealed(bare)))
        self._forget_earlier(installation)

    def save_bot(self, bot: Bot) -> None:
        """Keep the bot's tokens; the installation without any, that `save` brings too, is none."""
        if bot.bot_token:
            super().save_bot(_with_secrets(bot, self._sealed(bot)))

    def find_bot(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        is_enterprise_install: bool | None = False,
    ) -> Bot | None:
        """Return the newest tokens of a workspace. Raises `TokensUnreadable`."""
        found = super().find_bot(
            enterprise_id=enterprise_id,
            team_id=team_id,
            is_enterprise_install=is_enterprise_install,
        )
        return None if found is None else _with_secrets(found, self._opened(found, BOT_SECRETS))

    def find_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,
        is_enterprise_install: bool | None = False,
    ) -> Installation | None:
        """Return the newest installation of a workspace. Raises `TokensUnreadable`.

        The tokens of its bot come from `find_bot`, readable already.
        """
        found = super().find_installation(
            enterprise_id=enterprise_id,
            team_id=team_id,
            user_id=user_id,
            is_enterprise_install=is_enterprise_install,
        )
        if found is None:
            return None
        return _with_secrets(found, self._opened(found, tuple({*SECRETS} - {*BOT_SECRETS})))

    def _sealed(self, kept: Bot | Installation) -> Mapping[str, str | None]:
        return {name: self._seal.close(getattr(kept, name, None)) for name in SECRETS}

    def _opened(self, kept: Bot | Installation, names: tuple[str, ...]) -> Mapping[str, str | None]:
        workspace = str(kept.team_id)
        return {name: self._seal.open(getattr(kept, name, None), workspace) for name in names}

    def _forget_earlier(self, installation: Installation) -> None:
        at = datetime.fromtimestamp(installation.installed_at, tz=UTC).replace(tzinfo=None)
        with self.engine.begin() as connection:
            for table in (self.bots, self.installations):
                connection.execute(
                    table.delete().where(
                        and_(
                            table.c.client_id == self.client_id,
                            table.c.enterprise_id == installation.enterprise_id,
                            table.c.team_id == installation.team_id,
                            table.c.installed_at < at,
                        )
                    )
                )


class SingleUseStates(SQLAlchemyOAuthStateStore):
    """States that are good once. The SDK looks first and deletes then: two could both be let in."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(STATE_LIFE_S, engine)

    def issue(self, *args: object, **more: object) -> str:
        """Return a new state; what nobody came back with is thrown away."""
        with self.engine.begin() as connection:
            states = self.oauth_states
            connection.execute(states.delete().where(states.c.expire_at < _now()))
        return super().issue()

    def consume(self, state: str) -> bool:
        """Is that a state that was issued, is not too old and was never used? Now it is."""
        states = self.oauth_states
        with self.engine.begin() as connection:
            taken = connection.execute(
                states.delete().where(states.c.state == state).returning(states.c.expire_at)
            ).fetchone()
        return taken is not None and taken[0] > _now()


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def _with_secrets(kept: Kept, secrets: Mapping[str, str | None]) -> Kept:
    """Return a copy with these secrets in it, as far as it has such."""
    copy = type(kept)(**kept.to_dict_for_copying())
    for name, secret in secrets.items():
        if hasattr(copy, name):
            setattr(copy, name, secret)
    return copy
