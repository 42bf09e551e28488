"""All areas at once, each in a thread of its own; their groups in a steady order."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.doctor.attempt import attempt
from bot.doctor.database_area import database_findings
from bot.doctor.finding import Finding, unchecked, wrong
from bot.doctor.machine_area import clock_findings, machine_findings
from bot.doctor.model_area import model_findings
from bot.doctor.report import Group
from bot.doctor.secrets import without_secrets
from bot.doctor.set_up import SetUp, read_set_up
from bot.doctor.settings_area import settings_findings
from bot.doctor.slack_area import slack_findings
from bot.doctor.store_area import store_findings
from bot.http.port import Port

AREAS: Final[dict[str, Callable[[SetUp], Iterator[Finding]]]] = {
    "database": database_findings,
    "slack": slack_findings,
    "model": model_findings,
    "store": store_findings,
    "machine": machine_findings,
}
_LIMIT_S: Final = 10.0
_AREA_LIMIT_S: Final = 180.0
"""Above all limits of its checks together: only a mistake of ours meets it."""


def examine(
    areas: Sequence[str], *, model: str | None = None, port: Port | None = None
) -> Iterator[Group]:
    """Yield what is found in the settings and in each of `areas`, as soon as it is known.

    `areas` are keys of `AREAS`; `model` comes before DB_AGENT_MODEL; `port` is the one that would
    be served. Nothing is changed anywhere.
    Raises nothing for what is wrong: that is a finding, and holds no secret.
    """
    try:
        set_up = read_set_up(model=model, port=port)
    except (OSError, UnicodeError) as error:
        yield Group("settings", (_unreadable(error),))
        for area in areas:
            yield Group(area, (unchecked(f"the {area}", ".env cannot be read"),))
        return
    chosen = frozenset(areas)
    settings = attempt(
        "the settings", _LIMIT_S, lambda: settings_findings(set_up, chosen, os.environ)
    )
    yield _group("settings", settings, set_up)
    looks = [_Look(area, set_up) for area in AREAS if area in chosen]
    for look in looks:
        findings = look.findings()
        if look.area == "machine":
            # The last: by now whoever could say the time has said it.
            findings += attempt("the clock", _LIMIT_S, lambda: clock_findings(set_up))
        yield _group(look.area, findings, set_up)


class _Look:
    """A look at one area, in a thread that does not keep the command from ending."""

    def __init__(self, area: str, set_up: SetUp) -> None:
        self.area = area
        self._found: list[Finding] = []
        self._thread = threading.Thread(target=self._run, args=(set_up,), daemon=True)
        self._thread.start()

    def _run(self, set_up: SetUp) -> None:
        self._found = attempt(f"the {self.area}", _AREA_LIMIT_S, lambda: AREAS[self.area](set_up))

    def findings(self) -> list[Finding]:
        """Return what was found, once it is."""
        self._thread.join()
        return self._found


def _group(name: str, findings: Sequence[Finding], set_up: SetUp) -> Group:
    clean = without_secrets(set_up)
    return Group(
        name,
        tuple(
            replace(
                finding,
                what=clean(finding.what),
                todo=clean(finding.todo),
                lines=tuple(clean(line) for line in finding.lines),
            )
            for finding in findings
        ),
    )


def _unreadable(error: OSError | UnicodeError) -> Finding:
    why = getattr(error, "strerror", None) or "it is no text in UTF-8"
    return wrong(f"the file .env cannot be read ({why})", "let this user read it, or take it away")
