"""Turn the outcomes of a shoe into five boards, as data.

The boards grow coup by coup in constant time and are never recomputed; `Scoreboard` is the door. What part of a board
is on screen is the screen's business: the boards have six rows and as many columns as the shoe needs.
"""
