"""What can go wrong, by audience.

SlackError      to the caller of a Web API method: one of Slack's error names
ManifestError   to whoever starts the workspace: the app manifest does not hold together
PortInUse       to whoever starts the workspace: another process listens there
UrlNotVerified  to whoever sets a request URL: the app there does not answer as it has to
"""

from __future__ import annotations

from typing import Any


class SlackError(Exception):
    """A refused Web API call. `code` is the word Slack puts into `error`."""

    def __init__(self, code: str, *messages: str, **more: Any) -> None:
        super().__init__(code)
        self.code = code
        self.messages = list(messages)
        self.more = more

    def as_slack(self) -> dict[str, Any]:
        """The JSON body of the refusal."""
        body: dict[str, Any] = {"ok": False, "error": self.code, **self.more}
        if self.messages:
            body["response_metadata"] = {"messages": self.messages}
        return body


class ManifestError(ValueError):
    """The app manifest asks for something that Slack would not accept."""


class PortInUse(OSError):
    """The port is taken; the message names it and what to do."""

    def __init__(self, port: int) -> None:
        super().__init__(
            f"port {port} on 127.0.0.1 is in use: choose another port, or 0 for any free one"
        )
        self.port = port


class UrlNotVerified(ValueError):
    """A request URL did not give its challenge back; the message says what came instead."""

    def __init__(self, url: str, what: str) -> None:
        super().__init__(f"{url} is not verified: {what}")
