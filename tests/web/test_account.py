"""Accounts: a guest makes one, signs in on a phone, and comes back without the password."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.web.people import Person, Server

PASSWORD = "a board of 12 by 12"
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
    form.get_by_role("button").click()
    code = section(page, "Recovery code").get_by_role("textbox").input_value()
    page.get_by_role("button", name="I have saved it").click()
    me.says(f"You are signed in as {name}.")
    assert section(page, "Recovery code").count() == 0
    return str(code)


def sign_in(me: Person, name: str, password: str, *, refused: bool = False) -> Any:
    if refused:
        me.expected.append("status of 403")
    page = me.go("/account")
    form = section(page, "Sign in")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill(password)
    form.get_by_role("button").click()
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
    form = section(page, "Forgot your password?")
    form.get_by_label("Name").fill("Forgetful")
    form.get_by_label("Recovery code").fill(code)
    form.get_by_label("New password").fill("found it again")
    form.get_by_role("button").click()
    assert section(page, "Recovery code").get_by_role("textbox").input_value() != code
    phone.says("You are signed in as Forgetful.")
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
    form.get_by_label("Password", exact=True).fill(PASSWORD)
    form.get_by_label("New password").fill("another password")
    form.get_by_role("button").click()
    me.says("Password changed.")
    form = section(page, "New recovery code")
    form.get_by_label("Password").fill("another password")
    form.get_by_role("button").click()
    assert section(page, "Recovery code").get_by_role("textbox").input_value() != first
    page.get_by_role("button", name="I have saved it").click()
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
    delete(PASSWORD)
    me.says("Your data is being deleted.")
    sign_in(me, "Leaving", PASSWORD)
    me.says("Wrong name or password.")
