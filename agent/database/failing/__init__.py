"""What is told of a query that failed: no value of the data, and what would put it right."""
