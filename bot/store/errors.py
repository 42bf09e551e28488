"""What the store raises."""

from __future__ import annotations

import re
from typing import Final, Self

import psycopg
from psycopg import errors

from agent.errors import Fault, SettingsInvalid

_QUOTES: Final = re.compile(r"\s*\n(?:DETAIL|CONTEXT|LINE \d+):")


class StoreUnavailable(Fault):
    """The bot's own database cannot be reached, or did not do what it was asked in time."""

    @classmethod
    def because(cls, cause: BaseException) -> Self:
        """Return the fault with the driver's words as its detail."""
        return cls(
            "My own record of questions and answers cannot be reached at the moment.",
            detail=f"store: {type(cause).__name__}: {_without_values(cause)}",
        )

    @classmethod
    def at_start(cls, cause: BaseException) -> Self:
        """Return the fault for whoever starts the bot."""
        reason = " ".join(str(cause).split())
        return cls(
            "The database for the bot's own record cannot be reached; is DB_AGENT_STORE_URL "
            f"right, and its server up? ({reason})",
            detail=f"store: {type(cause).__name__}",
        )


class RunUnknown(StoreUnavailable):
    """The store holds no such run, so nothing can be noted of it."""

    @classmethod
    def of(cls, run_id: str) -> Self:
        """Return the fault for a run that was asked for by its id."""
        return cls(
            "I have no record of this answer, so I cannot hand it to anyone. Please ask again.",
            detail=f"store: no run {run_id}",
        )


class StoreBusy(StoreUnavailable):
    """Somebody works with the tables that have to be changed."""

    @classmethod
    def over(cls, cause: BaseException) -> Self:
        """Return the fault for whoever brings the schema up to date."""
        return cls(
            "The schema of the bot's record could not be changed, and is as it was: others work "
            "with its tables all the time. Try again in a moment, or stop the bots first.",
            detail=f"store: {type(cause).__name__}: {str(cause).strip()}",
        )


def _without_values(cause: BaseException) -> str:
    """Return the driver's words up to where the server quotes a row or a statement."""
    return _QUOTES.split(str(cause).strip(), maxsplit=1)[0]


def fault_of_schema(cause: BaseException | None) -> Fault:
    """Return the fault for a schema that could not be looked at or changed, from the driver's."""
    match cause:
        case errors.LockNotAvailable() | errors.DeadlockDetected():
            return StoreBusy.over(cause)
        case errors.InsufficientPrivilege():
            return SettingsInvalid(
                "The login of DB_AGENT_STORE_URL may not set up the schema db_agent: run GRANT "
                "CREATE ON DATABASE … TO … for it, or name another database. A schema that is "
                "there already is changed by the login that made it.",
                detail=f"store: {cause}",
            )
        case errors.ReadOnlySqlTransaction():
            return SettingsInvalid(
                "The server of DB_AGENT_STORE_URL takes no changes: it is a standby, or its login "
                "may only read. Name its primary.",
                detail=f"store: {cause}",
            )
        case psycopg.OperationalError():
            return StoreUnavailable.at_start(cause)
    # The driver's own words could hold the password.
    return SettingsInvalid(
        "DB_AGENT_STORE_URL does not work: it must be the address of a PostgreSQL database, such "
        "as postgresql://USER:PASSWORD@HOST:5432/DATABASE.",
        detail=f"store: {type(cause).__name__}",
    )
