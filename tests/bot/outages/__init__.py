"""What the bot depends on goes away for a while, alone and together, and comes back."""
