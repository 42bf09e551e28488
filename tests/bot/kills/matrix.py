"""The matrix: every point again and again, in several scenes at once."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent.database.demo import DemoDatabase

from .model_server import ModelServer
from .plays import play
from .points import Point
from .scene import Scene, Unsettled, scene
from .verdict import left_behind, wrong_with

SERVE = ("serve",)


@dataclass
class Tally:
    """What became of one point."""

    kills: int = 0
    questions: int = 0
    wrong: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """From the question to its end, of each play."""


@dataclass
class Matrix:
    """The table, filled in by several threads."""

    tallies: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    beside: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def try_point(self, scene: Scene, point: Point, number: int) -> None:
        """Let a process die at a point, and write down what came of it."""
        began, killed, questions = time.monotonic(), len(scene.supervisor.killed), 0
        try:
            played = play(scene, point, number)
            questions = len(played.asked)
            wrong = wrong_with(scene, played)
        except Unsettled as never:
            wrong = [f"waited in vain for {never}"]
        with self.lock:
            tally = self.tallies[point.name]
            tally.kills += len(scene.supervisor.killed) - killed
            tally.questions += questions
            tally.wrong += [f"{number}: {each}" for each in wrong]
            tally.seconds.append(time.monotonic() - began)

    def note(self, name: str, wrong: Sequence[str]) -> None:
        """Write down what is wrong beside the points."""
        with self.lock:
            self.beside += [f"{name}: {each}" for each in wrong]

    @property
    def wrong(self) -> list[str]:
        """Everything that is not as it has to be."""
        of_points = [
            f"{name}: {each}" for name, tally in self.tallies.items() for each in tally.wrong
        ]
        return of_points + self.beside


def schedule(points: Sequence[Point], kills: int, seed: int) -> list[tuple[int, Point]]:
    """Return which point is tried when: each as often as the others, in an order of chance."""
    dice, order = random.Random(seed), list[Point]()
    while sum(each.times for each in order) < kills:
        order += dice.sample(list(points), len(points))
    return list(enumerate(order))


def run(
    demo: DemoDatabase, series: Sequence[tuple[int, Point]], *, processes: int, lanes: int
) -> Matrix:
    """Try the points of a series in so many scenes at once, each with so many processes."""
    matrix, left, models = Matrix(), list(reversed(series)), ModelServer()

    def one_lane(number: int) -> None:
        with scene(demo, models, [SERVE] * processes, str(number)) as mine:
            while left:
                with contextlib.suppress(IndexError):
                    at, point = left.pop()
                    matrix.try_point(mine, point, at)
            mine.supervisor.stop()
            matrix.note("afterwards", left_behind(mine))

    try:
        _all_at_once(one_lane, lanes)
    finally:
        models.stop()
    return matrix


def _all_at_once(work: object, lanes: int) -> None:
    threads = [threading.Thread(target=work, args=(each,)) for each in range(lanes)]  # type: ignore[arg-type]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def table(matrix: Matrix) -> Iterator[str]:
    """Yield the lines of the table, one for each point."""
    yield f"{'kills':>6} {'questions':>9} {'wrong':>5} {'median s':>8}  point"
    for name, tally in sorted(matrix.tallies.items()):
        median = sorted(tally.seconds)[len(tally.seconds) // 2]
        yield (f"{tally.kills:6} {tally.questions:9} {len(tally.wrong):5} {median:8.1f}  {name}")
    kills = sum(each.kills for each in matrix.tallies.values())
    yield f"{kills} kills at {len(matrix.tallies)} points, {len(matrix.wrong)} findings"
