"""How the log is written: one event a line, of which run it is, and nothing that is private."""
