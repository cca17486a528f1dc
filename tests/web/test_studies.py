"""Studies in browsers: written by two people, read, solved, and shown on other pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.web.people import Person, Server
from tests.web.sites import Visit
from tests.web.test_embed import framed

PASSWORD = "correct horse battery"


#: Moves the caret while a message waits to be handled, which was sent less than a second before.
GO_TO_START = """field => {
  const until = performance.now() + 1500;
  while (performance.now() < until);
  field.setSelectionRange(0, 0);
}"""


def account(server: Server, name: str) -> str:
    """Make an account, and return its token."""
    made = server.ask("/api/me/account", {"name": name, "password": PASSWORD}, server.guest(name))
    return str(made["person"]["token"])


def study(server: Server, token: str, **more: Any) -> str:
    chapter = {"title": "The start", "game": "chess", **more.pop("chapter", {})}
    body = {"title": "Our openings", "access": "link", "chapter": chapter, **more}
    return str(server.ask("/api/studies", body, token)["study"])


def comment_on_page(page: Any) -> Any:
    return page.get_by_label("Comment on this position")


def test_two_people_write_a_study_together(person: Callable[..., Person], server: Server) -> None:
    ana = person(account(server, "StudyAna"))
    bo = person(account(server, "StudyBo"))
    page = ana.go("/studies")
    page.get_by_label("Title").fill("Our openings")
    page.get_by_label("Game").select_option("chess")
    page.get_by_role("button", name="Create study").click()
    page.get_by_role("tab", name="Study").click()
    page.get_by_label("Account name").fill("StudyBo")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("link", name="StudyBo").wait_for()
    other = bo.go(page.url.removeprefix(server.url))
    page.get_by_role("tab", name="Moves").click()
    # A move of hers is on his page, and a word of his on hers.
    ana.tap("e2")
    ana.tap("e4")
    other.locator(".tree").get_by_role("button", name="e4").click()
    comment_on_page(other).fill("The Pawn opens two lines.")
    page.locator(".tree .comment", has_text="opens two lines").wait_for()
    # Both write in the same comment, from the same text, and neither loses a word.
    other.locator(".tree").get_by_role("button", name="e4").click()
    mine = comment_on_page(page)
    mine.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type(" For the Queen and the Bishop.")
    comment_on_page(other).focus()
    # Her words arrive in the moment in which he goes to the start.
    comment_on_page(other).evaluate(GO_TO_START)
    other.locator(".tree .comment", has_text="For the Queen").wait_for()
    other.keyboard.type("Look: ")
    both = "Look: The Pawn opens two lines. For the Queen and the Bishop."
    for one in (page, other):
        one.locator(".tree .comment", has_text=both).wait_for()
        assert comment_on_page(one).input_value() == both
    # An arrow, drawn by a finger or a mouse without a right button.
    page.get_by_role("button", name="Draw in red").click()
    ana.tap("e4")
    other.locator("[data-marks] .vermilion, svg .vermilion").first.wait_for(state="attached")


def test_words_written_without_a_connection_are_not_lost(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    ana = person(token)
    id = study(server, token)
    page = ana.go(f"/study/{id}")
    comment_on_page(page).fill("Before.")
    ana.until(lambda: server.ask(f"/api/studies/{id}/chapters/1")["nodes"][0]["comment"] == "Before.")
    ana.context.set_offline(True)
    page.get_by_text("Connection lost").wait_for()
    comment_on_page(page).fill("Before, and without a network.")
    # It has tried to send them by then.
    page.wait_for_timeout(1000)
    ana.context.set_offline(False)
    ana.until(
        lambda: server.ask(f"/api/studies/{id}/chapters/1")["nodes"][0]["comment"] == "Before, and without a network."
    )


def test_a_reader_solves_an_exercise_and_looks_through_it(person: Callable[..., Person], server: Server) -> None:
    nodes = [
        {"parent": -1, "move": "e2e4", "comment": "Right, the centre."},
        {"parent": -1, "move": "d2d4", "comment": "Close, but not this Pawn."},
    ]
    chapter = {"mode": "exercise", "nodes": nodes, "comment": "Which Pawn?"}
    id = study(server, server.guest(), chapter=chapter)
    reader = person(server.guest("Bo"))
    page = reader.go(f"/study/{id}")
    reader.says("Which Pawn?")
    page.get_by_text("Right, the centre.").wait_for(state="detached")
    reader.tap("d2")
    reader.tap("d4")
    reader.says("Close, but not this Pawn.")
    reader.tap("e2")
    reader.tap("e4")
    reader.says("Right, the centre.")
    page.get_by_role("button", name="Look through the chapter").click()
    page.locator(".tree").get_by_role("button", name="d4").wait_for()


def test_a_pgn_becomes_chapters_on_the_page(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    page = person(token).go(f"/study/{study(server, token)}")
    page.get_by_role("tab", name="Chapters").click()
    page.get_by_role("button", name="Add chapter").click()
    page.get_by_label("PGN").fill('[White "Ruy"]\n[Black "Lucena"]\n\n1. e4 {Best.} e5 (1... c5) 2. Nf3 *')
    page.locator(".chapter-form").get_by_role("button", name="Add chapter").click()
    page.locator(".tree .comment", has_text="Best.").wait_for()
    assert page.title().startswith("Ruy")


def test_a_chapter_is_shown_on_another_page(visit: Callable[..., Visit], server: Server) -> None:
    nodes = [{"parent": -1, "move": "e2e4", "comment": "The centre."}, {"parent": 0, "move": "e7e5"}]
    id = study(server, server.guest(), chapter={"nodes": nodes, "comment": "Watch."})
    frame = framed(visit(), f"/embed/study/{id}/1")
    frame.get_by_text("Watch.").wait_for()
    frame.get_by_role("button", name="Next move").click()
    frame.get_by_text("The centre.").wait_for()


def test_a_stranger_does_not_see_a_private_study(person: Callable[..., Person], server: Server) -> None:
    id = study(server, server.guest(), access="private")
    one = person(server.guest("Bo"))
    one.go(f"/study/{id}")
    one.says("Study not found")
