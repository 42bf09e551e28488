"""What a reply to a question back completes: the grouping or the figure that was left open."""

from __future__ import annotations

from dataclasses import replace

from agent.models.offline.carrying import with_conditions_of
from agent.models.offline.draft import Asked, Draft, GroupBy, Noun, Rank


def completed(waiting: Draft, reply: Draft) -> Draft | None:
    """Return the question that was asked back with what the reply names folded into it.

    None where the question lacks nothing that the reply names: it may still choose an option.
    """
    if reply.unread:
        return None
    if _lacks_figure(waiting.rank) and reply.subject is not None and _is_ranked(reply):
        # It says by what to rank and what: the whole question, put right.
        return replace(reply, replies=(*waiting.replies, reply.text))
    if len(_nouns(reply)) > 1 + bool(reply.groups):
        return None
    if _lacks_group(waiting):
        return _grouped(waiting, reply)
    if _lacks_figure(waiting.rank) and not waiting.asked:
        return _ranked(waiting, reply)
    return None


def _lacks_group(draft: Draft) -> bool:
    """Whether an average of counts is asked for, and not per what."""
    return any(one.outer for one in draft.asked) and not draft.groups


def _lacks_figure(rank: Rank | None) -> bool:
    return rank is not None and rank.asked is None and rank.noun is None


def _is_ranked(draft: Draft) -> bool:
    return draft.rank is not None and not _lacks_figure(draft.rank)


def _grouped(waiting: Draft, reply: Draft) -> Draft | None:
    groups = tuple(replace(group, each=True) for group in reply.groups)
    if not groups and reply.asked and reply.asked[0].noun is not None:
        return reply  # Another figure than the average that was asked back: a question anew.
    named = reply.subject or next(iter(reply.show), None)
    if not groups and not reply.asked and named is not None:
        groups = (GroupBy(named, each=True),)
    return _with(replace(waiting, groups=groups), waiting, reply) if groups else None


def _ranked(waiting: Draft, reply: Draft) -> Draft | None:
    rank = waiting.rank or Rank()
    asked = (reply.rank.asked,) if reply.rank and reply.rank.asked else reply.asked
    nouns = _nouns(reply)
    if asked and asked[0].agg == "count" and asked[0].noun is not None:
        # Rows are counted without their columns: no schema is read for it up front.
        named = replace(rank, asked=asked[0], concept="")
        return _with(replace(waiting, named=named), waiting, reply)
    if asked and asked[0].noun is not None:
        rank = replace(rank, asked=asked[0], concept="")
    elif len(nouns) == 1 and nouns[0].kind == "money":
        rank = replace(rank, asked=Asked("sum", nouns[0]), concept="")
    elif len(nouns) == 1 and nouns[0].kind in ("table", "event"):
        rank = replace(rank, asked=Asked("count", nouns[0]), concept="")
    elif len(nouns) == 1 and nouns[0].kind == "column":
        rank = replace(rank, noun=nouns[0], concept="")
    else:
        return None
    return _with(replace(waiting, rank=rank), waiting, reply)


def _nouns(draft: Draft) -> list[Noun]:
    ranked = draft.rank
    found = [
        *(one.noun for one in draft.asked),
        draft.subject,
        *draft.show,
        *(group.noun for group in draft.groups),
        *(noun for noun in draft.mentions if not noun.verb),
        *((ranked.noun, ranked.asked.noun if ranked.asked else None) if ranked else ()),
    ]
    nouns = list(dict.fromkeys(noun for noun in found if noun is not None))
    # "Total amount paid" is money said twice.
    money = [noun for noun in nouns if noun.has("money")]
    return [noun for noun in nouns if noun not in money[1:]]


def _with(draft: Draft, waiting: Draft, reply: Draft) -> Draft:
    """Return `draft` with the words and the conditions of the reply."""
    text = f"{waiting.text} {reply.text}"
    return with_conditions_of(
        replace(draft, text=text, replies=(*waiting.replies, reply.text)), reply
    )
