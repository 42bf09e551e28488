"""The bot's own port, where someone wants one: Slack's requests, and whether all is well.

Nothing here runs unless `serve --http` asks for it.
"""
