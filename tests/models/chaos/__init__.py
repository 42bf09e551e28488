"""Many runs against model servers that fail in every way there is.

`catalogue` lists the faults, `transport` puts them in front of the strict stand-ins, over real
HTTP. `voices` lets each kind of server say the same, `recipes` draws a run from a seed, `runs`
carries it out through the agent and `in_slack` through the bot. `endings` says which ending is
right after what the servers did, `checks` holds a run to it and to its bill.
"""
