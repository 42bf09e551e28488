"""A question in, an `AgentResult` out. Knows models and databases, never Slack.

Nothing is imported here, so that `import agent.state` stays standard library only.
"""
