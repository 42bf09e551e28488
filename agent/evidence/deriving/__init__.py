"""Figures that a person could work out from the rows: shares, sums, growth, averages.

Only where the words ask for it, and only from what the passage itself names or says: with more
freedom almost any invented number could be worked out from something.
"""
