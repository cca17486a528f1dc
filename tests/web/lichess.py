"""A drawing of lichess's game page to scale, to compare our pages with: no picture or code of lichess is in it.

The figures are those of lichess's published style sheets (lila, ui/lib and ui/round, 2026): a header of 60 pixels;
three columns, of 250 to 350, the board, and 240 to 400 pixels; a board at the default zoom of 85 %, which is 0.8875 of
the height between header and margin; on phones one column with a board as wide as the screen. Margins are estimates.
"""

from __future__ import annotations

__all__ = ["outline"]

HEADER, MARGIN, GAP, ZOOM = 60, 16, 16, 0.8875
COLOURS = {
    "light": {"page": "hsl(37 10% 92%)", "box": "#fff", "font": "hsl(0 0% 30%)"},
    "dark": {"page": "hsl(37 10% 8%)", "box": "hsl(37 7% 14%)", "font": "hsl(0 0% 73%)"},
}
LIGHT, DARK = "#f0d9b5", "#b58863"
LAST_MOVE, SELECTED = "rgba(155, 199, 0, 0.41)", "rgba(20, 85, 30, 0.5)"


def outline(width: int, height: int, theme: str) -> str:
    """Return the page as an SVG of this size."""
    colours = COLOURS[theme]
    phone = width < 800
    size = width if phone else round((height - HEADER - 2 * MARGIN) * ZOOM)
    side = 0 if phone else 350 - max(0, 350 + size + 400 + 2 * GAP - width) // 2
    table = 0 if phone else width - side - size - 2 * GAP - 2 * MARGIN
    left = 0 if phone else MARGIN + side + GAP
    top = HEADER + 40 + 50 if phone else HEADER + MARGIN
    square = size / 8

    def box(x: float, y: float, w: float, h: float, text: str) -> str:
        label = f'<text x="{x + 14}" y="{y + 26}" fill="{colours["font"]}">{text}</text>'
        return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="7" fill="{colours["box"]}"/>{label}'

    parts = [
        f'<rect width="{width}" height="{height}" fill="{colours["page"]}"/>',
        f'<text x="16" y="38" fill="{colours["font"]}" font-size="22">lichess (drawn to scale)</text>',
    ]
    for place in range(64):
        file, rank = place % 8, place // 8
        fill = LIGHT if (file + rank) % 2 == 0 else DARK
        at = f'x="{left + file * square}" y="{top + rank * square}" width="{square}" height="{square}"'
        parts.append(f'<rect {at} fill="{fill}"/>')
        mark = {(4, 6): LAST_MOVE, (4, 4): LAST_MOVE, (6, 0): SELECTED}.get((file, rank))
        if mark:
            parts.append(f'<rect {at} fill="{mark}"/>')
    if phone:
        parts += [box(0, HEADER, width, 40, "moves"), box(0, HEADER + 40, width, 50, "player, clock")]
        parts += [box(0, top + size, width, 50, "player, clock"), box(0, height - 80, width, 80, "controls")]
    else:
        right, low = left + size + GAP, top + size
        parts.append(box(MARGIN, top, side, 110, f"game, {side} px"))
        parts.append(box(MARGIN, top + 126, side, low - top - 126, "chat"))
        parts += [box(right, top + 150, table, low - top - 300, f"players, clocks, moves, buttons: {table} px")]
    parts.append(f'<text x="{left + 12}" y="{top + 30}" fill="#333" font-size="20">board {size} px</text>')
    view = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="16"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {view}>{"".join(parts)}</svg>'
