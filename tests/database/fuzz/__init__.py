"""A fuzzer that lets the server judge the guard: what it accepts is run, and the server watched.

`corpus` and `honest.sql` hold what the texts are made from, `calls`, `places`, `attacks`, `lexing`
and `composed` make them, `texts` draws them from a seed. `arena` is a throw-away cluster full of
traps, `judges` run a text there, `reader` asks the server how it understands it, `watch` looks for
what changed, and `runner` puts it all together.
"""
