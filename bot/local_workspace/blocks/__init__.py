"""Block Kit, checked as strictly as Slack checks it."""
