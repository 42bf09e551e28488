"""Who asks, and who reads along: outsiders get no answers from the database.

Two questions that Slack keeps apart: a stranger may ask in a channel of ours, and a colleague may
ask where strangers read. Where Slack does not tell, the answer is no. What administrators have set
for a channel may let guests ask, and strangers read along; nothing lets strangers ask.
"""

from __future__ import annotations

import logging
from collections.abc import Collection

from slack_sdk import WebClient

from bot.channel_settings import ChannelRules
from bot.identity import Identity
from bot.last_look import LastLook
from bot.readers import Readers, is_member, refused
from bot.slack_errors import SLACK_TROUBLE, level_of, what_went_wrong
from bot.slack_facts import Kept, SlackFacts, is_admin, is_guest, is_shared
from bot.store import Question, Thread

log = logging.getLogger(__name__)

OUTSIDE = (
    "I only answer members of this workspace, so I did not look anything up. Please let one of "
    "them ask me."
)
GUEST = (
    "I answer full members of this workspace, and guests only in channels where an administrator "
    "has allowed it. I did not look anything up; please let a full member ask me."
)
SWITCHED_OFF = (
    "An administrator has switched questions off in this channel. Ask me in a direct message or "
    "in another channel."
)
UNKNOWN = (
    "I could not check with Slack who asks and who reads along here, so I did not look anything "
    "up. Please ask again in a moment."
)
NOT_INSIDE = (
    "I could not see that you are in this channel, so I did nothing. If you are, please try again."
)
ADMINS_ONLY = (
    "Only administrators of this workspace can change what holds in a channel. Please ask one of "
    "them."
)


