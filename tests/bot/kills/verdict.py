"""What has to be true of a question when all is over, whoever died meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import psutil

from .doors import passings
from .plays import Asked, Played
from .points import Point
from .scene import MINE, Scene, Unsettled

_RUNS = """
select status, outcome, attempt, card_ts, thread_ts, summary
from db_agent.runs join db_agent.conversations on conversations.id = conversation_id
where position(%s in question) > 0 order by revision, runs.created_at
"""
_DUE = """
select count(*) from db_agent.runs join db_agent.conversations on conversations.id = conversation_id
where thread_ts = %s and dropped = ''
"""
_CONNECTIONS = """
select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
"""
_WORKING = ("Working on it", "⏳")
_NOT_FOR_PEOPLE = re.compile(r"Traceback|Exception|Error\b|psycopg|slack_sdk")


def wrong_with(scene: Scene, played: Played) -> list[str]:
    """Return what is wrong, in words; nothing, most of the time."""
    found = [each for asked in played.asked for each in _wrong_with(scene, played, asked)]
    found += scene.models.strange
    scene.models.strange.clear()
    return found


def left_behind(scene: Scene) -> list[str]:
    """Return what is left of processes that are all gone: other processes, jobs, connections."""
    of_ours = [each.pid for each in psutil.process_iter() if _is_of(scene, each)]
    found = [f"process {pid} is left" for pid in of_ours]
    jobs = scene.rows("select id, status, args from db_agent.procrastinate_jobs")
    found += [f"a job is left: {each}" for each in jobs if "run_id" in str(each)]
    unshown = scene.rows(
        "select question, status, shown, attempt, dropped, revision from db_agent.runs "
        "where status = 'running' or not shown"
    )
    found += [f"a run is left: {each}" for each in unshown]
    try:
        scene.until(lambda: not scene.rows(_CONNECTIONS), "the connections to end", 10.0)
    except Unsettled as never:
        found.append(f"waited in vain for {never}")
    return found


def _is_of(scene: Scene, process: psutil.Process) -> bool:
    try:
        return process.environ().get(MINE) == str(scene.folder)
    except psutil.Error:
        return False


def _wrong_with(scene: Scene, played: Played, asked: Asked) -> Iterator[str]:
    runs = scene.rows(_RUNS, asked.case.name)
    if not asked.runs <= len(runs) <= asked.runs * asked.sent:
        yield f"{len(runs)} runs"
        return
    for status, outcome, attempt, card_ts, thread_ts, summary in runs:
        if outcome != asked.outcome or status != ("finished" if outcome else "turned_away"):
            yield f"the run is {status}, {outcome}: {summary}"
        if attempt not in asked.attempts:
            yield f"begun {attempt} times, not {asked.attempts}"
        yield from _card(scene, asked, card_ts)
        yield from _thread(scene, asked, thread_ts)
    if asked.is_counted:
        yield from _repeats(scene, played, asked, len(runs))
    if asked.outcome == "escalated":
        yield from _passed_on(scene, asked)


def _card(scene: Scene, asked: Asked, card_ts: str | None) -> Iterator[str]:
    cards = [each for each in scene.messages(asked.channel) if each["ts"] == card_ts]
    if len(cards) != 1:
        yield f"no card at {card_ts}"
    for card in cards:
        if asked.ends not in card["text"]:
            yield f"the card says {card['text'][:200]!r}, not {asked.ends!r}"
        if card["text"].startswith(_WORKING) or card.get("streaming_state") == "in_progress":
            yield "the card still stands at work"
        if "stop_run" in str(card.get("blocks")):
            yield "the card still has its Stop button"
        if _NOT_FOR_PEOPLE.search(str([card["text"], card.get("blocks")])):
            yield f"no words for people: {card['text'][:200]!r}"
        if asked.case.story.is_drawn and "'image'" not in str(card.get("blocks")):
            yield "the card has no chart"


def _thread(scene: Scene, asked: Asked, thread_ts: str) -> Iterator[str]:
    """Beside one card for each question nothing of ours stands there, and the work is over."""
    answers = [
        each["text"][:60]
        for each in scene.messages(asked.channel)
        if each.get("thread_ts") == thread_ts != each["ts"]
        and each.get("user") == scene.workspace.bot_user_id
    ]
    ((due,),) = scene.rows(_DUE, thread_ts)
    if len(answers) != due:
        yield f"{len(answers)} messages where {due} are due: {answers}"
    for each in scene.you.client.api_call("workspace.boot")["sessions"]:
        if each["thread_ts"] == thread_ts and each["state"] == "processing":
            yield "its thread is still shown as being worked on"


def _repeats(scene: Scene, played: Played, asked: Asked, runs: int) -> Iterator[str]:
    """Of the model and the database only what was in flight is asked once more."""
    point, story = played.point, asked.case.story
    is_first = asked is played.asked[0]
    asked_again = point.calls_again if is_first else 0
    made, due = asked.case.turns + asked.case.verdicts, story.turns_in_all * runs
    if not _fits(point, made, due, asked_again):
        yield f"the model was asked {made} times, not {due + asked_again}"
    ran = sum(_is_query_of(each, asked.case.name) for each in passings(scene.folder))
    run_again = point.queries_again if is_first else 0
    if not _fits(point, ran, story.queries * runs, run_again):
        yield f"{ran} queries, not {story.queries * runs + run_again}"


def _fits(point: Point, made: int, due: int, again: int) -> bool:
    """Once more than due at the most, and just so often where it is known what was in flight."""
    return due + (again if point.is_exact else 0) <= made <= due + again


def _is_query_of(line: dict[str, Any], case: str) -> bool:
    words = f"'{case}'"
    is_ours = line["told"].startswith("SELECT staff_id") and words in line["told"]
    return bool(line["door"] == "query" and line["when"] == "before" and is_ours)


def _passed_on(scene: Scene, asked: Asked) -> Iterator[str]:
    """A person was called once."""
    helpdesk = scene.workspace.channels["helpdesk"]
    posts = [each for each in scene.messages(helpdesk) if asked.case.name in str(each)]
    if len(posts) != 1:
        yield f"{len(posts)} posts to the people who help"
    placed = scene.rows(
        "select count(*), count(escalations.message_ts) from db_agent.escalations "
        "join db_agent.runs on runs.id = run_id where position(%s in runs.question) > 0",
        asked.case.name,
    )
    if placed != [(1, 1)]:
        yield f"escalations and how many have a place: {placed}"
