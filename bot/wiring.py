"""The parts of a bot, made once and put together; nothing is started here."""

from __future__ import annotations

from dataclasses import dataclass, field

from slack_bolt import App

from bot.about_itself import NoSelfAgent
from bot.answer import Answerer
from bot.audience import Audience
from bot.bill import Bill
from bot.ceilings import Ceilings
from bot.channel_settings import ChannelRules
from bot.clients import Clients
from bot.desk import Desk
from bot.doorstep import Doorstep
from bot.escalation import Escalations
from bot.escalation_watch import EscalationWatch
from bot.identity import Identity, identify
from bot.inquiries import Inquiries
from bot.links import Links
from bot.listeners import (
    actions,
    channel_settings,
    closings,
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
    stop_button,
)
from bot.listeners.clicks import Clicks
from bot.listeners.files import FileDesk
from bot.listeners.intake import Intake
from bot.listeners.itself import Itself
from bot.operators import Operators
from bot.own_prompts import OwnPrompts
from bot.protocols import Agent
from bot.rows_file import RowsFile
from bot.running import Running
from bot.settings import BotSettings
from bot.settling import Settling
from bot.shared import Pools, Shared
from bot.sharing import Sharing
from bot.store import Room, Store
from bot.tables_inquiry import TablesInquiry
from bot.telemetry.observer import Observer
from bot.telemetry.slack_meter import SlackMeter
from bot.usage import UsageInquiry


@dataclass(frozen=True)
class Parts:
    """What the listeners of one workspace work with."""

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
    observer: Observer
    running: Running = field(default_factory=Running)
    doorstep: Doorstep = field(default_factory=Doorstep)

    @classmethod
    def of(cls, shared: Shared, clients: Clients) -> Parts:
        """Make them; Slack is asked who we are. Raises `SlackUnavailable`."""
        settings, store = shared.settings, shared.store
        clients.measured_by(SlackMeter(shared.metrics.instruments))
        me = identify(clients.patient)
        rules = ChannelRules(store, me.team_id)
        rules.learn()
        audience = Audience(clients.patient, me, rules, settings.admin_ids)
        links = Links(clients.quick)
        channel, contact = settings.escalation_channel, settings.contact
        people = Escalations(store, clients, audience, links, channel=channel, contact=contact)
        settling = Settling(store, clients, people)
        bill = Bill(store, Ceilings.of(settings), shared.time_zone)
        return cls(
            settings,
            store,
            clients,
            me,
            rules,
            audience,
            links,
            people,
            settling,
            bill,
            shared.pools,
            Observer(shared.metrics, shared.traces),
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
            self.people,
            Operators(self.clients, self.links, self.observer, channel),
            self.bill,
            self.observer,
            picture_wait_s,
        )

    def desk(self, shared: Shared) -> Desk:
        """Return where the questions of this workspace are answered."""
        itself = None if isinstance(shared.itself, NoSelfAgent) else shared.itself
        answerer = self.answerer(shared.agent, shared.picture_wait_s)
        room = Room(self.settings.max_running_per_person, self.settings.max_running)
        return Desk(self.store, self.clients, answerer, self.running, self.doorstep, room, itself)

    def intake(self) -> Intake:
        """Return the door that questions come in by."""
        return Intake(
            store=self.store,
            observer=self.observer,
            running=self.running,
            rules=self.rules,
            doorstep=self.doorstep,
        )

    def watch(self) -> EscalationWatch:
        """Return what sees to it that no escalation waits for ever."""
        remind_after_s = self.settings.escalation_reminder_h * 3600.0
        return EscalationWatch(
            self.store,
            self.clients,
            self.people,
            self.settling,
            self.links,
            remind_after_s,
            self.me.team_id,
        )


def register_listeners(app: App, parts: Parts, shared: Shared) -> None:
    """Let `app` listen to everything that Slack sends us."""
    me, pools, people = parts.me, parts.pools, parts.people
    time_zone, catalogue = shared.time_zone, shared.catalogue
    intake = parts.intake()
    life.register(app, access=parts.clients.access, me=me)
    closings.register(app, closings=parts.clients.closings)
    edits.register(app, intake=intake, me=me)  # before the listener to all messages
    stop = session_stop.SessionStop(
        parts.clients, parts.audience, parts.running, parts.store, me.team_id
    )
    messages.register(app, intake=intake, stop=stop, me=me, errands=pools.errands)
    inquiries = Inquiries(parts.store, parts.links, parts.audience, people, me.team_id, time_zone)
    usage = UsageInquiry(parts.bill, parts.audience, me.team_id)
    tables = TablesInquiry(catalogue)
    ask = command.AskCommand(
        shared.agent,
        intake,
        parts.clients,
        me,
        parts.audience,
        pools.errands,
        inquiries,
        usage,
        tables,
        Itself.of(shared.itself),
        stop,
    )
    settings_desk = channel_settings.SettingsDesk(parts.clients, parts.audience, parts.rules)
    channel_settings.register(app, desk=settings_desk, modals=pools.modals)
    command.register(app, ask)
    _listen_to_cards(app, parts, stop, RowsFile(catalogue))
    asking = shortcut.AskAbout(intake, parts.clients, me, parts.audience)
    shortcut.register(app, asking=asking, modals=pools.modals, errands=pools.errands)
    own_pages = home.Home(
        parts.clients,
        me,
        parts.audience,
        shared.agent.model_name,
        OwnPrompts(catalogue, shared.prompts),
        inquiries,
        usage,
        tables,
    )
    home.register(app, home=own_pages, errands=pools.errands)
    session_stop.register(app, stop=stop, me=me, errands=pools.errands)


def _listen_to_cards(
    app: App, parts: Parts, stop: session_stop.SessionStop, rows_file: RowsFile
) -> None:
    """Let `app` listen to the buttons of answers and of what waits for a person."""
    pools, people = parts.pools, parts.people
    clicks = Clicks(parts.store, parts.clients, parts.me, parts.audience)
    desk = escalations.Desk(clicks, people, parts.settling)
    escalations.register(app, desk=desk, errands=pools.errands, modals=pools.modals)
    ballot = feedback.Ballot(clicks)
    feedback.register(app, ballot=ballot, errands=pools.errands, modals=pools.modals)
    sharer = Sharing(parts.store, parts.clients, parts.audience, parts.links)
    share_button = sharing.ShareButton(clicks, sharer, people)
    sharing.register(app, button=share_button, errands=pools.errands)
    stop_button.register(app, button=stop_button.StopButton(clicks, stop), errands=pools.errands)
    buttons = actions.CardButtons(clicks, people, FileDesk(clicks), rows_file)
    # The last: it takes any click.
    actions.register(app, buttons=buttons, errands=pools.errands)
