"""The parts of messages: names, bounded texts and numbers, and problems."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Phase = Literal["open", "setup", "play", "over"]
Speaker = Literal["white", "black", "watcher"]
What = Literal["draw", "takeback", "rematch"]
#: Commands that may be sent; a command that makes an offer has the name of the offer.
May = Literal[
    "chat", "abort", "resign", "setup", "move", "undo", "claim", "hint", "answer", "draw", "takeback", "rematch"
]

Identifier = Annotated[str, Meta(min_length=1, max_length=64)]
Id = Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Password = Annotated[str, Meta(min_length=1, max_length=256)]
Code = Annotated[str, Meta(min_length=1, max_length=64)]
Address = Annotated[str, Meta(min_length=3, max_length=254)]
Language = Literal["en", "fr"]
#: What browsers and passkeys exchange, in URL-safe base64.
CredentialId = Annotated[str, Meta(min_length=1, max_length=1_400)]
PasskeyData = Annotated[str, Meta(min_length=1, max_length=12_000)]
MoveText = Annotated[str, Meta(min_length=1, max_length=24)]
SetupName = Annotated[str, Meta(min_length=1, max_length=80)]
Fen = Annotated[str, Meta(min_length=1, max_length=4096)]
Number = Annotated[int, Meta(ge=0, le=2**31)]
Moment = Annotated[int, Meta(ge=0, le=2**53)]


class Response(Struct, gc=False):
    """A message of the server: a tree without cycles, which the garbage collector can skip."""


class Request(Struct, gc=False, forbid_unknown_fields=True):
    """A message of a browser: unknown fields are refused."""


class PasskeyProof(Request):
    """What a passkey has signed, as the browser's credential has it: in URL-safe base64, without padding."""

    id: CredentialId
    client_data: PasskeyData
    authenticator_data: PasskeyData
    signature: PasskeyData
    user_handle: Identifier | None = None


class Problem(Response):
    """What was wrong, as a code for programs and a message for people, and where."""

    code: str
    message: str
    where: str | None = None