class Audience:
    """What Slack knows of members and channels, asked once in a while."""

    def __init__(
        self, client: WebClient, me: Identity, rules: ChannelRules, admins: Collection[str] = ()
    ) -> None:
        """`admins` are members who count as administrators, whatever Slack says of them."""
        self._admins = frozenset(admins)
        self._me = me
        self._rules = rules
        self._slack = SlackFacts(client)
        self.readers = Readers(self._slack, me, rules)
        self.last_look = LastLook(self.readers)

    def refusal(
        self, question: Question, *, asker_only: bool = False, has_strangers: bool | None = None
    ) -> str | None:
        """Return the sentence with which the question is to be refused, or None.

        `asker_only`: nobody but the one who asks will see the answer; a channel that Slack tells
        us nothing of is then no hindrance. `has_strangers`: whether Slack said with the question
        that another organisation reads along; None where it says nothing, and is asked now.
        """
        thread = question.thread
        reason = self.refusal_of_asker(question.asked_by, thread)
        if reason is not None or thread.is_direct:
            return reason
        if not self._rules.of(thread.channel).settings.allowed:
            return SWITCHED_OFF
        reason = self._refuses_readers(thread, has_strangers=has_strangers)
        return None if reason == UNKNOWN and asker_only else reason

    def refusal_to_show(self, user: str, thread: Thread, *, asker_only: bool) -> str | None:
        """Return why whoever clicks there cannot see more of what stands in a thread, or None.

        `asker_only`: it stands there for their eyes only. Who they are, and whether they are in
        the channel, Slack is asked anew: a click comes late, and there are few of them.
        """
        reason = self.refusal_of_asker(user, thread, anew=True)
        if reason is not None or thread.is_direct:
            return reason
        reason = self._refuses_readers(thread, has_strangers=None)
        if asker_only:
            return None if reason == UNKNOWN else reason
        if reason is not None or self.may_read(user, thread.channel, anew=True):
            return reason
        return NOT_INSIDE

    def refusal_to_look_up(self, user: str) -> str | None:
        """Return why somebody learns nothing of our own record, not even alone; or None.

        The record is of all channels: that a guest may ask in one of them opens none of it.
        """
        return self.refusal_of_asker(user, None)

    def refusal_to_set(self, user: str) -> str | None:
        """Return why somebody may not change what holds for a channel; Slack is asked anew."""
        try:
            member = self._slack.members.get(user, anew=True)
        except SLACK_TROUBLE as error:
            log.warning("could not check who is an administrator: %s", what_went_wrong(error))
            return UNKNOWN
        if not is_member(member, self._me):
            return OUTSIDE
        may_set = user in self._admins or is_admin(member)
        return None if may_set and not is_guest(member) else ADMINS_ONLY

    def outsiders(self, channel: str) -> frozenset[str] | None:
        """Return the other organisations that read along, as far as Slack names them.

        None where nobody of another organisation does. Asked of Slack anew; raises one of
        SLACK_TROUBLE.
        """
        facts = self._slack.channels.get(channel, anew=True)
        return self.readers.others(facts) if is_shared(facts) else None

    @property
    def members(self) -> Kept:
        """What Slack has said of members, for as long as it is believed."""
        return self._slack.members

    def takes_replies(self, thread: Thread) -> bool:
        """Is a reply there a question to us though it does not name us?"""
        return thread.is_direct or self._rules.of(thread.channel).settings.follow_ups

    def is_public(self, channel: str) -> bool:
        """Can everybody of this workspace, and nobody else, read the channel?

        False where Slack does not say.
        """
        if channel.startswith("D"):
            return False
        try:
            facts = self._slack.channels.get(channel)
        except SLACK_TROUBLE as error:
            log.log(
                level_of(error), "could not check who reads a channel: %s", what_went_wrong(error)
            )
            return False
        is_private = facts.get("is_private", True) or facts.get("is_mpim") or facts.get("is_im")
        return not is_private and not is_shared(facts)

    def is_group(self, channel: str) -> bool:
        """Is it a group's direct messages? False where Slack does not say."""
        try:
            return bool(self._slack.channels.get(channel).get("is_mpim"))
        except SLACK_TROUBLE as error:
            log.warning("could not look at a channel: %s", what_went_wrong(error))
            return False

    def is_internal(self, channel: str) -> bool:
        """Does nobody of another organisation read along? Raises one of SLACK_TROUBLE."""
        return not is_shared(self._slack.channels.get(channel))

    def may_read(self, user: str, channel: str, *, anew: bool = False) -> bool:
        """Can the member see what stands in the channel? False where Slack does not say.

        `anew`: Slack is asked now who is in it, where not everybody may read it.
        """
        try:
            if self.is_public(channel) and not is_guest(self._slack.members.get(user)):
                return True
            return user in self._slack.inside.get(channel, anew=anew)["members"]
        except SLACK_TROUBLE as error:
            log.warning("could not check who is in a channel: %s", what_went_wrong(error))
            return False

    def is_admin(self, user: str) -> bool:
        """Is the member an administrator or owner of the workspace, or named as one?

        False where Slack does not say.
        """
        if user in self._admins:
            return True
        try:
            member = self._slack.members.get(user)
        except SLACK_TROUBLE as error:
            log.warning("could not check who is an administrator: %s", what_went_wrong(error))
            return False
        return is_member(member, self._me) and is_admin(member)

    def name_of(self, user_id: str) -> str | None:
        """Return what a member is called, or None where Slack does not say."""
        try:
            member = self._slack.members.get(user_id)
        except SLACK_TROUBLE:
            return None
        profile = member.get("profile") or {}
        return profile.get("display_name") or member.get("real_name") or member.get("name")

    def refusal_of_asker(
        self, user: str, thread: Thread | None, *, anew: bool = False
    ) -> str | None:
        """Return why somebody gets no answer in a thread, whoever reads along; or None.

        Without a thread: of what is in none. `anew`: Slack is asked now who they are.
        """
        try:
            member = self._slack.members.get(user, anew=anew)
        except SLACK_TROUBLE as error:
            log.warning("could not check who asks: %s", what_went_wrong(error))
            return UNKNOWN
        if not is_member(member, self._me):
            return OUTSIDE
        if not is_guest(member):
            return None
        if thread is None or thread.is_direct:
            return GUEST
        rule = self._rules.of(thread.channel)
        return None if rule.settings.guests else refused(GUEST, rule)

    def _refuses_readers(self, thread: Thread, *, has_strangers: bool | None) -> str | None:
        """Return why those who read along in a channel keep answers out of it, or None."""
        try:
            facts = self._slack.channels.get(thread.channel, anew=has_strangers is None)
            if has_strangers and not is_shared(facts):  # it was shared since we asked
                facts = self._slack.channels.get(thread.channel, anew=True)
            strangers = bool(has_strangers)
            return self.readers.refusal(thread.channel, facts, has_strangers=strangers)
        except SLACK_TROUBLE as error:
            log.log(level_of(error), "could not check who reads along: %s", what_went_wrong(error))
            return UNKNOWN
