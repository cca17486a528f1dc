"""Notifications: who gets which, by which channel and when; each exactly once, even when processes are killed."""

# ruff: noqa: F811 - parameters have the names of fixtures.

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from py_vapid import Vapid02
from sqlalchemy import select, update

from acedrex.server import wire
from acedrex.server.bus import MatchAudience
from acedrex.server.match.events import Answered, Offered, Resigned
from acedrex.server.people import messages, notice_texts, notices
from acedrex.server.people.notice_texts import Notice
from acedrex.server.people.notices import quiet_until, reminders
from acedrex.server.people.sessions import Session, Sessions
from acedrex.server.refusal import Refusal
from acedrex.server.storage.cards import GRACE, UNANSWERED
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import matches, outbox, push_subscriptions
from tests.server.conftest import Person, Server, anyone
from tests.server.matches import START
from tests.server.notified import (  # noqa: F401 - fixtures
    BY_MAIL,
    HOME,
    HOUR,
    MINUTE,
    OFF,
    SLOWLY,
    THREE_DAYS,
    Here,
    PushService,
    World,
    by_mail,
    clock,
    here,
    moved,
    service,
    subscribed,
)
from tests.server.stores import opened
from tests.server.test_api import problem
from tests.server.test_mail import Post, mailbox, sending, signed_up, with_address  # noqa: F401 - fixtures
from tests.server.waiting import wait_until

pytestmark = pytest.mark.slow


async def test_the_player_is_told_of_their_turn_once(here: Here) -> None:
    await by_mail(here, "ana", "bo")
    await here.start()
    await here.at(GRACE - 1)
    assert here.told() == []
    await here.at(GRACE)
    assert here.told() == [("ana", "Bo accepted your challenge")]
    await here.go_on(moved("e2e4", HOUR))
    await here.at(HOUR + GRACE)
    assert here.told() == [("bo", "Your turn")]
    await here.at(2 * HOUR)
    assert here.told() == []
    await here.go_on(moved("e7e5", 3 * HOUR))
    await here.at(3 * HOUR + GRACE)
    assert here.told() == [("ana", "Your turn")]


async def test_a_player_is_reminded_again_and_again_before_time_runs_out(here: Here) -> None:
    await by_mail(here, "ana", "bo")
    await here.start()
    await here.at(GRACE)
    here.told()
    heard = []
    for hour in range(1, 73):
        await here.at(hour * HOUR)
        heard += [(hour, *one) for one in here.told()]
    line = "Your time is running out"
    assert heard == [(48, "ana", line), (66, "ana", line), (71, "ana", line)]


async def test_nobody_is_reminded_of_a_match_in_which_they_have_moved_or_that_is_over(here: Here) -> None:
    await by_mail(here, "ana")
    await here.start()
    await here.at(GRACE)
    here.told()
    await here.go_on(moved("e2e4", 47 * HOUR))
    await here.at(71 * HOUR)
    assert here.told() == []


async def test_a_notice_that_waited_is_not_sent_when_it_is_no_longer_true(here: Here) -> None:
    await by_mail(here, "bo")
    await here.start(moved("e2e4", 0))
    here.clock.now = START + GRACE
    await here.world.match_notices.look()
    await here.go_on(moved("e7e5", GRACE))
    await here.at(2 * GRACE)
    assert here.told() == []


async def test_of_two_processes_one_tells(here: Here, database: str) -> None:
    await by_mail(here, "ana", "bo")
    await here.start(moved("e2e4", 0))
    here.clock.now = START + GRACE
    async with opened(Store(database)) as other_store:
        other = World(other_store, here.carrier, here.service.url)
        await asyncio.gather(*(one.match_notices.look() for one in (here.world, other) * 4))
        await asyncio.gather(*(one.outbox.send_due() for one in (here.world, other) * 4))
        await other.rooms.close()
    assert here.told() == [("ana", "Bo accepted your challenge"), ("bo", "Your turn")]


