"""Matches being played: rooms and who listens to them, engines, the lobby, and streams for bots."""
