"""`db-agent ask`: one question, answered on the terminal."""

from __future__ import annotations

import codecs
import json
import logging
import sys
import time
from contextlib import suppress
from pathlib import Path

from agent.as_json import result_as_json
from agent.errors import DatabaseUnavailable, Fault, SettingsInvalid
from agent.messages import AgentResult, Outcome, Transition
from agent.protocols import Trail
from agent.question import check_question
from agent.run import open_agent
from agent.settings import AgentSettings, read_settings
from agent.state import Event
from agent.untrusted import visible_json
from bot.commands.stopping import until_told_to_stop
from bot.logs.set_up import is_read_by_machines
from bot.terminal import print_result

QUIET_S = 2.0
"""Seconds after which a run that still works says so."""
REFUSED = (
    "note: no answer passed the checks. Ask for less at once or in other words, or ask somebody "
    "who knows the data; in Slack, a person can be called."
)


class StepsOnStderr(Trail):
    """A trail that prints each step of a run once the run has taken a while."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def record(self, transition: Transition) -> None:
        """Print what happened, if there has been time to wonder; each call is told on its own."""
        if transition.event not in (Event.TOOLS_REQUESTED, Event.TOOLS_DONE, Event.TOOL_FAILED):
            self._say(transition.trigger)

    def begin(self, doing: str) -> None:
        """Print what is about to be done."""
        self._say(doing)

    def end(self, done: str, *, ok: bool) -> None:
        """Print what came of it."""
        self._say(done)

    def _say(self, words: str) -> None:
        if words and time.monotonic() - self._started >= QUIET_S:
            print(f"… {words}", file=sys.stderr, flush=True)


def ask(
    question: str,
    *,
    database_url: str | None,
    model: str | None,
    as_json: bool,
    chart: Path | None,
) -> int:
    """Answer `question` and print the result; returns the exit code.

    Raises `QuestionInvalid`, `SettingsInvalid` or `DatabaseUnavailable`; a bare `Fault` when the
    result cannot be written.
    """
    question = check_question(question)
    if chart is not None:
        _check_writable(chart)
    settings = settings_with(database_url=database_url, model=model)
    with until_told_to_stop(), open_agent(settings, progress=say) as agent:
        # A database that is out of reach is for the run to say; a wrong setting is for us.
        with suppress(DatabaseUnavailable):
            agent.database.ping()
        result = agent.run(question, trail=StepsOnStderr())
    _print(result, as_json=as_json)
    _write_chart(result, chart)
    if result.n_queries == 0:
        say("note: no query was run")
    if result.outcome is Outcome.ESCALATED:
        say(REFUSED)
    return 1 if result.failed or result.outcome is Outcome.ESCALATED else 0


def settings_with(*, database_url: str | None = None, model: str | None = None) -> AgentSettings:
    """Return the settings of the environment, with what the command line says on top.

    Raises `SettingsInvalid`.
    """
    settings = read_settings()
    given = {"database_url": database_url, "model": model}
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes:
        return settings
    known = {name: getattr(settings, name) for name in type(settings).model_fields}
    return AgentSettings.model_validate(known | changes)


def say(message: str) -> None:
    """Tell the person a line apart from the result: in the log, where machines read that."""
    if is_read_by_machines():
        logging.getLogger("bot.says").info("%s", message)
        return
    print(message, file=sys.stderr, flush=True)


def _print(result: AgentResult, *, as_json: bool) -> None:
    try:
        if as_json:
            print(_json(result))
        else:
            print_result(result)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Fault(f"The result cannot be written: {error.strerror or error}.") from error


def _json(result: AgentResult) -> str:
    """Return JSON that any standard output can hold: escaped where its letters are too few.

    What nobody sees, or what would steer a terminal, is escaped everywhere.
    """
    plain = codecs.lookup(sys.stdout.encoding or "ascii").name != "utf-8"
    # Half a letter is no letter, for any reader.
    whole = json.dumps(result_as_json(result), ensure_ascii=False, allow_nan=False, indent=2)
    text = whole.encode("utf-8", "replace").decode()
    if plain:
        text = "".join(c if c.isascii() else json.dumps(c)[1:-1] for c in text)
    return "\n".join(map(visible_json, text.split("\n")))


def _check_writable(path: Path) -> None:
    if path.suffix.lower() != ".png":
        raise SettingsInvalid(f"A chart is a PNG: write --chart {path.with_suffix('.png')}.")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise SettingsInvalid(f"The chart cannot be written to {path}: no such folder for a file.")


def _write_chart(result: AgentResult, path: Path | None) -> None:
    if path is None:
        return
    if not result.charts:
        say("note: no chart was drawn; ask for one, such as “as a bar chart”")
        return
    try:
        path.write_bytes(result.charts[-1].png)
    except OSError as error:
        raise SettingsInvalid(
            f"The chart cannot be written to {path}: {error.strerror or error}."
        ) from error
    say(f"chart written to {path}")
