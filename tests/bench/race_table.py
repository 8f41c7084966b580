#!/usr/bin/env python3
"""race_table.py RESULTS ROW,...: the table of a race. RESULTS has lines "round contender row value", more is better."""
import collections
import statistics
import sys

CONTENDERS = ["native", "rival", "fair", "off"]


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def main():
    values = collections.defaultdict(list)
    for line in open(sys.argv[1]):
        _, contender, row, value = line.rstrip("\n").split("\t")
        values[row, contender].append(float(value))
    print("| row | " + " | ".join(CONTENDERS) + " | fair/rival | off/rival |")
    print("|---" * (len(CONTENDERS) + 3) + "|")
    for row in sys.argv[2].split(","):
        cells, medians = [], {}
        for contender in CONTENDERS:
            seen = values[row, contender]
            if not seen:
                cells.append("none")
                continue
            medians[contender] = statistics.median(seen)
            cells.append(f"{number(medians[contender])} ({number(min(seen))}–{number(max(seen))})")
        for contender in ["fair", "off"]:
            both = contender in medians and "rival" in medians
            cells.append(f"{medians[contender] / medians['rival']:.2f}" if both else "none")
        print(f"| {row} | " + " | ".join(cells) + " |")
    print("\nMedian (lowest–highest) of the rounds; MB/s for seq-* and write, else operations a second.")


main()
