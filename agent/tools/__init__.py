"""The tools, one file each: a typed function, its pydantic arguments, and its text for a model."""
