"""Pages that other sites embed, oEmbed, and previews of links: public, without data of the visitor."""

from __future__ import annotations

import re
from urllib.parse import quote

import httpx
import pytest

from acedrex import Board
from acedrex.lessons import puzzles
from acedrex.server.api import pages
from tests.server.conftest import Person, Server, anyone, coming_from

NAME = '"><script>alert(1)</script>'


@pytest.fixture(autouse=True)
def built() -> None:
    if not (pages.STATIC / "element" / "embed.js").is_file():
        pytest.skip("the element for other pages is not built: make web builds it")


def get(server: Server, path: str, **headers: str) -> httpx.Response:
    return anyone.get(f"{server.base}{path}", headers=headers)


PAGES = [
    "/embed/learn/maasai",
    "/embed/learn/maasai?piece=U&lang=fr",
    "/embed/puzzles/magi/2",
    "/embed/daily",
    "/embed/daily/2026-11-02",
    "/embed/analysis",
    "/embed/match/nothing",
    "/embed/learn/nothing",
]


@pytest.mark.parametrize("path", PAGES)
def test_embedded_pages_may_be_framed_and_are_sandboxed(server: Server, path: str) -> None:
    answer = get(server, path)
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "sandbox allow-scripts" in policy and "allow-same-origin" not in policy
    assert "default-src 'none'" in policy and "'unsafe-inline'" not in policy
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.status_code == (404 if "nothing" in path else 200)
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/", "/match/abc", "/learn/maasai", "/daily", "/api/games", "/oembed?url=x", "/embed"]
)
def test_other_pages_may_not_be_framed(server: Server, path: str) -> None:
    policy = get(server, path).headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy and "sandbox" not in policy


def test_files_of_the_element_may_be_loaded_by_every_site(server: Server) -> None:
    entry = get(server, "/element/acedrex.js")
    assert entry.headers["access-control-allow-origin"] == "*"
    assert entry.headers["cross-origin-resource-policy"] == "cross-origin"
    assert entry.headers["cache-control"] == "no-cache"
    (chunk,) = re.findall(r'"\./(src-[\w-]+\.js)"', entry.text)
    assert "immutable" in get(server, f"/element/{chunk}").headers["cache-control"]
    # Other files may not.
    for path in ("/", "/api/games", "/theme.js"):
        assert "access-control-allow-origin" not in get(server, path).headers


def test_an_embedded_match_shows_nothing_private(server: Server, ana: Person) -> None:
    made = ana.match("magi", options={"scoring": "four_points"})
    talk = ana.socket(made["match"])
    for move in ("f2f5", "f9f6"):
        talk.move(move)
    path = f"/embed/match/{made['match']}"
    page = get(server, path)
    assert 'game="magi:scoring=four_points"' in page.text and 'moves="f2f5 f9f6"' in page.text
    assert f'data-follow="{path}/moves"' in page.text
    # Its players get the same page, with nothing that only they may know.
    assert get(server, path, Authorization=f"Bearer {ana.token}").text == page.text
    moves = get(server, f"{path}/moves")
    assert moves.json() == {"moves": "f2f5 f9f6", "over": False}
    assert moves.headers["access-control-allow-origin"] == "*"
    assert ana.token not in page.text and ana.id not in page.text


def test_names_are_escaped(server: Server) -> None:
    person = Person(server, NAME[:40])
    made = person.match()
    for path in (f"/embed/match/{made['match']}", f"/match/{made['match']}"):
        text = get(server, path).text
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text
    told = anyone.get(f"{server.base}/oembed", params={"url": f"{server.base}/match/{made['match']}"}).json()
    assert "<script>" not in told["html"] and told["html"].startswith(f'<iframe src="{server.base}/embed/match/')


def test_embedded_puzzles_are_judged_but_not_recorded(server: Server, ana: Person) -> None:
    first = puzzles("magi")[1]
    path = "/embed/puzzles/magi/2"
    page = get(server, path).text
    assert f'data-judge="{path}/attempt"' in page and "Find the best move." in page
    solution = first.line

    def judged(moves: str) -> dict[str, str]:
        found: dict[str, str] = anyone.get(f"{server.base}{path}/attempt", params={"moves": moves}).json()
        return found

    done = judged(solution[0])
    assert done["verdict"] in ("right", "solved") and done["moves"].startswith(solution[0])
    assert judged(" ".join(solution))["verdict"] == "solved"
    legal = [move.uci() for move in Board("magi", first.fen).legal_moves]
    assert judged(next(move for move in legal if move != solution[0]))["verdict"] == "wrong"
    for nonsense in ("zz", "a1a1 " * 100, "\0", ",", "end"):
        assert judged(nonsense) == {"verdict": "wrong", "moves": ""}
    date = re.search(r'data-judge="/embed/daily/([\d-]+)/attempt"', get(server, "/embed/daily").text)
    assert date
    assert get(server, f"/embed/daily/{date[1]}/attempt?moves=zz", Authorization=ana.token).json()["verdict"] == "wrong"
    assert ana.http.get("/api/daily").json()["solved"] == []


