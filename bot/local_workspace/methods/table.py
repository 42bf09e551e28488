"""Every Web API method in one table. To add a method: one row here, one function beside its kin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.local_workspace.grants import TokenKind
from bot.local_workspace.methods import (
    account,
    agents,
    chat,
    conversations,
    membership,
    oauth,
    reactions,
    slack_files,
    streams,
    views,
    workspace_crowd,
    workspace_faults,
    workspace_lab,
    workspace_others,
    workspace_page,
    workspace_people,
    workspace_shortcuts,
    workspace_teams,
)
from bot.local_workspace.methods.call import Call
from bot.local_workspace.values import Json

Handler = Callable[[Call], Json]

BOTH: tuple[TokenKind, ...] = ("bot", "user")
BOT: tuple[TokenKind, ...] = ("bot",)
PERSON: tuple[TokenKind, ...] = ("user",)
ANY: tuple[TokenKind, ...] = ("bot", "user", "app")
NO_TOKEN: tuple[TokenKind, ...] = ()
"""The app says who it is with its own id and secret."""


@dataclass(frozen=True)
class Method:
    """A row: who may call it, with which scope (any one of them), in which body, how often.

    `json`: whether a JSON body is read; where it is not, Slack reads forms only.
    `tier`: Slack's rate limit tier, used when rate limits are switched on.
    `waits`: the handler waits for the app, so it takes the lock itself.
    """

    handler: Handler
    scopes: tuple[str, ...] = ()
    tokens: tuple[TokenKind, ...] = BOTH
    json: bool = True
    tier: int | None = None
    waits: bool = False


FORM = False
WRITE = ("chat:write",)
MANAGE = ("channels:manage", "channels:write", "groups:write")
STATUS = ("chat:write", "assistant:write")

METHODS: dict[str, Method] = {
    "apps.connections.open": Method(
        account.apps_connections_open, ("connections:write",), ("app",), tier=3
    ),
    "apps.uninstall": Method(oauth.uninstall, tokens=BOT, json=FORM, tier=2),
    "auth.revoke": Method(oauth.revoke, tokens=BOTH, json=FORM, tier=3),
    "auth.test": Method(account.auth_test, tokens=ANY),
    "bots.info": Method(account.bots_info, ("users:read",), json=FORM, tier=3),
    "oauth.v2.access": Method(oauth.access, tokens=NO_TOKEN, json=FORM, tier=4),
    "team.info": Method(account.team_info, ("team:read",), json=FORM, tier=3),
    "users.info": Method(account.users_info, ("users:read",), json=FORM, tier=4),
    "users.list": Method(account.users_list, ("users:read",), json=FORM, tier=2),
    "chat.postMessage": Method(chat.post_message, WRITE),
    "chat.postEphemeral": Method(chat.post_ephemeral, WRITE, tier=4),
    "chat.update": Method(chat.update, WRITE, tier=3),
    "chat.delete": Method(chat.delete, WRITE, tier=3),
    "chat.getPermalink": Method(chat.get_permalink, json=FORM),
    "chat.startStream": Method(streams.start, WRITE, BOT, tier=2),
    "chat.appendStream": Method(streams.append, WRITE, BOT, tier=4),
    "chat.stopStream": Method(streams.stop, WRITE, BOT, tier=2),
    "conversations.history": Method(conversations.history, json=FORM, tier=3),
    "conversations.info": Method(conversations.info, json=FORM, tier=3),
    "conversations.archive": Method(membership.archive, MANAGE, tier=2),
    "conversations.invite": Method(
        membership.invite, (*MANAGE, "channels:write.invites", "groups:write.invites"), tier=3
    ),
    "conversations.join": Method(membership.join, ("channels:join", "channels:write"), tier=3),
    "conversations.kick": Method(membership.kick, MANAGE, tier=3),
    "conversations.leave": Method(membership.leave, MANAGE, tier=3),
    "conversations.list": Method(conversations.list_all, json=FORM, tier=2),
    "conversations.members": Method(conversations.members, json=FORM, tier=4),
    "conversations.open": Method(membership.open_direct, ("im:write", "mpim:write"), tier=3),
    "conversations.replies": Method(conversations.replies, json=FORM, tier=3),
    "conversations.unarchive": Method(membership.unarchive, MANAGE, tier=2),
    "files.getUploadURLExternal": Method(
        slack_files.get_upload_url, ("files:write",), json=FORM, tier=4
    ),
    "files.completeUploadExternal": Method(slack_files.complete_upload, ("files:write",), tier=4),
    "files.info": Method(slack_files.files_info, ("files:read",), json=FORM, tier=4),
    "reactions.add": Method(reactions.add, ("reactions:write",), tier=3),
    "reactions.remove": Method(reactions.remove, ("reactions:write",), tier=2),
    "views.open": Method(views.open_view, tokens=BOT, tier=4),
    "views.push": Method(views.push, tokens=BOT, tier=4),
    "views.update": Method(views.update, tokens=BOT, tier=4),
    "views.publish": Method(views.publish, tokens=BOT, tier=4),
    "assistant.threads.setStatus": Method(agents.set_status, STATUS, BOT),
    "assistant.threads.setSuggestedPrompts": Method(
        agents.set_suggested_prompts, ("assistant:write",), BOT, tier=4
    ),
    "assistant.threads.setTitle": Method(
        agents.set_title, ("assistant:write",), BOT, json=FORM, tier=4
    ),
    "agents.sessions.setStatus": Method(agents.sessions_set_status, WRITE, BOT, tier=3),
    "agents.sessions.rename": Method(agents.sessions_rename, WRITE, BOT, tier=3),
    # From here on: not Slack's. What people do in a client, and the switches of this workspace.
    "workspace.boot": Method(workspace_page.boot, tokens=PERSON),
    "workspace.messages": Method(workspace_page.messages, tokens=PERSON),
    "workspace.clickButton": Method(workspace_people.click_button, tokens=PERSON, waits=True),
    "workspace.slashCommand": Method(workspace_people.slash_command, tokens=PERSON, waits=True),
    "workspace.messageShortcut": Method(
        workspace_shortcuts.message_shortcut, tokens=PERSON, waits=True
    ),
    "workspace.openAppHome": Method(workspace_people.open_app_home, tokens=PERSON),
    "workspace.submitView": Method(workspace_people.submit_view, tokens=PERSON, waits=True),
    "workspace.closeView": Method(workspace_people.close_view, tokens=PERSON),
    "workspace.stopSession": Method(workspace_people.stop_session, tokens=PERSON),
    "workspace.deliveries": Method(workspace_lab.deliveries, tokens=PERSON),
    "workspace.postMany": Method(workspace_crowd.post_many, tokens=PERSON, waits=True),
    "workspace.transcript": Method(workspace_crowd.transcript, tokens=PERSON),
    "workspace.faults": Method(workspace_faults.faults, tokens=PERSON),
    "workspace.shareChannel": Method(workspace_teams.share_channel, tokens=PERSON),
    "workspace.acceptChannel": Method(workspace_teams.accept_channel, tokens=PERSON),
    "workspace.disconnectChannel": Method(workspace_teams.disconnect_channel, tokens=PERSON),
    "workspace.removeApp": Method(workspace_teams.remove_installed, tokens=PERSON),
    "workspace.tokens": Method(workspace_teams.tokens, tokens=PERSON),
    "workspace.addUser": Method(workspace_lab.add_user, tokens=PERSON),
    "workspace.addBot": Method(workspace_others.add_bot, tokens=PERSON),
    "workspace.sayAs": Method(workspace_others.say_as, tokens=PERSON),
    "workspace.addChannel": Method(workspace_lab.add_channel, tokens=PERSON),
    "workspace.changeUser": Method(workspace_lab.change_user, tokens=PERSON),
    "workspace.changeChannel": Method(workspace_lab.change_channel, tokens=PERSON),
}
