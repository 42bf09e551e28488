"""Words that put one thing before or behind all others: "highest", "comes last", "peaked"."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.text.nouns import is_noun, words

_COUNTED: Final = r"(?:\d|two|three|four|five|six|seven|eight|nine|ten|few|half)"
_DOES: Final = (
    r"-(?!grow|ris|fall|declin|shrink|improv|lov|lik|balanc|charg)(?:\w+(?:ing|ed)|paid|sold)"
    r"(?! (?:\w+ ){0,2}\w+s (?:are|were|include)\b)"
)
"""What makes a word of a superlative: "top-earning", "most-rented"."""
_HIGH: Final = (
    rf"(?<!\ba )(?:top|best|most|highest){_DOES}|"
    r"highest|fastest|steepest|sharpest|hottest|richest|wettest|rainiest|warmest|tallest|"
    r"most(?! of\b| recent| other| likely)|largest|biggest|"
    r"greatest|busiest|strongest|"
    r"lead(?= (?:with|at|the (?:list|pack|field|ranking))\b)|heaviest|priciest|dearest|top dog|"
    rf"top(?!-| {_COUNTED}| \w+ (?:are|were)|ped)|tops|leads|"
    r"leader|led|leading|number one|no\. ?1\b(?! of)|best(?!-)|"
    r"longest|maximum|first place|(?:ranks?|comes?|came|finish(?:es|ed)?) (?:in )?first|"
    r"in front|ahead of (?:all|every)|(?:comes?|came) out on top|dominates|"
    r"record(?= (?:is|was) (?:held|set)\b| (?:goes|went|belongs) to\b)|"
    r"(?:holds?|set|sets|is|was) (?:the|an all-time|a new|our) (?:all-time )?record|peak(?:ed|s)?"
)
_LOW: Final = (
    rf"(?:worst|least|lowest|poorest){_DOES}|"
    r"lowest|least(?! \d)|fewest|rarest|scarcest|driest|coldest|coolest|lightest|poorest|"
    r"worst|cheapest|"
    r"smallest|weakest|shortest|quietest|minimum|"
    r"(?:at |hits? |is |are )?(?:the |rock )?bottom(?! \d)(?: of the (?:list|table|ranking|pile))?|"
    r"(?:comes?|came|ranks?|finish(?:es|ed)?|is|are|placed?) (?:in )?(?:dead |right )?last"
    r"(?= (?:with|at|of|in|place|on|by)\b|\s*[.,;:(]|$)|dead last|last place|trough|"
    r"(?:brings?|bringing) up the rear|slowest|bottomed out"
)
SUPERLATIVE: Final = re.compile(rf"\b(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))\b", re.IGNORECASE)
STEP: Final = re.compile(
    r"(?:[ -](?!of\b|in\b|was\b|is\b|with\b|and\b)[a-z-]+){0,3}?[ -]"
    r"(?:(?P<up>gains?|ris(?:e|ing)|increases?|jump|grow(?:th|ing)|climb|improvement|improver)|"
    r"(?P<down>drop|fall|decline|decrease|dip|loss|slump|shrinking|falling|declining))\b",
    re.IGNORECASE,
)
BY_QUALITY: Final = (
    "fastest",
    "steepest",
    "sharpest",
    "best",
    "worst",
    "slowest",
    "leads",
    "leading",
    "top",
    "leader",
)
"""Words that may mean either end of a rate, an average or a length of time."""
TURNS: Final = ("peak", "peaked", "peaks", "trough", "bottomed out", "bottom")
"""Words that tell of a point in time."""
_MEASURED: Final = words(
    "popular expensive rented sold profitable lucrative successful productive frequent frequently"
    " valuable common ordered played watched viewed often money by with at in among overall and"
    " for from on during over ever so far per listed films paid bought booked"
)


def is_of_rows(match: re.Match[str]) -> bool:
    """Whether a superlative ranks by a number: not "most punctual", "the latest"."""
    if match[0].lower() not in ("most", "least"):
        return True
    behind = re.match(r"[ -]([a-z-]+)", match.string[match.end() :])
    if behind is None or not re.match(r"[ -]", match.string[match.end() :]):
        return True
    word = behind[1]
    is_verb = word.endswith(("ed", "ing")) and word not in ("balanced", "varied", "interesting")
    return word in _MEASURED or is_noun(word) or is_verb or word.endswith("s")
