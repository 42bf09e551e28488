"""Who we are in the workspace."""

from __future__ import annotations

from dataclasses import dataclass

from slack_sdk import WebClient

from bot.slack_errors import SLACK_TROUBLE, SlackUnavailable, what_went_wrong, why_unreachable


@dataclass(frozen=True)
class Identity:
    """The bot user and its workspace, as `auth.test` gives them."""

    team_id: str
    user_id: str
    bot_id: str
    name: str
    enterprise_id: str | None = None

    @property
    def mention(self) -> str:
        """How a message's text names us."""
        return f"<@{self.user_id}>"


def identify(client: WebClient) -> Identity:
    """Ask Slack whose token `client` holds. Raises `SlackUnavailable`."""
    try:
        answer = client.auth_test()
    except SLACK_TROUBLE as error:
        raise SlackUnavailable(
            f"Slack does not say who the bot is: {why_unreachable(error)}. Check the network and "
            "SLACK_BOT_TOKEN.",
            detail=what_went_wrong(error),
        ) from error
    return Identity(
        team_id=str(answer["team_id"]),
        user_id=str(answer["user_id"]),
        bot_id=str(answer.get("bot_id") or ""),
        name=str(answer.get("user") or "db-agent"),
        enterprise_id=answer.get("enterprise_id"),
    )
