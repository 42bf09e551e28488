"""What comes back: the server's text as cells, and rows as a result that says what was cut."""
