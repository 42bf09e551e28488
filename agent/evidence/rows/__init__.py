"""What results hold: the meaning of their columns, their cells, and the names of their rows."""
