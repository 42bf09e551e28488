"""The kill matrix: processes of the bot die at named points; nothing is lost and nothing doubled.

`make kills ARGS='--kills 1000 --processes 3 --seed 1'`; a short form is among the tests.
"""
