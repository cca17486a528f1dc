"""XBoard's protocol: conversations with the engine in a separate process. Another file tests XBoard itself."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board, Limit, load, parse_square
from acedrex.protocol.catalogue import Catalogue
from acedrex.xboard.clock import Clock
from acedrex.xboard.highlight import Mouse
from acedrex.xboard.notation import read_fen, read_move, write_move
from acedrex.xboard.variants import DRAWINGS, KNOWN, betza, description, letters, variant_names

MOVE = r"move (\S+)"
THINKING = r"\d+ -?\d+ \d+ \d+ \d+ \d+ 0\t.*"
RESULT = r"(1-0|0-1|1/2-1/2) \{.*\}"
OTHERS = [
    *("acedrex", "courier", "gigachess", "maasai", "magi", "metamachy", "omega", "shako", "shatranj", "zanzibar-s"),
    "zanzibar-xl",
]
Begin = Callable[..., Any]


@pytest.fixture
def xboard(talk: Begin) -> Any:
    """An engine that has introduced itself."""
    engine = talk("xboard")
    engine.say("xboard", "protover 2")
    engine.hear("feature done=1")
    engine.say("new", "random", "easy", "nopost")
    return engine


def heard(engine: Any) -> list[str]:
    """All that was said so far."""
    lines: list[str] = engine.ask("ping 77", "pong 77")
    return lines[:-1]


def move_of(lines: list[str]) -> str:
    found = re.fullmatch(MOVE, lines[-1])
    assert found
    return found[1]


# The beginning and the end.


def test_the_engine_introduces_itself(talk: Begin) -> None:
    xboard = talk("xboard")
    xboard.say("xboard", "protover 2")
    lines = xboard.hear("feature done=1")
    assert lines[0] == "feature done=0"
    text = " ".join(lines)
    features = dict(re.findall(r'(\w+)=("[^"]*"|\d+)', text))
    assert features["myname"].startswith('"Acedrex ')
    on = {"ping", "setboard", "playother", "usermove", "time", "draw", "analyze", "nps", "debug", "memory", "smp"}
    assert all(features[name] == "1" for name in on)
    assert features["colors"] == features["sigint"] == features["sigterm"] == "0"
    assert features["variants"].strip('"').split(",") == [*sorted(KNOWN.values(), key=name_of), *OTHERS]
    assert re.findall(r'option="(.+?) -', text) == ["Level", "Threads", "Hash", "Clear Hash"]
    # XBoard's lines have room for 512 characters.
    assert max(map(len, lines)) < 500


def name_of(variant: str) -> str:
    return next(name for name, known in KNOWN.items() if known == variant)


@pytest.mark.parametrize("before", ["", "go", "analyze"])
def test_the_engine_quits_on_command_and_at_the_end_of_input(before: str, talk: Begin) -> None:
    for end in ("quit", None):
        xboard = talk("xboard")
        xboard.say(*filter(None, ["new", "st 60", before, end]))
        assert (xboard.process.wait(10) if end else xboard.end()) == 0


# Games.


@pytest.mark.parametrize("name", [*KNOWN, *OTHERS])
def test_every_game_is_played_to_its_result(name: str, xboard: Any) -> None:
    """The engine plays against a random mover until it announces the result."""
    rng, board = random.Random(name), Board(name)
    xboard.say(f"variant {KNOWN.get(name, name)}", "level 0 1 0", "sd 1")
    result = None
    while result is None:
        if board.turn:
            move = rng.choice(list(board.legal_moves))
            text = "".join(write_move(board, move, legs=name not in KNOWN))
            xboard.say("time 6000", "otim 6000", f"usermove {text}")
        else:
            legs = [move_of(xboard.hear(rf"{MOVE}|{RESULT}"))]
            if legs[0].endswith(","):
                legs.append(move_of(xboard.hear(MOVE)))
            move = read_move(board, "".join(legs))
        board.push(move)
        if board.is_game_over():
            result = xboard.hear(RESULT)[-1]
    assert result.split()[0] == board.result()


@pytest.mark.parametrize("name", OTHERS)
def test_games_unknown_to_xboard_are_described(name: str, xboard: Any) -> None:
    game = load(name)
    xboard.say(f"variant {name}")
    setup, *pieces = heard(xboard)
    table, size, fen = re.fullmatch(r"setup \((.*)\) (\d+x\d+)\+0_fairy (.*)", setup).groups()  # type: ignore[union-attr]
    assert (size, fen) == (f"{game.files}x{game.ranks}", game.start_fen)
    half = len(table) // 2
    assert table[:half].lower() == table[half:]
    assert sorted(table[:half].replace(".", "")) == sorted(kind.letter for kind in game.pieces)
    assert table[half - 1] == "K"
    # XBoard has no notation for slides that begin with a Knight's leap; it asks where such a piece may go.
    described = {kind.letter for kind in game.pieces} - ({"U"} if name == "acedrex" else set())
    assert {line.split("&")[0] for line in pieces} == {f"piece {letter}" for letter in described}
    assert max(map(len, [setup, *pieces])) < 500


def test_initial_moves_are_described_in_betza_notation() -> None:
    def king(name: str) -> str:
        game = load(name)
        return betza(game, game.piece("K"))

    assert king("zanzibar-s") == "KimDimAimN"
    assert king("magi") == "KisO3"
    assert king("shako") == "KisO2"
    assert betza(load("magi"), load("magi").piece("P")) == "fmWfceFifmnDifmnH"
    assert betza(load("menagerie"), load("menagerie").piece("X")) == ""


def test_inherited_rules_are_described_and_removed_ones_are_not(tmp_path: Path) -> None:
    def king(removed: str) -> str:
        path = tmp_path / "mine.toml"
        path.write_text(f'[game]\nid = "mine"\nname = "Mine"\nextends = "shako"\nsummary = "Mine."\n{removed}')
        return betza(load(path), load(path).piece("K"))

    assert king("") == "KisO2"
    start = load("shako").start_fen.replace("KQkq", "-")
    assert king(f'start = "{start}"\nremove = ["castling"]\n') == "K"


def test_every_piece_type_has_its_own_picture() -> None:
    # Seen in XBoard: the fourth picture is a Rook, the eighteenth a hawk, the thirty-sixth a wizard's hat.
    white = "PNBRQ.E...IC...D.GA.UL.ZMW....VF...OK"
    assert letters(load("maasai")) == white + white.lower()
    for name in ("maasai", "terachess", "menagerie"):
        game = load(name)
        row = letters(game)
        tokens = re.findall(r"[A-Z]['!]?|\.", row)
        assert sorted(set(tokens) - {"."}) == sorted(kind.letter for kind in game.pieces)
        assert len(tokens) <= len(DRAWINGS.split("|")) + 1


def test_variants_that_cannot_be_played_are_not_offered(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[game]\nid = "mine"\nname = "Mine"\nextends = "magi"\nsummary = "Mine."\n')
    names = variant_names(Catalogue([load(path), load("magi", scoring="four_points")]))
    assert "mine" in names
    assert not {"magi", "chieftain", "marseillais", "terachess", "menagerie", "chess"} & set(names)


@pytest.mark.parametrize("name", ["chieftain", "marseillais", "checkers", ""])
def test_unknown_variants_are_refused(name: str, xboard: Any) -> None:
    xboard.say(f"variant {name}")
    [answer] = heard(xboard)
    assert answer.startswith('Error (unknown variant; "feature variants" lists all, and "--game FILE" adds ')
    assert answer.endswith(f"): variant {name}".rstrip())


# Moves.


def test_ranks_count_from_zero_on_boards_with_ten_ranks() -> None:
    board = Board("magi")
    move = board.parse_uci("b2b4")
    assert write_move(board, move, legs=True) == ["b1b3"]
    assert read_move(board, "b1b3") == move
    assert read_move(Board("maasai"), "a4a6").uci() == "a4a6"


def test_en_passant_is_written_in_two_legs() -> None:
    board = Board("metamachy", "k11/12/12/12/12/12/12/3p8/12/4P7/12/K11 b - - 0 1")
    board.push_uci("d5d3")
    move = board.parse_uci("e3d4")
    assert write_move(board, move, legs=True) == ["e3d3,", "d3d4"]
    assert write_move(board, move, legs=False) == ["e3d4"]
    assert read_move(board, "e3d3,d3d4") == read_move(board, "e3d4") == move


def test_the_engine_captures_en_passant(xboard: Any) -> None:
    """White has no other move."""
    xboard.say("variant metamachy", "force", "setboard kr10/12/12/12/12/12/12/3p8/4p7/4P7/11r/K11 b - - 0 1")
    heard(xboard)
    xboard.say("usermove d5d3", "sd 1", "go")
    assert xboard.hear("move .*[0-9]") == ["move e3d3,", "move d3d4"]


@pytest.mark.parametrize("move", ["e2e5", "e7e5", "e2", "", "e2e4e6", "a0a1", "z1z2", "e2e4,e5e6", "e7e8", "@@@@"])
def test_illegal_moves_are_refused(move: str, xboard: Any) -> None:
    xboard.say("force", f"usermove {move}")
    (line,) = heard(xboard)
    assert line.startswith("Illegal move (")
    assert line.endswith(f": {move}")
    xboard.say("usermove e2e4")
    assert heard(xboard) == []


def test_a_promotion_must_name_its_piece(xboard: Any) -> None:
    xboard.say("force", "variant metamachy", "setboard 12/P11/12/4k7/12/12/12/12/4P7/8I3/12/K11 w - - 0 1")
    heard(xboard)
    xboard.say("usermove a11a12")
    assert heard(xboard)[0].startswith("Illegal move")
    xboard.say("usermove a11a12l")
    assert heard(xboard) == []


def test_moves_can_be_taken_back(xboard: Any) -> None:
    xboard.say("undo")
    assert heard(xboard) == ["Error (command not legal now): undo"]
    xboard.say("force", "usermove e2e4", "usermove e7e5", "undo", "usermove e7e6", "remove", "usermove d2d4")
    assert heard(xboard) == []
    xboard.say("remove")
    assert heard(xboard)[0].startswith("Error")


def test_force_go_and_playother_decide_which_side_the_engine_plays(xboard: Any) -> None:
    xboard.say("sd 1", "usermove e2e4")
    move_of(xboard.hear(MOVE))
    xboard.say("force", "usermove d2d4", "undo")
    assert heard(xboard) == []
    xboard.say("go")
    move_of(xboard.hear(MOVE))
    xboard.say("new", "sd 1", "playother")
    assert heard(xboard) == []
    xboard.say("usermove e2e4")
    move_of(xboard.hear(MOVE))


def test_a_question_mark_makes_the_engine_move_at_once(xboard: Any) -> None:
    xboard.say("st 60", "go")
    assert xboard.quiet(0.3, MOVE)
    xboard.say("?", "ping 5")
    lines = xboard.hear("pong 5", 2)
    assert re.fullmatch(MOVE, lines[0])
    xboard.say("?")
    assert heard(xboard) == []


def test_force_ends_a_search_without_a_move(xboard: Any) -> None:
    xboard.say("st 60", "go", "ping 5", "usermove e2e4", "force", "ping 6")
    assert xboard.hear("pong 6", 5) == ["Illegal move (it is not your turn): e2e4", "pong 5", "pong 6"]


def test_results_are_announced(xboard: Any) -> None:
    xboard.say("force", "usermove f2f3", "usermove e7e5", "usermove g2g4", "usermove d8h4")
    assert heard(xboard) == ["0-1 {Checkmate. Black wins.}"]
    xboard.say("go")
    assert heard(xboard) == ["0-1 {Checkmate. Black wins.}"]
    xboard.say("result 0-1 {Black mates}", "new", "force", "setboard 7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", "usermove g5g6")
    assert heard(xboard) == ["1/2-1/2 {Draw: stalemate.}"]


def test_a_draw_is_offered_only_in_a_lost_or_repeated_position(xboard: Any) -> None:
    xboard.say("draw")
    assert heard(xboard) == []
    xboard.say("force", "setboard 3qk3/8/8/8/8/8/8/4K3 w - - 0 1", "sd 3", "go")
    xboard.hear(MOVE)
    xboard.say("draw")
    assert heard(xboard) == ["offer draw"]
    knights = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    xboard.say("new", "force", *(f"usermove {move}" for move in knights), "draw")
    assert heard(xboard) == ["offer draw"]


# Positions.


@pytest.mark.parametrize(
    ("name", "told", "meant"),
    [
        ("metamachy", "K10k/12/12/12/12/12/12/12/12/12/12/12 w - - 3 7", None),
        ("metamachy", "4k7/12/12/12/12/12/12/12/12/12/12/6K5 w Ge - 0 1", "Kk"),
        ("metamachy", "4k7/12/12/12/12/12/12/12/12/12/12/6K5 w G - 0 1", "K"),
        ("metamachy", "4k7/12/12/12/12/12/12/12/12/12/12/6K5 w - - 0 1", "-"),
        ("maasai", "12/5k6/12/12/12/12/12/12/12/12/5K6/12 w - - 0 1", "Kk"),
        ("maasai", "12/5k6/12/12/12/12/12/12/12/12/6K5/12 w - - 0 1", "k"),
        ("magi", "rnbaqkwbnr/pppppppppp/d2p2p2d/10/10/10/10/D2P2P2D/PPPPPPPPPP/RNBAQKWBNR w KQkq - 0 1", "KQkqDGdg"),
        ("magi", "r4k4/10/6p3/10/10/10/10/3P6/10/5K3R w KQq - 0 1", "KqDg"),
        ("chess", "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "K"),
    ],
)
def test_positions_sent_by_xboard_are_understood(name: str, told: str, meant: str | None) -> None:
    board = read_fen(load(name), told)
    fields = told.split()
    assert board.fen().split()[0] == fields[0]
    assert board.fen().split()[4:] == fields[4:]
    assert meant is None or board.fen().split()[2] == meant


def test_xboards_en_passant_square_is_translated() -> None:
    board = read_fen(load("shako"), "k9/10/10/10/3pP5/10/10/10/10/K9 b - e4 0 1")
    assert board.fen() == "k9/10/10/10/3pP5/10/10/10/10/K9 b - - 0 1"
    board = read_fen(load("shako"), "k9/10/10/10/10/3pP5/10/10/10/K9 b - e3 0 1")
    assert board.fen().split()[3] == "e4"


@pytest.mark.parametrize("fen", ["", "x", "8/8/8/8/8/8/8/8 w - - 0 1", "8/8 w", "4k3/8/8/8/8/8/8/4K2R"])
def test_illegal_positions_are_refused(fen: str, xboard: Any) -> None:
    xboard.say("force", f"setboard {fen}")
    lines = heard(xboard)
    if fen.startswith("4k3"):
        assert lines == []
        return
    assert lines[0].startswith("tellusererror Illegal position")
    xboard.say("usermove e2e4", "go", "draw", "hint", "undo", "lift e2")
    assert all(line.startswith(("Illegal move", "Error")) for line in heard(xboard))
    xboard.say("new", "force", "usermove e2e4")
    assert heard(xboard) == []


# Thinking.


def test_thinking_lines_describe_the_search(xboard: Any) -> None:
    xboard.say("post", "sd 4", "go")
    *lines, _ = xboard.hear(MOVE)
    assert lines
    assert all(re.fullmatch(THINKING, line) for line in lines)
    xboard.say("force", "setboard 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "go")
    lines = xboard.hear(MOVE)
    assert lines[-2].split()[1] == "100001"
    assert move_of(lines) == "a1a8"


def test_the_engine_ponders_in_the_opponents_time(xboard: Any) -> None:
    xboard.say("hard", "post", "sd 6", "usermove e2e4")
    xboard.hear(MOVE)
    line = xboard.hear(THINKING)[-1]
    expected = re.search(r"\t\((\w+)\)", line)
    assert expected
    assert f"Hint: {expected[1]}" in xboard.ask("hint", "Hint: .*")
    xboard.ask("ping 1", "pong 1", 1)
    xboard.say(f"usermove {expected[1]}")
    xboard.hear(MOVE, 3)
    xboard.say("easy", "ping 2")
    xboard.hear("pong 2")
    assert xboard.quiet(0.3, THINKING)


def test_the_engine_replies_to_an_unexpected_move(xboard: Any) -> None:
    board = Board("chess")
    xboard.say("hard", "st 0.05", "sd 4")
    for move in ("a2a3", "a3a4", "h2h3"):
        xboard.say(f"usermove {move}")
        board.push_uci(move)
        board.push_uci(move_of(xboard.hear(MOVE)))


def test_analysis_follows_moves_undo_and_exit(xboard: Any) -> None:
    xboard.say("variant magi", "post", "analyze")
    xboard.hear(THINKING)
    time.sleep(0.2)
    assert re.fullmatch(r"stat01: \d+ \d+ \d+ 0 \d+", xboard.ask(".", "stat01.*")[-1])
    xboard.say("usermove b1b3", "usermove x")
    assert any(line.startswith("Illegal move") for line in heard(xboard))
    xboard.hear(THINKING)
    xboard.say("undo", "ping 3")
    xboard.hear("pong 3")
    xboard.hear(THINKING)
    xboard.say("exit", "ping 4")
    xboard.hear("pong 4")
    assert xboard.quiet(0.3, THINKING)
    xboard.say(".")
    assert heard(xboard) == []


def test_a_new_game_during_analysis_is_analysed(xboard: Any) -> None:
    xboard.say("post", "analyze", "new", "usermove e2e4", "ping 1")
    xboard.hear("pong 1")
    xboard.hear(THINKING)
    assert xboard.quiet(0.3, "move .*")


def test_playing_ends_analysis(xboard: Any) -> None:
    xboard.say("sd 1", "analyze", "go")
    xboard.hear("move .*")
    xboard.say("usermove e7e5")
    xboard.hear("move .*")


def test_settings_change_the_search_and_invalid_ones_are_refused(xboard: Any) -> None:
    def nodes() -> int:
        xboard.say("force", "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "post", "sd 7", "go")
        lines = xboard.hear(MOVE)
        # A level that overlooks the replies reports no line.
        return int(lines[-2].split()[3]) if len(lines) > 1 else 0

    full = nodes()
    xboard.say("option Level=1", "memory 8", "cores 2", "cores 1", "option Hash=16", "option Threads=1")
    xboard.say("option Clear Hash")
    assert heard(xboard) == []
    assert nodes() < full
    for wrong in ("option Level=11", "option Color=1", "memory x", "cores 0", "option", "st x", "sd 0", "level 1 2"):
        xboard.say(wrong)
        assert heard(xboard)[0].startswith("Error ("), wrong


def test_clock_commands_become_search_limits() -> None:
    clock = Clock()
    clock.level("40 5:30 0")
    assert clock.limit(white=True, turns_made=41) == Limit(
        white_clock=330, black_clock=330, white_inc=0, black_inc=0, remaining_moves=39
    )
    clock.level("0 2 1.5")
    clock.own, clock.other = 60.5, 90
    clock.depth = 3
    assert clock.limit(white=False, turns_made=0) == Limit(
        white_clock=90, black_clock=60.5, white_inc=1.5, black_inc=1.5, depth=3
    )
    clock.rate = 1000
    assert clock.limit(white=False, turns_made=0) == Limit(depth=3, nodes=int(1000 * (60.5 / 30 + 1.5)))
    clock.per_turn = 2
    assert clock.limit(white=True, turns_made=0) == Limit(depth=3, nodes=2000)
    clock.rate = 0
    assert clock.limit(white=True, turns_made=0) == Limit(depth=3, time=2)


# The mouse.


def test_lifting_a_piece_highlights_where_it_can_go(xboard: Any) -> None:
    xboard.say("variant metamachy")
    heard(xboard)
    xboard.say("lift g1")
    assert heard(xboard) == ["highlight 12/12/12/12/12/12/12/12/12/12/12/4Y2YY3"]
    xboard.say("lift g0", "put", "lift", "hover x", "lift m13")
    assert all(line.startswith("Error") for line in heard(xboard)[:-1])
    xboard.say("force", "setboard 12/P7I3/12/4k7/12/12/12/12/4P7/8I3/12/K11 w - - 0 1", "lift i11", "put i12")
    assert heard(xboard) == ["highlight 7MMM2/7Y1Y2/7YYY2/12/12/12/12/12/12/12/12/12", "choice QGL"]


def test_the_mouse_captures_en_passant_in_two_legs() -> None:
    board = Board("metamachy", "k11/12/12/12/12/12/12/3p8/12/4P7/12/K11 b - - 0 1")
    board.push_uci("d5d3")
    mouse = Mouse(board, parse_square("e3"), legs=True)
    assert mouse.colors() == "12/12/12/12/12/12/12/4Y7/4Y7/3C8/12/12"
    assert not mouse.lift(parse_square("d3"))
    assert mouse.put(parse_square("d3")) == ""
    assert mouse.lift(parse_square("d3"))
    assert mouse.colors() == "12/12/12/12/12/12/12/12/3R8/12/12/12"
    assert Mouse(board, parse_square("e3"), legs=False).colors() == "12/12/12/12/12/12/12/4Y7/3RY7/12/12/12"


# Untrusted input.


def test_the_engine_survives_garbage(xboard: Any) -> None:
    rng = random.Random(1)
    text = (
        "new force usermove e2e4 e7e5 setboard 8/8/8/4k3/8/8/8/4K2R w KQkq - 0 1 undo remove variant magi level st sd "
        "nps time otim -5 99999999999999999999 option Hash=1 memory cores lift put a1 z99 hint draw ? . \x00 é"
    )
    words = text.split(" ")
    lines = ["".join(chr(rng.randrange(1, 0x300)) for _ in range(50)).replace("\n", "") for _ in range(50)]
    lines += [" ".join(rng.choices(words, k=rng.randrange(8))) for _ in range(500)]
    xboard.say(*lines, "new", "force", "ping 9")
    said = xboard.hear("pong 9", 60)
    assert all(line.isprintable() for line in said)
    xboard.say("new", "sd 1", "st 1", "usermove e2e4")
    xboard.hear(MOVE)


def test_descriptions_fit_on_a_line() -> None:
    for name in OTHERS:
        assert max(map(len, description(load(name)))) < 500


def test_any_white_space_may_be_between_words(xboard: Any) -> None:
    xboard.say("variant \t normal", "setboard\t 4k3/8/8/8/8/8/8/R3K3   w - - 0 1", "force", "usermove\t a1a8")
    assert xboard.ask("ping \t 7", "pong .*") == ["pong 7"]
