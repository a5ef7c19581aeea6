#!/usr/bin/env python3
"""Colours of pages and pictures, light and dark, are told apart as WCAG 2 asks: 4.5 for text, 3 for edges and signs: contrast.py

axe judges no text within SVG, so the table of colours itself is judged.
"""
import pathlib
import re
import sys

TOKENS = pathlib.Path(__file__).resolve().parents[2] / "lib/report/pictures/tokens.css"
TEXT, EDGE = 4.5, 3.0
GROUNDS = ["paper", "ground", "sunk", "block"]
KINDS = ["control", "decorator", "condition", "action", "subtree"]
RESULTS = ["running", "success", "failure", "skipped", "halted"]
CHANGES = ["added", "removed", "changed", "moved"]
SEVERITIES = ["error", "warning", "note"]

# What stands on what, and at least how far apart.
PAIRS = [
    (TEXT, ["ink", "ink-2"], GROUNDS + ["pick", "control-cell"] + [f"{name}-ground" for name in RESULTS + CHANGES]),
    (TEXT, ["ink-3"], GROUNDS + ["pick"]),
    (TEXT, ["ink"], [f"heat-{i}" for i in range(2, 7)]),
    (TEXT, RESULTS + CHANGES + SEVERITIES + KINDS, ["paper"]),
    (EDGE, KINDS, ["paper", "ground", "control-cell", "block"] + [f"{name}-ground" for name in RESULTS]),
    (EDGE, RESULTS, [f"{name}-ground" for name in RESULTS] + ["ground", "block"]),
    (EDGE, ["edge", "focus"], GROUNDS),
    (EDGE, ["paper"], RESULTS + CHANGES + SEVERITIES),  # signs in discs
]


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one, other):
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def main():
    light, dark = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part)) for part in TOKENS.read_text().split("@media screen")]
    faults, count = [], 0
    for theme, colours in (("light", light), ("dark", {**light, **dark})):
        for least, fronts, backs in PAIRS:
            for front in fronts:
                for back in backs:
                    count += 1
                    if (actual := ratio(colours[front], colours[back])) < least:
                        faults.append(f"{theme}: {front} on {back}: {actual:.2f}, less than {least}")
    print("\n".join(faults) or f"{count} pairs of colours hold")
    sys.exit(bool(faults))


main()
