"""The built web app: its files, and its one page for every address that is not a file."""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from fastapi import FastAPI, Request, Response
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse

from acedrex.server.logs import LOGGED_PATH
from acedrex.server.refusal import Refusal

STATIC = Path(__file__).parent.parent / "static"

MISSING = """The web app is not built. In a checkout of Acedrex:

    make play

builds it and starts the server again. The API is there all the same: /api/openapi.json
"""
FOREVER = "public, max-age=31536000, immutable"
#: Files of the element for other pages whose names stay the same.
STABLE = {"element/acedrex.js", "element/embed.js"}
#: The addresses of the app's pages, as `web/app/src/app.tsx` lists them. It has a page of its own for all others.
PAGES = re.compile(
    "|new|positions|match/[^/]+|lobby|play|engines/[^/]+|watch|mine|archive|settings|settings/tokens|account|ratings"
    "|learn/[^/]+|learn/[^/]+/first|analysis(/[^/]+)?|daily|puzzles|studio(/[^/]+)?|about"
    "|people(/[^/]+)?|messages(/[^/]+)?|moderation|stop|tournaments(/[^/]+)?|studies|study/[^/]+"
)
#: Other sites may load what their boards need.
SHARED = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}


class Head(NamedTuple):
    """What belongs into the head of a page, as HTML, and whether the page is for everybody."""

    html: str = ""
    is_public: bool = True


#: The head of a page that only those may know who have its address.
PRIVATE_HEAD = Head('<meta name="robots" content="noindex">', is_public=False)
#: What keeps caches of others and search engines from a page or a picture that is not for everybody.
PRIVATE = {"Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex"}


async def _no_head(request: Request, path: str) -> Head:
    return PRIVATE_HEAD if path.startswith(("match/", "study/")) else Head()


def add_to(app: FastAPI, head: Callable[[Request, str], Awaitable[Head]] = _no_head) -> None:
    """Serve the web app for every path that no other route answers.

    :param head: returns the head of the page of a path.
    """

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        request.scope[LOGGED_PATH] = _logged(path)
        if path.startswith("api/"):
            raise Refusal("no_such_page", "there is no such API endpoint")
        if not (STATIC / "index.html").is_file():
            return PlainTextResponse(MISSING, 503)
        if path == "index.html":
            path = ""
        found = _file(path)
        if found is not None:
            shared = path.startswith(("assets/", "element/"))
            # Vite puts a hash of the content into the names of these files.
            hashed = shared and path not in STABLE
            headers = {"Cache-Control": FOREVER if hashed else "no-cache"}
            return FileResponse(found, headers=headers | (SHARED if shared else {}))
        if "." in path.rsplit("/", 1)[-1]:
            raise Refusal("no_such_page", "file not found")
        root = request.scope.get("root_path", "")
        text = _shell(root)
        found_head = await head(request, path)
        if found_head.html:
            text = text.replace("</head>", f"  {found_head.html}\n  </head>", 1)
        known = PAGES.fullmatch(path.removesuffix("/"))
        headers = {"Cache-Control": "no-cache"} if found_head.is_public else PRIVATE
        return HTMLResponse(text, 200 if known else 404, headers=headers)


def _logged(path: str) -> str:
    """Return a path for the log, without ids and what people wrote."""
    if path.startswith("api/"):
        return "/api/*"
    if found := _file(path):
        return f"/{found.relative_to(STATIC.resolve()).as_posix()}"
    for page in PAGES.pattern.split("|"):
        if re.fullmatch(page, path.removesuffix("/")):
            return f"/{page.replace('(/[^/]+)?', '/{id}' if '/' in path else '').replace('[^/]+', '{id}')}"
    return "/{path}"


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
