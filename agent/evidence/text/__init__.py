"""What a text says: its sentences, and the figures in them as they are written."""
