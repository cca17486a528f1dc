"""Matches: the core's events, states and decisions in the types of messages."""
