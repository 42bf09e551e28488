"""The port that is to be served: whether it is free, and the secret that Slack signs with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from typing import Final

from bot.doctor.finding import Finding, note, ok
from bot.doctor.set_up import SetUp
from bot.http import health
from bot.http.port import Port, PortTaken, listen
from bot.settings import SIGNING_SECRET_HELP

ANSWER_WITHIN_S: Final = 3.0
_USUAL_SECRET: Final = re.compile(r"[0-9a-f]{32}")


def http_findings(set_up: SetUp) -> Iterator[Finding]:
    """Yield how the signing secret and the port stand; nothing is served."""
    secret = set_up.bot.slack_signing_secret
    if set_up.port is None:
        if secret is not None:
            yield note(
                "SLACK_SIGNING_SECRET is set, and is read only where a port is served",
                "look at that with db-agent doctor --http PORT, and serve it with db-agent serve"
                " --http PORT",
            )
        return
    if secret is None and not set_up.is_wrong("SLACK_SIGNING_SECRET"):
        yield note(
            "SLACK_SIGNING_SECRET is not set, so events come over Socket Mode and the port answers"
            f" /readyz {'and installs the app' if set_up.bot.serves_several else 'alone'}",
            f"to let Slack call the port, set it: {SIGNING_SECRET_HELP}",
        )
    elif secret is not None:
        yield _form(secret.get_secret_value())
    if set_up.port.number:
        yield _port(set_up.port)


def _form(secret: str) -> Finding:
    if _USUAL_SECRET.fullmatch(secret):
        return ok("SLACK_SIGNING_SECRET looks like one; only Slack's first request can prove it")
    return note(
        "SLACK_SIGNING_SECRET does not look like one: they have 32 signs of 0-9 and a-f",
        f"compare them; {SIGNING_SECRET_HELP}",
    )


def _port(port: Port) -> Finding:
    try:
        listen(port).close()
    except PortTaken:
        running = _db_agent_at(port)
        if running:
            return ok(f"port {port.number} is served by a db-agent, which says: {running}")
        raise
    return ok(f"port {port.number} of {port.host} is free")


def _db_agent_at(port: Port) -> str:
    """Return the health of the bot that serves a port, or "" where it is another program."""
    connection = HTTPConnection(port.host, port.number, timeout=ANSWER_WITHIN_S)
    try:
        connection.request("GET", health.READY)
        said = json.loads(connection.getresponse().read(1000))
        return "all is well" if said["ok"] is True else str(said["reason"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return ""
    finally:
        connection.close()
