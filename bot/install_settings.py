"""What has to be set to serve several workspaces; with SLACK_CLIENT_ID all of it, else nothing."""

from __future__ import annotations

import re
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings

CREDENTIALS: Final = (
    'on the page "Basic Information" of your app at https://api.slack.com/apps, under '
    '"App Credentials"'
)
INSTALL_HELP: Final = {
    "SLACK_CLIENT_SECRET": f"it is {CREDENTIALS}; without SLACK_CLIENT_ID one workspace is served",
    "DB_AGENT_TOKEN_KEY": (
        "it encrypts the tokens of the workspaces where they are kept; db-agent new-token-key "
        "prints one"
    ),
    "DB_AGENT_PUBLIC_URL": (
        "it is the address at which browsers reach db-agent serve --http, such as "
        "https://db-agent.example.com"
    ),
    "DB_AGENT_TEAMS": (
        "it names the workspaces that may install the app, by their ids with commas, such as "
        "T0123ABCD, or any"
    ),
}
INSTALL_PATH: Final = "/slack/install"
REDIRECT_PATH: Final = "/slack/oauth_redirect"
"""Where, under the public address, the app is installed, and where Slack sends back."""
ANY: Final = "any"
_CLIENT_ID: Final = re.compile(r"[A-Za-z0-9._-]{3,32}")
_TEAM_ID: Final = re.compile(r"T[A-Z0-9]{4,}")
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SecretOrNone = Annotated[SecretStr, Field(validate_default=True)]


class InstallSettings(BaseSettings):
    """The app as Slack knows it, and who may install it."""

    slack_client_id: str = ""
    """The app's; "" where one workspace is served, with the one token of SLACK_BOT_TOKEN."""
    slack_client_secret: _SecretOrNone = SecretStr("")
    token_key: Annotated[
        SecretStr, Field(validation_alias="DB_AGENT_TOKEN_KEY", validate_default=True)
    ] = SecretStr("")
    """Fernet keys with commas; the first encrypts."""
    public_url: Annotated[
        str, Field(validation_alias="DB_AGENT_PUBLIC_URL", validate_default=True)
    ] = ""
    """Where browsers reach us, without a slash at its end."""
    teams: Annotated[str, Field(validation_alias="DB_AGENT_TEAMS", validate_default=True)] = ""
    """The ids of the workspaces that may install the app, or "any"."""

    @property
    def serves_several(self) -> bool:
        """Do workspaces install the app themselves? Else there is one, with a token that is set."""
        return bool(self.slack_client_id)

    def allows(self, team: str) -> bool:
        """May the workspace have the app?"""
        return self.teams == ANY or team in self.teams.split(",")

    @field_validator("slack_client_id")
    @classmethod
    def _check_client_id(cls, text: str) -> str:
        text = text.strip()
        if text and not _CLIENT_ID.fullmatch(text):
            raise ValueError(
                f"must be the app's Client ID, such as 123456789.987654321: {CREDENTIALS}"
            )
        return text

    @field_validator("slack_client_secret")
    @classmethod
    def _check_client_secret(cls, secret: SecretStr, info: ValidationInfo) -> SecretStr:
        return SecretStr(_needed(secret.get_secret_value(), info))

    @field_validator("token_key")
    @classmethod
    def _check_token_key(cls, keys: SecretStr, info: ValidationInfo) -> SecretStr:
        text = _needed(keys.get_secret_value(), info)
        if text:
            from bot.installations.seal import Seal  # takes a while to load, and few need it

            Seal(text)
        return SecretStr(text)

    @field_validator("public_url")
    @classmethod
    def _check_public_url(cls, url: str, info: ValidationInfo) -> str:
        url = _needed(url, info).rstrip("/")
        if not url:
            return url
        if not _is_public(url):
            raise ValueError("must be an address with https, such as https://db-agent.example.com")
        return url

    @field_validator("teams")
    @classmethod
    def _check_teams(cls, teams: str, info: ValidationInfo) -> str:
        names = [each for each in re.split(r"[,\s]+", _needed(teams, info)) if each]
        if [each.lower() for each in names] == [ANY]:
            return ANY
        if not all(_TEAM_ID.fullmatch(each) for each in names):
            raise ValueError(
                "must be ids of workspaces with commas, T0123ABCD, or any: in a browser, "
                "https://app.slack.com/client/T0123ABCD/… has it"
            )
        return ",".join(names)


def _needed(text: str, info: ValidationInfo) -> str:
    """Return what is set; it has to be where there is a client id."""
    text = text.strip()
    if not text and info.data.get("slack_client_id"):
        raise PydanticCustomError("missing", "Field required")
    return text


def _is_public(url: str) -> bool:
    """Is that where a browser may send what lets somebody in? Unencrypted on this machine only."""
    try:
        parts = urlsplit(url)
        is_safe = parts.scheme == "https" or (
            parts.scheme == "http" and parts.hostname in _LOOPBACK and parts.port != 0
        )
    except ValueError:
        return False
    return is_safe and bool(parts.hostname) and not (parts.query or parts.fragment or "@" in url)
