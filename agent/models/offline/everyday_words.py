"""Everyday wordings and the plain ones that stand for them: around a question, and of deeds."""

from __future__ import annotations

from typing import Final

_TENDS: Final = r"(?:support|look after|take care of|be responsible for)"
_TENDS_S: Final = (
    r"(?:supports|looks after|takes care of|is responsible for|supported|looked after)"
)

EVERYDAY: Final[tuple[tuple[str, str], ...]] = (
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
    (r"^\s*(?:the )?ranking of (?=.+ by )", "rank "),
)
"""Patterns and what takes their place, in this order."""
