"""What the benchmarks of load have in common: bots in processes of their own, and who asks them."""
