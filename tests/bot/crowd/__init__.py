"""Many people who ask at once, and a Slack that goes wrong at random: `make chaos-slack`."""
