"""``acedrex serve``, ``backup`` and ``restore``: the server and its database."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from acedrex.cli.errors import CommandError

__all__ = ["run"]


def run(args: argparse.Namespace) -> int:
    """Run the server until it is stopped."""
    try:
        from acedrex.server import serve
        from acedrex.server.settings import Settings, database_url
    except ModuleNotFoundError as error:
        raise CommandError(f'the server needs {error.name}: pip install "acedrex[server]"') from None
    if args.games is not None and not Path(args.games).is_dir():
        raise CommandError(f"--games {args.games}: there is no such folder")
    settings = Settings(
        database=database_url(),
        redis=os.environ.get("ACEDREX_REDIS_URL") or None,
        games=args.games,
        root_path=args.root_path.rstrip("/"),
        workers=args.workers,
        origins=tuple(args.origin),
    )
    serve.logging_to_stderr(pretty=os.isatty(2))
    shown = "127.0.0.1" if args.host in ("0.0.0.0", "::") else args.host
    address = f"http://{shown}:{args.port}{settings.root_path}/"
    print(f"Acedrex is at {address} (Ctrl-C ends it).", flush=True)
    serve.run(settings, args.host, args.port)
    return 0