def test_an_embedded_diagram_shows_one_piece(server: Server) -> None:
    text = get(server, "/embed/learn/metamachy?piece=C").text
    (fen,) = re.findall(r'fen="([^"]+)"', text)
    (square,) = re.findall(r'shown="([^"]+)"', text)
    board = Board("metamachy")
    board.set_fen(fen, playable=False)
    assert [piece.symbol() for piece in board.piece_map().values() if piece.color] == ["C"]
    assert square == "f6" and fen.count("p") == 8
    assert get(server, "/embed/learn/metamachy?piece=%3C").status_code == 404


# oEmbed.


def described(server: Server, url: str, **more: object) -> httpx.Response:
    return anyone.get(f"{server.base}/oembed", params={"url": url, **more})  # type: ignore[dict-item]


def test_oembed_describes_matches_puzzles_and_analyses(server: Server, ana: Person) -> None:
    match = ana.match("chieftain")["match"]
    answer = described(server, f"{server.base}/match/{match}", maxwidth=400)
    assert answer.headers["access-control-allow-origin"] == "*"
    told = answer.json()
    assert (told["version"], told["type"], told["width"]) == ("1.0", "rich", 400)
    # The board has 16x12 squares, and 150 pixels around it.
    assert told["height"] == 300 + 150
    assert f'src="{server.base}/embed/match/{match}"' in told["html"]
    assert anyone.get(told["thumbnail_url"]).headers["content-type"] == "image/png"
    assert described(server, f"{server.base}/puzzles?game=magi&number=2").json()["title"] == "Magi: puzzle 2"
    shared = described(server, f"{server.base}/analysis#a=abc_-1").json()
    assert f'src="{server.base}/embed/analysis#a=abc_-1"' in shared["html"]
    assert "thumbnail_url" not in shared
    # The fragment is escaped.
    assert '"<' not in described(server, f'{server.base}/analysis#a="><b>').json()["html"]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/learn/maasai",
        "javascript:alert(1)//{base}/learn/maasai",
        "//{host}/learn/maasai",
        "{base}/settings",
        "{base}/match/abc/def",
        "{base}/match/nothing",
        "{base}/puzzles?game=magi&number=0",
        "{base}/puzzles?game=magi&number=99999",
        "{base}/puzzles?game=../x&number=1",
        "{base}@example.org/learn/maasai",
        "http://[",
        "",
        "x" * 2000,
    ],
)
def test_oembed_describes_only_pages_of_this_server(server: Server, url: str) -> None:
    assert described(server, url.replace("{base}", server.base).replace("{host}", server.base[7:])).status_code == 404


def test_oembed_checks_its_parameters(server: Server) -> None:
    page = f"{server.base}/learn/maasai"
    assert described(server, page, format="xml").status_code == 501
    assert described(server, page + "?" + "x" * 20_000).status_code == 400
    assert described(server, page, maxwidth="wide").status_code == 400
    assert described(server, page, maxwidth=9999).json()["width"] == 1200


# Previews of links.


def tags(text: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', text))


def test_shared_links_have_a_title_and_a_picture_of_the_board(server: Server, ana: Person) -> None:
    match = ana.match("maasai", setup="1")["match"]
    found = tags(get(server, f"/match/{match}").text)
    assert found["og:title"] == "Ana - Ana · Maasai Chess" and found["og:url"] == f"{server.base}/match/{match}"
    picture = anyone.get(found["og:image"])
    assert picture.content.startswith(b"\x89PNG") and len(picture.content) > 20_000
    assert picture.headers["cache-control"] == "private, no-cache"
    (other,) = re.findall(r'og:image" content="([^"]+)"', get(server, "/learn/magi").text)
    assert anyone.get(other).headers["cache-control"] == "public, max-age=86400"
    assert tags(get(server, "/learn/magi").text)["og:title"] == "Magi"
    puzzle = get(server, "/puzzles?game=magi&number=2").text
    assert tags(puzzle)["og:description"].endswith(" to move. Find the best move.")
    (about,) = re.findall(r'type="application/json\+oembed" href="([^"]+)"', puzzle)
    assert anyone.get(about.replace("&amp;", "&")).json()["title"] == "Magi: puzzle 2"
    for path in ("/", "/settings", "/match/nothing", "/learn/nothing", "/puzzles", "/puzzles?number=x"):
        assert tags(get(server, path).text) == {}
        assert get(server, path).status_code == 200


def test_preview_pictures_are_cached_and_rate_limited(server: Server) -> None:
    """A cached picture costs nothing."""
    with httpx.Client(transport=coming_from("127.0.0.9"), timeout=60) as flood:

        def picture(number: int) -> int:
            of = quote(f"/puzzles?game=magi&number={number}")
            return flood.get(f"{server.base}/preview.png?of={of}").status_code

        codes = [picture(number) for number in range(1, 40)]
        assert codes[:9] == [200] * 9 and 429 in codes
        assert picture(1) == 200
    for path in ("/", "/settings", "/analysis", "x" * 1000, "//", "/puzzles?game=magi&number=100000"):
        assert get(server, f"/preview.png?of={quote(path)}").status_code == 404
