"""Games in the terminal: what is typed, and the answers."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import acedrex
from acedrex import Board
from acedrex.cli import main, setup
from acedrex.cli.match import Match, recent_turns
from tests.conftest import played
from tests.terminal.conftest import sentences

GAMES = acedrex.games()


# Playing.


def test_moves_are_accepted_in_any_notation(talk):
    out = talk("chess", lines="e4\ne7e5\nNf3\nb8c6\nBb5\nundo\nfen\n")
    assert "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n" in out
    assert "3. Bb5" in out
    assert "The game is not over. To continue from here:\nacedrex play chess --fen 'r1bqkbnr/" in out


def test_the_end_of_input_finishes_the_line(talk):
    out = talk("chess")
    assert out.endswith("White (? for help): \n")


def test_mistakes_are_explained_with_a_suggestion(talk):
    out = sentences(talk("chess", lines="nf3\ne2e5\na1a3\nNf6\nhlep\n1. e4\n\x1b[31mx\nend\n,\ne4,e5\n"))
    for words in (
        'Did you mean "Nf3"?',
        'e2e5 is not legal here: the Pawn on e2 cannot go to e5. "?e2" shows how it moves.',
        'the Rook on a1 cannot go to a3. "?a1" shows how it moves.',
        'Nf6 is not legal here: the pieces on b1 and g1 cannot go to f6. "moves" lists what is.',
        '"hlep" is not a move in SAN or coordinates. "?" tells what you can type.',
        "The turn ends before e5.",
    ):
        assert words in out
    assert "\x1b" not in out
    out = sentences(talk("chess", "--fen", "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", lines="a1a2\nRa3\n"))
    assert 'the Rook on a1 would leave White\'s King in check. "?a1" shows how it moves.' in out
    assert 'Ra3 is not legal here: the Rook on a1 would leave White\'s King in check. "moves" lists what is.' in out
    assert "White is in check." in out


def test_legal_moves_are_listed(talk):
    assert "\nd3  d4\n" in talk("chess", lines="moves d2\n")
    board = Board("maasai")
    out = talk("maasai", "--setup", "UFDO-QKGL", lines="moves\n")
    listed = out.split(": moves\n")[1].split("White")[0].split()
    assert sorted(listed) == sorted(map(board.san, board.legal_moves))
    out = talk("chess", lines="moves a1\nmoves e5\nmoves e7\nmoves z9\n")
    assert "No legal move from a1: it is blocked." in out
    assert out.count("White has no piece there.") == 2
    assert '"z9" is not a square.' in out


def test_the_random_mover_answers_moves_but_not_offers(talk):
    out = talk("chess", "--black", "random", "--seed", "7", lines="e4\nd4\nundo\nundo\nundo\nfen\n")
    assert "Your turn: White." in out
    assert "No moves yet." in out
    assert Board("chess").fen() in out
    out = talk("chess", "--white", "random", "--seed", "7", lines="undo\nfen\ndraw\n")
    assert "You have not moved yet." in out
    assert "The random mover does not answer offers" in sentences(out)
    assert re.search(r"^ 1 .*\n 2 ", out, re.MULTILINE)  # Black's side is below
    assert out == talk("chess", "--white", "random", "--seed", "7", lines="undo\nfen\ndraw\n")


def test_flip_turns_the_board(talk):
    out = talk("chess", lines="flip\nflip\n")
    assert len(re.findall(r"^    h  g  f  e  d  c  b  a$", out, re.MULTILINE)) == 1
    assert len(re.findall(r"^    a  b  c  d  e  f  g  h$", out, re.MULTILINE)) == 2


def test_a_game_ends_by_resignation_or_agreement(talk):
    assert "White resigned. Black wins." in talk("chess", lines="resign\n")
    assert "Black resigned. White wins (4-0)." in talk("magi:scoring=four_points", lines="e5\nresign\n")
    assert "Draw: by agreement." in talk("chess", lines="draw\nyes\n")
    assert "Draw (2-2): by agreement." in talk("magi:scoring=four_points", lines="e5\ndraw\nY\n")
    out = talk("chess", lines="resign\ne4\nmoves\nresign\ndraw\nclaim draw\nundo\ne4\n")
    assert sentences(out).count("The game is over; undo takes back the last move, new starts another game.") == 5
    assert "1. e4" in out
    out = talk("chess", lines="e4\nresign\nnew\nd4\n")
    assert out.count("White (? for help): ") == 2


def test_an_offered_draw_can_be_declined(talk):
    out = talk("chess", lines="e4\ndraw\nno\nfen\ndraw\n e5\ndraw\n\nfen\n")
    question = "Black offers a draw. White, do you accept? (yes or no) "
    assert out.count(question) == out.count("White declines the draw.") == 3
    assert out.count(played("chess", "e2e4").fen()) == 3  # twice on request, once at the end
    assert "by agreement" not in out
    # An offer that nobody answers does not end the game.
    out = talk("chess", lines="draw\n")
    assert "White offers a draw. Black, do you accept?" in out
    assert "by agreement" not in out


def test_a_draw_can_be_claimed_only_when_it_is_due(talk):
    back = "Nf3\nNf6\nNg1\nNg8\n"
    out = sentences(talk("chess", lines=f"claim draw\n{back}claim draw\n{back}claim draw\n"))
    assert "There is no draw to claim: this position has occurred 1 time, and 0 moves have passed" in out
    assert "this position has occurred 2 times, and 8 moves" not in out
    assert "this position has occurred 2 times, and 4 moves" in out
    assert "Draw: threefold repetition." in out
    fen = "7k/8/8/8/8/8/R7/K7 w - - 120 90"
    assert "Draw: 50-move rule." in sentences(talk("chess", "--fen", fen, lines="claim draw\n"))


def test_a_bare_king_requires_a_choice_between_claim_and_playon(talk):
    fen = "5k4/10/4K5/10/10/10/10/10/10/3N6 w - - 0 1"
    out = sentences(talk("magi:scoring=four_points", "--fen", fen, lines="Ne3\nclaim\n"))
    assert 'The enemy King is bare. "claim" wins 3-1;' in out
    assert "Ne3 is not legal here" in out
    assert "Bare King. White wins (3-1)." in out
    out = talk("magi:scoring=four_points", "--fen", fen, lines="playon\nNe3\nfen\n")
    assert " b X - 1 1\n" in out
    assert "no draw to claim" not in out


def test_the_state_of_a_turn_of_several_moves_is_shown(talk):
    out = talk("chieftain", lines="Cc3\nc3c4\nd1e2\na4a5,b5b6\nend\nundo\nundo\n")
    words = sentences(out)
    assert "Moves left: 4 of 4." in words
    assert "In command: all but b5 g5" in words
    assert "Moves left: 3 of 4;" in words
    assert "=C=" in out
    assert ":M:" in out
    assert "Moved: c3." in words
    assert (
        'c3c4 is not legal here: the Chieftain on c3 cannot move a second time in this turn. "?c3" shows how it moves.'
        in words
    )
    assert "1. Cc3" in words
    assert "Black to move." in sentences(talk("chieftain", lines="a4a5\nend\nmoves\n"))
    out = sentences(talk("chieftain", lines="c1c3\na4a5\nb5b6\n"))
    assert "the Man on b5 cannot move without an unused Chieftain in range." in out


def test_a_line_of_moves_is_played_completely_or_not_at_all():
    match = Match(Board("chieftain"), {True: "human", False: "human"}, random.Random(1))
    with pytest.raises(acedrex.Error):
        match.play("a4a5, d4d5, zz")
    assert match.board == Board("chieftain")
    match.play("a4a5, d4d5")
    assert [move.uci() for move in match.board.turn_moves] == ["a4a5", "d4d5"]


def test_pieces_in_command_are_marked_only_if_some_are_out_of_command(talk):
    assert ":m:" not in talk("chieftain", lines="a4a5\n") and ":M:" in talk("chieftain", lines="a4a5\n")
    # Command without a limit, or turns without command: every piece that has not moved may move.
    for spec in ("chieftain:command_range=unlimited", "marseillais"):
        out = talk(spec, lines=f"{'a4a5' if spec != 'marseillais' else 'e2e4'}\n")
        assert not re.search(r":\w:", out)
        assert spec == "marseillais" or "=M=" in out


def test_two_passes_end_the_game_in_a_draw(talk):
    out = sentences(talk("chieftain:pass=on", lines="pass\nend\n"))
    assert '"pass" skips it' in out
    assert "Draw: both sides passed." in out


def test_recent_turns_are_grouped_with_their_number_and_side():
    board = Board("marseillais:balanced=on")
    for san in ("e4", "e5", "d5", "d4", "Nf3"):
        board.push_san(san)
    turns = [(turn.number, turn.color, turn.san) for turn in recent_turns(board, 9)]
    assert turns == [(1, True, "e4"), (1, False, "e5,d5"), (2, True, "d4,Nf3")]
    assert [turn.san for turn in recent_turns(board, 1)] == ["d4,Nf3"]
    assert recent_turns(Board("chess"), 3) == []


# The setup phase.


def test_black_chooses_a_setup_by_number_by_name_or_at_random(talk):
    out = sentences(talk("metamachy", lines="5\nkqgl\n\nfen\n"))
    assert "Shown: number 22 of 24, QKLG." in out
    assert f"Shown: number 5 of 24, {acedrex.load('metamachy').setups[4]}." in out
    number = acedrex.load("metamachy").setups.number("KQGL")
    assert f"Setup {number} of 24: KQGL" in out
    assert Board("metamachy", setup="KQGL").fen() in out
    out = sentences(talk("maasai", lines="random\nyes\n"))
    assert out.count("Shown: number") == 2
    assert "White to move." in out


def test_the_setup_phase_lists_setups_and_explains_mistakes(talk):
    out = talk("metamachy", lines="?\nKKKK\n99\nlist\n3\nquit\n")
    assert "Type the name of a setup" in out
    assert 'has no setup "KKKK"; give a number from 1 to 24' in sentences(out)
    assert "numbers its setups from 1 to 24" in sentences(out)
    assert re.search(r"^ 1 GKLQ  ", out, re.MULTILINE)
    assert "White to move" not in out
    assert "Setup [QKLG]" in talk("metamachy")
    out = talk("maasai", lines="KKKKKKKKKKKK-LLLLLLLLLLLL-MMMMMMMMMM\nquit\n")
    assert 'has no setup "KKKKKKKKKKKK-LLLLLLLLLLLL-MMMMMMMMMM"; give a number' in sentences(out)
    assert max(map(len, out.splitlines())) <= 80, "no word is broken by the terminal"


def test_a_given_setup_is_not_asked_for(talk):
    assert "Setup [" not in talk("metamachy", "--setup", "3", lines="")
    assert "Setup [" not in talk("metamachy", "--fen", Board("metamachy").fen(), lines="")
    out = talk("metamachy", "--black", "random", "--seed", "5", lines="")
    assert re.search(r"Setup \d+ of 24: ", out)


def test_the_free_squares_include_whites_mirrored_ones():
    game = acedrex.load("maasai")
    free = setup.free_squares(game)
    assert len(free) == 16
    assert {acedrex.square_name(at) for at in free} >= {"e1", "e2", "e11", "e12"}


def test_long_lists_of_setups_are_shortened(monkeypatch):
    monkeypatch.setattr(setup, "MAX_LISTED", 10)
    lines = setup.listing(acedrex.load("maasai"), 80)
    assert lines[-1] == "and so on, to number 288"
    assert len(" ".join(lines[:-1]).split()) == 20


def test_the_game_is_asked_for_if_none_is_given(talk):
    assert "Setup [QKLG]" in talk(lines="\nquit\n")
    assert "White (? for help)" in talk(lines="chess\n")
    assert talk().endswith("Which game? [metamachy] \n")


# Records.


@pytest.mark.parametrize("name", GAMES)
def test_games_are_saved_and_loaded(talk, tmp_path, name):
    board = Board(name)
    chance = random.Random(4)
    for _ in range(9):
        board.push(chance.choice(list(board.legal_moves)))
    lines = "".join(f"{move.uci()}\n" for move in board.move_stack)
    path = tmp_path / "game.pgn"
    choice = ("--setup", board.game.setups.number(Board(name).setup_name())) if len(board.game.setups) else ()
    talk(name, *choice, lines=f"{lines}save {path}\n")
    out = talk("--load", path, lines="fen\nundo\nfen\n")
    assert f": fen\n{board.fen()}\n" in out
    board.pop()
    assert f": fen\n{board.fen()}\n" in out
    assert f"\n{board.fen()}\n" in talk("knightmate", lines=f"load {path}\nundo\nfen\n")


def test_a_tilde_stands_for_the_home_folder(talk, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    talk("chess", lines="e4\nsave ~/game.pgn\n")
    assert "1. e4 *" in (tmp_path / "game.pgn").read_text(encoding="utf-8")
    assert "~/game.pgn loaded" in sentences(talk("chess", lines="load ~/game.pgn\n"))


def test_files_are_not_overwritten_by_mistake(talk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # long paths are broken across lines
    path, other, folder = Path("game.pgn"), Path("other.pgn"), Path("folder")
    folder.mkdir()
    other.write_text("precious", encoding="utf-8")
    out = sentences(talk("chess", lines=f"e4\nsave {path}\ne5\nsave {path}\nsave {other}\nsave\nsave {folder}\n"))
    assert out.count(f"Saved as {path}.") == 2
    assert f'"{other}" already exists; "overwrite {other}" replaces it.' in out
    assert '"save" needs a file name, such as save game.pgn.' in out
    assert other.read_text(encoding="utf-8") == "precious"
    assert "1. e4 e5 *" in path.read_text(encoding="utf-8")
    out = sentences(talk("chess", lines=f"d4\noverwrite {other}\noverwrite {folder}\noverwrite {path}\n"))
    assert f'"{other}" is not a PGN file and will not be overwritten; choose another name.' in out
    assert f'"{folder}" is not a PGN file' in out
    assert other.read_text(encoding="utf-8") == "precious"
    assert "1. d4 *" in path.read_text(encoding="utf-8")
    for text in ("", '\ufeff\r\n[Event "?"]\r\n\r\n1. e4 *\r\n'):
        other.write_text(text, encoding="utf-8")
        assert f"Saved as {other}." in sentences(talk("chess", lines=f"d4\noverwrite {other}\n"))
        assert "1. d4 *" in other.read_text(encoding="utf-8")


def test_the_end_of_a_game_is_saved_and_loaded(talk, tmp_path):
    path = tmp_path / "game.pgn"
    talk("magi:scoring=four_points", "--black", "random", lines=f"e5\nresign\nsave {path}\n")
    text = path.read_text(encoding="utf-8")
    for tag in ('[Result "0-1"]', '[Score "0-4"]', '[Options "scoring=four_points"]', '[Black "Random mover"]'):
        assert tag in text
    out = talk("--load", path, lines="undo\nundo\n")
    assert "According to the PGN. Black wins (0-4)." in out
    assert "scoring=four_points" in out
    assert "acedrex play magi:scoring=four_points --fen " in talk("magi", lines=f"load {path}\nundo\n")


def test_files_that_cannot_be_loaded_are_explained(talk, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # long paths are broken across lines
    empty, broken, other, folder = (Path(name) for name in ("empty.pgn", "broken.pgn", "other.pgn", "folder"))
    folder.mkdir()
    empty.write_text("", encoding="utf-8")
    broken.write_text('[Variant "chess"]\n\n1. e4 e5 2. Qd9 Nc6 *\n', encoding="utf-8")
    other.write_text('[Variant "nogame"]\n\n1. e4 *\n', encoding="utf-8")
    out = sentences(talk("chess", lines=f"load {empty}\nload {other}\nload {folder}\nload {broken}\nfen\n"))
    assert f'"{empty}" contains no game.' in out
    assert f'"{other}" is a game of "nogame", which does not ship with Acedrex;' in out
    assert f"Cannot read {folder}: Is a directory." in out
    assert f"{broken} loaded, but: line 3, column" in out
    assert "1. e4 e5" in out
    assert "Qd9" in sentences(talk("--load", broken))
    assert main(["play", "magi", "--load", str(broken)]) == 1
    assert "is a game of Chess" in capsys.readouterr().err


def test_pgn_of_a_custom_game_needs_its_definition(talk, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.toml").write_text('[game]\nid = "own"\nextends = "chess"\n', encoding="utf-8")
    (tmp_path / "own.pgn").write_text('[Variant "own"]\n\n1. e4 *\n', encoding="utf-8")
    for command in (["play", "--load", "own.pgn"], ["play", "chess", "--load", "own.pgn"]):
        assert main(command) == 1
        told = capsys.readouterr().err
        assert '"own.pgn" is a game of "own", which does not ship with Acedrex; give its definition file' in told
        assert '"acedrex play own.toml --load own.pgn"' in told
    assert "1. e4" in sentences(talk("own.toml", "--load", "own.pgn"))
    assert main(["play", "--load", "own.toml"]) == 1
    assert '"own.toml" is a definition file, not PGN; "acedrex play own.toml" plays its game' in capsys.readouterr().err


def test_the_command_to_continue_a_custom_game_names_its_options(talk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.toml").write_text('[game]\nid = "own"\nextends = "magi"\n', encoding="utf-8")
    spec = "./own.toml:scoring=four_points"
    assert f"acedrex play {spec} --fen" in talk(spec, lines="d4\nsave own.pgn\n")
    assert f"acedrex play {spec} --fen" in talk("./own.toml", "--load", "own.pgn")
    assert f"acedrex play {spec} --fen" in talk("./own.toml", lines="load own.pgn\n")
    assert "acedrex play ./own.toml --fen" in talk("./own.toml", lines="load own.pgn\nnew\nd4\n")


# Arbitrary input.


@pytest.mark.parametrize("name", GAMES)
def test_any_input_is_answered_without_control_characters(talk, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    chance = random.Random(name)
    board = Board(name)
    words = [
        *("help", "flip", "board", "fen", "quit", "exit", "q", "undo", "resign", "draw", "best", "new"),
        *(
            "?",
            "?e4",
            "?a1",
            "?K",
            "?Q'",
            "?King",
            "moves",
            "moves b1",
            "moves x",
            "claim draw",
            "end",
            "pass",
            "claim",
        ),
        *(
            "playon",
            "save a.pgn",
            "overwrite a.pgn",
            "load a.pgn",
            "load",
            "1",
            "random",
            "list",
            "",
            "  ",
            ",",
            "a1a1,",
        ),
        *(
            "\u00e9",
            "\x00",
            "🙂",
            "O-O",
            "e4",
            "Nf3",
            "=",
            "x" * 500,
            "0",
            "?" * 9,
            "e99e99",
            "p16p16",
            "\u202e",
            "a0a0",
        ),
    ]
    words = [word for word in words if word not in ("quit", "exit", "q")]
    lines = []
    for _ in range(120):
        if chance.random() < 0.5 and not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
            lines.append(board.peek().uci())
        else:
            lines.append(chance.choice(words))
    players = ("--black", "random") if chance.random() < 0.5 else ()
    out = talk(name, *players, "--seed", "1", lines="\n".join(["", *lines, ""]))
    assert not re.search("[\x00-\x09\x0b-\x1f]", out)
