"""Hand-made positions, each with the sentence of the rules that it holds.

Fields of a case, all optional but `name`, `sentence`, `game` and `fen`: `options`,
`plies` (made first), then what must be found: `legal`, `includes`, `excludes`,
`check`, `gives_check`, `fen_after`, `san`, `claimable`, `outcome`, `error` (the
FEN is refused); `by` is an end without a ply: its `reason` and maybe its `loser`;
`setup` and `number` say which setup has this start.
"""

from . import outcome, starts
from .position import Position
from .vectors import DATA, load


def differences(case):
    game, options = case["game"], case.get("options", "")
    if "setup" in case:
        yield from differences_of_setup(case)
        return
    try:
        position = Position.from_fen(game, case["fen"], options)
    except ValueError as error:
        if not case.get("error"):
            yield f"refused: {error}"
        return
    if case.get("error"):
        yield "not refused"
        return
    for ply in case.get("plies", []):
        position = position.play(ply)
    yield from differences_of_plies(case, position)
    again = Position.from_fen(game, position.fen(), options)
    if again.fen() != position.fen():
        yield f"FEN not read back: {position.fen()}"
    found = {
        "check": position.in_check(),
        "fen_after": position.fen(),
        "claimable": position.claimable(),
        "outcome": position.outcome(),
    }
    if "by" in case:
        by = case["by"]
        found["outcome"] = outcome.by_players(position, by["reason"], by.get("loser"))
    for key, value in found.items():
        if key in case and case[key] != value:
            yield f"{key} is {value}"


def differences_of_plies(case, position):
    legal = position.legal()
    if "legal" in case and case["legal"] != legal:
        missing = sorted(set(case["legal"]) - set(legal))
        extra = sorted(set(legal) - set(case["legal"]))
        yield f"missing {missing}, extra {extra}"
    missing = [ply for ply in case.get("includes", []) if ply not in legal]
    if missing:
        yield f"missing {missing}"
    extra = [ply for ply in case.get("excludes", []) if ply in legal]
    if extra:
        yield f"extra {extra}"
    for ply, expected in case.get("gives_check", {}).items():
        if ply not in legal or position.gives_check(ply) != expected:
            yield f"{ply} gives check: not {expected}"
    for ply, expected in case.get("san", {}).items():
        if ply not in legal or position.san(ply) != expected:
            written = position.san(ply) if ply in legal else "illegal"
            yield f"{ply} is {written}"


def differences_of_setup(case):
    game, name = case["game"], case["setup"]
    if starts.setup_fen(game, name) != case["fen"]:
        yield f"the start is {starts.setup_fen(game, name)}"
    if starts.rank(game, name) != case["number"]:
        yield f"the number is {starts.rank(game, name)}"
    if starts.unrank(game, case["number"]) != name:
        yield f"the name is {starts.unrank(game, case['number'])}"


def check():
    """Check every file; the number of differences."""
    wrong = 0
    for path in sorted((DATA / "cases").glob("*.json")):
        cases = load(path)["cases"]
        for case in cases:
            for text in differences(case):
                print(f"{path.name}: {case['name']}: {text}")
                wrong += 1
        print(f"{path.name}: {len(cases)} cases", flush=True)
    return wrong
