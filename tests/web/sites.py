"""Another site that shows boards, and a page of it in a browser."""

from __future__ import annotations

import http.server
import threading
from typing import Any

from tests.conftest import TIMEOUT
from tests.web.people import Server

#: The policy that docs/embedding.md recommends for pages.
POLICY = (
    "default-src 'none'; script-src {server} 'wasm-unsafe-eval'; connect-src 'self' {server}; "
    "worker-src blob: {server}; style-src 'unsafe-inline'; frame-src {server}; img-src data:"
)


class Site:
    """Another site: its pages, and its origin."""

    def __init__(self, server: Server) -> None:
        self.files: dict[str, tuple[str, str]] = {}
        self.policy = POLICY.format(server=server.url)
        files, policy = self.files, self.policy

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                kind, text = files.get(self.path, ("", ""))
                self.send_response(200 if kind else 404)
                self.send_header("Content-Type", f"{kind or 'text/plain'}; charset=utf-8")
                self.send_header("Content-Security-Policy", policy)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, format: str, *_: object) -> None: ...

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.files["/favicon.ico"] = ("image/x-icon", "")


class Visit:
    """A page of the site in a browser, with its requests."""

    def __init__(self, page: Any, site: Site, server: Server) -> None:
        self.page, self.site, self.server = page, site, server
        self.asked: list[Any] = []
        self.complaints: list[str] = []
        page.set_default_timeout(TIMEOUT * 1000)
        page.on("request", lambda request: self.asked.append(request))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)

    def open(self, body: str, head: str = "") -> Any:
        script = f'<script type="module" src="{self.server.url}/element/acedrex.js"></script>'
        meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        text = f'<!doctype html><html lang="en">{meta}'
        text += f"<title>Blog</title>{head}{script}<body><main><h1>Blog</h1>{body}</main>"
        self.site.files["/"] = ("text/html", text)
        self.page.goto(self.site.url + "/")
        return self.page

    def tap(self, square: str, board: str = "acedrex-board") -> None:
        box = self.page.locator(f'{board} [data-square="{square}"]').bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.page.evaluate("navigator.maxTouchPoints") > 0:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def label(self, square: str, board: str = "acedrex-board") -> Any:
        return self.page.locator(f'{board} [data-square="{square}"]')

    def said(self, text: str, board: str = "acedrex-board") -> None:
        self.page.locator(f"{board} .said", has_text=text).wait_for()

    def paths(self) -> list[str]:
        return [request.url.removeprefix(self.server.url) for request in self.asked]
