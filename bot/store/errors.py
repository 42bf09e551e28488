"""What the store raises."""

from __future__ import annotations

from typing import Self

from agent.errors import Fault


class StoreUnavailable(Fault):
    """The bot's own database cannot be reached, or did not do what it was asked in time."""

    @classmethod
    def because(cls, cause: BaseException) -> Self:
        """Return the fault with the driver's words as its detail."""
        return cls(
            "My own record of questions and answers cannot be reached at the moment.",
            detail=f"store: {type(cause).__name__}: {str(cause).strip()}",
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
