"""A word behind /ask that is, but for a slip of the fingers, the name of a form; pure."""

from __future__ import annotations

from typing import Final

FORMS: Final = ("tables", "queue", "usage", "settings", "private", "cancel", "help", "stop")
DID_YOU_MEAN: Final = (
    "Did you mean `/ask {form}`? If it is a question about your data, put it as a whole sentence."
)
SHORT: Final = 4
"""Letters: of a word no longer than that, another letter makes another word, such as "shop"."""


def near_form(text: str) -> str:
    """Return the form that a lone word is one slip away from; "" for all other words.

    A slip is two letters in the wrong order, or one that is missing, wrong or too many. The first
    letter has to be right, and a plural is a word of its own: "cables" and "usages" are questions.
    """
    word = text.strip().casefold().rstrip("?!.")
    if not word.isalpha() or word in FORMS:
        return ""
    return next((form for form in FORMS if _is_slip(word, form)), "")


def _is_slip(word: str, form: str) -> bool:
    if word[0] != form[0] or word == f"{form}s":
        return False
    if _is_swapped(word, form):
        return True
    if len(form) <= SHORT:
        return False
    if len(word) == len(form):
        return sum(a != b for a, b in zip(word, form, strict=True)) == 1
    shorter, longer = sorted((word, form), key=len)
    is_one_off = len(longer) - len(shorter) == 1
    return is_one_off and any(
        longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer))
    )


def _is_swapped(word: str, form: str) -> bool:
    return any(
        form[:at] + form[at + 1] + form[at] + form[at + 2 :] == word
        for at in range(1, len(form) - 1)
    )
