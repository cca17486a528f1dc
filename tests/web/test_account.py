"""Accounts: a guest makes one, signs in on a phone, and comes back without the password."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from tests.ports import free_port
from tests.server.test_mail import Post
from tests.server.waiting import wait_until
from tests.web.people import Person, Server, serving

PASSWORD = "a board of 12 by 12"
DESKTOP: dict[str, Any] = {}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
FITS = "document.documentElement.scrollWidth <= innerWidth"


def section(page: Any, title: str) -> Any:
    return page.get_by_role("region", name=title, exact=True)


def create(me: Person, name: str) -> str:
    """Make an account on the page, and return the recovery code."""
    page = me.go("/account")
    form = section(page, "Create an account")
    form.get_by_label("Name").fill(name)
    form.get_by_label("New password").fill(PASSWORD)
    form.get_by_role("button", name="Create account").click()
    return saved(me, name)


def saved(me: Person, name: str) -> str:
    """Return the recovery code that the page shows, and say that it is saved."""
    code = section(me.page, "Recovery code").get_by_role("textbox").input_value()
    me.page.get_by_role("button", name="I have saved it").click()
    me.says(f"You are signed in as {name}.")
    assert section(me.page, "Recovery code").count() == 0
    return str(code)


def confirm(page: Any, button: str, password: str | None = PASSWORD) -> None:
    """Confirm with the password, or with the passkey, what a dialog asks."""
    dialog = page.get_by_role("dialog")
    if password is not None:
        dialog.get_by_label("Password").fill(password)
    dialog.get_by_role("button", name=button).click()


def sign_in(me: Person, name: str, password: str, *, refused: bool = False) -> Any:
    if refused:
        me.expected.append("status of 403")
    page = me.go("/account")
    form = section(page, "Sign in")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill(password)
    form.get_by_role("button", name="Sign in", exact=True).click()
    return page


def test_a_guest_takes_the_matches_to_a_phone_and_leaves_it_again(
    person: Callable[..., Person], server: Server
) -> None:
    desktop, phone = person(), person(**PHONE)
    create(desktop, "Anabel")
    match = server.match(desktop.token, "chess", {"kind": "self"})["match"]
    page = phone.go("/settings")
    page.get_by_label("Your name").fill("Phone")
    page.get_by_role("button", name="Save", exact=True).click()
    phone.says("Name saved.")
    page = sign_in(phone, "anabel", "not the password", refused=True)
    phone.says("Wrong name or password.")
    page = sign_in(phone, "anabel", PASSWORD)
    phone.says("You are signed in as Anabel.")
    assert page.evaluate(FITS)
    phone.go("/mine").locator(f'a[href$="/match/{match}"]').wait_for()
    # The desktop signs the phone out. The phone says so, and goes back to its guest.
    page = desktop.go("/account")
    others = section(page, "Where you are signed in").get_by_role("listitem").filter(has_not_text="This device")
    others.get_by_role("button", name="Sign out").click()
    others.wait_for(state="detached")
    phone.expected.append("status of 401")
    phone.go("/mine")
    phone.says("You were signed out on this device. Sign in again to continue.")
    assert phone.go("/settings").get_by_label("Your name").input_value() == "Phone"


def test_a_guest_continues_on_another_device_with_a_code(person: Callable[..., Person], server: Server) -> None:
    desktop, phone = person(server.guest("Wanderer")), person(**PHONE)
    page = desktop.go("/account")
    page.get_by_role("button", name="Show a code").click()
    code = page.locator(".code").inner_text().strip()
    page = phone.go("/account")
    page.get_by_text("Other ways to sign in").click()
    assert page.evaluate(FITS)
    form = section(page, "With a code from another device")
    form.get_by_label("Code").fill(code.lower())
    form.get_by_role("button").click()
    phone.until("localStorage.getItem('acedrex.identity')?.includes('Wanderer')")
    assert phone.go("/settings").get_by_label("Your name").input_value() == "Wanderer"


def test_a_forgotten_password_is_replaced_with_the_recovery_code(person: Callable[..., Person], server: Server) -> None:
    desktop, phone = person(), person(**PHONE)
    code = create(desktop, "Forgetful")
    page = phone.go("/account")
    page.get_by_text("Other ways to sign in").click()
    form = section(page, "With the recovery code")
    form.get_by_label("Name").fill("Forgetful")
    form.get_by_label("Recovery code").fill(code)
    form.get_by_label("New password").fill("found it again")
    form.get_by_role("button").click()
    assert saved(phone, "Forgetful") != code
    assert page.evaluate(FITS)
    # The other device was signed out.
    desktop.expected.append("status of 401")
    desktop.go("/account")
    desktop.says("You were signed out on this device.")
    sign_in(desktop, "Forgetful", "found it again")
    desktop.says("You are signed in as Forgetful.")


def test_the_password_is_changed_and_the_recovery_code_replaced(person: Callable[..., Person], server: Server) -> None:
    me = person()
    first = create(me, "Changeable")
    page = me.page
    form = section(page, "Change your password")
    form.get_by_label("New password").fill("another password")
    form.get_by_role("button").click()
    me.expected.append("status of 403")
    confirm(page, "Change password", "wrong")
    me.says("Wrong name or password.")
    confirm(page, "Change password")
    me.says("Password changed.")
    page.get_by_role("button", name="Make a new code").click()
    confirm(page, "Make a new code", "another password")
    assert saved(me, "Changeable") != first
    page.get_by_role("button", name="Sign out", exact=True).click()
    section(page, "Create an account").wait_for()
    sign_in(me, "Changeable", "another password")
    me.says("You are signed in as Changeable.")


def test_an_account_is_deleted_only_with_its_password(person: Callable[..., Person], server: Server) -> None:
    me = person()
    create(me, "Leaving")
    page = me.go("/about")

    def delete(password: str) -> None:
        page.get_by_role("button", name="Delete my data").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Password").fill(password)
        dialog.get_by_role("button", name="Delete everything").click()

    me.expected.append("status of 403")
    delete("wrong")
    me.says("Wrong name or password.")
    confirm(page, "Delete everything")
    me.says("Your data is being deleted.")
    sign_in(me, "Leaving", PASSWORD)
    me.says("Wrong name or password.")


# Passkeys. They are for names, so the page is at localhost.


@pytest.fixture
def at_localhost(person: Callable[..., Person]) -> Callable[..., Person]:
    """Open the app with a device that makes passkeys, which the browser simulates."""

    def come(**options: Any) -> Person:
        me = person(**options)
        me.server = Server(me.server.url.replace("127.0.0.1", "localhost"), me.server.games)
        devices = me.context.new_cdp_session(me.page)
        devices.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
        options |= {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
        devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        return me

    return come


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_somebody_signs_in_with_nothing_but_a_passkey(
    at_localhost: Callable[..., Person], device: dict[str, Any]
) -> None:
    me, name = at_localhost(**device), f"Keyholder{len(device)}"
    page = me.go("/account")
    form = section(page, "Create an account")
    form.get_by_label("Name").fill(name)
    form.get_by_role("button", name="Use a passkey, no password").click()
    saved(me, name)
    assert page.evaluate(FITS)
    page.get_by_role("button", name="Sign out", exact=True).click()
    section(page, "Sign in").get_by_role("button", name="Sign in with a passkey").click()
    me.says(f"You are signed in as {name}.")
    # It is the only way to sign in until there is a password.
    row = section(page, "Passkeys").get_by_role("listitem")
    row.get_by_role("button", name="Rename").click()
    row.get_by_label("Name of the passkey").fill("My thumb")
    row.get_by_role("button", name="Save").click()
    me.says("My thumb")
    me.expected += ["status of 409", "status of 403"]
    page.get_by_role("button", name="Remove My thumb").click()
    confirm(page, "Remove", None)
    me.says("This is your only way to sign in.")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    form = section(page, "Set a password")
    form.get_by_label("New password").fill(PASSWORD)
    form.get_by_role("button").click()
    confirm(page, "Set a password", None)
    section(page, "Change your password").wait_for()
    page.get_by_role("button", name="Remove My thumb").click()
    confirm(page, "Remove")
    section(page, "Passkeys").get_by_role("listitem").wait_for(state="detached")
    page.get_by_role("button", name="Add a passkey").click()
    confirm(page, "Add a passkey")
    section(page, "Passkeys").get_by_role("listitem").wait_for()
    assert page.evaluate(FITS)
    # It also confirms that everything is deleted.
    page = me.go("/about")
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("dialog").get_by_role("button", name="Use a passkey").click()
    me.says("Your data is being deleted.")


def test_without_a_name_there_are_no_passkeys(person: Callable[..., Person]) -> None:
    page = person().go("/account")
    section(page, "Sign in").get_by_role("button", name="Sign in", exact=True).wait_for()
    assert page.get_by_role("button", name="passkey").count() == 0


# What was solved.


def test_what_was_solved_follows_the_account(person: Callable[..., Person]) -> None:
    desktop, phone = person(), person(**PHONE)
    page = desktop.go("/settings")
    # As it is stored by the pages that pose puzzles.
    solved = {"solved": {"magi": [1, 2]}, "returns": {}, "best": {}}
    page.evaluate("value => localStorage.setItem('acedrex.puzzles', value)", json.dumps(solved))
    create(desktop, "Solver")
    sign_in(phone, "Solver", PASSWORD)
    phone.says("You are signed in as Solver.")
    phone.until("localStorage.getItem('acedrex.puzzles')?.includes('[1,2]')")
    phone.page.get_by_role("button", name="Sign out", exact=True).click()
    phone.until("!localStorage.getItem('acedrex.puzzles')?.includes('[1,2]')")


# A guest of an earlier version.


def test_a_guest_comes_back_with_a_file_of_an_earlier_version(person: Callable[..., Person], server: Server) -> None:
    me, token = person(), server.guest("Returning")
    page = me.go("/settings")
    for gone in ("Export identity", "Import identity", "Show token"):
        assert page.get_by_text(gone).count() == 0
    page = me.go("/account")
    page.get_by_text("Other ways to sign in").click()
    form = section(page, "With an exported identity")
    me.expected.append("status of 401")
    form.get_by_label("Token").fill("a-token-of-somebody-who-is-not-known")
    form.get_by_role("button").click()
    me.says("This server does not know you")
    puzzles = {"solved": {"magi": [1, 2]}, "returns": {"magi/3": {"due": 1, "last": False}}, "best": {}}
    file = {"acedrex": "identity", "name": "Returning", "token": token, "puzzles": puzzles}
    form.get_by_label("Token").fill(json.dumps(file))
    form.get_by_role("button").click()
    me.until("localStorage.getItem('acedrex.identity')?.includes('Returning')")
    me.until("localStorage.getItem('acedrex.puzzles')?.includes('magi/3')")


# Servers with other settings.


@pytest.fixture
def mailbox() -> Iterator[tuple[Post, int]]:
    here, port = Post(), free_port()
    controller = Controller(here, hostname="127.0.0.1", port=port)
    controller.start()
    yield here, port
    controller.stop()


@pytest.mark.slow
def test_a_forgotten_password_is_replaced_by_mail(
    person: Callable[..., Person],
    mailbox: tuple[Post, int],
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, port = mailbox
    monkeypatch.setenv("ACEDREX_SMTP_URL", f"smtp://127.0.0.1:{port}")
    monkeypatch.setenv("ACEDREX_MAIL_FROM", "chess@example.org")
    with serving(tmp_path, "--origin", "https://chess.example.org") as server:
        me, phone = person(), person(**PHONE)
        me.server = phone.server = server
        create(me, "Mailer")
        form = section(me.page, "Address for mails")
        form.get_by_label("Mail address").fill("mailer@example.org")
        form.get_by_role("button").click()
        confirm(me.page, "Send the link")
        me.says("A link was sent to mailer@example.org.")
        wait_until(lambda: here.mails)
        # The link is opened on the phone, where nobody is signed in.
        phone.go(f"/account#confirm={here.secret('confirm')}")
        assert "#" not in phone.page.url
        phone.page.get_by_role("button", name="Confirm address").click()
        phone.says("Mails for Mailer now go to mailer@example.org.")
        me.go("/account")
        me.says("Mails go to mailer@example.org.")
        page = phone.go("/account")
        page.get_by_text("Other ways to sign in").click()
        form = section(page, "By mail")
        form.get_by_label("Name or address").fill("mailer")
        form.get_by_role("button").click()
        phone.says("a mail is on its way")
        assert page.evaluate(FITS)
        wait_until(lambda: len(here.mails) == 2)
        # As if it was pasted into the address.
        page.evaluate("hash => { location.hash = hash }", f"recover={here.secret('recover')}")
        form = section(phone.page, "Choose a new password")
        form.get_by_label("New password").fill("found it again")
        form.get_by_role("button").click()
        saved(phone, "Mailer")
        me.expected.append("status of 401")
        me.go("/account")
        me.says("You were signed out on this device.")


@pytest.mark.slow
def test_an_invitation_is_asked_for_and_filled_in_by_a_link(person: Callable[..., Person], tmp_path: Any) -> None:
    with serving(tmp_path, "--sign-ups", "invitation") as server:
        environment = {**os.environ, "ACEDREX_DATABASE_URL": f"sqlite:///{tmp_path}/test.db"}
        command = [sys.executable, "-m", "acedrex", "invite"]
        made = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        code = made.stdout.strip()
        me = person(**PHONE)
        me.server = server
        page = me.go(f"/account?invitation={code}")
        me.says("Accounts here are by invitation.")
        form = section(page, "Create an account")
        assert form.get_by_label("Invitation").input_value() == code
        form.get_by_label("Name").fill("Invited")
        form.get_by_label("New password").fill(PASSWORD)
        form.get_by_role("button", name="Create account").click()
        saved(me, "Invited")


@pytest.mark.slow
def test_a_server_says_that_sign_ups_are_closed(person: Callable[..., Person], tmp_path: Any) -> None:
    with serving(tmp_path, "--sign-ups", "closed") as server:
        me = person()
        me.server = server
        page = me.go("/account")
        me.says("Nobody can create an account here at the moment.")
        assert section(page, "Create an account").count() == 0
        section(page, "Sign in").wait_for()
