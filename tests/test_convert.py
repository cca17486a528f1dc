"""Definitions from and for Fairy-Stockfish."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acedrex
from acedrex import Board, Game
from acedrex.convert import VariantsError, built_in, convert_diagram, convert_variant, read_variants, write_variant

#: The positions after three half-moves, counted by Fairy-Stockfish 11.1 of Debian with `go perft 3`. Castling and the
#: end by a count of moves or repetitions come later than that.
COUNTED = {
    "3check": 8902, "5check": 8902, "ai-wok": 18102, "almost": 11895, "amazon": 12483, "antichess": 8067,
    "asean": 12012, "breakthrough": 11132, "capablanca": 25228, "caparandom": 25228, "centaur": 24490,
    "chancellor": 15896, "chess": 8902, "chigorin": 11408, "clobber": 80063, "codrus": 8067, "courier": 18406,
    "embassy": 25281, "extinction": 8902, "fairy": 8902, "fischerandom": 8902, "gardner": 506, "giveaway": 8067,
    "gothic": 25283, "grand": 259514, "hoppelpoppel": 9034, "horde": 1274, "janus": 24747, "jesonmor": 27960,
    "kinglet": 8902, "kingofthehill": 8902, "knightmate": 6765, "losalamos": 1212, "losers": 8067, "makpong": 12012,
    "makruk": 12012, "manchu": 17648, "minixiangqi": 6664, "modern": 15831, "newzealand": 8976, "nocastle": 8902,
    "normal": 8902, "racingkings": 11264, "shako": 185938, "shatar": 8426, "shatranj": 4176, "suicide": 8067,
    "threekings": 8942, "xiangqi": 79666,
}  # fmt: skip
#: The same, counted by fairy-stockfish-nnue.wasm 1.1.12, for variants that are newer.
COUNTED_NEWER = {
    "armageddon": 8902, "chaturanga": 4176, "coregal": 8882, "fox-and-hounds": 56, "grasshopper": 22314, "misere": 8902,
    "nightrider": 15586, "opulent": 133829, "paradigm": 9062, "pawnback": 9222, "pawnsideways": 10022, "perfect": 15082,
    "raazuvaa": 2124, "shoshogi": 17368, "sortofalmost": 10815, "spartan": 14244, "tencubed": 68230, "torpedo": 9194,
    "wolf": 13722,
}  # fmt: skip
#: Those that our definitions do not say completely, and what lacks.
INCOMPLETE = {
    "armageddon": "counting material",
    "berolina": "en passant after a double step that is not straight forward",
    "ai-wok": "counting rules",
    "asean": "counting rules",
    "makpong": "a King that may not move out of check",
    "makruk": "counting rules",
    "manchu": "perpetual chase",
    "shatar": "the mates that Shatar forbids",
    "xiangqi": "perpetual chase",
}


def converted(text: str, name: str) -> Game:
    return Game(convert_variant(name, read_variants(text)[name]).text, "converted.toml")


@pytest.mark.parametrize("name", COUNTED | COUNTED_NEWER)
def test_built_in_variants_have_as_many_moves_as_in_fairy_stockfish(name: str) -> None:
    found = convert_variant(name, built_in()[name])
    assert Board(Game(found.text, "converted.toml")).perft(3) == (COUNTED | COUNTED_NEWER)[name]
    assert (INCOMPLETE[name] in found.unsaid) if name in INCOMPLETE else found.unsaid == ()


def test_built_in_variants_are_complete_or_say_what_lacks() -> None:
    lacking = {name for name, said in built_in().items() if convert_variant(name, said).unsaid}
    assert lacking == INCOMPLETE.keys() | {
        *("cambodian", "karouk", "janggi", "janggitraditional", "janggimodern", "janggicasual"),  # other moves
        *("petrified", "duck", "isolation", "isolation7x7", "snailtrail", "joust", "amazons"),  # walls
        *("nocheckatomic", "atomic", "atomar"),  # explosions
    }


@pytest.mark.parametrize("name", ["capablanca", "chess", "grand", "knightmate", "shako", "xiangqi"])
def test_a_game_written_for_fairy_stockfish_reads_back_as_the_same_game(name: str) -> None:
    game = acedrex.load(name)
    written = write_variant(game)
    assert written.unsaid == ()
    again = converted(written.text, name)
    assert again.start_fen == game.start_fen
    ours, theirs = Board(game), Board(again)
    for _ in range(40):
        assert sorted(map(str, ours.legal_moves)) == sorted(map(str, theirs.legal_moves))
        move = sorted(map(str, ours.legal_moves))[ours.ply() * 7 % ours.legal_moves.count()]
        ours.push_uci(move)
        theirs.push_uci(move)


def test_what_cannot_be_written_for_fairy_stockfish_is_listed() -> None:
    unsaid = write_variant(acedrex.load("metamachy")).unsaid
    assert "the King's jump" in unsaid
    assert "the move yafsF of the Eagle" in unsaid
    assert "turns of several moves" in write_variant(acedrex.load("marseillais")).unsaid


def test_conditions_survive_the_way_to_fairy_stockfish_and_back() -> None:
    for name in (
        "kingofthehill",
        "racingkings",
        "3check",
        "losers",
        "shatranj",
        "breakthrough",
        "threekings",
        "antichess",
    ):
        first = convert_variant(name, built_in()[name])
        again = converted(write_variant(Game(first.text, "first.toml")).text, f"fairy-{name}")
        assert again.rules["conditions"] == Game(first.text, "first.toml").rules["conditions"]


def test_settings_that_mean_rules_are_said_or_listed() -> None:
    text = """
        [army:chess]
        customPiece1 = x:mQcN   # a comment
        customPiece2 = y:fN
        startFen = rxbqkbyr/pppppppp/8/8/8/8/PPPPPPPP/RXBQKBYR w KQkq - 0 1
        flagPieceWhite = k
        flagRegionWhite = *8
        checkmateValue = win
        blastOnCapture = true
        somethingNew = 3
    """
    found = convert_variant("army", read_variants(text)["army"])
    assert found.unsaid == ("explosions", "the setting somethingNew")
    # Y only moves forward: here that would make progress, there only Pawns do.
    assert 'progress = "P"' in found.text
    game = Game(found.text, "army.toml")
    assert game.piece("Y").move == "ffN"
    assert "White wins when it has a King on rank 8." in game.rules["conditions"]
    assert game.rules["end"] == "The side whose King is checkmated wins."


def test_differences_that_no_perft_shows_are_listed() -> None:
    def lacking(line: str) -> tuple[str, ...]:
        return convert_variant("one", read_variants(f"[one:chess]\n{line}\n")["one"]).unsaid

    assert lacking("nFoldRule = 4") == ()
    assert lacking("nMoveRuleTypes = pn") == ()
    assert lacking("doubleStepRegionWhite = -") == ("double steps that differ by side",)
    assert lacking("customPiece1 = p:fmWfceFifmnD\ndoubleStepRegionBlack = *6") == ("double steps that differ by side",)


def test_inherited_letters_stand_for_piece_types_and_not_for_letters() -> None:
    archbishop = "archbishop = a\nstartFen = rnbaqkabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBAQKABNR w - - 0 1"
    text = f"[gemini:janus]\n{archbishop}\n[other:chess]\npromotionPieceTypes = nq\n[lion:other]\ncustomPiece1 = n:NK\n"
    read = read_variants(text)
    assert Game(convert_variant("gemini", read["gemini"]).text, "gemini.toml").piece("P").promotes_to[-1] == "A"
    # Now N is another piece, to which nothing promotes.
    assert Game(convert_variant("lion", read["lion"]).text, "lion.toml").piece("P").promotes_to == ["Q"]


def test_newer_rules_survive_the_way_to_fairy_stockfish_and_back() -> None:
    for name in ("suicide", "fox-and-hounds", "legan", "pawnsideways"):
        first = Game(convert_variant(name, built_in()[name]).text, "first.toml")
        written = write_variant(first).text
        again = converted(written, first.id)
        for key in ("draws", "stalemate", "extra_moves"):
            assert again.rules.get(key) == first.rules.get(key), (name, key, written)


def test_a_piece_that_promotes_by_zone_and_capture_is_converted() -> None:
    settings = "promotedPieceType = n:q\npromotionRegionWhite = *7 *8\npromotionRegionBlack = *1 *2"
    text = f"[one:chess]\n{settings}\n[two:one]\npiecePromotionOnCapture = true\n"
    by_name = {name: convert_variant(name, read_variants(text)[name]) for name in ("one", "two")}
    assert all(found.unsaid == () for found in by_name.values())
    board = Board(Game(by_name["one"].text, "one.toml"), "4k3/8/N7/8/8/8/8/4K3 w - - 0 1")
    assert {str(move) for move in board.legal_moves if move.from_square == 80} >= {"a6b8", "a6b8q", "a6c7q", "a6c5"}
    board = Board(Game(by_name["two"].text, "two.toml"), "1r2k3/8/N7/8/8/8/8/4K3 w - - 0 1")
    assert {str(move) for move in board.legal_moves if move.promotion} == {"a6b8q"}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("x = 1", "line 1: x = 1 where [name] or key = value was expected"),
        ("[a", "line 1: [a has no closing bracket"),
        ("[a:nothing]", "line 1: a inherits from nothing, which is not defined"),
        ("[a]\nnonsense", "line 2: nonsense where"),
    ],
)
def test_a_file_that_is_none_is_refused_with_the_line(text: str, wrong: str) -> None:
    with pytest.raises(VariantsError, match=wrong.replace("[", r"\[")):
        read_variants(text)


@pytest.mark.parametrize("line", ["maxRank = ten", "maxFile = 99", "nFoldRule = x", "flagPieceCount = -1"])
def test_a_value_that_is_none_is_refused_with_its_key(line: str) -> None:
    text = f"[a:chess]\nflagPiece = k\nflagRegion = e4\n{line}\n"
    with pytest.raises(VariantsError, match=line.partition(" ")[0]):
        convert_variant("a", read_variants(text)["a"])


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted({key for said in built_in().values() for key, _ in said})), st.text(max_size=12)
        )
    )
)
def test_no_settings_break_the_conversion(pairs: list[tuple[str, str]]) -> None:
    try:
        found = convert_variant("any", [*built_in()["chess"], *pairs])
    except VariantsError:
        return
    assert found.text.startswith("[game]")


def test_the_command_lists_and_converts(run, tmp_path: Path) -> None:
    path = tmp_path / "own.ini"
    path.write_text("[hill:chess]\nflagPiece = k\nflagRegion = d4 e4\n[bang:chess]\nblastOnCapture = true\n", "utf-8")
    assert run("convert", str(path)) == (0, "hill: complete\nbang: without explosions\n", "")
    status, out, err = run("convert", str(path), "bang")
    assert (status, err) == (0, "acedrex: not said: explosions\n")
    assert out.startswith('[game]\nid = "fairy-bang"\n')
    assert run("convert", str(path), "other")[0] == 1
    assert run("convert", "shako")[1].startswith("[shako]\nmaxFile = 10\n")
    assert "cannot read" in run("convert", str(tmp_path / "none.ini"))[2]


#: Zanzibar-S and Gigachess II as their inventor's pages have them: size, and pieces with their moves and squares.
DIAGRAMS = {
    "zanzibar-s": """files=12 ranks=12 squareSize=50 maxPromote=2 promoChoice=QLGFU promoZone=1 symmetry=mirror
        pawn::fmWfceFfmnnD::a3-d3,f3,g3,i3-l3 prince::KfmnnD:admiral:e3,h3 crocodile:V:mBcpB::d1,i1 giraffe:Z:Z::c1,j1
        machine:W:WD:machine2:e2,h2 knight:N:::c2,j2 bishop::::d2,i2 rook::::b2,k2 queen::::f1 elephant::FA::a2,l2
        camel:M:C::b1,k1 cannon:::vao:a1,l1 rhinoceros:U:WyafsW:rhino:h1 eagle:G:FyafsF:griffon:g2 buffalo:F:NCZ::e1
        lion::KNAD:lion2:f2 king::KimAimDimN::g1""",
    "gigachess": """files=14 ranks=14 symmetry=mirror pawn::fmWfceFfmnnD::a3-d3,e4-j4,k3-n3 prince::KfmnnD::e3,j3
        giraffe:Z:Z::c1,l1 camel:M:::b1,m1 knight:N:::c2,l2 elephant::FA::a2,n2 machine:W:WD::e2,j2 centaur:J:KN::f2
        crocodile:V:mBcpB::d1,k1 bishop::::d2,k2 missionary:Y:BW::f3 cannon::::a1,n1 rook::::b2,m2 admiral:S:RF::i3
        rhinoceros:U:WyafsW::e1 eagle:G:FyafsF::g3 cardinal:X:BN::i1 marshall:H:RN::f1 sorceress:O:mQpcQ::g1
        duchess::KADGH::i2 lion::KNAD::h3 buffalo:F:NCZ::j1 queen::::g2 amazon::QN::h1 king::KimAimDimN::h2""",
}


@pytest.mark.parametrize("name", DIAGRAMS)
def test_the_inventors_diagrams_are_our_games(name: str) -> None:
    ours = Board(name)
    theirs = Board(Game(convert_diagram(DIAGRAMS[name]).text, "diagram.toml"))
    assert theirs.fen().split(" ")[0] == ours.fen().split(" ")[0]
    assert [theirs.perft(plies) for plies in (1, 2)] == [ours.perft(plies) for plies in (1, 2)]
    moves = {piece.letter: piece.move for piece in ours.game.pieces if not piece.royal}
    assert {piece.letter: piece.move for piece in theirs.game.pieces if not piece.royal} == moves


def test_a_page_with_a_diagram_is_read() -> None:
    page = """<p>Rules</p><div class="idiagram" style="float: left">files=10 ranks=8 promoZone=2 maxPromote=2
        promoChoice=QC royal=6<br>pawn::::a2-j2 silver:S:FfW:gold:c1,h1 champion:C:::d1
        queen::::e1 rook::::a1,j1 shah:K:KisO3::f1 hole::::a4,j4,a5,j5 mount:X:tB::g1</div><p>More</p>"""
    found = convert_diagram(page, "A page's game")
    game = Game(found.text, "page.toml")
    assert (game.id, game.name, game.files, game.ranks) == ("diagram-a-page-s-game", "A page's game", 10, 8)
    assert game.start_fen == "r1scqkxs1r/pppppppppp/10/*8*/*8*/10/PPPPPPPPPP/R1SCQKXS1R w KQkq - 0 1"
    assert found.unsaid == ("the move tB of the Mount",)
    assert "castling" in game.rules and "may promote" not in game.rules["promotion"]
    assert game.piece("S").promotes_to == ["Q", "C"]


def test_shogi_promotions_and_asymmetric_setups_are_read() -> None:
    text = """files=5 ranks=5 promoZone=2 maxPromote=2 promoOffset=2 symmetry=rotate
        pawn:P:fW::a2 silver:S:FfW::b1 tokin:T:WfF G:G:WfF::c1 king:K:::a1"""
    game = Game(convert_diagram(text).text, "shogi.toml")
    assert game.start_fen.split(" ")[0] == "2gsk/4p/5/P4/KSG2"
    assert (game.piece("P").promotes_to, game.piece("S").promotes_to) == (["T"], ["G"])
    none = "files=3 ranks=3 symmetry=none king:K:K::a1:c3 rook:R:::b1:"
    assert Game(convert_diagram(none).text, "none.toml").start_fen.split(" ")[0] == "2k/3/KR1"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "no pieces"),
        ("files=ten king:K:::e1", "files = ten where a number"),
        ("files=8 king:K:::e9", "e9 where squares of the 8x8 board"),
        ("files=8 king:K:::a0", "a0 where squares of the 8x8 board"),
        ("files=8 king:K:::a99", "a99 where squares of the 8x8 board"),
        ("files=8 firstRank=9 king:K:::a1", "a1 where squares of the 8x8 board"),
        ("files=8 king:K:::nowhere", "nowhere where squares such as a2-h2"),
        ("king:K:K::e1 " * 70, "more than 60 kinds"),
    ],
)
def test_a_diagram_that_is_none_is_refused_with_the_reason(text: str, wrong: str) -> None:
    with pytest.raises(VariantsError, match=wrong):
        convert_diagram(text)


BEGINNINGS = ["files=", "ranks=", "firstRank=", "promoZone=", "maxPromote=", "promoOffset=", "royal=", "promoChoice="]
BEGINNINGS += ["a:A:K::", "b:B:mR::", "king:K:KO2::", "hole::::", "c:::::"]
ENDS = ["", "a1", "b2,c3-d4", "p16", "a0", "a99", "-", "0", "2", "9", "²", "9" * 5_000]
WORDS = st.builds("".join, st.tuples(st.sampled_from(BEGINNINGS), st.sampled_from(ENDS)))


@given(st.text(alphabet="abcK:=,-1290 *[]?m\n<>", max_size=200) | st.lists(WORDS).map(" ".join))
def test_no_text_makes_the_reader_of_diagrams_fail_otherwise(text: str) -> None:
    with suppress(VariantsError):
        convert_diagram(text)
