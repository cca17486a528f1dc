"""The metrics for Prometheus."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

MOVES = Counter("acedrex_moves", "Moves stored")
STORING = Histogram(
    "acedrex_storing_seconds",
    "Time until events are on the disk",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 1),
)
SOCKETS = Gauge("acedrex_sockets", "Open sockets of matches")
ROOMS = Gauge("acedrex_rooms", "Open rooms")
SET_ASIDE = Gauge("acedrex_matches_set_aside", "Matches that cannot be read; the log names them")
SEARCHES = Gauge("acedrex_searches", "Searches for analysis boards that wait or run")
THINKING = Gauge("acedrex_engine_jobs", "Engine jobs that wait or run")
REQUESTS = Counter("acedrex_requests", "Responses over HTTP", ["method", "status"])
REFUSED = Counter("acedrex_refused", "Refusals over sockets", ["code"])
