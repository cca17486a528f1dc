"""The games that are offered: the catalogue, the check of definitions, publishing, lessons, and pictures."""
