"""Several workspaces: who has installed the app, with which tokens, and how those stay good."""
