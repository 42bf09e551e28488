"""What operators see of the bot: its measures, its traces, and the pages that show them."""
