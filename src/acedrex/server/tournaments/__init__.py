"""Tournaments: their events and what follows from these, pairings, tie-breaks, and what makes the next round begin."""
