"""The one error of the embedded server."""

from __future__ import annotations

from agent.errors import DatabaseUnavailable


class EmbeddedPostgresError(DatabaseUnavailable):
    """The embedded server cannot be started; the message says why and what to do."""
