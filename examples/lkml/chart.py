#!/usr/bin/env python3
"""chart.py TITLE < TABLE > SVG: bars for a table of tabs.

The first line names the columns; each other line is a label, what is wanted ("" for nothing), and a number for each
column ("-" for none). Each row has a scale of its own; what is wanted is a line across its bars; the last column, which
is ours, stands out.
"""
import sys
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT = 760, 190, 80           # pixels; names to the left of the bars, numbers to the right
BAR, GAP, HEAD, MARGIN = 15, 3, 24, 14      # height of a bar, between two, of a row's label, around it all
OURS, OTHERS, WANTED = "#1f6feb", "#9aa4af", "#d1242f"


def text(x, y, words, more=""):
    return '<text x="%.0f" y="%.0f" %s>%s</text>' % (x, y, more, escape(words))


def number(word):
    try:
        return float(word)
    except ValueError:
        return None


def row(top, label, wanted, names, words):
    """The SVG of a row and where the next begins."""
    parts = [text(MARGIN, top + HEAD - 9, label, 'font-weight="bold"')]
    values = [number(word) for word in words]
    most = max([value for value in values + [number(wanted)] if value is not None] or [1]) or 1
    scale = (WIDTH - LEFT - RIGHT) / most
    y = top + HEAD
    if number(wanted) is not None:          # behind the bars' numbers
        x, bottom = LEFT + number(wanted) * scale, y + len(names) * (BAR + GAP)
        parts.append('<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="%s" stroke-dasharray="4 3"/>'
                     % (x, x, y - 3, bottom, WANTED))
        parts.append(text(x, top + HEAD - 9, "wanted " + wanted, 'text-anchor="end" fill="%s"' % WANTED))
    for name, word, value in zip(names, words, values):
        fill = OURS if name == names[-1] else OTHERS
        parts.append(text(LEFT - 8, y + BAR - 3, name, 'text-anchor="end"'))
        parts.append('<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s" fill-opacity="0.9"/>'
                     % (LEFT, y, (value or 0) * scale, BAR, fill))
        parts.append(text(LEFT + (value or 0) * scale + 6, y + BAR - 3, word))
        y += BAR + GAP
    return parts, y + MARGIN


def main():
    lines = [line.rstrip("\n").split("\t") for line in sys.stdin]
    names = lines[0][2:]
    parts, y = [text(MARGIN, MARGIN + 14, sys.argv[1], 'font-size="16" font-weight="bold"')], 2 * MARGIN + 14
    for label, wanted, *words in lines[1:]:
        more, y = row(y, label, wanted, names, words)
        parts += more
    print('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">'
          % (WIDTH, y))
    print('<rect width="100%" height="100%" fill="white"/>')
    print("\n".join(parts))
    print("</svg>")


if __name__ == "__main__":
    main()
