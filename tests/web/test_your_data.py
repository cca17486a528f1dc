"""The page that says what is stored: downloads and deletion, on the narrowest phone, in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.people import Person, Server

NARROW: dict[str, Any] = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
#: The texts of the page by language: of the buttons, and of what it says.
TEXTS = {
    "en-GB": {
        "title": "Privacy and your data",
        "kept": "after 180 days",
        "take": "Download my data",
        "records": "Download my matches (PGN)",
        "delete": "Delete my data",
        "warning": "This cannot be undone",
        "confirm": "Delete everything",
        "deleted": "Your data is being deleted",
    },
    "fr-FR": {
        "title": "Vie privée et vos données",
        "kept": "après 180 jours",
        "take": "Télécharger mes données",
        "records": "Télécharger mes parties (PGN)",
        "delete": "Supprimer mes données",
        "warning": "est irréversible",
        "confirm": "Tout supprimer",
        "deleted": "Vos données sont en cours de suppression",
    },
}
#: Whether everything is within the screen.
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.mark.parametrize("locale", TEXTS)
def test_everything_is_downloaded_and_deleted_on_a_narrow_phone(
    person: Callable[..., Person], server: Server, locale: str
) -> None:
    texts = TEXTS[locale]
    token = server.guest("Zephyrine")
    match = server.match(token, "chess", {"kind": "self"})["match"]
    me = person(token, **{**NARROW, "locale": locale})
    page = me.go("/about")
    page.get_by_role("heading", name=texts["title"]).scroll_into_view_if_needed()
    page.get_by_text(texts["kept"]).first.wait_for()
    assert page.evaluate(FITS)
    with page.expect_download() as download:
        page.get_by_role("button", name=texts["take"]).click()
    found = json.loads(Path(download.value.path()).read_text())
    assert [row["id"] for row in found["matches"]] == [match] and found["people"][0]["name"] == "Zephyrine"
    with page.expect_download() as download:
        page.get_by_role("button", name=texts["records"]).click()
    assert '[White "Zephyrine"]' in Path(download.value.path()).read_text()
    page.get_by_role("button", name=texts["delete"]).click()
    page.get_by_text(texts["warning"]).wait_for()
    assert page.evaluate(FITS)
    box = page.get_by_role("dialog").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 320
    page.get_by_role("button", name=texts["confirm"]).click()
    page.get_by_text(texts["deleted"]).wait_for()
    assert page.get_by_role("button", name=texts["delete"]).count() == 0
    assert page.evaluate("localStorage.getItem('acedrex.identity')") in (None, "null")
