"""Errors say what is wrong, where, and what to do: options, games, drawings, lists of pieces and squares."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import acedrex
from tests.plain_game import BASE, fault, faults


def test_a_wrong_option_is_not_reported_as_an_error_in_a_file(tmp_path: Path) -> None:
    """A wrong choice is not in any file, so no line is named, and no file but the one that was loaded."""
    own = tmp_path / "cx.toml"
    own.write_text('[game]\nid = "cx"\nextends = "chieftain"\n', encoding="utf-8")
    for choice, words in (
        ({"command_range": 99}, 'cx.toml: options.command_range: no value "99"; there are 1, 2, 3, '),
        (
            {"command_range": True},
            "cx.toml: options.command_range: it needs a value, such as command_range=1; there are",
        ),
        ({"comand_range": 3}, 'cx.toml: options: no option "comand_range"; there are command_range, '),
    ):
        with pytest.raises(acedrex.DefinitionError) as caught:
            acedrex.load(own, **choice)
        assert str(caught.value).startswith(words)
        [found] = caught.value.faults
        assert (found.line, found.column, str(found)) == (0, 0, str(caught.value))
    assert str(caught.value).endswith('; did you mean "command_range"?')
    with pytest.raises(acedrex.DefinitionError, match=r'did you mean "loss"\?$'):
        acedrex.Game(BASE + '[options.tie]\nvalues = ["draw", "loss"]\n', "plain.toml", {"tie": "los"})


def test_the_command_line_reports_wrong_options_and_games(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cx.toml").write_text('[game]\nid = "cx"\nextends = "chieftain"\n', encoding="utf-8")
    for spec, words in (
        ("cx:command_range=99", 'there is no game "cx"; did you mean the definition file cx.toml?'),
        ("cx.toml:command_range=99", 'cx.toml:command_range: no value "99"; there are 1, 2, 3'),
        ("cx.toml:command_range", "cx.toml:command_range: it needs a value, such as command_range=1; there are 1, 2"),
        ("Maasai", 'there is no game "Maasai"; did you mean maasai? "acedrex games" lists all games'),
    ):
        for command in (["show", spec], ["play", spec], ["xboard", "--game", spec], ["uci", "--game", spec]):
            status, _, err = run(*command)
            assert status
            assert words in err, command
    # The example on the page of rules works.
    [example] = re.findall(r"game's name: (\S+)$", run("rules", "cx.toml")[1], re.MULTILINE)
    assert example.startswith("cx.toml:") and run("show", example)[0] == 0


def test_unknown_games_and_setups_are_reported_with_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(acedrex.DefinitionError, match=r'^maasia: no such game; there are .*; did you mean "maasai"\?$'):
        acedrex.load("maasia")
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text(BASE, encoding="utf-8")
    with pytest.raises(
        acedrex.DefinitionError, match=r"^own: no such game; the definition file here is loaded as 'own"
    ):
        acedrex.load("own")
    with pytest.raises(acedrex.Error, match=r"has no setup number 3; it has no setups, so leave this out$"):
        acedrex.Board("own.toml", setup=3)
    with pytest.raises(acedrex.Error, match=r"has no setup number 999; there are 24, such as 'GKLQ'$"):
        acedrex.Board("metamachy", setup=999)


def test_unknown_drawings_are_reported_by_check_but_still_load(tmp_path: Path) -> None:
    text = BASE.replace('move = "N"', 'move = "N", art = "unicornn"')
    [found] = faults(tmp_path, text)
    assert (found.key, found.line) == ("pieces.N.art", 12)
    assert found.message.startswith('there is no drawing "unicornn"; leave art out to let the name decide')
    assert found.message.endswith('did you mean "unicorn"?')
    assert acedrex.Game(text, "plain.toml").piece("N").art == "unicornn"
    assert faults(tmp_path, text.replace("unicornn", "unicorn")) == []


def test_invalid_lists_of_pieces_and_squares_are_explained(tmp_path: Path) -> None:
    for promotes, words in (
        ('"Q Z"', '"Q Z", character 3: not a piece letter of this game; its letters are K Q R B N P, in capitals'),
        ('"q"', '"q", character 1: not a piece letter of this game; its letters are K Q R B N P, in capitals'),
        ('"Queen"', '"Queen", character 2: not a piece letter of this game'),
        ('["Q"]', 'a list where letters of pieces, such as "Q R", was expected'),
        ('"P"', "P only moves forward and would be stuck on the last rank; leave P out"),
    ):
        told = fault(tmp_path, BASE.replace('move = "fmWfcF"', f'move = "fmWfcF", promotes_to = {promotes}'))
        assert f":13:53: pieces.P.promotes_to: {words}" in told
    assert 'a list where squares, such as "a8 b8"' in fault(tmp_path, f'{BASE}[promotion]\nat = ["a8"]\n')
    for group, words in (
        ('pieces = "N"', ":15:11: setup.groups: a group needs as many pieces as squares, not 1 for 2"),
        (
            'pieces = "N R"',
            ":15:11: setup.groups: the group has N R, but at the start N B stand on b1 c1; make both the",
        ),
        ('pieces = "N B", only = { Q = "b1" }', ":15:61: setup.groups.only.Q: this group has N B; use one of these"),
    ):
        assert words in fault(tmp_path, f'{BASE}[setup]\ngroups = [{{ squares = "b1 c1", {group} }}]\n')
