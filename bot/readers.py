"""Who reads along where a question is asked, and what administrators have let them.

In direct messages of several people each of them is looked at: nobody has set such a conversation
up, and whoever opens one may not think of who else is in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.channel_settings import ChannelRules, Rule
from bot.identity import Identity
from bot.slack_facts import NO_MEMBER, Facts, SlackFacts, is_guest, is_shared

SHARED: Final = (
    "People of another organisation read along here, so I answer only once an administrator of "
    "this workspace has allowed it (/ask settings). Until then, ask me in a direct message or in "
    "an internal channel."
)
GUEST_READS: Final = (
    "A guest reads along in this conversation, so I give no answer here. Ask me in a direct "
    "message, or without the guest."
)
STRANGER_READS: Final = (
    "Somebody who is no member of this workspace reads along in this conversation, so I give no "
    "answer here. Ask me in a direct message, or in an internal channel."
)
UNSURE: Final = (
    "I cannot look up what an administrator has allowed in this channel, so I did not look "
    "anything else up. Please ask again in a minute, or in a direct message."
)


def is_member(person: Facts, me: Identity) -> bool:
    """Is that somebody of this workspace, and a person?"""
    if any(person.get(trait) for trait in NO_MEMBER):
        return False
    if person.get("team_id") == me.team_id:
        return True
    enterprise = (person.get("enterprise_user") or {}).get("enterprise_id")
    return enterprise is not None and enterprise == me.enterprise_id


def refused(reason: str, rule: Rule) -> str:
    """Return why a rule refuses: for its reason, or since nobody knows what it is."""
    return reason if rule.is_known else UNSURE


@dataclass(frozen=True)
class Readers:
    """Tells whether an answer may be put before all who read a channel."""

    slack: SlackFacts
    me: Identity
    rules: ChannelRules

    def refusal(self, channel: str, facts: Facts, *, has_strangers: bool = False) -> str | None:
        """Return why they keep answers out of a channel, of which Slack says `facts`; or None.

        `has_strangers`: Slack said elsewhere that another organisation reads along. Raises one of
        SLACK_TROUBLE.
        """
        rule = self.rules.of(channel)
        if has_strangers or is_shared(facts):
            let = rule.settings.shared_with
            if let is None or not self.others(facts) <= let:
                return refused(SHARED, rule)
        return self._in_group(channel, rule) if facts.get("is_mpim") else None

    def others(self, facts: Facts) -> frozenset[str]:
        """Return the other organisations in a channel, as far as Slack names them."""
        named = {*facts.get("connected_team_ids", ()), *facts.get("shared_team_ids", ())}
        return frozenset(named - {self.me.team_id, self.me.enterprise_id})

    def _in_group(self, channel: str, rule: Rule) -> str | None:
        # Nobody comes into such a conversation later: with one more, it is another one.
        for user in self.slack.inside.get(channel)["members"]:
            person = self.slack.members.get(user)
            if user == self.me.user_id or person.get("is_bot") or person.get("deleted"):
                continue  # nobody reads there
            if person.get("team_id") in (rule.settings.shared_with or ()):
                continue  # let in by an administrator
            if not is_member(person, self.me):
                return STRANGER_READS
            if is_guest(person) and not rule.settings.guests:
                return refused(GUEST_READS, rule)
        return None
