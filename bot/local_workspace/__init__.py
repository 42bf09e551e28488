"""A small, strict Slack on this machine: Web API, events, and a page in the browser.

The real, unchanged slack_sdk and slack_bolt talk to it; it knows nothing of the bot. It is a
stand-in and says so on its page.

    from bot.local_workspace import LocalWorkspace

    with LocalWorkspace.start(manifest, port=0, about="offline model") as workspace:
        workspace.url            # http://127.0.0.1:PORT/, the page
        workspace.api_url        # http://127.0.0.1:PORT/api/, base_url of a WebClient
        workspace.bot_token      # xoxb-…
        workspace.app_token      # xapp-…
        workspace.user_tokens    # {"you": "xoxp-…", "mia": …, "ben": …}
        workspace.bot_user_id    # U…, to mention the bot
        workspace.channels       # {"general": "C…", "data": "C…", "helpdesk": "C…", …}

    client = WebClient(token=workspace.bot_token, base_url=workspace.api_url)
    handler = SocketModeHandler(App(client=client), workspace.app_token)

An app whose manifest has Socket Mode off is called over HTTP instead, signed as Slack signs:

    workspace.signing_secret
    workspace.set_request_url("http://127.0.0.1:8080/slack/events")    # sends it a challenge

Other workspaces stand beside it, each with people, channels and tokens of its own. An app comes
into them by consent, and its one connection brings what happens in all that it is in:

    partner = workspace.add_team()                 # T0PARTNER; .user_tokens, .channels, …
    workspace.authorize_url                        # the page; workspace.client_id, .client_secret
    workspace.redirect_urls.append("http://127.0.0.1:8080/slack/oauth_redirect")
    workspace.consent(url, team=partner)           # presses Allow there; where it leads back to
    person.api_call("workspace.shareChannel", json={"channel": …, "team": "T0PARTNER"})
    pat.api_call("workspace.acceptChannel", json={"channel": …})
    person.api_call("workspace.tokens", json={"life_s": 600, "exchanged_life_s": 0, "expire": True})
    person.api_call("workspace.removeApp")         # with installed=False it is in none at first

The bot is a member of #general, #data and #helpdesk, not of #finance-private. The page shows You;
/?as=mia shows it as Mia sees it, /?team=T0PARTNER another workspace, and so do the choices at its
top. A person is played through the
Web API with a user token; for what people do and Slack has no public method for, there is the
namespace workspace.* (this workspace's own, not Slack's; see methods/table.py):

    person = WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)
    person.chat_postMessage(channel=…, text=f"<@{workspace.bot_user_id}> how many films?")
    person.api_call("workspace.clickButton", json={"channel": …, "ts": …, "action_id": "sql"})
    person.api_call("workspace.slashCommand", json={"channel": …, "command": "/ask", "text": …})
    person.api_call("workspace.deliveries")          # the ledger of envelopes and acknowledgements
    person.api_call("workspace.faults", json={"rate_limit": {"method": "chat.update", "times": 1}})

Where it is stricter than Slack, so that a mistake is seen: a thread_ts that is a reply's or that
nobody ever posted is refused (Slack misplaces the message), `raw_number` table cells are refused,
table cells count to the 13,000 characters of a message, and only the block types in
blocks/layouts.py are known. As in Slack, and easily overlooked: an event that no listener
acknowledges comes again, up to three times; an app hears its own messages and edits; chat.update
without `blocks` keeps them; an upload can be shown a moment later, not at once; whoever is of
another team and in a channel with the bot is no "stranger"; around a message in a shared channel
stands its writer's team, and only the authorizations tell whose event it is. Not there: tokens of
people for apps, org-wide apps, Slack Connect in direct messages, scheduled messages, search,
bookmarks, the hourly end of a connection.

Errors: ManifestError when the manifest does not hold together, PortInUse when the port is taken.
"""

from bot.local_workspace.errors import ManifestError, PortInUse, UrlNotVerified
from bot.local_workspace.server import LocalWorkspace
from bot.local_workspace.team import Installed, LocalTeam

__all__ = [
    "Installed",
    "LocalTeam",
    "LocalWorkspace",
    "ManifestError",
    "PortInUse",
    "UrlNotVerified",
]
