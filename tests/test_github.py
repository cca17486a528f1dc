"""What runs on GitHub and in pre-commit, compared with what exists here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(PYTHON)", ".venv/bin/python")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
LOCAL = re.compile(r"(?<![\w/$-])((?:\.ci|tools|requirements)/[\w./-]+)")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def recipe(target: str) -> list[str]:
    found = re.search(rf"^{target}:[^\n]*\n((?:\t[^\n]*\n)*)", MAKEFILE, re.MULTILINE)
    assert found, f"no target {target}"
    return [line.lstrip("\t@") for line in found[1].splitlines()]


def test_hooks_run_what_make_check_runs() -> None:
    (own,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert own["repo"] == "local"
    parts = [line for part in ("check-rust", "check-python", "check-web") for line in recipe(part)]
    assert [hook["entry"] for hook in own["hooks"]] == parts
    assert {hook["language"] for hook in own["hooks"]} == {"system"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_only_existing_targets_and_files(path: Path) -> None:
    jobs = read(path)["jobs"].values()
    commands = [step["run"] for job in jobs for step in job.get("steps", ()) if "run" in step]
    for command in commands:
        for target in re.findall(r"\bmake (\w+)", command):
            assert recipe(target)
        for name in LOCAL.findall(command):
            assert (ROOT / name).is_file()
    for job in jobs:
        if (called := job.get("uses", "")).startswith("./"):
            assert (ROOT / called).is_file()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_have_minimal_permissions_and_time_limits(path: Path) -> None:
    told = read(path)
    assert told["permissions"] == {"contents": "read"}
    assert "group" in told["concurrency"]
    for name, job in told["jobs"].items():
        # A called workflow sets its own limits.
        assert "uses" in job or "timeout-minutes" in job, name


def test_dependabot_watches_existing_files() -> None:
    files = {"cargo": "Cargo.lock", "npm": "package-lock.json", "github-actions": ".github/workflows"}
    for update in read(ROOT / ".github" / "dependabot.yml")["updates"]:
        for folder in update.get("directories") or [update["directory"]]:
            place = ROOT / folder.strip("/")
            if update["package-ecosystem"] == "pip":
                assert (place / "pyproject.toml").is_file() or list(place.glob("*.in")), folder
            else:
                assert (place / files[update["package-ecosystem"]]).exists(), folder
