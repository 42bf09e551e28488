"""Everyday ways of asking, put into the few plain ones that the other rules read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from agent.models.offline.phrase_dates import spell_out_dates
from agent.models.offline.spelling import mend_spelling

_QUOTED: Final = re.compile(r"(\"[^\"]*\"|“[^”]*”|(?<!\w)['‘][^'‘’]+['’](?!\w))")
_LOW: Final = r"smallest|lowest|shortest|cheapest|minimum|min|fewest|least expensive"
_HIGH: Final = r"biggest|largest|highest|longest|maximum|max|most expensive|greatest"
_MID: Final = r"average|mean|avg|median"
_ANY: Final = rf"(?:{_LOW}|{_HIGH}|{_MID})"
_EXTREMES: Final = re.compile(
    rf"\b{_ANY}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+(?:the\s+)?|\s*&\s*|\s*/\s*){_ANY})+\b", re.I
)
_TENDS: Final = r"(?:support|look after|take care of|be responsible for)"
_TENDS_S: Final = (
    r"(?:supports|looks after|takes care of|is responsible for|supported|looked after)"
)

_NOT_MOST_OF: Final = (
    r"(?=\s*(?:$|[?.,;!]|(?:in|during|from|since|last|this|over|at|by|with|among|of)\b))"
)
"""What may follow "made the most" where money is meant: "made the most rentals" counts rentals."""

_RULES: Final[tuple[tuple[str, str], ...]] = (
    # What people say around a question.
    (
        r"^\W*(?:hi|hello|hey|good morning|good afternoon)\b(?:\s+(?:there|all|team|everyone))?"
        r"[\s,!.]*(?=\w+\W+\w)",
        "",
    ),
    (
        r"[\s,.!?]*\b(?:thanks|thank you|thx|cheers)\b(?:\s+(?:a lot|so much|very much|in advance|"
        r"a million|again))?[\s.!]*$",
        "",
    ),
    (
        r"\b(?:i(?:'d| would) (?:like|love|want) to (?:know|see|have|get)|"
        r"i (?:need|want|wish) (?:to (?:know|see|have))|let me know|"
        r"(?:can|could|would) you (?:please |kindly )?"
        r"(?:let me know|(?:tell|show|give|list)(?: me)?)|"
        r"do you (?:happen to )?know|can you tell me|pls|plz|please)\b,?",
        " ",
    ),
    (r"^\s*i need\b", " "),
    (
        r"\bhow many (?:people|employees|staff members|workers|colleagues) "
        r"(?:currently |now )?work(?:ing)?(?: (?:here|for us|with us))? "
        r"(?:right now|currently|now|today|at the moment|at present)\b",
        "how many active staff",
    ),
    (
        r"\b(?:right now|at the moment|at present|these days|as of (?:now|today)|so far|to date|"
        r"up to now|until now|by now|all in all|in our (?:data|database|records|books)|"
        r"in the (?:data|database|system|records))\b",
        " ",
    ),
    (r"\bwhats\b", "what is"),
    (r"\bwhos\b", "who is"),
    (r"\bwheres\b", "where is"),
    (r"\be-mail", "email"),
    (r"\bover all\b(?= (?:of )?(?:the |our )?\w)", "of all"),
    (r"\b(?:in terms of|when it comes to|as measured by|measured by|judged by)\b", "by"),
    (r"\b(the|our) very (?=first|last|latest)", r"\1 "),
    (r"\b(largest|biggest|smallest|highest|lowest) single\b", r"\1"),
    (r"\bbest (?:ones )?first\b|\btop first\b|\blargest ones first\b", "highest first"),
    (r"\bworst first\b", "lowest first"),
    # A question whose verb stands at its end.
    (r"^(.+?)\s*[-–—,:;]\s*how many(?: (?:are|were) there| do we have)?\s*\??$", r"how many \1"),
    (r"^(.+?)\s*[-–—,:;]\s*(?:just|only) the (?:number|count|total number)\W*$", r"how many \1"),
    (r"\b(\w+[a-z]) count (?=(?:by|per|for each|of each|in|for)\b)", r"number of \1 "),
    # Not any more, still out, come back.
    (
        r"\b(?:do|does|did)(?:n't| not| no longer) (?:still )?work (?:here|for us)(?: any ?more)?",
        "are not active",
    ),
    (r"\bno longer works? (?:here|for us|with us)\b", "are not active"),
    (r"\bstill works? (?:here|for us|with us)\b", "are active"),
    (r"\bno longer\b", "not"),
    (r"\b(?:any ?more|any longer)\b", " "),
    (
        r"\bhow many (?:people|employees|staff members|workers|colleagues) (?:work|are employed)"
        r"(?: (?:here|for us|with us))?",
        "how many staff",
    ),
    (
        r"\b(?:which|what) (\w+) (?:does|do|has|have) (.+?) (?:still|currently) (?:have |got )?"
        r"(?:out|not returned|not brought back)\b",
        r"which \1 rented by \2 are not returned",
    ),
    (r"\b(?:are|is|were) (?:still )?(?:out|not back)(?: yet)?(?=\W*$)", "are not returned"),
    (r"\b(?:have|has) not (?:yet )?(?:come|been brought) back\b", "are not returned"),
    (r"\b(?:came|come|were brought|got brought|was brought) back\b", "were returned"),
    (
        r"^\W*where (?:is|are) (?:all )?(.+?)(?: (?:located|based|situated|found))?\W*$",
        r"list \1 with their address and city",
    ),
    # What is ours.
    (
        r"\b(?:do|does) (?:we|the (?:store|shop|company)) (?:currently |actually )?"
        r"(?:own|carry|stock|keep|offer|sell|have|hold)"
        r"(?: in stock| in total| altogether)?(?=\W*$)",
        " ",
    ),
    # Who does what for whom.
    (rf"\b(?:does|do|did) each ([\w ]+?) (?:currently )?{_TENDS}\b", r"per \1"),
    (rf"\bwho {_TENDS_S}\b", "which employee has"),
    (rf"\b(how many \w+) (?:does|do|did) (.+?) {_TENDS}\W*$", r"\1 of \2"),
    (
        r"\b(how many [\w ]+?) (?:did|do|have) we "
        r"(?:issue|send|write|get|got|receive|process|record)(?:ed|d)?\b"
        r"(?! (?:the )?(?:most|least))",
        r"\1",
    ),
    (r"\b(\w+) (?:sells|sold) (?:the )?best\b", r"best selling \1"),
    (r"\b(\w+) (?:sells|sold) (?:the )?worst\b", r"worst selling \1"),
    (
        r"\b(?:which|what) best selling (\w+)",
        r"which is the best selling \1",
    ),
    (
        r"\b(?:joined|signed up|enrolled)(?: with us| here)?(?= (?:in|on|since|during|between|from|"
        r"after|before|this|last)\b)",
        "registered",
    ),
    (r"\b(?:the )?(?:full )?names? (?:and|,) (?:the )?(?=[\w, -]+? of\b)", ""),
    (
        rf"(?<= )(?:{_TENDS_S}|support|look after|take care of) "
        r"(?=the (?:most|fewest)|most|"
        r"fewest|more|how many)",
        "has ",
    ),
    (
        r"\bwho (?:acts?|acted|plays?|played|stars?|starred|appears?|appeared) in (?=\S)",
        "which actors are in ",
    ),
    (r"\bwhen did (.+?) (register|sign up|enroll)(?:\W*)$", r"register date of \1"),
    (r"\bstaff members?\b", "staff"),
    # Money.
    (
        r"\b(?:earn|make|take|bring|gross|generate|yield)(?:s|ed)?(?: in)?(?: us)? the "
        r"(most|least)(?: (?:money|revenue|cash))?\b" + _NOT_MOST_OF,
        r"has the \1 revenue",
    ),
    (
        r"\b(?:made|brought in|took in) (?:us )?the (most|least)(?: (?:money|revenue))?\b"
        + _NOT_MOST_OF,
        r"has the \1 revenue",
    ),
    (
        r"\b(?:has |have )?(?:spent|spends?|paid|pays?) the (most|least)(?: money)? (?:for|on)\b",
        r"has the \1 revenue from",
    ),
    (
        r"\b(?:spent|spend|spends|paid|pays|pay) the (most|least)(?: money)?\b(?! (?:for|on|per))"
        + _NOT_MOST_OF,
        r"has the \1 revenue",
    ),
    (
        r"\bhow much (?:did|does|do|has|have) (?:each|every) (\w+) "
        r"(?:take|earn|make|bring|sell|sold|earned|made|taken)(?: in)?"
        r"(?= in \d|\W*$| (?:last|this|during|since)\b)",
        r"total revenue per \1",
    ),
    (
        r"\b(?:what|how much) (?:did|do|have|has) (.+?) (?:spend|spent|pay|paid)"
        r"(?: in total| altogether| overall)?(?=\W*$| (?:in|last|this|during|since|between)\b)",
        r"total revenue from \1",
    ),
    (
        r"\b(?:what|how much) (?:did|do|have|has) we (?:sell|sold|earn|earned|make|made|take|taken|"
        r"taken in|take in|turn over|gross)\b(?: in total| altogether| overall)?",
        "total revenue",
    ),
    (r"\bhow much money (?:did|do|have|has) we (?:\w+)(?: in)?\b", "total revenue"),
    (
        r"\b(?:did|do|have) we (?:sell|sold|earn|earned|make|made|take) the (most|least)\b",
        r"has the \1 revenue",
    ),
    (
        r"\b(?:(\d+|two|three|four|five|six|seven|eight|nine|ten|twenty) )?(?:best|top|highest)[- ]"
        r"(?:paying|spending|grossing|earning) (?!by)(\w+)\b(?! by)",
        r"top \1 \2 by revenue",
    ),
    (r"^\W*in which (\w+) has the (most|least)\b", r"which \1 has the \2"),
    (
        r"\bby (?:the )?(?:money|cash) (?:they )?(?:spent|paid|brought in|earned|made)\b",
        "by revenue",
    ),
    (
        r"\b(rent|order|book)s? the (most|least)\b"
        r"(?=\W*$| (?:in|during|since|between|from|on|this|last)\b)",
        r"\1ed the \2",
    ),
    (r"\b(?:longest|highest|largest) (\w+) (length|duration|price|amount)\b", r"maximum \1 \2"),
    (r"\b(?:shortest|lowest|smallest) (\w+) (length|duration|price|amount)\b", r"minimum \1 \2"),
    # What a length is called.
    (r"\b(?:playing|running|run|screen) ?-?times? in (milliseconds)\b", r"\1"),
    (r"\b(?:playing|running|run|screen)[- ]?time", "length"),
    # Order, series and shares.
    (
        r"\b(?:which|what) (\w+) (?:is|are) (?:the )?most (?:common|frequent)(?: one)?"
        r" (?:among|amongst|for|of|in) (?:all |our |the )*(\w+)\W*$",
        r"top 1 \1 by number of \2",
    ),
    (
        r"\b(?:which|what) (\w+) (?:is|are) (?:the )?least (?:common|frequent)(?: one)?"
        r" (?:among|amongst|for|of|in) (?:all |our |the )*(\w+)\W*$",
        r"bottom 1 \1 by number of \2",
    ),
    (
        r"\bhow (?:has|have|did|do|does) (.+?) (?:develop|evolve|change|grow|move|look)(?:e?d|n|s)?"
        r"(?: over time| over the years)?\s*\??$",
        r"\1 over time",
    ),
    (
        r"\bsorted from most to (?:least|fewest)\b|\bfrom most to (?:least|fewest)\b",
        "highest first",
    ),
    (r"\bsorted from (?:least|fewest) to most\b|\bfrom (?:least|fewest) to most\b", "lowest first"),
    (
        r"\bthe date of (?:the|our) (last|latest|most recent|first|earliest|oldest) (\w+)",
        r"the \1 \2 date",
    ),
    # Follow-ups.
    (
        r"^\W*(?:ok |okay |now |and )?(?:restrict|limit|narrow|filter|reduce)(?: (?:that|it|this|"
        r"them|these|the list))?(?: down)? (?:to|on|by|for)\b",
        "only",
    ),
    (
        r"^\W*(?:and |now |ok |okay |please )*(?:break|split|group) (?:that|it|this|them|these)?"
        r"\s*(?:down|up|out)?\s*(?=by\b)",
        "",
    ),
    (
        r"^\W*make (?:it|that) (?:a |the )?(?:top )?(\d+|two|three|four|five|six|seven|eight|nine|"
        r"ten|twenty)\W*$",
        r"top \1 of these",
    ),
    (r"\bhow many of (?:them|those|these|which)\b(?! by)", "how many of them"),
)
_COMPILED: Final = tuple((re.compile(pattern, re.I), to) for pattern, to in _RULES)


def reword(text: str) -> str:
    """Return a question in plainer words; what stands in quotes is left as it is."""
    text = re.sub(r"\s+", " ", text).strip()
    if not text or len(text) > 1_500:
        return text
    return _outside_quotes(text, _plainer)


def _outside_quotes(text: str, change: Callable[[str], str]) -> str:
    """Change a text without touching what it quotes."""
    quoted: list[str] = []

    def hide(match: re.Match[str]) -> str:
        quoted.append(match[0])
        return f"“{len(quoted) - 1}”"

    changed = change(_QUOTED.sub(hide, text))
    return re.sub(
        r"“(\d+)”", lambda m: quoted[int(m[1])] if int(m[1]) < len(quoted) else m[0], changed
    )


def _plainer(text: str) -> str:
    text = spell_out_dates(mend_spelling(text))
    text = _EXTREMES.sub(_name_extremes, text)
    for pattern, plain in _COMPILED:
        text = pattern.sub(plain, text)
    return re.sub(r"\s+", " ", text).strip()


def _name_extremes(match: re.Match[str]) -> str:
    """Read "smallest, average and biggest" as three figures of one thing."""
    words = re.findall(_ANY, match[0], re.I)
    names = [
        "minimum"
        if re.fullmatch(_LOW, word, re.I)
        else "maximum"
        if re.fullmatch(_HIGH, word, re.I)
        else "median"
        if word.lower() == "median"
        else "average"
        for word in words
    ]
    return ", ".join(names[:-1]) + " and " + names[-1]
