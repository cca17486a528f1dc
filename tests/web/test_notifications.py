"""Notifications: the settings, and the page that stops mails."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec

from acedrex.server.people import push
from acedrex.server.people.notice_texts import Notice
from acedrex.server.time_source import now
from tests.server.waiting import wait_until
from tests.web.people import Person, Server

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FITS = "document.documentElement.scrollWidth <= innerWidth"


def test_what_is_told_and_when_is_chosen_in_the_settings(person: Callable[..., Person], server: Server) -> None:
    me = person(server.guest("Ana"), **PHONE)
    page = me.go("/settings")
    part = page.get_by_role("region", name="Notifications")
    part.get_by_text("also while no page is open").wait_for()
    assert part.get_by_label("My turn: Mail").is_disabled(), "there is no address"
    part.get_by_label("Quiet hours").check()
    with page.expect_response("**/api/me/notifications"):
        part.get_by_label("From").fill("23:30")
    assert page.evaluate(FITS)
    page = me.go("/settings")
    part = page.get_by_role("region", name="Notifications")
    part.get_by_label("From").wait_for()
    assert part.get_by_label("From").input_value() == "23:30"
    assert part.get_by_label("to", exact=True).input_value() == "08:00"


def test_whoever_never_played_is_asked_for_nothing(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/settings")
    page.get_by_label("Your name").wait_for()
    assert page.get_by_role("region", name="Notifications").count() == 0
    assert page.evaluate("localStorage.getItem('acedrex.identity')") is None


def test_a_link_in_a_mail_that_is_incomplete_says_so(person: Callable[..., Person]) -> None:
    me = person()
    me.expected.append("status of 403")
    page = me.go("/stop#wrong")
    page.get_by_role("button", name="Stop mails").click()
    page.get_by_role("alert").wait_for()
    assert "incomplete" in page.get_by_role("alert").inner_text() or "link" in page.get_by_role("alert").inner_text()


def test_a_push_message_is_shown_while_no_page_is_open(person: Callable[..., Person], server: Server) -> None:
    me = person(service_workers="allow")
    me.context.grant_permissions(["notifications"], origin=server.url)
    me.go("/").evaluate("navigator.serviceWorker.ready.then(() => true)")
    elsewhere = me.context.new_page()
    session = me.context.new_cdp_session(elsewhere)
    found: list[Any] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    wait_until(lambda: elsewhere.wait_for_timeout(50) or found)
    me.page.close()
    # Chromium's push service is far away: this is the message as the browser has decrypted it.
    notice = Notice("your_turn", "Bo", match="m", game="Chess", turn=1)
    said = msgspec.json.decode(push.shown(notice, "en", now()))
    where = {"origin": server.url, "registrationId": found[0]["registrationId"]}
    (worker,) = me.context.service_workers
    # The shell without windows shows no notifications.
    worker.evaluate(
        "self.shown = [], registration.showNotification = async (title, { body, tag, data }) => "
        "{ shown.push([title, { body, tag, data }]) }, null"
    )
    session.send("ServiceWorker.deliverPushMessage", {**where, "data": json.dumps(said)})
    shown = wait_until(lambda: elsewhere.wait_for_timeout(50) or worker.evaluate("shown"))
    assert shown == [["Your turn", {"body": "Chess against Bo", "tag": "m", "data": f"{server.url}/match/m"}]]
