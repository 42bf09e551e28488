"""Values of the agent -> Slack messages as plain data. Pure: no Slack, no database, no clock."""

from bot.render.card import Card, reduced, render_card
from bot.render.endings import shown_result
from bot.render.messages import render_help, render_notice, render_sql, render_working
from bot.render.spreadsheet import render_csv

__all__ = [
    "Card",
    "reduced",
    "render_card",
    "render_csv",
    "render_help",
    "render_notice",
    "render_sql",
    "render_working",
    "shown_result",
]
