#!/usr/bin/env python3
"""usage: bench/compared.py [--suite=suites/trials.toml] [--out=DIR] [--each] [TUNER...]

The optimisers of bench/peers/tuners.py, or those named, next to the learners of a suite, as
Markdown: relative regret on the average over the trials, and of the point that is recommended then,
at each checkpoint; geometric means over the problems, each at least 0.001. --each prints the
problems, too. With --out the results stay there, and the next call goes on. Needs the package to be
installed: after `make python`, run it by build/python/venv/bin/python.
"""

import math
import pathlib
import sys

import keyhole as kh

from peers.tuners import TUNERS

ROOT = pathlib.Path(__file__).resolve().parents[1]


def cell(values):
    return " / ".join(f"{value:.3f}".lstrip("0") for value in values)


def main():
    given = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--") and "=" in a)
    wanted = [a for a in sys.argv[1:] if not a.startswith("--")] or TUNERS
    results = kh.bench(given.get("suite", ROOT / "suites/trials.toml"),
                       {name: TUNERS[name] for name in wanted}, given.get("out"), timing=0)
    means = results.means()
    looks = sorted(set(means["round"].tolist()))
    print(f"| at {' / '.join(map(str, looks))} trials | average regret | regret of the recommended "
          "point |\n|---|---|---|")
    for learner in results.learners:
        rows = means[means["learner"] == learner]
        print(f"| {learner} | {cell(rows['geometric'])} | {cell(rows['recommended'])} |")
    if "--each" in sys.argv:
        for problem in results.details["problems"]:
            for learner in problem["learners"]:
                found = [[(at[kind] or {}).get("mean", math.nan) for at in learner["checkpoints"]]
                         for kind in ("relative_regret", "recommended")]
                name = f"{problem['name']}, {learner['name']}"
                print(f"| {name} | {cell(found[0])} | {cell(found[1])} |")


main()
