"""Whether a frame can be written as one query at all: what cannot is asked about, not tried."""

from __future__ import annotations

from agent.models.offline.atlas import Atlas
from agent.models.offline.frame import Figure, Frame, Presence, Unclear
from agent.models.offline.group_choices import group_choices
from agent.models.offline.money import money_sources
from agent.models.offline.saying import plural
from agent.models.offline.ways import plain


def check_sound(frame: Frame, atlas: Atlas) -> None:
    """Raise `Unclear` where parts of a frame do not go together."""
    _check_averages(frame, atlas)
    for figure in frame.figures:
        _check_figure(figure, frame.root, atlas)
    _check_whole_sums(frame, atlas)
    for presence in frame.presences:
        _check_presence(presence)
    for test in frame.tests:
        _check_time(test.op, atlas.column(test.spot.table, test.spot.column).type, test.spot.column)
    for dimension in frame.dimensions:
        kind = atlas.column(dimension.table, dimension.columns[0]).type
        _check_time(dimension.grain, kind, dimension.columns[0])
    columns = [order.spot for order in frame.order if order.spot is not None]
    if columns and frame.figures and frame.dimensions:
        raise Unclear(
            f"I cannot put the groups in order by {plain(columns[0].column)}, which each of their "
            "rows has another one of. Please name the figure to order by."
        )
    if frame.partition and not frame.order:
        raise Unclear("By which figure shall I rank?")


def _check_averages(frame: Frame, atlas: Atlas) -> None:
    """Raise `Unclear` for the average of one count: an average needs many figures to be of."""
    for figure in frame.figures:
        word = {"avg": "average", "median": "median"}.get(figure.outer, "")
        if word and not frame.dimensions:
            raise Unclear(
                f"The {word} number of {plural(figure.words)} is one per something: per what "
                "shall I count them?",
                tuple(group_choices(atlas, frame.root)),
            )


def _check_whole_sums(frame: Frame, atlas: Atlas) -> None:
    """Raise `Unclear` where a sum of whole rows is asked for by what only a part of them is."""
    kept = {money.table for money in money_sources(atlas)}
    adds = any(f.agg in ("sum", "avg") and f.table == frame.root for f in frame.figures)
    paths = [test.spot.path for test in (*frame.tests, *frame.part)]
    below = [path[0].target for path in paths if path and not path[0].up]
    part = next((table for table in below if table in kept and frame.root in kept), None)
    if adds and part is not None:
        raise Unclear(
            f"One {plain(frame.root)} may hold several {plain(part)} rows, so its sum is not that "
            f"of what you named. Shall I work with each {plain(part)}?"
        )


def _check_time(what: str, kind: str, column: str) -> None:
    """Raise `Unclear` for months of what is no date, and for hours of a date."""
    dated = kind.startswith(("date", "timestamp")) or not kind
    if (what in ("months", "weekdays") and not dated) or (what == "hour" and kind == "date"):
        word = {"hour": "hours"}.get(what, what)
        raise Unclear(f"{plain(column).capitalize()} holds no {word}. Which date do you mean?")


def _check_figure(figure: Figure, root: str, atlas: Atlas) -> None:
    spots = [spot for spot in (figure.spot, *figure.factors) if spot is not None]
    if any(not spot.path and spot.table != root for spot in spots):
        first, second = plain(root), plain(spots[0].table)
        raise Unclear(
            f"I can work out a figure of {first} and one of {second} only one after the other. "
            "Which one shall I begin with?"
        )
    for spot in spots:
        known = atlas.column(spot.table, spot.column).type
        adds = figure.agg in ("sum", "avg", "median")
        if adds and known and not atlas.is_numeric(spot.table, spot.column):
            raise Unclear(f"{plain(spot.column).capitalize()} holds no numbers to work with.")


def _check_presence(presence: Presence) -> None:
    reached = {step.target for step in presence.path}
    if any(test.spot.table not in reached for test in presence.tests):
        raise Unclear(
            "I cannot tell what must not be there in this question. Please put it differently."
        )
