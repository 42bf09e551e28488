"""Runs that are cut off, and go on in another process."""
