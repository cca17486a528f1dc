"""Guests: who they are, their tokens, and the names that they may choose."""
