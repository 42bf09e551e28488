"""What an installation hands out: the app's own secrets, codes, refresh tokens, their lives."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.local_workspace.manifest import AppManifest

CODE_LIFE_S = 600.0
ACCESS_LIFE_S = 43_200.0


@dataclass(slots=True)
class Registration:
    """An app as its makers registered it, before anybody installs it."""

    id: str
    manifest: AppManifest
    client_id: str
    client_secret: str
    app_token: str = ""
    redirect_urls: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Code:
    """The code of one consent: ten minutes, one use. `issued` is in monotonic seconds."""

    text: str
    app_id: str
    team_id: str
    user_id: str
    scopes: frozenset[str]
    redirect_uri: str
    """As it came with the request; "" where it did not."""
    issued: float
    used: bool = False


@dataclass(slots=True)
class Refresh:
    """A refresh token, good once, and the access token that it came with."""

    text: str
    app_id: str
    team_id: str
    access: str
    used: bool = False


@dataclass(slots=True)
class TokenLife:
    """How long tokens live that rotate, in seconds: new ones, and one that was exchanged."""

    access_s: float = ACCESS_LIFE_S
    exchanged_s: float = 60.0
