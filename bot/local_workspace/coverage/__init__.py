"""What the workspace covers of Slack, read from its own tables, as a page in docs/.

`python -m bot.local_workspace.coverage` writes docs/local-workspace.md.
"""
