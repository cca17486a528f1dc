"""The commands that start a server and back up its database."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from acedrex.cli import main
from acedrex.server.settings import database_url
from acedrex.server.storage.migrate import migrate
from tests.server.conftest import Server


@pytest.mark.parametrize("command", [["serve"], ["backup", "x"], ["restore", "x"]])
def test_commands_without_the_server_extra_say_what_to_install(command: list[str]) -> None:
    code = "import sys; sys.modules |= dict.fromkeys(['msgspec', 'sqlalchemy']); from acedrex.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=False)
    assert 'pip install ".[server]"' in done.stderr


@pytest.mark.parametrize(
    "variable, url, says",
    [
        ("REDIS", "redis://127.0.0.1:9", r"cannot reach Redis at redis://127\.0\.0\.1:9"),
        ("REDIS", "redis://me:a:secret@127.0.0.1:9", r"cannot reach Redis at redis://\*\*\*@127\.0\.0\.1:9"),
        ("REDIS", "nonsense", "cannot reach Redis at nonsense"),
        ("DATABASE", "nonsense", "ACEDREX_DATABASE_URL"),
        ("DATABASE", "mysql://a/b", "sqlite:///file.db or postgresql://"),
        ("DATABASE", "sqlite:////nowhere/x.db", "cannot open the database"),
    ],
)
@pytest.mark.parametrize("words", [["serve"], ["backup", "{}/copy"]])
def test_unusable_addresses_are_reported_without_secrets(
    variable: str,
    url: str,
    says: str,
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if words[0] == "backup" and variable == "REDIS":
        return
    monkeypatch.setenv("ACEDREX_DATABASE_URL", f"sqlite:///{tmp_path}/a.db")
    monkeypatch.setenv(f"ACEDREX_{variable}_URL", url)
    assert main([word.format(tmp_path) for word in words]) == 1
    said = capfd.readouterr().err
    assert re.search(says, said) and "secret" not in said and "Traceback" not in said


@pytest.mark.parametrize(
    "words, says",
    [
        (["serve", "--games", "/nowhere"], "folder not found"),
        (["serve", "--workers", "2"], "ACEDREX_REDIS_URL"),
        (["backup", "/nowhere/x"], "No such file"),
        (["backup", "{}/copy"], "cannot read the database: it has no Acedrex tables yet"),
        (["restore", "/nowhere/x"], "No such file"),
    ],
)
def test_wrong_arguments_are_reported(
    words: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ACEDREX_DATABASE_URL", f"sqlite:///{tmp_path}/a.db")
    assert main([word.format(tmp_path) for word in words]) == 1
    assert says in capsys.readouterr().err


def test_backup_and_restore_report_the_number_of_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ACEDREX_DATABASE_URL", f"sqlite:///{tmp_path}/a.db")
    migrate(database_url())
    assert main(["backup", str(tmp_path / "copy")]) == 0
    monkeypatch.setenv("ACEDREX_DATABASE_URL", f"sqlite:///{tmp_path}/b.db")
    assert main(["restore", str(tmp_path / "copy")]) == 0
    assert capsys.readouterr().out == "0 rows copied.\n0 rows restored.\n"


def test_the_database_is_in_the_users_data_folder_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACEDREX_DATABASE_URL", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert database_url() == f"sqlite+aiosqlite:///{tmp_path}/acedrex/acedrex.db"
    assert (tmp_path / "acedrex").is_dir()
    monkeypatch.setenv("ACEDREX_DATABASE_URL", "postgres://me@host/name")
    assert database_url() == "postgresql+asyncpg://me@host/name"


@pytest.mark.parametrize("words", [["serve", "--port", "65000"], ["restore", "{}/copy"]])
def test_a_file_of_sqlite_is_for_one_server(
    words: list[str],
    start: Callable[..., Server],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = start()
    monkeypatch.setenv("ACEDREX_DATABASE_URL", f"sqlite:///{tmp_path}/server.db")
    assert main(["backup", str(tmp_path / "copy")]) == 0
    assert main([word.format(tmp_path) for word in words]) == 1
    assert "another server uses the database" in capsys.readouterr().err
    # A server that was killed leaves nothing behind that would keep the next one from starting.
    server.kill()
    server.start()
