"""Three that run an accepted text: two through the real session, one with nothing but the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg import pq
from psycopg.pq import ExecStatus, TransactionStatus

from agent.database.guard import AcceptedSql
from agent.database.link.limits import Limits
from agent.database.session import AnalyticsDatabase, get_agent_session
from agent.errors import DatabaseUnavailable, SqlFailed

from .arena import Arena
from .watch import IN_SESSION, session_differences

TIMEOUT_MS = 200
LIMITS = Limits(statement_timeout_ms=TIMEOUT_MS, max_rows=300)
_TOO_SLOW = "57014"
_ENOUGH_ROWS = 300
_OWN_TIMEOUT = re.compile(r"(?<=statement_timeout=)\d+")
"""The session itself shortens it for the fetch."""


@dataclass(frozen=True)
class Outcome:
    """How it went: "" or the SQLSTATE of the error, and what was another in the session."""

    state: str
    differences: list[str] = field(default_factory=list)

    @property
    def timed_out(self) -> bool:
        return self.state in (_TOO_SLOW, "25P04")


class SessionJudge:
    """Runs texts as the product does: behind DECLARE, in a transaction that may only read.

    Of a role that may write, the session itself is looked at as well.
    """

    def __init__(self, url: str, *, may_write: bool = False) -> None:
        self._may_write = may_write
        self.database = AnalyticsDatabase(
            url, limits=LIMITS, pool_size=1, allow_strong_role=may_write
        )
        self._before = self._look(AcceptedSql("SELECT 1"))[1]

    def run(self, text: str) -> Outcome:
        """Run one text."""
        state, now = self._look(AcceptedSql(text))
        if now is None or self._before is None:
            return Outcome(state)
        return Outcome(state, session_differences(self._before, now))

    def _look(self, text: AcceptedSql) -> tuple[str, tuple[Any, ...] | None]:
        now = None
        with get_agent_session(self.database) as session:
            try:
                session.fetch(text)
                if not self._may_write:
                    return "", None
                (row,) = session.read_catalog(IN_SESSION)  # type: ignore[arg-type]
                now = tuple(_OWN_TIMEOUT.sub("", str(part)) for part in row)
                state = ""
            except SqlFailed as failure:
                state = failure.sqlstate
            except DatabaseUnavailable as failure:
                # It is closed by us when a row is too large; else somebody has broken it.
                state = "closed" if "closed" in failure.detail else f"broken: {failure.detail}"
        return state, now

    def close(self) -> None:
        """Close the connection."""
        self.database.pool.close()


class BareJudge:
    """Runs texts as a superuser, by the simple protocol, in a transaction that is committed."""

    def __init__(self, arena: Arena) -> None:
        self._url = arena.admin_url
        self._path = arena.search_path.replace(" ", "")
        self._connection = self._connect()
        self._before = self._state()

    def _connect(self) -> psycopg.Connection[Any]:
        connection: psycopg.Connection[Any] = psycopg.connect(
            self._url, autocommit=True, application_name="fuzz bare", client_encoding="UTF8",
            prepare_threshold=None,
            options=f"-c statement_timeout={TIMEOUT_MS} -c lock_timeout={TIMEOUT_MS}"
            f" -c search_path={self._path} -c temp_file_limit=256MB",
        )  # fmt: skip
        return connection

    def run(self, text: str) -> Outcome:
        """Run one text and commit; what it changed stays for the watcher to see."""
        try:
            return self._run(text)
        except psycopg.OperationalError as error:
            self._connection.close()
            self._connection = self._connect()
            return Outcome("broken", [f"connection: {str(error)[:100]}"])

    def _run(self, text: str) -> Outcome:
        connection = self._connection
        connection.execute("BEGIN")
        results = self._send(text)
        status = connection.info.transaction_status
        if status == TransactionStatus.INERROR:
            connection.execute("ROLLBACK")
            state = results[-1].error_field(pq.DiagnosticField.SQLSTATE).decode()
            return Outcome(state, session_differences(self._before, self._state()))
        differences = [] if status == TransactionStatus.INTRANS else ["transaction: it was ended"]
        if [result.status for result in results] != [ExecStatus.TUPLES_OK]:
            tags = [(result.command_status or b"").decode() for result in results]
            differences.append(f"results: {tags}")
        differences += session_differences(self._before, self._state())
        connection.execute("COMMIT" if status == TransactionStatus.INTRANS else "ROLLBACK")
        return Outcome("", differences)

    def _send(self, text: str) -> list[Any]:
        """Send the text; return its results, of rows only the last."""
        link = self._connection.pgconn
        link.send_query(text.encode())
        link.set_single_row_mode()
        results, rows = [], 0
        while (result := link.get_result()) is not None:
            if result.status == ExecStatus.SINGLE_TUPLE:
                rows += 1
                if rows == _ENOUGH_ROWS:
                    link.get_cancel().cancel()
            else:
                results.append(result)
        return results

    def _state(self) -> tuple[Any, ...]:
        row = self._connection.execute(IN_SESSION.encode()).fetchone()
        assert row is not None
        return row

    def settle(self) -> list[str]:
        """Return what outlived the transactions in this session, and start anew where it did."""
        found = session_differences(self._before, self._state())
        if found:
            self.restart()
        return found

    def restart(self) -> None:
        """Go on with a new connection."""
        self._connection.close()
        self._connection = self._connect()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
