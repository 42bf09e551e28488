"""A thread's questions folded into one: a follow-up changes the draft that stands before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.models.offline.afresh import Ending
from agent.models.offline.carrying import with_conditions_of
from agent.models.offline.completing import completed
from agent.models.offline.draft import Asked, Draft, GroupBy, Rank, ValueCond
from agent.models.offline.standing import is_followup, is_whole, loses_a_noun


def fold(drafts: Sequence[Draft], endings: tuple[Ending, ...] = ()) -> Draft:
    """Return what the last message asks, with what it leaves unsaid taken from those before it.

    `endings` tell how each draft but the last ended. Once a question was answered, later ones that
    were not leave nothing behind, but for one that was asked back and is replied to.
    """
    base, waiting, answered = Draft(), None, False
    folded = drafts[0]
    for number, draft in enumerate(drafts):
        goes_on = answered and _GOES_ON.search(draft.text)
        refused = bool(number) and endings[number - 1 : number] not in ((), ("answered",))
        if refused and _regroups(folded, draft):
            folded = merge(replace(folded, values=_without_groups(folded)), draft)
        elif refused and _is_reply(draft, folded) and (whole := completed(folded, draft)):
            folded = whole
        elif waiting is not None and not goes_on and _is_reply(draft, waiting):
            folded = replace(waiting, replies=(*waiting.replies, draft.text))
        elif number and is_followup(draft, base):
            merged = merge(base, draft)
            # Whatever names a thing that the question before does not speak of is a new question.
            folded = draft if loses_a_noun(draft, merged) else merged
        else:
            folded = draft
        ending = endings[number] if number < len(endings) else "answered"
        if ending == "answered" or not answered:
            base = folded
        answered = answered or ending == "answered"
        waiting = folded if ending == "asked_back" else None
    return folded


def _regroups(before: Draft, draft: Draft) -> bool:
    """Whether a message names what to group by, after words that named nothing: by category."""
    named = bool(draft.groups) and not (draft.asked or draft.subject or draft.unread)
    return named and any(value.by for value in before.values)


def _without_groups(draft: Draft) -> tuple[ValueCond, ...]:
    return tuple(value for value in draft.values if not value.by)


_QUESTION = re.compile(
    r"^\s*(?:how|which|what|who|when|where|list|show|give|count|compare|plot|draw|top|"
    r"average|total|number)\b|\?\s*$",
    re.IGNORECASE,
)


_GOES_ON = re.compile(
    r"^\s*(?:and|but|also|only|just|now|what about|how about|the same|same)\b", re.IGNORECASE
)
"""How a message begins that goes on from the answer before, past a question that led nowhere."""


def _is_reply(draft: Draft, waiting: Draft) -> bool:
    """Whether a message answers the question that was asked back, rather than asking anew."""
    if is_whole(draft, waiting):
        return False
    words = len(draft.text.split())
    short = words <= 4 and not re.match(
        r"\s*(?:how|which|what|who|when|list|show)\b", draft.text, re.IGNORECASE
    )
    return (short and "?" not in draft.text) or (words <= 8 and not _QUESTION.search(draft.text))


def merge(before: Draft, after: Draft) -> Draft:
    """Return `before` as `after` changes it."""
    draft = replace(
        before, text=f"{before.text} {after.text}", replies=(*before.replies, after.text)
    )
    after = _with_owner(draft, _ranked_by_rows(draft, after))
    draft = _merge_head(draft, after)
    draft = _merge_groups(draft, after)
    draft = with_conditions_of(draft, after)
    draft = _merge_shape(draft, after)
    return replace(draft, unread=after.unread)


_TOP_BY = re.compile(r"^\W*(?:and )?(?:the )?(?:top|bottom) [\w ]+? by\b", re.IGNORECASE)


def _ranked_by_rows(draft: Draft, after: Draft) -> Draft:
    """Read "top 3 by rentals" as the same groups by their number of rentals."""
    nouns = [group.noun for group in after.groups]
    noun = nouns[0] if len(nouns) == 1 else None
    if noun is None or not noun.plural or noun.kind not in ("table", "event") or not draft.groups:
        return after
    if after.rank is None or after.subject is not None or not _TOP_BY.match(after.text):
        return after
    return replace(after, groups=(), rank=replace(after.rank, asked=Asked("count", noun)))


def _with_owner(draft: Draft, after: Draft) -> Draft:
    """Take the thing that a follow-up names with its value as the value's own: Porto store."""
    if after.subject is None or after.asked or not after.values or draft.is_empty:
        return after
    owner = after.subject
    return replace(after, values=tuple(replace(v, near=owner, owned=True) for v in after.values))


_LISTS = re.compile(
    r"^\s*(?:and\s+)?(?:which|who|list|show|name|what are|give me)\b(?!.*\b(?:top|bottom|chart)\b)",
    re.IGNORECASE,
)


