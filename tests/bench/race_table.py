#!/usr/bin/env python3
"""race_table.py RESULTS ROW,... RIVAL_COMMAND...: the table of a race.

RESULTS has lines "round contender row value", more is better; rival1 is the first RIVAL_COMMAND and so on. The best
rival of a row is the one with the highest median. The tolerance is how far equal rivals' medians lie apart.
"""
import collections
import statistics
import sys


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def cell(seen):
    return f"{number(statistics.median(seen))} ({number(min(seen))}–{number(max(seen))})" if seen else "none"


def tolerance(medians, commands):
    """The widest gap between rivals of the same command, as a part of the lower; None where all differ."""
    groups = collections.defaultdict(list)
    for rival, command in commands.items():
        if rival in medians:
            groups[command].append(medians[rival])
    gaps = [max(group) / min(group) - 1 for group in groups.values() if len(group) > 1]
    return f"{max(gaps) * 100:.0f} %" if gaps else "–"


def main():
    commands = {f"rival{i}": command for i, command in enumerate(sys.argv[3:], 1)}
    contenders = ["native", *commands, "fair", "off"]
    values = collections.defaultdict(list)
    for line in open(sys.argv[1]):
        _, contender, row, value = line.rstrip("\n").split("\t")
        values[row, contender].append(float(value))
    print("| row | " + " | ".join(contenders) + " | fair/best | off/best | fair/native | tolerance |")
    print("|---" * (len(contenders) + 5) + "|")
    for row in sys.argv[2].split(","):
        medians = {who: statistics.median(values[row, who]) for who in contenders if values[row, who]}
        best = max((medians[rival] for rival in commands if rival in medians), default=None)
        ratios = []
        for above, below in (("fair", best), ("off", best), ("fair", medians.get("native"))):
            ratios.append(f"{medians[above] / below:.2f}" if above in medians and below else "none")
        cells = [cell(values[row, who]) for who in contenders]
        print(f"| {row} | " + " | ".join(cells + ratios + [tolerance(medians, commands)]) + " |")
    print("\nMedian (lowest–highest) of the rounds; MB/s for seq-* and write, files a second for tar and git, else "
          "operations a second.")


main()
