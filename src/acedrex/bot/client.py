"""A client of a server's bot API."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

from acedrex.errors import Error

#: Seconds without a line after which a stream counts as lost; the server writes at least every six.
SILENCE = 30.0
#: The longest line of a stream, in bytes.
MAX_LINE = 4 * 1024 * 1024


class BotError(Error):
    """A server refused a request or could not be reached. ``code`` is the server's error code, or ``away``."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class Client:
    """Sends requests to one server on behalf of the owner of a token.

    :param server: the address of the server, such as ``https://example.org``.
    :param token: a personal access token with the scopes ``bot:play``, ``challenge:read`` and ``challenge:write``.
    :raises BotError: if the address is invalid.
    """

    def __init__(self, server: str, token: str) -> None:
        if urllib.parse.urlsplit(server).scheme not in ("http", "https"):
            raise BotError(
                f"{server[:80]!r} is not a server address; it must begin with http:// or https://", "address"
            )
        self.server = server.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "User-Agent": "acedrex-bot"}

    def get(self, path: str) -> Any:
        """Send a GET request and return the JSON of the answer.

        :raises BotError: if the server refuses the request or cannot be reached.
        """
        return self._read(self._request(path, None))

    def post(self, path: str, **fields: object) -> Any:
        """Send a POST request with form fields and return the JSON of the answer.

        :raises BotError: if the server refuses the request or cannot be reached.
        """
        return self._read(self._request(path, urllib.parse.urlencode(fields).encode()))

    def lines(self, path: str) -> Iterator[dict[str, Any]]:
        """Yield the events of a stream until it ends.

        :raises BotError: if the server refuses the request or the connection is lost.
        """
        with self._open(self._request(path, None)) as answer:
            try:
                while line := answer.readline(MAX_LINE):
                    if line.strip():
                        yield json.loads(line)
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise BotError(f"cannot reach {self.server}: {error}", "away") from None

    def _request(self, path: str, data: bytes | None) -> urllib.request.Request:
        return urllib.request.Request(self.server + path, data, self._headers)

    def _read(self, request: urllib.request.Request) -> Any:
        with self._open(request) as answer:
            try:
                return json.load(answer)
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise BotError(f"cannot reach {self.server}: {error}", "away") from None

    def _open(self, request: urllib.request.Request) -> Any:
        try:
            return urllib.request.urlopen(request, timeout=SILENCE)
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except (OSError, http.client.HTTPException) as error:
            raise BotError(f"cannot reach {self.server}: {getattr(error, 'reason', error)}", "away") from None


def _refusal(error: urllib.error.HTTPError) -> BotError:
    try:
        problem = json.load(error)
        return BotError(str(problem["message"])[:300], str(problem["code"])[:40])
    except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        return BotError(f"the server answered {error.code} {error.reason}", "away")
