"""What `db-agent` can do, one file a command."""
