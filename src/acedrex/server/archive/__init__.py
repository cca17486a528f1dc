"""Finished matches: the index for searches, PGN in and out, and positions to start from."""
