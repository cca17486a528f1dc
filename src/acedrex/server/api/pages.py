"""The built web app: its files, and its one page for every address that is not a file."""

from __future__ import annotations

import html
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse

from acedrex.server.decide import Refusal

STATIC = Path(__file__).parent.parent / "static"

MISSING = """The web app is not built. In a checkout of Acedrex:

    make play

builds it and starts the server again. The API is there all the same: /api/openapi.json
"""
FOREVER = "public, max-age=31536000, immutable"


def add_to(app: FastAPI) -> None:
    """Serve the web app for every path that no other route answers."""

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        if path.startswith("api/"):
            raise Refusal("no_such_page", "there is no such API endpoint")
        if not (STATIC / "index.html").is_file():
            return PlainTextResponse(MISSING, 503)
        if path == "index.html":
            path = ""
        found = _file(path)
        if found is not None:
            # Vite puts a hash of the content into the names of files in assets.
            hashed = path.startswith("assets/")
            return FileResponse(found, headers={"Cache-Control": FOREVER if hashed else "no-cache"})
        if "." in path.rsplit("/", 1)[-1]:
            raise Refusal("no_such_page", "file not found")
        root = request.scope.get("root_path", "")
        return HTMLResponse(_shell(root), headers={"Cache-Control": "no-cache"})


def _file(path: str) -> Path | None:
    """Find a file of the web app; never one outside its folder."""
    try:
        folder = STATIC.resolve()
        found = (folder / path).resolve()
        return found if found.is_relative_to(folder) and found.is_file() else None
    except (OSError, ValueError):  # names that no file can have
        return None


def _shell(root: str) -> str:
    """Return the one HTML page, with the root path behind a proxy."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    return text.replace('<base href="/"', f'<base href="{html.escape(root)}/"', 1)
