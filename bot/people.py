"""Who a member is to the answer: their name, their time zone, their locale.

Slack tells all three with `users.info`. That is asked before each question anyway, to see whether
the member may ask; where what it said then is no longer believed, it is asked once more, quickly.
Whatever goes wrong, nothing is known of them, and the answer is as it was before anybody looked.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from slack_sdk import WebClient

from agent.asker import NOBODY, Asker, plain_name
from bot.render.reader import Reader
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.slack_facts import Facts, Kept, about_member

log = logging.getLogger(__name__)

SOMEBODY = "somebody"
"""Who nobody knows the name of."""


@dataclass(frozen=True)
class People:
    """Looks members up, for the sake of those who ask and those who read."""

    members: Kept
    """What is known of members."""
    quick: WebClient

    def asker(self, user: str) -> Asker:
        """Return what is known of a member; nothing of one that Slack does not tell of."""
        facts = self._facts(user)
        if facts is None:
            return NOBODY
        return Asker(_name(facts), _text(facts.get("tz")), _text(facts.get("locale")))

    def reader(self, user: str) -> Reader:
        """Return how a member reads figures and dates; as in English where nobody knows."""
        return Reader(self.asker(user).known_locale)

    def names(self, users: Iterable[str]) -> dict[str, str]:
        """Return what each of these members is called, so that no two are called the same.

        For a model to read: on one line, bounded, able to look like no mark.
        """
        names: dict[str, str] = {}
        slack_tells = True
        for user in dict.fromkeys(users):
            facts = self._facts(user) if slack_tells else self.members.known(user)
            slack_tells = facts is not None  # where it does not, nobody waits for it time and again
            plain = plain_name(_name(facts or {})) or SOMEBODY
            name, again = plain, 1
            while name.casefold() in map(str.casefold, names.values()):
                again += 1
                name = f"{plain} ({again})"
            names[user] = name
        return names

    def _facts(self, user: str) -> Facts | None:
        try:
            return self.members.get(user, ask=lambda key: about_member(self.quick, key))
        except SLACK_TROUBLE as error:
            log.warning("a member could not be looked up: %s", what_went_wrong(error))
        except (LookupError, TypeError):
            log.warning("Slack told of a member in a way that nobody here understands")
        return None


def reader_known(members: Kept, user: str) -> Reader:
    """Return how a member reads, as Slack told of them lately. Asks nobody."""
    locale = _text((members.known(user) or {}).get("locale"))
    return Reader(Asker(locale=locale).known_locale)


def _name(facts: Facts) -> str:
    profile = facts.get("profile")
    shown = profile.get("display_name") if isinstance(profile, dict) else ""
    return _text(shown) or _text(facts.get("real_name")) or _text(facts.get("name"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
