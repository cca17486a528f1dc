"""Visitors: whose budget a request is charged to."""

from __future__ import annotations

import ipaddress

from msgspec import Struct


class Visitor(Struct, frozen=True):
    """The address of a connection, and the person, if known."""

    address: str
    person: str | None = None


def address_of(host: str | None) -> str:
    """Return the address that counts for a host: of IPv6 the first 64 bits, since one customer gets all the rest.

    >>> address_of("192.0.2.7"), address_of("::ffff:192.0.2.7"), address_of("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::')
    """
    try:
        found = ipaddress.ip_address((host or "").partition("%")[0])
    except ValueError:
        return host or "?"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(found) >> 64 << 64))
