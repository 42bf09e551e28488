"""One module for each kind of mark: `draw(plot)` returns its part of a specification."""
