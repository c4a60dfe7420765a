"""The band around a theoretical win as a small picture, legible in black and white."""

from taisai.server.http.figures.views import FiguresView, KindFigures

WIDTH, HEIGHT = 140, 16
_MARGIN = 6


def band_picture(figures: FiguresView | KindFigures, described: str) -> str:
    """Draw the two bands, a line at theory and a diamond at the win; `described` says it all."""
    band = figures.band
    ends = (band.lowest, band.highest, figures.win)
    least, most = min(ends), max(ends)

    def place(amount: int) -> float:
        if most == least:
            return WIDTH / 2
        return round(_MARGIN + (amount - least) * (WIDTH - 2 * _MARGIN) / (most - least), 1)

    def bar(low: int, high: int, top: int, shade: str) -> str:
        width = round(place(high) - place(low), 1)
        height = HEIGHT - 2 * top
        return (
            f'<rect x="{place(low)}" y="{top}" width="{width}" height="{height}" fill="{shade}"/>'
        )

    theory, win, middle = place(figures.theory), place(figures.win), HEIGHT // 2
    return (
        f'<svg role="img" aria-label="{described}" width="{WIDTH}" height="{HEIGHT}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}"><title>{described}</title>'
        f"{bar(band.lowest, band.highest, 5, '#ccc')}{bar(band.low, band.high, 4, '#888')}"
        f'<line x1="{theory}" y1="0" x2="{theory}" y2="{HEIGHT}" stroke="#000" stroke-width="1.5"/>'
        f'<path d="M{win} {middle - 5}l5 5l-5 5l-5 -5z" fill="#fff" stroke="#000"'
        ' stroke-width="1.5"/></svg>'
    )
