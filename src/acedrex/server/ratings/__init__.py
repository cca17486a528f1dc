"""Ratings: Glicko-2 by game and speed, folded from the results of rated matches."""
