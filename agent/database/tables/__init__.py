"""What tables there are: read from the catalogue, named, searched, described."""
