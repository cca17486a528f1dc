"""A passkey in software: it makes keys and signs what a browser would have it sign."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


@dataclass
class Authenticator:
    """A passkey for one site, and the page that uses it."""

    site: str = "localhost"
    origin: str = "http://localhost:8000"
    flags: int = PRESENT | VERIFIED
    #: Some count how often they sign; others always say 0.
    count: int = 0
    step: int = 1
    user: str = ""
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def _client_data(self, kind: str, challenge: str) -> bytes:
        data = {"type": f"webauthn.{kind}", "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(data).encode()

    def _data(self, flags: int) -> bytes:
        self.count += self.step
        return hashlib.sha256(self.site.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def create(self, options: dict[str, Any], name: str = "My phone") -> dict[str, Any]:
        """Make a passkey for the person of a challenge."""
        self.user = options["user"]
        point = self.key.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)})
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + public
        data = self._data(self.flags | ATTESTED) + attested
        return {
            "name": name,
            "id": bytes_to_base64url(self.id),
            "client_data": bytes_to_base64url(self._client_data("create", options["challenge"])),
            "attestation": bytes_to_base64url(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})),
        }

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Sign a challenge."""
        client_data, data = self._client_data("get", options["challenge"]), self._data(self.flags)
        signed = self.key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return {
            "id": bytes_to_base64url(self.id),
            "client_data": bytes_to_base64url(client_data),
            "authenticator_data": bytes_to_base64url(data),
            "signature": bytes_to_base64url(signed),
            "user_handle": bytes_to_base64url(self.user.encode()),
        }
