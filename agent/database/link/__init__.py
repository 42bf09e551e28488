"""How a query travels: the address, the pool, the wire, and the limits on all of them."""
