"""Bolt's OAuth flow, with our own pages, and a look at who it is that installs the app."""

from __future__ import annotations

import logging
from collections.abc import Callable
from urllib.parse import urljoin

from slack_bolt import BoltRequest, BoltResponse
from slack_bolt.error import BoltError
from slack_bolt.oauth import OAuthFlow
from slack_bolt.oauth.callback_options import CallbackOptions, FailureArgs, SuccessArgs
from slack_bolt.oauth.oauth_settings import OAuthSettings
from slack_sdk import WebClient
from slack_sdk.oauth.installation_store import Installation
from sqlalchemy.exc import SQLAlchemyError

from bot.install_settings import INSTALL_PATH, REDIRECT_PATH, InstallSettings
from bot.installations import pages
from bot.installations.sealed_stores import STATE_LIFE_S, SealedInstallations, SingleUseStates
from bot.manifest import load_manifest
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong

log = logging.getLogger(__name__)


class NotWelcome(BoltError):
    """Whoever installs the app may not have it; its words are for them."""


class InstallFlow(OAuthFlow):
    """Nobody comes in whom the settings do not allow: what is asked is one company's database."""

    def __init__(
        self,
        settings: InstallSettings,
        slack_url: str,
        client: WebClient,
        installations: SealedInstallations,
        states: SingleUseStates,
        when_installed: Callable[[str], None],
    ) -> None:
        """`client` must not repeat a call on its own: a code is good once.

        `when_installed` is told of each workspace that has installed the app; it is quick.
        """
        super().__init__(
            client=client,
            logger=logging.getLogger("bot.bolt"),
            settings=OAuthSettings(
                client_id=settings.slack_client_id,
                client_secret=settings.slack_client_secret.get_secret_value(),
                scopes=load_manifest()["oauth_config"]["scopes"]["bot"],
                user_scopes=[],
                redirect_uri=f"{settings.public_url}{REDIRECT_PATH}",
                install_path=INSTALL_PATH,
                redirect_uri_path=REDIRECT_PATH,
                callback_options=CallbackOptions(success=_welcome, failure=_failed),
                authorization_url=urljoin(slack_url, "../oauth/v2/authorize"),
                installation_store=installations,
                state_store=states,
                state_expiration_seconds=STATE_LIFE_S,
            ),
        )
        self._allows = settings.allows
        self._when_installed = when_installed

    def build_install_page_html(self, url: str, request: BoltRequest) -> str:
        """Return the page with the way to Slack."""
        return pages.install_page(url)

    def handle_installation(self, request: BoltRequest) -> BoltResponse:
        """Show the page from which somebody goes to Slack and allows the app."""
        try:
            return pages.guarded(super().handle_installation(request))
        except SQLAlchemyError as error:
            log.error("the app cannot be installed now: %s", type(error).__name__)
            return pages.problem(503, pages.RECORD_AWAY)

    def handle_callback(self, request: BoltRequest) -> BoltResponse:
        """Take in what Slack says after that; whoever may not have the app is told so."""
        try:
            return pages.guarded(super().handle_callback(request))
        except SQLAlchemyError as error:
            log.error("an installation was not kept: %s", type(error).__name__)
            return pages.problem(503, pages.RECORD_AWAY)
        except SLACK_TROUBLE as error:
            log.error("Slack does not say who installs the app: %s", what_went_wrong(error))
            return pages.problem(502, pages.SLACK_AWAY)

    def store_installation(self, request: BoltRequest, installation: Installation) -> None:
        """Keep an installation, and its tokens. Raises `NotWelcome`: then Slack takes it back."""
        team = installation.team_id
        if installation.is_enterprise_install or not team:
            self._take_back(installation)
            raise NotWelcome(pages.NO_ORGANISATIONS)
        if not self._allows(team):
            log.warning("workspace %s is none of DB_AGENT_TEAMS, and installed the app", team)
            self._take_back(installation)
            raise NotWelcome(pages.NOT_ALLOWED.format(team=team))
        super().store_installation(request, installation)
        log.info("workspace %s has installed the app", team)
        self._when_installed(team)

    def _take_back(self, installation: Installation) -> None:
        """Remove the app where it was installed a moment ago: its token shall open nothing."""
        try:
            self.client.apps_uninstall(
                client_id=self.settings.client_id,
                client_secret=self.settings.client_secret,
                token=installation.bot_token,
            )
        except SLACK_TROUBLE as error:
            log.warning("the app stays installed there: %s", what_went_wrong(error))


def _welcome(args: SuccessArgs) -> BoltResponse:
    name = args.installation.team_name or "your workspace"
    body = pages.done(name, str(args.installation.app_id), str(args.installation.team_id))
    cookie = args.settings.state_utils.build_set_cookie_for_deletion()
    return pages.page(200, body, cookie=cookie)


def _failed(args: FailureArgs) -> BoltResponse:
    if isinstance(args.error, NotWelcome):
        status, words = 403, str(args.error)
    else:
        status, words = args.suggested_status_code, pages.REASONS.get(args.reason, pages.UNKNOWN)
    cookie = args.settings.state_utils.build_set_cookie_for_deletion()
    return pages.problem(status, words, cookie=cookie)
