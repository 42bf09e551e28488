"""The parts of a bot, made once and put together; nothing is started here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from slack_bolt import App

from bot.about_itself import NoSelfAgent
from bot.answer import Answerer
from bot.audience import Audience
from bot.bill import Bill
from bot.ceilings import Ceilings
from bot.channel_settings import ChannelRules
from bot.clients import Clients, make_clients
from bot.escalation import Escalations
from bot.escalation_watch import EscalationWatch
from bot.identity import Identity, identify
from bot.inquiries import Inquiries
from bot.links import Links
from bot.listeners import (
    actions,
    channel_settings,
    command,
    edits,
    escalations,
    feedback,
    home,
    life,
    messages,
    session_stop,
    sharing,
    shortcut,
)
from bot.listeners.clicks import Clicks
from bot.listeners.intake import Intake
from bot.metrics import Metrics
from bot.operators import Operators
from bot.own_prompts import OwnPrompts
from bot.pool import Pool
from bot.progress import Allowance
from bot.protocols import Agent, Catalogue
from bot.running import Running
from bot.settings import BotSettings
from bot.settling import Settling
from bot.sharing import Sharing
from bot.store import Store
from bot.tables_inquiry import TablesInquiry
from bot.usage import UsageInquiry

ERRAND_WORKERS = 3
MODAL_WORKERS = 2
ERRANDS_WAITING = 200


class Pools:
    """The bot's own threads, by what they have to do with Slack's patience."""

    def __init__(self, settings: BotSettings) -> None:
        self.questions = Pool("question", workers=settings.workers, waiting=settings.waiting)
        self.errands = Pool("errand", workers=ERRAND_WORKERS, waiting=ERRANDS_WAITING)
        """Short things, such as showing the SQL."""
        self.modals = Pool("modal", workers=MODAL_WORKERS, waiting=ERRANDS_WAITING)
        """What has to be done within three seconds."""


@dataclass(frozen=True)
class Parts:
    """What the listeners work with."""

    settings: BotSettings
    store: Store
    clients: Clients
    me: Identity
    rules: ChannelRules
    audience: Audience
    links: Links
    people: Escalations
    settling: Settling
    bill: Bill
    pools: Pools
    running: Running = field(default_factory=Running)
    metrics: Metrics = field(default_factory=Metrics)
    allowance: Allowance = field(default_factory=Allowance)

    @classmethod
    def of(cls, settings: BotSettings, store: Store, time_zone: str) -> Parts:
        """Make them; Slack is asked who we are. Raises `SlackUnavailable`."""
        clients = make_clients(settings.slack_bot_token.get_secret_value(), settings.slack_url)
        me = identify(clients.patient)
        rules = ChannelRules(store, me.team_id)
        rules.learn()
        audience = Audience(clients.patient, me, rules, settings.admin_ids)
        links = Links(clients.quick)
        channel, contact = settings.escalation_channel, settings.contact
        people = Escalations(store, clients, audience, links, channel=channel, contact=contact)
        settling = Settling(store, clients, people)
        bill, pools = Bill(store, Ceilings.of(settings), time_zone), Pools(settings)
        return cls(
            settings, store, clients, me, rules, audience, links, people, settling, bill, pools
        )

    def answerer(self, agent: Agent, picture_wait_s: float) -> Answerer:
        """Return who answers claimed questions with `agent`."""
        channel = self.settings.operators_channel
        return Answerer(
            agent,
            self.store,
            self.clients,
            self.me,
            self.audience,
            self.running,
            self.allowance,
            self.people,
            Operators(self.clients, self.links, self.metrics, channel),
            self.bill,
            picture_wait_s,
        )

    def intake(self, answerer: Answerer) -> Intake:
        """Return the door to `answerer`."""
        return Intake(
            store=self.store,
            clients=self.clients,
            answerer=answerer,
            running=self.running,
            rules=self.rules,
            questions=self.pools.questions,
            errands=self.pools.errands,
        )

    def watch(self) -> EscalationWatch:
        """Return what sees to it that no escalation waits for ever."""
        remind_after_s = self.settings.escalation_reminder_h * 3600.0
        return EscalationWatch(
            self.store, self.clients, self.people, self.settling, self.links, remind_after_s
        )


def register_listeners(
    app: App,
    parts: Parts,
    answerer: Answerer,
    *,
    itself: Agent | NoSelfAgent | None,
    time_zone: str,
    prompts: Sequence[str],
    catalogue: Catalogue | None,
) -> None:
    """Let `app` listen to everything that Slack sends us."""
    me, pools, people = parts.me, parts.pools, parts.people
    intake = parts.intake(answerer)
    clicks = Clicks(parts.store, parts.clients, me, parts.audience)
    life.register(app, access=parts.clients.access, me=me)
    edits.register(app, intake=intake, me=me)  # before the listener to all messages
    stop = session_stop.SessionStop(parts.store, parts.clients, parts.audience, parts.running)
    messages.register(app, intake=intake, stop=stop, me=me, errands=pools.errands)
    inquiries = Inquiries(parts.store, parts.links, parts.audience, people, me.team_id, time_zone)
    usage = UsageInquiry(parts.bill, parts.audience, me.team_id)
    tables = TablesInquiry(catalogue)
    ask = command.AskCommand(
        answerer.agent,
        intake,
        parts.clients,
        me,
        parts.audience,
        pools.errands,
        inquiries,
        usage,
        tables,
        command.Itself.of(itself, lambda agent: parts.intake(replace(answerer, agent=agent))),
        stop,
    )
    settings_desk = channel_settings.SettingsDesk(parts.clients, parts.audience, parts.rules)
    channel_settings.register(app, desk=settings_desk, modals=pools.modals)
    command.register(app, ask)
    desk = escalations.Desk(clicks, people, parts.settling)
    escalations.register(app, desk=desk, errands=pools.errands, modals=pools.modals)
    ballot = feedback.Ballot(clicks)
    feedback.register(app, ballot=ballot, errands=pools.errands, modals=pools.modals)
    sharer = Sharing(parts.store, parts.clients, parts.audience, parts.links)
    share_button = sharing.ShareButton(clicks, sharer, people)
    sharing.register(app, button=share_button, errands=pools.errands)
    buttons = actions.CardButtons(clicks, people)
    actions.register(app, buttons=buttons, errands=pools.errands)
    asking = shortcut.AskAbout(intake, parts.clients, me, parts.audience)
    shortcut.register(app, asking=asking, modals=pools.modals, errands=pools.errands)
    own_pages = home.Home(
        parts.clients,
        me,
        parts.audience,
        answerer.agent.model_name,
        OwnPrompts(catalogue, prompts),
        inquiries,
        usage,
        tables,
    )
    home.register(app, home=own_pages, errands=pools.errands)
    session_stop.register(app, stop=stop, me=me, errands=pools.errands)
