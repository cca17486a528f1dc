"""What the engine protocols share: lines, a search that goes on while lines are read, and games by name."""
