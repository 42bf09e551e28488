"""The app manifest, read strictly: it decides what an app may call and what it is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from bot.local_workspace.errors import ManifestError

# Event -> the bot scope without which Slack does not accept the subscription.
EVENT_SCOPES: dict[str, str | None] = {
    "app_mention": "app_mentions:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "app_home_opened": None,
    "app_context_changed": None,
    "agent_session_stopped": None,
    "agent_session_title_changed": None,
    "channel_archive": "channels:read",
    "channel_left": "channels:read",
    "channel_shared": "channels:read",
    "channel_unarchive": "channels:read",
    "channel_unshared": "channels:read",
    "group_archive": "groups:read",
    "group_left": "groups:read",
    "group_unarchive": "groups:read",
    "member_joined_channel": "channels:read",
    "member_left_channel": "channels:read",
    "user_change": "users:read",
    "reaction_added": "reactions:read",
    "reaction_removed": "reactions:read",
    "tokens_revoked": None,
    "app_uninstalled": None,
}

PERSON_SCOPES = frozenset(
    {
        "channels:history",
        "channels:read",
        "channels:write",
        "chat:write",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "groups:write",
        "im:history",
        "im:read",
        "im:write",
        "mpim:history",
        "mpim:read",
        "mpim:write",
        "reactions:read",
        "reactions:write",
        "team:read",
        "users:read",
    }
)


@dataclass(frozen=True)
class SlashCommand:
    """One command of the manifest; `escapes` is its `should_escape`.

    `url` is where the app is called; "" in Socket Mode.
    """

    name: str
    description: str
    usage_hint: str
    escapes: bool
    url: str = ""


@dataclass(frozen=True)
class Shortcut:
    """An entry that an app adds to the menu of messages."""

    name: str
    callback_id: str
    description: str


@dataclass(frozen=True)
class AppManifest:
    """What the local workspace needs of a manifest."""

    name: str
    bot_name: str
    bot_scopes: frozenset[str]
    events: frozenset[str]
    commands: tuple[SlashCommand, ...]
    interactive: bool
    is_agent: bool
    home_tab: bool
    messages_tab: bool
    prompts: tuple[dict[str, str], ...]
    socket_mode: bool = True
    events_url: str = ""
    interactions_url: str = ""
    redirect_urls: tuple[str, ...] = ()
    rotates_tokens: bool = False
    shortcuts: tuple[Shortcut, ...] = ()


def read_manifest(manifest: dict[str, Any]) -> AppManifest:
    """Checks a manifest (already parsed from YAML or JSON) and picks out what matters here.

    Raises ManifestError when an event is unknown or lacks its scope, commands or shortcuts are
    declared without the scope `commands`, or an address is missing without Socket Mode, or there
    with it.
    """
    features = manifest.get("features") or {}
    settings = manifest.get("settings") or {}
    home = features.get("app_home") or {}
    agent = features.get("agent_view") or features.get("assistant_view")
    oauth = manifest.get("oauth_config") or {}
    scopes = frozenset(oauth.get("scopes", {}).get("bot") or [])
    events = frozenset((settings.get("event_subscriptions") or {}).get("bot_events") or [])
    commands = tuple(_command(entry) for entry in features.get("slash_commands") or [])
    name = (manifest.get("display_information") or {}).get("name") or ""
    shortcuts = tuple(_shortcut(entry) for entry in features.get("shortcuts") or [])
    _check(name, scopes, events, bool(commands or shortcuts))
    _check_addresses(settings, commands)
    return AppManifest(
        name=name,
        bot_name=(features.get("bot_user") or {}).get("display_name") or name,
        bot_scopes=scopes,
        events=events,
        commands=commands,
        interactive=bool((settings.get("interactivity") or {}).get("is_enabled")),
        is_agent=agent is not None,
        home_tab=bool(home.get("home_tab_enabled")),
        messages_tab=bool(home.get("messages_tab_enabled")),
        prompts=tuple((agent or {}).get("suggested_prompts") or ()),
        socket_mode=bool(settings.get("socket_mode_enabled")),
        events_url=(settings.get("event_subscriptions") or {}).get("request_url") or "",
        interactions_url=(settings.get("interactivity") or {}).get("request_url") or "",
        redirect_urls=tuple(oauth.get("redirect_urls") or ()),
        rotates_tokens=bool(settings.get("token_rotation_enabled")),
        shortcuts=shortcuts,
    )


def _command(entry: dict[str, Any]) -> SlashCommand:
    name = entry.get("command") or ""
    if not name.startswith("/") or len(name) > 32:
        raise ManifestError(f"slash command {name!r} must start with / and have 32 characters")
    return SlashCommand(
        name=name,
        description=entry.get("description") or "",
        usage_hint=entry.get("usage_hint") or "",
        escapes=bool(entry.get("should_escape")),
        url=entry.get("url") or "",
    )


def _shortcut(entry: dict[str, Any]) -> Shortcut:
    if entry.get("type") != "message":
        raise ManifestError("this workspace has shortcuts of the type message only")
    if not entry.get("callback_id") or not 1 <= len(entry.get("name") or "") <= 24:
        raise ManifestError("a shortcut needs a callback_id, and a name of 1 to 24 characters")
    return Shortcut(entry["name"], entry["callback_id"], entry.get("description") or "")


def _check(
    name: str,
    scopes: frozenset[str],
    events: frozenset[str],
    needs_commands: bool,
) -> None:
    if not name or len(name) > 35:
        raise ManifestError("display_information.name must have 1 to 35 characters")
    for event in sorted(events):
        if event not in EVENT_SCOPES:
            raise ManifestError(f"unknown bot event {event!r}; known: {', '.join(EVENT_SCOPES)}")
        needed = EVENT_SCOPES[event]
        if needed and needed not in scopes:
            raise ManifestError(f"bot event {event} needs the bot scope {needed}")
    if needs_commands and "commands" not in scopes:
        raise ManifestError("slash commands and shortcuts need the bot scope commands")


def _check_addresses(settings: dict[str, Any], commands: tuple[SlashCommand, ...]) -> None:
    subscriptions = settings.get("event_subscriptions") or {}
    interactivity = settings.get("interactivity") or {}
    addresses = {f"slash command {each.name}: url": each.url for each in commands}
    for name, group, needed in (
        ("event_subscriptions.request_url", subscriptions, subscriptions.get("bot_events")),
        ("interactivity.request_url", interactivity, interactivity.get("is_enabled")),
    ):
        if needed or group.get("request_url"):
            addresses[name] = group.get("request_url") or ""
    for name, url in addresses.items():
        if settings.get("socket_mode_enabled"):
            if url:
                raise ManifestError(f"{name}: an app in Socket Mode has no url there")
        elif not is_callable(url):
            raise ManifestError(f"{name} must be an https:// address where Socket Mode is off")


def is_callable(url: str) -> bool:
    """Whether Slack takes a request URL; this workspace takes http:// on this machine as well."""
    parts = urlsplit(url)
    here = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost")
    return bool(parts.hostname) and (parts.scheme == "https" or here)
