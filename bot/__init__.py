"""Slack in, Slack out. Asks the agent, and never writes SQL for the analytics database."""
