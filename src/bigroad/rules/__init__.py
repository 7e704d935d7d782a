"""Given cards and wagers, say what happens and what is owed.

Pure: cards and money come in as values, answers go out as frozen records. Nothing here reads a clock, draws a random
number or touches a file.
"""
