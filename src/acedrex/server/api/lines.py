"""Streaming responses, line by line, for as long as both sides stay connected."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractContextManager, ExitStack

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

NDJSON = "application/x-ndjson"


class Lines(StreamingResponse):
    """Lines that are sent as they come. A disconnect is noticed at once, not only when the next line is sent."""

    def __init__(
        self,
        lines: AsyncIterator[str],
        media_type: str = NDJSON,
        seconds: float | None = None,
        held: AbstractContextManager[None] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Stream lines; the headers keep proxies from buffering them.

        :param seconds: how long sending may take in all.
        :param held: a context that is entered now and left when the stream ends.
        :raises Refusal: if entering ``held`` is refused.
        """
        self._held = ExitStack()
        if held is not None:
            self._held.enter_context(held)
        super().__init__(
            lines,
            media_type=media_type,
            headers={"Content-Encoding": "identity", "X-Accel-Buffering": "no", **(headers or {})},
        )
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines."""
        with self._held:
            sending = asyncio.create_task(self.stream_response(send))
            leaving = asyncio.create_task(self.listen_for_disconnect(receive))
            try:
                await asyncio.wait((sending, leaving), timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
                if sending.done():
                    await sending
            finally:
                for task in (sending, leaving):
                    task.cancel()
                await asyncio.gather(sending, leaving, return_exceptions=True)
