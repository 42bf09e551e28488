"""Apps come to a workspace and go: registered once, installed per team, removed, revoked."""

from __future__ import annotations

import dataclasses
import math
import secrets
import time

from bot.local_workspace.grants import Token
from bot.local_workspace.manifest import AppManifest
from bot.local_workspace.oauth.grants import Refresh, Registration
from bot.local_workspace.values import User
from bot.local_workspace.world import App, World


def register(world: World, manifest: AppManifest) -> Registration:
    """Takes in an app that is installed nowhere yet: its id, its secrets, its app token."""
    app_id = world.new_id("A")
    app = Registration(
        app_id,
        manifest,
        client_id=f"{secrets.randbelow(10**12):012d}.{secrets.randbelow(10**12):012d}",
        client_secret=secrets.token_hex(16),
        app_token=world.issue_token("app", "", app_id, frozenset({"connections:write"})),
        redirect_urls=list(manifest.redirect_urls),
    )
    world.commons.registered[app_id] = app
    return app


def install(world: World, app: Registration, scopes: frozenset[str] | None = None) -> App:
    """Installs an app, or adds scopes to it: all that its manifest asks for, if none are given.

    A new bot user is in no channel; one that was there before has the same id again. Its token is
    a second step: `lasting_token` or `rotate`.
    """
    with world.lock:
        here = world.apps.get(app.id)
        if here is None:
            here = _first_install(world, app)
        here.scopes |= app.manifest.bot_scopes if scopes is None else scopes
        here.installed = True
        world.users[here.bot_user].deleted = False
    return here


def lasting_token(world: World, app: App) -> str:
    """The bot token that does not end: the same one as long as nobody revokes it."""
    with world.lock:
        known = world.tokens.get(app.bot_token)
        if known is None or known.revoked:
            app.bot_token = world.issue_token("bot", app.bot_user, app.id, app.scopes)
        else:
            world.tokens[known.text] = dataclasses.replace(known, scopes=app.scopes)
    return app.bot_token


def _first_install(world: World, app: Registration) -> App:
    manifest = app.manifest
    bot_id, user_id = world.new_id("B"), world.new_id("U")
    names = (manifest.bot_name, manifest.name)
    world.add_user(User(user_id, *names, world.team_id, True, bot_id, app.id))
    here = App(app.id, world.team_id, manifest, user_id, bot_id, app.app_token)
    world.apps[app.id] = here
    return here


def rotate(world: World, app: App) -> Refresh:
    """A bot token that ends, and the refresh token to exchange it with."""
    life_s = world.commons.token_life.access_s
    access = world.issue_token("bot", app.bot_user, app.id, app.scopes, life_s)
    text = f"xoxe-1-{secrets.token_hex(32)}"
    refresh = Refresh(text, app.id, world.team_id, access)
    world.commons.refreshes[text] = refresh
    return refresh


def shorten(world: World, access: str, left_s: float) -> None:
    """Lets a token live for no longer than `left_s` seconds from now."""
    token = world.tokens.get(access)
    if token is not None:
        expires = min(token.expires, time.monotonic() + left_s)
        world.tokens[access] = dataclasses.replace(token, expires=expires)


def revoke(world: World, token: Token) -> None:
    """Takes a token back. A bot user without any is deactivated and leaves its channels."""
    world.tokens[token.text] = dataclasses.replace(token, revoked=True)
    for refresh in world.commons.refreshes.values():
        refresh.used = refresh.used or refresh.access == token.text
    app = world.apps.get(token.app_id)
    if app is None or token.kind != "bot" or _bot_tokens(world, app):
        return
    world.users[app.bot_user].deleted = True
    for channel in world.channels.values():
        if app.bot_user in channel.members and not channel.is_im:
            channel.members.remove(app.bot_user)


def uninstall(world: World, app: App) -> None:
    """Removes an app from this workspace, with all its tokens there."""
    for token in _bot_tokens(world, app):
        revoke(world, token)
    app.installed, app.scopes = False, frozenset()


def _bot_tokens(world: World, app: App) -> list[Token]:
    return [
        each
        for each in world.tokens.values()
        if (each.kind, each.app_id, each.team_id) == ("bot", app.id, world.team_id)
        and not each.revoked
        and each.expires > time.monotonic()
    ]


def expire_now(world: World) -> int:
    """Ends every token of this workspace that rotates; tells how many."""
    at = time.monotonic()
    ending = [
        each.text
        for each in world.tokens.values()
        if each.team_id == world.team_id and at < each.expires < math.inf
    ]
    for text in ending:
        shorten(world, text, 0)
    return len(ending)
