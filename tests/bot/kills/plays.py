"""What people do around a death: each play asks, lets a process die, and waits for the end."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import psycopg
from slack_sdk.errors import SlackApiError

from .doors import Fuse, How, When, no_fuse, passings
from .model_server import Case
from .points import Point, Way
from .scene import Json, Scene, Unsettled
from .stories import case_of

CHANNEL = "data"
SLOW_S = 0.4
"""How long the model takes where somebody is to meet it at work."""
CASES_EACH = 2
FROZEN_S = 4.0
"""How long a process stands still that is alone: longer than its lease, in seconds."""
_STATE = """
select bool_and(status <> 'running' and shown) and count(*) >= %s
       and not exists (select from db_agent.procrastinate_jobs
                       where args ->> 'run_id' = any (array_agg(runs.id::text)))
from db_agent.runs where position(%s in question) > 0
"""
_TAKEN = "select from db_agent.runs where position(%s in question) > 0"
_STOP = "stop_run"
GIVEN_UP = "three times"
"""Words of a card whose question has killed too many processes."""


@dataclass
class Asked:
    """A question, and how it has to end."""

    case: Case
    channel: str
    ts: str
    thread_ts: str
    ends: str
    outcome: str | None
    """None where it never came to an end of its own."""
    runs: int = 1
    """How many runs of it there are: one for each wording."""
    attempts: Sequence[int] = (1,)
    is_counted: bool = True
    """It is known how often it takes the model; where somebody stops it, nobody knows."""
    sent: int = 1
    """How often a person had to put it; Slack sends a command only once."""


@dataclass
class Played:
    """What was asked while processes died."""

    point: Point
    number: int
    asked: list[Asked] = field(default_factory=list)


Play = Callable[[Scene, Played], None]


def play(scene: Scene, point: Point, number: int) -> Played:
    """Do what the point needs, and wait for the end. Raises `Unsettled`."""
    played, fuse = Played(point, number), point.fuse(number)
    fuse.put(scene.folder)
    try:
        PLAYS[point.way](scene, played)
        if point.how is How.FREEZES:
            _thaw(scene, played, fuse)
        for each in played.asked:
            scene.until(lambda each=each: _is_over(scene, each), f"the end of {each.case.name}")
    finally:
        no_fuse(scene.folder)
    return played


def _thaw(scene: Scene, played: Played, fuse: Fuse) -> None:
    """Let the process go on when its lease is over, and another has answered in its place."""
    (frozen,) = fuse.spent(scene.folder)
    try:
        if len(scene.supervisor.pids) > 1:
            for each in played.asked:
                scene.until(lambda each=each: _is_over(scene, each), "another process to answer")
        else:
            time.sleep(FROZEN_S)
        since = time.time()
    finally:
        scene.supervisor.signal(frozen, signal.SIGCONT)
    scene.until(lambda: _is_awake(scene, frozen, since), "the process that stood still to go on")


def _is_awake(scene: Scene, pid: int, since: float) -> bool:
    """Has it come to what it does now and again, or to an end?"""
    if pid not in scene.supervisor.pids:
        return True
    return any(each["pid"] == pid and each["at"] > since for each in passings(scene.folder))


def _is_over(scene: Scene, asked: Asked) -> bool:
    try:
        ((is_over,),) = scene.rows(_STATE, asked.runs, asked.case.name)
    except psycopg.errors.UndefinedTable:  # the store is being set up
        return False
    return bool(is_over)


def _open(scene: Scene, played: Played, nth: int = 0, story: str = "") -> Case:
    point = played.point
    is_in_a_call = point.when is When.DURING and point.door == "model"
    is_met_at_work = is_in_a_call or point.way == "stop"
    name = case_of(played.number * CASES_EACH + nth)
    return scene.models.open(name, story or point.story, SLOW_S if is_met_at_work else 0.0)


def _ask(scene: Scene, played: Played, case: Case, where: str, thread_ts: str = "") -> Asked:
    you, story = scene.you, case.story
    words = story.asked(case.name)
    if where == CHANNEL:
        ts = you.ask(where, words, thread_ts or None)
    else:
        ts = you.say(where, words, thread_ts or None)
    channel = scene.workspace.channels.get(where, where)
    ends = story.ends.format(case=case.name)
    asked = Asked(case, channel, ts, thread_ts or ts, ends, story.outcome)
    played.asked.append(asked)
    return asked


def _until_dead(scene: Scene, played: Played) -> None:
    fuse = played.point.fuse(played.number)
    what = f"a death {played.point.when} {played.point.door}"
    scene.until(lambda: len(fuse.spent(scene.folder)) == fuse.times, what, 40.0)


def _mention(scene: Scene, played: Played) -> None:
    asked = _ask(scene, played, _open(scene, played), CHANNEL)
    asked.attempts = played.point.attempts
    _until_dead(scene, played)


def _direct(scene: Scene, played: Played) -> None:
    asked = _ask(scene, played, _open(scene, played), scene.you.dm())
    asked.attempts = played.point.attempts
    _until_dead(scene, played)


def _follow_up(scene: Scene, played: Played) -> None:
    """A second question waits in the thread while the process dies over the first."""
    first = _ask(scene, played, _open(scene, played), CHANNEL)
    first.attempts = played.point.attempts
    # Events that come at once overtake each other.
    scene.until(lambda: scene.rows(_TAKEN, first.case.name), "the first question to be taken")
    _ask(scene, played, _open(scene, played, 1, "plain"), CHANNEL, first.ts)
    _until_dead(scene, played)


def _edit(scene: Scene, played: Played) -> None:
    """The question is changed after the process has died over its first wording."""
    first = _open(scene, played)
    asked = _ask(scene, played, first, CHANNEL)
    _until_dead(scene, played)
    case = _open(scene, played, 1, "plain")
    words = f"{scene.you.mention} {case.story.asked(case.name)}"
    scene.you.client.chat_update(channel=asked.channel, ts=asked.ts, text=words)
    asked.case, asked.ends = case, case.story.ends.format(case=case.name)


def _stop(scene: Scene, played: Played) -> None:
    """Stop is pressed while the model is at work, and the process dies over that."""
    asked = _ask(scene, played, _open(scene, played), CHANNEL)
    asked.is_counted, asked.outcome, asked.ends = False, "cancelled", ""
    asked.attempts = played.point.attempts
    card = scene.until(lambda: _card_with_stop(scene, asked), "a Stop button")
    scene.until(lambda: asked.case.turns, "the model to be asked")
    scene.you.click(card, _STOP)
    _until_dead(scene, played)


def _too_often(scene: Scene, played: Played) -> None:
    """Every process that takes it up dies of it, until the question is given up."""
    asked = _ask(scene, played, _open(scene, played), CHANNEL)
    asked.is_counted, asked.outcome, asked.ends = False, None, GIVEN_UP
    asked.attempts = played.point.attempts
    _until_dead(scene, played)


def _migration(scene: Scene, played: Played) -> None:
    """The store is set up anew; the question comes while nobody is there to take it."""
    scene.supervisor.stop()
    scene.drop_store()
    asked = _ask(scene, played, _open(scene, played), CHANNEL)
    asked.attempts = played.point.attempts
    scene.supervisor.start()
    _until_dead(scene, played)


def _card_with_stop(scene: Scene, asked: Asked) -> Json | None:
    found = scene.you.from_bot(asked.channel, asked.thread_ts)
    return next((each for each in found if _STOP in str(each.get("blocks"))), None)


def _command(scene: Scene, played: Played) -> None:
    """Slack sends a command once: who is told that nobody heard it gives it again."""
    case = _open(scene, played)
    channel = scene.workspace.channels[CHANNEL]
    asked = Asked(case, channel, "", "", case.story.ends.format(case=case.name), case.story.outcome)
    asked.attempts = played.point.attempts
    played.asked.append(asked)
    while not _is_heard(scene, case):
        asked.sent += 1
        if asked.sent > 5:
            raise Unsettled("a command to be heard")
        scene.until(lambda: scene.connections == len(scene.supervisor.pids), "all processes")
    _until_dead(scene, played)


def _is_heard(scene: Scene, case: Case) -> bool:
    try:
        scene.you.command(CHANNEL, case.story.asked(case.name))
    except SlackApiError:
        return False
    return True


PLAYS: Mapping[Way, Play] = {
    "mention": _mention,
    "direct": _direct,
    "command": _command,
    "follow-up": _follow_up,
    "edit": _edit,
    "stop": _stop,
    "too often": _too_often,
    "migration": _migration,
}
