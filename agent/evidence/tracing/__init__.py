"""Figures that stand in the sources as they are: cells, counts, dates, limits, calculations."""
