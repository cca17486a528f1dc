"""What the processes of one server tell each other: in one process by calls, in several through Redis."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, Union

import msgspec
import structlog
from msgspec import Struct

from acedrex.errors import Error
from acedrex.server import secret
from acedrex.server.wire import Presence

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = structlog.get_logger()

CHANNEL = "acedrex"
#: Seconds that Redis may take to carry a piece of news, and pieces that may wait: what is lost is in the database.
PATIENCE, WAITING = 1.0, 10_000
#: Seconds without an echo of one's own news after which a process no longer trusts what it hears.
DEAF = 5.0


class MatchChanged(Struct, tag="happened"):
    """A match has come to an event; ``turned`` if it was made, has begun or is over by it."""

    process: str
    match: str
    number: int
    turned: bool = False


class MatchAudience(Struct, tag="here"):
    """Who looks at a match in one process."""

    process: str
    match: str
    here: Presence


class Broadcast(Struct, tag="spoken"):
    """A message for everybody at a match."""

    process: str
    match: str
    text: str


class LobbyChanged(Struct, tag="lobby"):
    """The open challenges have changed."""

    process: str


class Heartbeat(Struct, tag="pulse"):
    """Nothing but that the process is there; it hears by its own pulse that Redis carries news."""

    process: str


News = Union[MatchChanged, MatchAudience, Broadcast, LobbyChanged, Heartbeat]  # noqa: UP007 - msgspec reads it at run time
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(News).decode


class Listening(Protocol):
    """Whoever is told the news of other processes."""

    async def hear(self, news: News) -> None:
        """Take it in."""

    async def refresh(self, seconds: float) -> None:
        """Look in the database for what was not heard for some seconds."""


class Bus:
    """Carries news to the other processes. Alone, there are none."""

    #: Whether there may be other processes.
    shared = False

    def __init__(self) -> None:
        """Give this process a name."""
        self.process = secret.new_id()

    @property
    def silence(self) -> float:
        """Seconds for which news of other processes may have been missed."""
        return 0.0

    @property
    def deaf(self) -> bool:
        """Whether news of other processes may be missed now."""
        return self.silence > DEAF

    async def open(self, listening: Listening) -> None:
        """Begin to carry news, and tell whoever listens what comes in."""

    def tell(self, news: News) -> None:
        """Let the other processes be told. Nobody waits for it."""

    async def close(self) -> None:
        """End."""


class RedisBus(Bus):
    """Carries news through Redis. What is lost while it is away is made good: the database has everything."""

    shared = True

    def __init__(self, url: str) -> None:
        """Say where Redis is."""
        super().__init__()
        from redis.asyncio import Redis

        self._redis: Redis = Redis.from_url(url, socket_connect_timeout=5, health_check_interval=15)
        self._waiting: asyncio.Queue[News] = asyncio.Queue(WAITING)
        self._tasks: list[asyncio.Task[None]] = []
        self._heard = time.monotonic()
        self._is_away = False

    @property
    def silence(self) -> float:
        """Seconds for which news of other processes may have been missed."""
        return time.monotonic() - self._heard

    async def open(self, listening: Listening) -> None:
        """Begin to carry news.

        :raises redis.RedisError: if Redis does not answer.
        """
        await self._redis.ping()
        self._heard = time.monotonic()
        self._tasks = [asyncio.create_task(self._listen(listening)), asyncio.create_task(self._speak())]

    async def _listen(self, listening: Listening) -> None:
        from redis import RedisError

        first = True
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(CHANNEL)
                    missed, self._heard = self.silence, time.monotonic()
                    if not first:
                        await listening.refresh(missed)
                    first = False
                    # A connection that died without a word is left for a new one.
                    while not self.deaf:
                        message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=1.0)
                        if message is not None:
                            await self._take(message["data"], listening)
                    log.warning("redis_silent", seconds=DEAF)
            except (RedisError, OSError, msgspec.MsgspecError) as error:
                self._note(error)
            except Exception as error:
                # News that could not be taken in: what it told of is found by the next comparison with the database.
                log.error("news_failed", exc_info=error)
            await asyncio.sleep(1)

    async def _take(self, data: bytes, listening: Listening) -> None:
        news = _decode(data)
        if news.process == self.process:
            self._heard = time.monotonic()
        else:
            await listening.hear(news)

    def tell(self, news: News) -> None:
        """Let the other processes be told; if Redis is away they find it in the database later."""
        with suppress(asyncio.QueueFull):
            self._waiting.put_nowait(news)

    async def _speak(self) -> None:
        from redis import RedisError

        while True:
            news = await self._waiting.get()
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._redis.publish(CHANNEL, _encode(news))
                self._is_away = False
            except (RedisError, OSError) as error:
                self._note(error)
                # Old news help nobody: whoever missed them compares with the database.
                while not self._waiting.empty():
                    self._waiting.get_nowait()

    def _note(self, error: Exception) -> None:
        if not self._is_away:
            log.warning("redis_away", error=str(error) or type(error).__name__)
        self._is_away = True

    async def close(self) -> None:
        """End."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        with suppress(Exception):
            await self._redis.aclose()


def reach(url: str) -> None:
    """See that Redis answers.

    :raises Error: if it does not.
    """
    try:
        from redis import Redis, RedisError
    except ModuleNotFoundError:
        raise Error(
            'ACEDREX_REDIS_URL needs more than is installed; in a checkout pip install ".[server,scale]" brings it'
        ) from None
    try:
        with Redis.from_url(url, socket_connect_timeout=5) as redis:
            redis.ping()
    except (RedisError, OSError, ValueError) as error:
        shown = re.sub(r"//.*@", "//***@", url)
        raise Error(f"cannot reach Redis at {shown}: {error}; ACEDREX_REDIS_URL says where it is") from None
