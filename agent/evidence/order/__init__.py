"""Claims about order: which is the highest, which is more than which, what rose and what fell."""
