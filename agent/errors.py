"""Every exception of the agent, by who gets to read it.

AgentError
├── ToolError               to the model: it may correct itself
│   ├── ArgumentsInvalid        the call does not fit the tool's arguments
│   ├── OutOfScope              no such tool, or not now
│   ├── RepeatedCall            the very same call again; it is not run
│   ├── UnknownTable            names the nearest tables
│   ├── SqlRejected             the guard's reason, with a stable code
│   ├── SqlFailed               the server's own message
│   ├── ChartRejected           what is wrong with the chart's specification
│   └── CalculationRejected     why an expression gives no figure, and what there is
├── RetryCeilingExceeded    to the loop: too many tool errors
├── CheckpointUnreadable    to whoever resumes a run: it cannot go on, and has to begin anew
└── Fault                   to the person, in one sentence that says what to do
    ├── DatabaseUnavailable
    ├── ModelUnavailable
    │   └── NoVerdict           the judge gave none; says what the asking took
    └── SettingsInvalid
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.messages import Usage
from agent.state import AgentState


class AgentError(Exception):
    """Root of the tree."""


class ToolError(AgentError):
    """The model did something wrong and is told so, word for word; it costs a hop."""

    @property
    def reason(self) -> str:
        """What went wrong, without the help for the model: for the trail, which people read."""
        return str(self)

    @property
    def may_pass(self) -> bool:
        """The very same call may succeed a moment later."""
        return False

    @property
    def is_refusal(self) -> bool:
        """It was forbidden, not done wrong."""
        return False


class ArgumentsInvalid(ToolError):
    """The arguments of a tool call do not fit the tool."""


class OutOfScope(ToolError):
    """A tool that does not exist, or that may not be used yet."""

    def __init__(self, message: str, *, exists: bool) -> None:
        self._exists = exists
        super().__init__(message)

    @property
    def may_pass(self) -> bool:
        return self._exists


class RepeatedCall(ToolError):
    """The model makes a call that it has made before, word for word; it is not run.

    `failed_with` is why it failed then; "" where it worked.
    """

    def __init__(self, tool: str, failed_with: str = "") -> None:
        self.tool = tool
        self.failed_with = failed_with
        before = (
            f"it failed: {failed_with} It is not run again: do something else."
            if failed_with
            else "what it gave stands above. Go on from there."
        )
        super().__init__(f"You made this very call before; {before}")

    @property
    def reason(self) -> str:
        before = f" that had failed before: {self.failed_with}" if self.failed_with else " again."
        return f"it was the very step{before}"


class UnknownTable(ToolError):
    """No table of that name can be read; `nearest` are names that can."""

    def __init__(self, name: str, nearest: Sequence[str]) -> None:
        self.name = name
        self.nearest = tuple(nearest)
        hint = f" The nearest names are: {', '.join(nearest)}." if nearest else ""
        super().__init__(f"{self.reason}{hint}")

    @property
    def reason(self) -> str:
        return f"There is no table {self.name!r} that may be read."


_FORBIDDEN = frozenset(
    {
        "not_a_query",
        "into",
        "several_statements",
        "system_catalog",
        "session_value",
        "other_database",
        "user_function",
    }
)
"""The guard's codes for what no wording of the query makes right."""


class SqlRejected(ToolError):
    """The guard refused a query before it was sent.

    `code` is stable, `name` is the offending word of the query ("" where there is none) and
    `hint` is one line that helps to do it right.
    """

    def __init__(self, code: str, name: str, reason: str, hint: str) -> None:
        self.code = code
        self.name = name
        self.hint = hint
        self._reason = reason
        super().__init__(f"Refused ({code}): {reason} {hint}".rstrip())

    @property
    def reason(self) -> str:
        return self._reason

    @property
    def is_refusal(self) -> bool:
        return self.code in _FORBIDDEN


class SqlFailed(ToolError):
    """The server refused or stopped a query; `sqlstate` is PostgreSQL's five-character code."""

    def __init__(self, sqlstate: str, message: str, hint: str = "") -> None:
        self.sqlstate = sqlstate
        self._reason = message if message.endswith((".", "!", "?", "…")) else f"{message}."
        super().__init__(f"PostgreSQL error {sqlstate}: {self._reason} {hint}".rstrip())

    @property
    def reason(self) -> str:
        return self._reason

    @property
    def may_pass(self) -> bool:
        # A lock, a deadlock, a serialization failure: PostgreSQL's own advice is to try again.
        return self.sqlstate in ("55P03", "40P01", "40001")

    @property
    def is_refusal(self) -> bool:
        return self.sqlstate == "42501"


class ChartRejected(ToolError):
    """A chart specification that cannot be drawn from the result it names."""


class CalculationRejected(ToolError):
    """An expression that gives no figure, or one that does not come from the data.

    `hint` is one line that helps to do it right.
    """

    def __init__(self, reason: str, hint: str = "") -> None:
        self.hint = hint
        self._reason = reason
        super().__init__(f"{reason} {hint}".rstrip())

    @property
    def reason(self) -> str:
        return self._reason


class RetryCeilingExceeded(AgentError):
    """Too many tool errors: three in a row, or five in all. `state` has them counted."""

    def __init__(self, state: AgentState, last_error: str) -> None:
        self.state = state
        self.last_error = last_error
        super().__init__(
            f"{state.error_count} tool errors, {state.retry_count} of them in a row; "
            f"the last one: {last_error}"
        )


class CheckpointUnreadable(AgentError):
    """What was kept of a run cannot be read, such as where a newer version wrote it.

    Nothing was done yet: the caller begins the run anew, from its question. The message is for the
    operator and quotes no row.
    """


class Fault(AgentError):
    """Something outside the model's power is broken.

    The message is one sentence for the person who asked and says what to do; `detail` is for the
    operator and never holds a password or a key.
    """

    def __init__(self, message: str, *, detail: str = "") -> None:
        self.detail = detail
        super().__init__(message)


class DatabaseUnavailable(Fault):
    """The analytics database cannot be reached, or the connection broke in the middle."""


class ModelUnavailable(Fault):
    """The model cannot be reached, or refuses to serve us.

    `about_request`: it is there, and what it refuses is what it was asked, such as one too large.
    """

    def __init__(self, message: str, *, detail: str = "", about_request: bool = False) -> None:
        self.about_request = about_request
        super().__init__(message, detail=detail)


class NoVerdict(ModelUnavailable):
    """The judge could not be reached, or gave no verdict; `usage` and `turns` were spent on it.

    `by_model` is the usage by the model that took it; empty: the judge's own took it all.
    """

    def __init__(
        self,
        message: str,
        usage: Usage,
        turns: int,
        *,
        detail: str = "",
        by_model: Mapping[str, Usage] | None = None,
    ) -> None:
        self.usage, self.turns, self.by_model = usage, turns, by_model or {}
        super().__init__(message, detail=detail)


class ModelDeclined(Fault):
    """The model refuses to answer this question; nothing is broken."""


class SettingsInvalid(Fault):
    """A setting is missing or wrong; the message names it."""


class QuestionInvalid(Fault):
    """A question that is empty, or too long to be one."""
