"""What is left of checkpoints is found when it is old."""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"

# Hardly any: they are emptied once a run's end is seen.
CHECKPOINTS_LEFT = """
create index transitions_with_checkpoints on db_agent.transitions (run_id)
where checkpoint is not null
"""


def upgrade() -> None:
    op.execute(CHECKPOINTS_LEFT)