async def test_a_move_between_reading_and_telling_is_not_missed(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    await by_mail(here, "ana", "bo")
    await here.start(moved("e2e4", 0))
    here.clock.now = START + GRACE
    plan, slow = here.world.notices.steps, True

    async def slowly(person: str, *found: Notice) -> Any:
        nonlocal slow
        if slow and person == "bo":
            slow = False
            await here.go_on(moved("e7e5", GRACE))
        return await plan(person, *found)

    monkeypatch.setattr(here.world.notices, "steps", slowly)
    await here.world.match_notices.look()
    await here.at(2 * GRACE)
    assert here.told() == [("ana", "Bo accepted your challenge")]


async def test_nobody_is_told_of_a_match_that_they_look_at(here: Here) -> None:
    await by_mail(here, "ana", "bo")
    await here.start(moved("e2e4", 0))
    present = wire.Presence(False, True, 0, None)
    here.world.rooms.receive(MatchAudience("another process", {"m": present}))
    await here.at(GRACE)
    assert here.told() == [("ana", "Bo accepted your challenge")]
    # Whoever leaves without a move is still reminded.
    here.world.rooms.receive(MatchAudience("another process", {"m": wire.Presence(False, False, 0, None)}))
    await here.at(49 * HOUR)
    assert here.told() == [("bo", "Your time is running out")]


async def test_a_live_match_tells_only_that_it_has_begun(here: Here) -> None:
    await by_mail(here, "ana", "bo")
    await here.start(time=wire.Fischer(300_000, 2_000))
    await here.at(GRACE)
    assert here.told() == [("ana", "Bo accepted your challenge")]
    await here.go_on(moved("e2e4", 5_000), moved("e7e5", 6_000))
    await here.at(MINUTE)
    assert here.told() == []


async def test_several_moves_of_one_turn_are_one_turn(here: Here) -> None:
    await by_mail(here, "ana", "bo")
    await here.start(Offered(at=START, what="draw", by="white"))
    await here.at(GRACE)
    assert here.told() == [("ana", "Bo accepted your challenge"), ("bo", "Ana offers a draw")]
    await here.go_on(Answered(at=START + HOUR, what="draw", by="black", accept=False))
    await here.at(HOUR + GRACE)
    assert here.told() == []


async def test_a_challenge_reaches_the_one_whom_it_is_for(here: Here) -> None:
    await by_mail(here, "ana", "bo")
    await here.start(seats=("ana", ""))
    await here.store.write((update(matches).values(asked="bo"), {}))
    await here.at(UNANSWERED)
    assert here.told() == [("bo", "Ana challenges you")]


async def test_those_who_want_it_hear_of_the_lobby_once_an_hour(here: Here) -> None:
    for person in ("ana", "bo"):
        await here.want(person, lobby=BY_MAIL)
    await here.start(seats=("ana", ""), opponent="lobby")
    await here.start(seats=("ana", ""), opponent="lobby", id="n")
    await here.at(UNANSWERED)
    assert here.told() == [("bo", "Ana is looking for an opponent")]
    await here.start(seats=("ana", ""), opponent="lobby", id="o")
    await here.at(2 * HOUR)
    assert here.told() == [("bo", "Ana is looking for an opponent")]


async def test_quiet_hours_are_kept(here: Here) -> None:
    await by_mail(here, "bo")
    begin = datetime.fromtimestamp(START / 1000, UTC)
    minute = begin.hour * 60 + begin.minute
    quiet = wire.QuietHours(minute, (minute + 120) % 1440)
    await here.want("bo", quiet=quiet)
    await here.start(moved("e2e4", 0))
    await here.at(HOUR)
    assert here.told() == []
    await here.at(2 * HOUR)
    assert here.told() == [("bo", "Your turn")]


def test_quiet_hours_are_those_of_the_persons_own_clock() -> None:
    night = wire.NotificationSettings(quiet=wire.QuietHours(22 * 60, 7 * 60), zone="Europe/Madrid")

    def moment(text: str) -> int:
        return int(datetime.fromisoformat(text).timestamp() * 1000)

    assert quiet_until(night, moment("2026-07-01T21:59+02:00")) is None
    assert quiet_until(night, moment("2026-07-01T22:00+02:00")) == moment("2026-07-02T07:00+02:00")
    assert quiet_until(night, moment("2026-07-02T06:59+02:00")) == moment("2026-07-02T07:00+02:00")
    assert quiet_until(night, moment("2026-07-02T07:00+02:00")) is None
    # The night in which the clocks go back is an hour longer.
    assert quiet_until(night, moment("2026-10-24T23:00+02:00")) == moment("2026-10-25T07:00+01:00")
    day = wire.NotificationSettings(quiet=wire.QuietHours(9 * 60, 17 * 60), zone="UTC")
    assert quiet_until(day, moment("2026-07-01T12:00+00:00")) == moment("2026-07-01T17:00+00:00")
    assert quiet_until(day, moment("2026-07-01T17:00+00:00")) is None


def test_reminders_avoid_quiet_hours_but_still_come_in_time() -> None:
    night = wire.NotificationSettings(quiet=wire.QuietHours(22 * 60, 7 * 60))
    deadline = int(datetime(2026, 7, 2, 6, 0, tzinfo=UTC).timestamp() * 1000)
    evening = int(datetime(2026, 7, 1, 21, 59, tzinfo=UTC).timestamp() * 1000)
    morning = int(datetime(2026, 7, 1, 7, 0, tzinfo=UTC).timestamp() * 1000)
    assert reminders(night, deadline) == [morning, evening]
    assert reminders(wire.NotificationSettings(), deadline) == [deadline - one * HOUR for one in (24, 6, 1)]


async def test_an_unknown_time_zone_is_refused(here: Here) -> None:
    for zone in ("Mars/Olympus", "../../etc/passwd", "\x00", "Europe"):
        with pytest.raises(Refusal):
            await here.want("ana", zone=zone)


async def test_a_kind_that_is_off_is_not_told(here: Here) -> None:
    await by_mail(here, "ana", "bo")
    await here.want("bo", your_turn=OFF)
    await here.want("ana", reply=OFF)
    await here.start(moved("e2e4", 0))
    await here.at(GRACE)
    assert here.told() == []


async def test_whoever_wants_no_replies_still_hears_that_it_is_their_turn(here: Here) -> None:
    await by_mail(here, "ana")
    await here.want("ana", reply=OFF)
    await here.start()
    await here.at(GRACE)
    assert here.told() == [("ana", "Your turn")]


async def test_a_message_is_told_if_it_is_not_read_soon(here: Here) -> None:
    await by_mail(here, "bo", "cleo")
    write = here.world.notices.message_step
    ana = wire.Person("ana", "Ana")
    for person in ("bo", "cleo"):
        await here.start(id=person, seats=("ana", person))
        await here.go_on(moved("e2e4", 0), moved("e7e5", 0), id=person)
        for words in ("Hello", "Are you there?"):
            await messages.send(here.store, "ana", person, words, lambda id, to=person: write(to, ana, id))
    await messages.read(here.store, "cleo", "ana")
    await here.store.write((update(matches).values(notify_at=None), {}))
    await here.at(notices.UNREAD)
    assert here.told() == [("bo", "New message from Ana")]


async def test_players_are_told_that_a_match_over_days_is_over_unless_they_resigned(here: Here) -> None:
    await by_mail(here, "ana", "bo")
    await here.start()
    await here.at(GRACE)
    here.told()
    await here.go_on(moved("e2e4", HOUR), moved("e7e5", HOUR), Resigned(at=START + HOUR, by="white"))
    await here.at(HOUR + GRACE)
    assert here.told() == [("bo", "The match against Ana is over")]


# Push messages.


async def test_a_push_message_is_encrypted_for_the_browser_and_signed(here: Here) -> None:
    browser = await subscribed(here, "bo")
    await here.start(moved("e2e4", 0))
    await here.at(GRACE)
    ((_, headers, body),) = here.service.received
    assert browser.read(body) == {"title": "Your turn", "body": "Chess against Ana", "path": "/match/m", "tag": "m"}
    assert headers["content-encoding"] == "aes128gcm" and int(headers["ttl"]) > 0
    token, key = (part.split("=", 1)[1] for part in headers["authorization"].removeprefix("vapid ").split(","))
    assert key.rstrip("=") == await here.world.pushing.public_key()
    assert Vapid02.verify(f"vapid t={token},k={key}")
    assert b"Ana" not in body and b"Chess" not in body


async def test_the_key_stays_the_same_for_all_processes(here: Here, database: str) -> None:
    async with opened(Store(database)) as other_store:
        other = World(other_store, here.carrier, here.service.url)
        one, two = await asyncio.gather(here.world.pushing.public_key(), other.pushing.public_key())
        await other.rooms.close()
    assert one == two and len(base64.urlsafe_b64decode(one + "=")) == 65


@pytest.mark.parametrize("answer", [404, 410])
async def test_a_subscription_that_is_gone_is_removed(here: Here, answer: int) -> None:
    await subscribed(here, "bo")
    here.service.answers = [answer]
    await here.start(moved("e2e4", 0))
    await here.at(GRACE)
    assert len(here.service.received) == 1
    assert await here.store.all(select(push_subscriptions)) == [] and await here.store.all(select(outbox)) == []


@pytest.mark.parametrize("answer", [429, 500, 503])
async def test_a_busy_push_service_is_asked_again_later(here: Here, answer: int) -> None:
    await subscribed(here, "bo")
    here.service.answers = [answer]
    await here.start(moved("e2e4", 0))
    await here.at(GRACE)
    here.service.received.clear()
    await here.at(10 * MINUTE)
    assert here.told() == [("bo's browser", "Your turn")]


@pytest.mark.parametrize("answer", [301, 302, 307, 308])
async def test_a_push_service_leads_nowhere_else(here: Here, answer: int) -> None:
    await subscribed(here, "bo")
    here.service.answers = [answer]
    await here.start(moved("e2e4", 0))
    await here.at(GRACE)
    assert [path for path, _, _ in here.service.received] == ["/bo"]


async def test_a_browser_hears_nothing_after_its_session(here: Here) -> None:
    await subscribed(here, "bo")
    held = Sessions(here.store)
    await held.begin("bo", "", "another")
    await held.end(Session("another", wire.Person("bo", "Bo", account=True)), "sbo")
    assert await here.store.all(select(push_subscriptions)) == []
    await here.start(moved("e2e4", 0))
    await here.at(GRACE)
    assert here.told() == []


async def test_a_browser_belongs_to_whoever_was_signed_in_last(here: Here) -> None:
    browser = await subscribed(here, "bo")
    session = Session("sana", wire.Person("ana", "Ana"))
    await here.world.pushing.subscribe(session, wire.NewSubscription(**browser.subscription))
    rows = await here.store.all(select(push_subscriptions))
    assert [(row.person, row.session) for row in rows] == [("ana", "sana")]


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/1",
        "https://fcm.googleapis.com:22/1",
        "https://fcm.googleapis.com@10.0.0.1/1",
        "https://evil.example/fcm.googleapis.com",
        "https://evilfcm.googleapis.com/1",
        "https://push.apple.com.evil.example/1",
        "http://127.0.0.1:1/1",
        "https://[::1]/1",
        "https://[",
        "file:///etc/passwd",
    ],
)
async def test_only_push_services_are_sent_to(here: Here, endpoint: str) -> None:
    subscription = {**here.service.browser().subscription, "endpoint": endpoint}
    with pytest.raises(Refusal, match="push service"):
        await here.world.pushing.subscribe(
            Session("sana", wire.Person("ana", "Ana")), wire.NewSubscription(**subscription)
        )


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc",
        "https://db5p.notify.windows.com/w/?token=abc",
    ],
)
async def test_the_push_services_of_browsers_are_known(here: Here, endpoint: str) -> None:
    subscription = {**here.service.browser().subscription, "endpoint": endpoint}
    await here.world.pushing.subscribe(Session("sana", wire.Person("ana", "Ana")), wire.NewSubscription(**subscription))


