"""Messages between the processes of one server, through Redis. A single process has nobody to send them to."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, Protocol, Union

import msgspec
import structlog
from msgspec import Struct, field

from acedrex.errors import Error
from acedrex.server import ids
from acedrex.server.match.events import Event
from acedrex.server.wire import ChatLine, Presence

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = structlog.get_logger()

CHANNEL = "acedrex"
#: Seconds that publishing a message may take, and messages that may wait. The database has what a lost one announced.
PUBLISH_TIMEOUT_S, QUEUE_SIZE = 1.0, 10_000
#: Seconds without receiving its own messages after which a process considers itself cut off from the others.
CUT_OFF = 5.0


class MatchChanged(Struct, tag="happened"):
    """A match has new events, the last of which has this number; ``turned`` if they created, began or ended it."""

    process: str
    match: str
    number: int
    turned: bool = False
    events: list[Event] = field(default_factory=list)


class MatchAudience(Struct, tag="here"):
    """Who is connected to some matches in one process."""

    process: str
    matches: dict[str, Presence]


class LineSaid(Struct, tag="said"):
    """Somebody has written in the chat of a match."""

    process: str
    match: str
    line: ChatLine
    person: str | None = None


class MatchRated(Struct, tag="rated"):
    """A match has changed the ratings of its players."""

    process: str
    match: str


class LobbyChanged(Struct, tag="lobby"):
    """The open challenges have changed."""

    process: str


class DeletionAsked(Struct, tag="deletion"):
    """Somebody's data is to be deleted, and their tokens are invalid."""

    process: str


class SessionsEnded(Struct, tag="sessions"):
    """Sessions of a person have ended."""

    process: str
    person: str


class PeopleOnline(Struct, tag="online"):
    """Some people are connected to a process, or were active there a moment ago."""

    process: str
    people: list[str]


class MessageSent(Struct, tag="message"):
    """Somebody has got a private message."""

    process: str
    person: str


class TournamentChanged(Struct, tag="tournament"):
    """A tournament has changed."""

    process: str
    tournament: str


class TournamentAudience(Struct, tag="tournament_audience"):
    """Who looks at tournaments in one process."""

    process: str
    people: dict[str, list[str]]


class StudyTouched(Struct, tag="study"):
    """A study has a new operation, other people or another access, or is gone."""

    process: str
    study: str
    what: Literal["operation", "people", "gone"]


class Heartbeat(Struct, tag="pulse"):
    """A sign of life; a process that receives its own knows that Redis delivers messages."""

    process: str


class Spent(Struct, tag="spent"):
    """What visitors have spent in one process: the budget, whose it is (an address or a person), which, how much."""

    process: str
    amounts: list[tuple[str, str, str, float]]


# Not `|`, since msgspec reads it at run time.
BusMessage = Union[  # noqa: UP007
    MatchChanged,
    MatchAudience,
    MatchRated,
    LineSaid,
    LobbyChanged,
    DeletionAsked,
    SessionsEnded,
    PeopleOnline,
    MessageSent,
    TournamentChanged,
    TournamentAudience,
    StudyTouched,
    Spent,
    Heartbeat,
]
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(BusMessage).decode


class Receiver(Protocol):
    """Handles the messages of other processes."""

    def receive(self, message: BusMessage) -> None:
        """Handle a message; what takes long must not hold up the next one."""

    async def refresh(self, seconds: float) -> None:
        """Read from the database what may have been missed during some seconds."""


class Bus:
    """The bus of a single process: there are no others to send messages to."""

    #: Whether there may be other processes.
    shared = False

    def __init__(self) -> None:
        """Give this process an id."""
        self.process = ids.new_id()

    @property
    def silence(self) -> float:
        """Seconds during which messages of other processes may have been missed."""
        return 0.0

    @property
    def is_cut_off(self) -> bool:
        """Whether messages of other processes may be missed now."""
        return self.silence > CUT_OFF

    async def open(self, receiver: Receiver) -> None:
        """Start to publish messages, and pass those of other processes to a receiver."""

    def publish(self, message: BusMessage) -> None:
        """Queue a message for the other processes."""

    async def close(self) -> None:
        """Stop."""


class RedisBus(Bus):
    """A bus through Redis. Messages lost while Redis is down are made up for from the database."""

    shared = True

    def __init__(self, url: str) -> None:
        """Prepare a connection to Redis."""
        super().__init__()
        from redis.asyncio import Redis

        self._redis: Redis = Redis.from_url(url, socket_connect_timeout=5, health_check_interval=15)
        self._queue: asyncio.Queue[BusMessage] = asyncio.Queue(QUEUE_SIZE)
        self._tasks: list[asyncio.Task[None]] = []
        self._received_at = time.monotonic()
        self._is_away = False

    @property
    def silence(self) -> float:
        """Seconds during which messages of other processes may have been missed."""
        return time.monotonic() - self._received_at

    async def open(self, receiver: Receiver) -> None:
        """Start to publish and receive messages.

        :raises redis.RedisError: if Redis does not answer.
        """
        await self._redis.ping()
        self._received_at = time.monotonic()
        self._tasks = [asyncio.create_task(self._receive_all(receiver)), asyncio.create_task(self._publish_all())]

    async def _receive_all(self, receiver: Receiver) -> None:
        from redis import RedisError

        first = True
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(CHANNEL)
                    missed, self._received_at = self.silence, time.monotonic()
                    if not first:
                        await receiver.refresh(missed)
                    first = False
                    # A connection that died silently is replaced.
                    while not self.is_cut_off:
                        message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=1.0)
                        if message is not None:
                            self._receive(message["data"], receiver)
                    log.warning("redis_silent", seconds=CUT_OFF)
            except (RedisError, OSError, msgspec.MsgspecError) as error:
                self._note(error)
            except Exception as error:
                # The next comparison with the database finds what the failed message announced.
                log.error("news_failed", exc_info=error)
            await asyncio.sleep(1)

    def _receive(self, data: bytes, receiver: Receiver) -> None:
        message = _decode(data)
        if message.process == self.process:
            self._received_at = time.monotonic()
        else:
            receiver.receive(message)

    def publish(self, message: BusMessage) -> None:
        """Queue a message for the other processes; if Redis is down, they find its content in the database later."""
        with suppress(asyncio.QueueFull):
            self._queue.put_nowait(message)

    async def _publish_all(self) -> None:
        from redis import RedisError

        while True:
            message = await self._queue.get()
            try:
                async with asyncio.timeout(PUBLISH_TIMEOUT_S):
                    await self._redis.publish(CHANNEL, _encode(message))
                self._is_away = False
            except (RedisError, OSError) as error:
                self._note(error)
                # Waiting messages would be out of date; processes that miss them compare with the database.
                while not self._queue.empty():
                    self._queue.get_nowait()
            except Exception as error:
                log.error("publishing_failed", exc_info=error)

    def _note(self, error: Exception) -> None:
        if not self._is_away:
            log.warning("redis_away", error=str(error) or type(error).__name__)
        self._is_away = True

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        with suppress(Exception):
            await self._redis.aclose()


def reach(url: str) -> None:
    """Check that Redis answers.

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