_SWAPS = re.compile(
    r"\binstead\b|\bsame (?:for|with)\b|\bwhat about\b|\bhow about\b|^\s*and (?:the )?\w+\W*$",
    re.IGNORECASE,
)


def _counts_rows(draft: Draft) -> bool:
    return len(draft.asked) == 1 and draft.asked[0].agg == "count" and not draft.asked[0].outer


def _ranks_by_another(draft: Draft, after: Draft) -> bool:
    """Whether a top of the same groups is asked for by another figure: top 3 by revenue."""
    tops = after.rank is not None and after.rank.superlative and not after.asked
    split = bool(draft.groups) and len(draft.asked) + bool(draft.subject and not draft.asked) == 1
    return tops and split and after.subject is None


def _with_another_thing(draft: Draft, after: Draft) -> Draft | None:
    """Return the same question of another thing, or a top by another figure; None for neither."""
    if after.subject is not None and _SWAPS.search(after.text) and not after.values:
        if draft.subject is not None:
            return replace(draft, subject=after.subject)
        if _counts_rows(draft):
            return replace(draft, asked=(replace(draft.asked[0], noun=after.subject),))
    if _ranks_by_another(draft, after) and after.rank is not None and after.rank.asked is not None:
        return replace(draft, asked=(after.rank.asked,), subject=None)
    return None


def _merge_head(draft: Draft, after: Draft) -> Draft:
    if (
        after.asked
        and after.asked[0].noun is None
        and draft.asked
        and after.asked[0].agg != "count"
    ):
        return replace(
            draft, asked=tuple(replace(one, agg=after.asked[0].agg) for one in draft.asked)
        )
    if (
        after.asked
        and after.asked[0].noun is None
        and not draft.asked
        and draft.subject is not None
    ):
        return replace(
            draft,
            asked=(replace(after.asked[0], noun=draft.subject),),
            subject=None,
            rank=None,
            show=(),
        )
    if after.asked and not (after.asked[0].noun is None and draft.asked):
        rank = draft.rank
        if rank is not None and rank.asked is not None:
            rank = replace(rank, asked=after.asked[0])
        return replace(draft, asked=after.asked, rank=rank)
    swapped = _with_another_thing(draft, after)
    if swapped is not None:
        return swapped
    if (
        _LISTS.search(after.text)
        and len(draft.asked) == 1
        and draft.asked[0].agg == "count"
        and not draft.groups
    ):
        return replace(draft, asked=(), subject=draft.asked[0].noun)
    if after.show:
        if not draft.asked:
            return replace(draft, show=(*draft.show, *after.show))
        # A column beside figures can only say what rows are like: only active ones.
        return replace(draft, mentions=(*draft.mentions, *after.show))
    return draft


def _merge_groups(draft: Draft, after: Draft) -> Draft:
    total = re.search(
        r"\bin total\b|\boverall\b|\baltogether\b|\b(?:only|just) the total\b",
        after.text,
        re.IGNORECASE,
    )
    if total and not after.groups:
        return replace(draft, groups=(), rank=None, over_time=False, chart="")
    if after.over_time:
        draft = replace(draft, over_time=True)
    if not after.groups:
        return draft
    return replace(draft, groups=_groups(draft, after), over_time=after.over_time)


def _groups(draft: Draft, after: Draft) -> tuple[GroupBy, ...]:
    also = re.search(
        r"\b(?:also|as well|too|and by|additionally|further)\b", after.text, re.IGNORECASE
    )
    if not also or re.search(r"\binstead\b", after.text, re.IGNORECASE):
        return after.groups
    return (*(group for group in draft.groups if group not in after.groups), *after.groups)


def _merge_shape(draft: Draft, after: Draft) -> Draft:
    return replace(
        draft,
        rank=_merged_rank(draft.rank, after.rank, after.text),
        chart=after.chart or draft.chart,
        no_chart=after.no_chart or (draft.no_chart and not after.chart),
        share=draft.share or after.share,
        order_by_label=after.order_by_label or draft.order_by_label,
        compare=draft.compare or after.compare,
    )


def _merged_rank(before: Rank | None, after: Rank | None, text: str) -> Rank | None:
    if after is None:
        return before
    old = before or Rank()
    if before is not None and re.search(r"\bof these$", text, re.IGNORECASE):
        after = replace(after, desc=before.desc)
    reorders = after.limit is None and not after.superlative and after.noun is not None
    if old.limit is not None and reorders:
        return replace(old, resort=after.noun)
    return replace(
        after,
        asked=after.asked or old.asked,
        noun=after.noun or (old.noun if after.superlative else None),
        concept=("" if after.concept == "first" else after.concept) or old.concept,
        limit=after.limit if after.limit is not None else old.limit,
        superlative=after.superlative or old.limit is not None,
    )