# Over HTTP.


def test_a_mail_leads_to_the_match_and_its_link_stops_the_mails(sending: Server, mailbox: tuple[Post, str]) -> None:
    here, _ = mailbox
    ana, bo = signed_up(sending, "Anna"), signed_up(sending, "Bo")
    with_address(bo, here, "bo@example.org", "fr")
    wanted = bo.http.get("/api/me/notifications").json()
    assert wanted["mail"] == "bo@example.org" and wanted["mails"] and not wanted["settings"]["your_turn"]["mail"]
    wanted["settings"]["your_turn"] = {"push": False, "mail": True}
    assert bo.http.put("/api/me/notifications", json=wanted["settings"]).status_code == 204
    made = ana.match(opponent={"kind": "friend"}, side="black", time=SLOWLY)
    bo.sit(made)
    wait_until(lambda: len(here.mails) == 2)
    mail, text = here.mails[1], here.text()
    assert mail["Subject"] == "À vous de jouer · Acedrex" and f"{HOME}/match/{made['match']}" in text
    assert "contre Anna" in text
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    target = mail["List-Unsubscribe"].strip("<>").removeprefix(HOME)
    assert target.startswith("/api/mail/stop?secret=") and f"{HOME}/stop#{target.partition('=')[2]}" in text
    wrong = anyone.post(f"{sending.base}{target[:-1]}{'0' if target[-1] != '0' else '1'}")
    problem(wrong, 403, "wrong_link")
    # As mail programs do it, without a token and with a form.
    stopped = anyone.post(f"{sending.base}{target}", data={"List-Unsubscribe": "One-Click"})
    assert stopped.status_code == 204
    assert not bo.http.get("/api/me/notifications").json()["settings"]["your_turn"]["mail"]
    assert sending.faults() == []


