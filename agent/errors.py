"""Every exception of the agent, by who gets to read it.

AgentError
├── ToolError               to the model: it may correct itself
│   ├── ArgumentsInvalid        the call does not fit the tool's arguments
│   ├── OutOfScope              no such tool, or not now
│   ├── UnknownTable            names the nearest tables
│   ├── SqlRejected             the guard's reason, with a stable code
│   ├── SqlFailed               the server's own message
│   └── ChartRejected           what is wrong with the chart's specification
├── RetryCeilingExceeded    to the loop: too many tool errors
└── Fault                   to the person, in one sentence that says what to do
    ├── DatabaseUnavailable
    ├── ModelUnavailable
    └── SettingsInvalid
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.state import AgentState


class AgentError(Exception):
    """Root of the tree."""


class ToolError(AgentError):
    """The model did something wrong and is told so, word for word; it costs a hop."""

    @property
    def reason(self) -> str:
        """What went wrong, without the help for the model: for the trail, which people read."""
        return str(self)


class ArgumentsInvalid(ToolError):
    """The arguments of a tool call do not fit the tool."""


class OutOfScope(ToolError):
    """A tool that does not exist, or that may not be used yet."""


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


class SqlFailed(ToolError):
    """The server refused or stopped a query; `sqlstate` is PostgreSQL's five-character code."""

    def __init__(self, sqlstate: str, message: str, hint: str = "") -> None:
        self.sqlstate = sqlstate
        self._reason = message if message.endswith((".", "!", "?", "…")) else f"{message}."
        super().__init__(f"PostgreSQL error {sqlstate}: {self._reason} {hint}".rstrip())

    @property
    def reason(self) -> str:
        return self._reason


class ChartRejected(ToolError):
    """A chart specification that cannot be drawn from the result it names."""


class RetryCeilingExceeded(AgentError):
    """Too many tool errors: three in a row, or five in all. `state` has them counted."""

    def __init__(self, state: AgentState, last_error: str) -> None:
        self.state = state
        self.last_error = last_error
        super().__init__(
            f"{state.error_count} tool errors, {state.retry_count} of them in a row; "
            f"the last one: {last_error}"
        )


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
    """The model cannot be reached, or refuses to serve us."""


class ModelDeclined(Fault):
    """The model refuses to answer this question; nothing is broken."""


class SettingsInvalid(Fault):
    """A setting is missing or wrong; the message names it."""


class QuestionInvalid(Fault):
    """A question that is empty, or too long to be one."""
