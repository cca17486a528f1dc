"""The common part of the engine protocols: reading lines during a search, and looking up games by name."""