def test_a_push_message_is_sent_after_a_kill(start: Callable[..., Server], service: PushService) -> None:
    server = start(ACEDREX_PUSH_SERVICES=service.url)
    ana, bo = Person(server, "Ana"), Person(server, "Bo")
    browser = service.browser()
    assert bo.http.put("/api/me/push", json=browser.subscription).status_code == 204
    made = ana.match(opponent={"kind": "friend"}, side="black", time=SLOWLY)
    bo.sit(made)
    server.kill()
    server.opened.close()
    assert service.received == []
    server.start()
    wait_until(lambda: service.received)
    assert browser.read(service.received[0][2])["title"] == "Your turn"
    assert server.end() == 0 and server.faults() == []
    assert len(service.received) == 1


def test_settings_are_ones_own(server: Server) -> None:
    problem(anyone.get(f"{server.base}/api/me/notifications"), 401, "unknown_guest")
    person = Person(server, "Ana", "127.0.0.31")
    found = person.http.get("/api/me/notifications").json()
    assert not found["here"] and found["browsers"] == 0 and found["mail"] is None and not found["mails"]
    assert len(base64.urlsafe_b64decode(found["key"] + "=")) == 65
    for wrong in ({"zone": "Nowhere"}, {"quiet": {"start": 0, "end": 1440}}, {"your_turn": {"pigeon": True}}):
        assert person.http.put("/api/me/notifications", json=wrong).status_code == 400
    changed = {"quiet": {"start": 1320, "end": 420}, "zone": "Europe/Paris"}
    assert person.http.put("/api/me/notifications", json=changed).status_code == 204
    found = person.http.get("/api/me/notifications").json()["settings"]
    assert found["quiet"] == changed["quiet"] and found["zone"] == "Europe/Paris"
    subscription = {"endpoint": "http://10.0.0.1/", "p256dh": "A" * 87, "auth": "A" * 22}
    problem(person.http.put("/api/me/push", json=subscription), 400, "invalid")


def test_notifications_say_the_same_in_all_languages() -> None:
    english, french = (notice_texts.TEXTS[language] for language in ("en", "fr"))
    assert english.keys() == french.keys()
    for key in english:
        parts = [sorted(part for part in text.split("{")[1:]) for text in (english[key], french[key])]
        assert [one.partition("}")[0] for one in parts[0]] == [one.partition("}")[0] for one in parts[1]], key
