"""Messages that no query answers: greetings, orders, why-questions, what there is."""

from __future__ import annotations

import re
from typing import Final

from agent.models.offline.known import Known

_REFUSALS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), reply)
    for pattern, reply in (
        (
            r"^\W*$",
            "There is no question in your message. What would you like to know about the data?",
        ),
        (
            r"\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instruction|rule|prompt|above|"
            r"previous)|\bsystem prompt\b|\bapi key\b|\bpasswords?\b|\bcredentials?\b|"
            r"jailbreak",
            "I only answer questions about the data in this database. What would you like "
            "to know about it?",
        ),
        (
            r"^\W*(?:(?:please|can you|could you|now|just|kindly|go ahead and|i want you to|"
            r"and then)\W+)*(?:delete|drop|truncate|insert|update|alter|create|grant|revoke|"
            r"remove|erase|wipe|rename|overwrite|set|change|modify|add|cancel|"
            r"refund)\b(?!.*\b(?:date|chart|filter)\b)(?!\s+(?:up|a chart|the chart|a "
            r"filter))",
            "I can only read the data, never change it. What would you like to know about it?",
        ),
        (
            r"^\W*(?:and\s+)?why\b|\bwhat (?:is|are|was|were) the (?:reasons?|causes?)\b|"
            r"\bexplain why\b|\bhow come\b|\breason (?:for|why|behind)\b",
            "The data says what happened, not why, so I cannot answer a why-question. "
            "Which figures would help you look into it?",
        ),
        (
            r"\b(?:predict|forecast|projection|projected|estimate for next|will (?:we|be|"
            r"the|there|our)|going to (?:be|earn|sell)|next (?:year|month|quarter|week))\b|"
            r"\bexpected to\b",
            "I report what is in the data and do not look into the future. Which past "
            "period would help you?",
        ),
        (
            r"\b(?:write|compose|draft)\b.{0,30}\b(?:poem|mail|email|letter|story|song|"
            r"essay|code|script|function|joke|blog)\b|\btell me a (?:joke|story)|"
            r"\btranslate\b|\bweather\b|\brecipe\b|\bmeaning of life\b|\bcapital of\b",
            "That is not something this database can answer. What would you like to know "
            "about its data?",
        ),
        (
            r"\b(?:should (?:we|i)|recommend (?:me|us|a)|advice|advise|what do you think|do "
            r"you think|your opinion|suggest)\b",
            "I can give figures from the data, not advice. Which figures would help you decide?",
        ),
    )
)
_HOW_TO: Final = (
    (
        re.compile(
            r"^\W*(?:and )?how (?:do|can|could|should|would|to)(?: (?:i|we|you|one|people))? "
            r"(?:use|work with|talk to|ask)(?: (?:this|it|you|that|the bot|this bot))?\W*$|"
            r"^\W*how (?:does|do) (?:this|it|you|the bot|this bot) work\W*$",
            re.IGNORECASE,
        ),
        "Ask about the data in plain words, such as “how many customers are there?”, and go on "
        "from an answer, such as with “by month” or “only 2025”. What would you like to know?",
    ),
    (
        re.compile(
            r"^\W*(?:and )?(?:how (?:do|can|could|should|would|to)|can|could|where can)"
            r"(?: (?:i|we|you|one))? (?:please )?(?:export|download|save|copy)"
            r"(?: (?:this|it|that|these|them|the (?:data|rows|table|result|results|answer)))?"
            r"(?: (?:to|as|into|in) (?:a |an )?(?:csv|excel|file|spreadsheet)(?: file)?)?\W*$",
            re.IGNORECASE,
        ),
        "I only answer; the rows of an answer can be had as a CSV file where it is shown. "
        "What else would you like to know?",
    ),
    (
        re.compile(
            r"^\W*(?:(?:ok|okay|great|perfect|many)\W+)?(?:thanks|thank you|thx|cheers)"
            r"(?: (?:a lot|so much|very much|again))?\W*$",
            re.IGNORECASE,
        ),
        "You are welcome. What else would you like to know?",
    ),
)
"""Messages that are about asking, not about the data."""
ENGLISH_ONLY: Final = "I read English only. Could you ask in English?"
_FOREIGN_START: Final = re.compile(
    r"^\W*(?:wie|wieviele?|welche[rsnm]?|wer|wann|warum|zeige?|nenne|"
    r"combien|quel(?:le)?s?|qui|quand|où|montre[rz]?|cuánt[oa]s?|cuant[oa]s?|qué|cuál(?:es)?|"
    r"quién|cuándo|muéstra(?:me|nos)|quant[iaeo]s?|quali|quais|hoeveel|welke)\b",
    re.IGNORECASE,
)
_FOREIGN: Final = re.compile(
    r"\b(?:viele?|alle|haben?|wir|gibt|es|der|die|das|den|und|sind|ist|im|uns|mir|pro|für|mit|"
    r"welche[rsnm]?|avons|nous|les|des|est|sont|dans|par|avez|vous|tenemos|hay|los|las|son|"
    r"clientes?|del|por|abbiamo|sono|ci|il|nel|per|temos|há|hebben|wij|er|zijn|het)\b",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    r"\b(?:what|which|list|show)\b.{0,25}\btables\b|\bwhat (?:can|do) you (?:answer|know|"
    r"do)\b|\bwhat(?:'s| is) in (?:this|the) (?:data|database|db)\b|"
    r"^\W*(?:help|hi|hello|hey|what can i ask)\b\W*(?:there\W*)?$|\bwhat (?:kind of )?data "
    r"(?:do you|is there|are there|does)\b|\bwhat (?:kind of )?questions\b|\bdescribe "
    r"(?:the|this) (?:database|schema|data)\b|"
    r"\bhow many tables\b|\bwhat can i ask\b",
    re.IGNORECASE,
)
_SQL: Final = re.compile(
    r"^\s*(?:select|with|insert|update|delete|drop)\b.*\b(?:from|into|table|set|as)\b",
    re.IGNORECASE | re.DOTALL,
)
MAX_QUESTION: Final = 1_200


def refusal(question: str, *, is_reply: bool = False) -> str:
    """Return what to say to a message that no query can answer; "" where one may."""
    if len(question) > MAX_QUESTION:
        return (
            "Your message is longer than I can read with care. Please put the question "
            "in a few sentences."
        )
    foreign = _FOREIGN_START.match(question)
    if foreign and _FOREIGN.search(question, foreign.end()):
        return ENGLISH_ONLY
    for pattern, reply in (*_HOW_TO, *_REFUSALS):
        if pattern.search(question):
            return reply
    if (
        _SQL.search(question)
        and len(question.split()) > 3
        and re.search(r"\bfrom\b", question, re.IGNORECASE)
        and "select" in question.lower()
    ):
        return "I write the SQL myself and run none that is given to me. Please ask in plain words."
    if not is_reply and not re.search(r"[A-Za-z]", question):
        return ENGLISH_ONLY
    return ""


def is_about_tables(question: str) -> bool:
    """Whether a person asks what there is, not what it says."""
    return bool(_ABOUT.search(question))


def describe_tables(known: Known) -> str:
    """Return what the search showed, in words, and ask on: nothing was queried yet."""
    tables = [t for t in known.tables.values() if "view" not in t.kind]
    named = ", ".join(f"{t.name.strip()}" for t in tables[:20])
    rest = len(tables) < len(known.tables) or len(known.tables) < known.total_tables
    return (
        f"I may read these tables{', among others' if rest else ''}: {named}. "
        "Ask for counts, totals, averages, tops, lists, or a figure per month. "
        "What would you like to know?"
    )
