"""A draft and what is known become a frame: every name settled, or a question back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.models.offline.asking import (
    draft_asks,
    find_asked,
    with_chosen_rank,
    with_columns_ranked,
)
from agent.models.offline.atlas import Atlas
from agent.models.offline.dimensions import find_dimensions
from agent.models.offline.directions import check_direction
from agent.models.offline.draft import Asked, Draft
from agent.models.offline.filters import Filters
from agent.models.offline.frame import Frame, Spot, Test, Unclear
from agent.models.offline.group_choices import with_chosen_group
from agent.models.offline.measuring import distinct_labels, settle_figure
from agent.models.offline.ordering import with_order
from agent.models.offline.places import Places
from agent.models.offline.restricting import with_conditions
from agent.models.offline.rooting import find_root, find_subject, tables_mentioned
from agent.models.offline.saying import join_names
from agent.models.offline.showing import with_shown
from agent.models.offline.soundness import check_sound
from agent.models.offline.values import Values
from agent.models.offline.ways import plain
from agent.models.offline.who import check_people, with_doers
from agent.models.offline.work import Work


def resolve(draft: Draft, atlas: Atlas, values: Values) -> Frame:
    """Return the frame of a draft. Raises `Unclear` for what cannot be read without a guess."""
    try:
        return _resolve(draft, atlas, values)
    except Unclear as unclear:
        unknown = _unknown(draft, values)
        if not unknown or (unclear.options and draft.replies):
            raise
        raise _cannot_read(values, unknown) from None


def _unknown(draft: Draft, values: Values) -> tuple[str, ...]:
    """Return the words that name nothing here: a question back begins with them."""
    phrases = [phrase for cond in draft.values for phrase in cond.phrases]
    if not values.probes:
        # Nothing was looked for yet: a word with a capital may well be a name.
        phrases = [phrase for phrase in phrases if phrase.islower()]
    lost = [text for phrase in phrases for found, text in values.split(phrase) if not found]
    return (*draft.unread, *(text for text in lost if text.lower() not in ("and", "or", "&")))


def _resolve(draft: Draft, atlas: Atlas, values: Values) -> Frame:
    draft = with_doers(with_columns_ranked(draft, atlas), atlas)
    subject = find_subject(draft, atlas)
    draft = with_chosen_rank(draft, atlas, subject)
    draft = with_chosen_group(draft, atlas)
    asked = find_asked(draft, atlas, subject)
    root = find_root(draft, atlas, asked, subject, _tables_of_names(draft, atlas, values))
    mentioned = tables_mentioned(draft, atlas, root)
    places = Places(atlas, draft, root, mentioned)
    filters = Filters(draft, places, values, subject)
    work = Work(draft, atlas, values, subject, places, filters)
    return _assemble(work, asked)


def _tables_of_names(draft: Draft, atlas: Atlas, values: Values) -> frozenset[str]:
    """Return the tables that hold a row whose name the question says: California in state."""
    phrases = [phrase for cond in draft.values for phrase in cond.phrases]
    found = [f for phrase in phrases for group, _ in values.split(phrase) for f in group if f.exact]
    return frozenset(f.table for f in found if f.column == "+".join(atlas.label(f.table)))


def _assemble(work: Work, asked: Sequence[Asked]) -> Frame:
    if not draft_asks(work.draft) and work.draft.show and asked:
        work.draft = replace(work.draft, show=())
        work.filters.draft = work.draft
    figures = distinct_labels([settle_figure(work, one) for one in asked])
    dimensions = find_dimensions(work, bool(figures))
    frame = Frame(
        work.places.root, figures, dimensions, subject_words=plain(work.subject or work.places.root)
    )
    frame = with_conditions(work, frame)
    frame = with_shown(work, frame)
    frame = with_order(work, frame)
    frame = _with_named_winners(work, frame)
    frame = replace(
        frame,
        chart=_chart(work.draft),
        no_chart=work.draft.no_chart,
        distinct=work.draft.distinct or frame.distinct,
        exists=work.draft.exists,
    )
    unread = (*work.draft.unread, *work.filters.unread)
    if unread:
        raise _cannot_read(work.values, unread)
    check_people(work.draft, frame, work.atlas)
    check_direction(work.draft.text, frame, work.atlas)
    check_sound(frame, work.atlas)
    told = tuple(dict.fromkeys(work.places.told))
    return replace(frame, notes=tuple(work.places.notes), told=told)


def _with_named_winners(work: Work, frame: Frame) -> Frame:
    """Leave rows without a value out of a top: "no value" wins nothing."""
    if not (frame.superlative and frame.limit and frame.figures):
        return frame
    spots = [
        Spot(d.path, d.table, d.columns[0])
        for d in frame.dimensions
        if not d.grain and not d.identity and len(d.columns) == 1
    ]
    nullable = [s for s in spots if work.atlas.column(s.table, s.column).nullable]
    return replace(frame, tests=(*frame.tests, *(Test(s, "null", (), True) for s in nullable)))


def _cannot_read(values: Values, unread: Sequence[str]) -> Unclear:
    lost = tuple(dict.fromkeys(unread))
    words = join_names([f"“{word}”" for word in lost])
    means = "means" if len(lost) == 1 else "mean"
    places = [plain(found.table) for found in values.find(lost[0]) if found.exact]
    if len(lost) == 1 and places:
        return Unclear(
            f"I found {words} in {places[0]}, but no way from there to what you ask about. "
            "Please put it differently."
        )
    said = [word.lower() for word in lost]
    options = tuple(o for o in values.closest(lost[0]) if o.lower() not in said)
    if options:
        return Unclear(
            f"I found nothing that {words} could stand for. Did you mean one of these?", options
        )
    return Unclear(
        f"I do not know what {words} {means} in this database. Please put it differently."
    )


def _chart(draft: Draft) -> str:
    return "" if draft.no_chart else draft.chart
