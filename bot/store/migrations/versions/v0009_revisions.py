"""Questions that are changed or deleted after they were asked."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"

# A run for each wording of a message: `revision` is Slack's timestamp of the change, "" the first.
# So a change that is told twice is answered once. `dropped` is why nobody wants a run's answer any
# more: its question was 'edited' or 'deleted'; "" is wanted.
COLUMNS = """
alter table db_agent.runs
    add column revision text collate "C" not null default '',
    add column dropped text not null default '' check (dropped in ('', 'edited', 'deleted')),
    drop constraint runs_team_id_channel_id_message_ts_key,
    add unique (team_id, channel_id, message_ts, revision)
"""


def upgrade() -> None:
    op.execute(COLUMNS)
