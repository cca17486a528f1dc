"""How games end, and what that scores."""

from . import chesslike, chieftain, magi
from .squares import is_dark, other

SCORE_OF_WINNER = {"w": "1-0", "b": "0-1", None: "1/2-1/2"}


def of(position):
    if position.many_plies:
        return of_chieftain(position)
    if position.claimed:
        return ended(position, "bare_king", position.turn, 3)
    if not position.moves():
        if chesslike.in_check(position):
            return ended(position, "checkmate", other(position.turn), 4)
        return stalemate(position)
    if four_points(position):
        if magi.both_bare(position):
            return ended(position, "bare_kings")
    elif is_dead(position):
        return ended(position, "dead_position")
    return counters(position)


def of_chieftain(position):
    for side in "wb":
        if chieftain.chiefs_of(position, side) == 0:
            return ended(position, "royals_captured", other(side))
    if position.double_pass:
        return ended(position, "double_pass")
    if not position.legal():
        return ended(position, "no_moves")
    return counters(position)


def four_points(position):
    return position.options.get("scoring") == "four_points"


def has_played_on(position):
    return "X" in position.rights or "x" in position.rights


def stalemate(position):
    """A draw, or three points of four; nobody wins once a side has played on."""
    if four_points(position) and not has_played_on(position):
        return ended(position, "stalemate", other(position.turn), 3)
    return ended(position, "stalemate")


def counters(position):
    """What ends the game by itself; the counters stand still inside a turn."""
    if position.plies:
        return None
    if repetitions(position) >= 5:
        return ended(position, "fivefold_repetition")
    if position.halfmove >= 150:
        return ended(position, "seventyfive_moves")
    return None


def claimable(position):
    if position.plies or of(position):
        return []
    claims = []
    if repetitions(position) >= 3:
        claims.append("threefold_repetition")
    if position.halfmove >= 100:
        claims.append("fifty_moves")
    return claims


def repetitions(position):
    return position.history.count(position.history[-1])


def is_dead(position):
    game = position.game
    rest = [(s, v.upper()) for s, v in position.board.items() if v.upper() != "K"]
    if len(rest) == 1 and rest[0][1] in game.never_mate:
        return True
    # No piece at all is the King against King.
    if any(kind not in game.colour_bound for _, kind in rest):
        return False
    return len({is_dark(square) for square, _ in rest}) <= 1


def ended(position, reason, winner=None, points=4):
    """`points` of four for the winner; no winner is a draw."""
    result = SCORE_OF_WINNER[winner]
    score = result
    if four_points(position):
        white = 2 if winner is None else points if winner == "w" else 4 - points
        score = f"{white}-{4 - white}"
    return {"reason": reason, "result": result, "score": score}


def by_players(position, reason, loser=None):
    """Ends that are no ply: agreement, resignation, time, a claimed draw."""
    winner = None if loser is None else other(loser)
    if reason == "time" and no_win_on_time(position, winner):
        winner = None
    return ended(position, reason, winner)


def no_win_on_time(position, winner):
    """Against a lone King; and once a side has played on for mate or resignation."""
    if position.many_plies:
        return False
    return magi.material(position, winner) == ["K"] or has_played_on(position)
