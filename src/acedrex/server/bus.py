"""What the processes of one server tell each other: in one process by calls, in several through Redis."""

from __future__ import annotations

import asyncio
import re
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


class Happened(Struct, tag="happened"):
    """A match has come to an event; ``turned`` if it was made, has begun or is over by it."""

    process: str
    match: str
    number: int
    turned: bool = False


class Here(Struct, tag="here"):
    """Who looks at a match in one process."""

    process: str
    match: str
    here: Presence


class Spoken(Struct, tag="spoken"):
    """A message for everybody at a match."""

    process: str
    match: str
    text: str


class LobbyChanged(Struct, tag="lobby"):
    """The open challenges have changed."""

    process: str


News = Union[Happened, Here, Spoken, LobbyChanged]  # noqa: UP007 - msgspec reads it at run time
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(News).decode


class Listening(Protocol):
    """Whoever is told the news of other processes."""

    async def hear(self, news: News) -> None:
        """Take it in."""


class Bus:
    """Carries news to the other processes. Alone, there are none."""

    #: Whether there may be other processes.
    shared = False

    def __init__(self) -> None:
        """Give this process a name."""
        self.process = secret.new_id()

    async def open(self, listening: Listening) -> None:
        """Begin to carry news, and tell whoever listens what comes in."""

    async def tell(self, news: News) -> None:
        """Tell the other processes."""

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
        self._task: asyncio.Task[None] | None = None

    async def open(self, listening: Listening) -> None:
        """Begin to carry news.

        :raises redis.RedisError: if Redis does not answer.
        """
        await self._redis.ping()
        self._task = asyncio.create_task(self._listen(listening))

    async def _listen(self, listening: Listening) -> None:
        from redis import RedisError

        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(CHANNEL)
                    async for message in pubsub.listen():
                        if message["type"] != "message":
                            continue
                        news = _decode(message["data"])
                        if news.process != self.process:
                            await listening.hear(news)
            except (RedisError, OSError, msgspec.MsgspecError) as error:
                log.warning("redis_away", error=str(error))
                await asyncio.sleep(1)

    async def tell(self, news: News) -> None:
        """Tell the other processes; if Redis is away they find it in the database later."""
        from redis import RedisError

        try:
            await self._redis.publish(CHANNEL, _encode(news))
        except (RedisError, OSError) as error:
            log.warning("redis_away", error=str(error))

    async def close(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
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
