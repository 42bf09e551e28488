"""Makes the login that the bot reads as: what it takes, as a script or carried out."""

from agent.database.provision.planning import plan_drop, plan_provision
from agent.database.provision.script import script
from agent.database.provision.wish import DEFAULT_ROLE, Plan, Step, Wish

__all__ = ["DEFAULT_ROLE", "Plan", "Step", "Wish", "plan_drop", "plan_provision", "script"]
