"""What administrators have set for a channel."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"

# A channel that is not here goes by the defaults of `bot.channel_rule`. `shared_with` are
# the organisations that an administrator has seen and let read along; null: none was asked about.
CHANNEL_SETTINGS = """
create table db_agent.channel_settings (
    team_id text not null,
    channel_id text not null,
    allowed boolean not null,
    shared_with text[],
    follow_ups boolean not null,
    private boolean not null,
    guests boolean not null,
    set_by text not null,
    set_at timestamptz not null default now(),
    primary key (team_id, channel_id)
)
"""


def upgrade() -> None:
    op.execute(CHANNEL_SETTINGS)
