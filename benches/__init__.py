"""Measurements. Run them from the project's folder: `python -m benches.perft`, or all with `make bench`."""
