"""The time until the first play, before and after it was shortened."""

import json

from page.common import table

# Both columns are of one machine: taking them again needs the program as it was.
START_TIMES = "docs/start-times.json"

runs = 1


def measure(_build):
    return {}


def goals(_results):
    return []


def row(entry):
    before, after = entry["before"], entry["after"]
    shown = [text for pair in zip(before, after) for text in pair]
    return [entry["set"], *shown]


def section(_results):
    with open(START_TIMES, encoding="utf-8") as file:
        times = json.load(file)
    return [
        "## The time until the first play",
        "",
        "Seconds of processor time to make a set, to find where it explores, and to make "
        "`posterior` on it afterwards, as `build/release/bench/bench_start` prints them. *Before* "
        f"is commit {times['before']}, which found the exploration again for each learner; the "
        f"same program prints it there (`git worktree add before {times['before']}`, and in that "
        "folder `make bench`). Both were "
        f"measured on {times['machine']}: only the ratio is meaningful. Where both took less than "
        f"a tenth of a second there is no line: {times['quick']}.",
        "",
        "*: of another run on such a machine. *Refused*: \"a point to explore is not in the set\".",
        "",
        *table(["set", "making, before", "after", "exploration, before", "after",
                "`posterior`, before", "after"],
               [row(entry) for entry in times["sets"]]),
        "What still takes seconds is the oracle: 1000 linear programs of 5 ms or more for the polytope in "
        "200 dimensions, 2760 cheapest flows of 2 ms for the flow.",
        "",
        "Above 100 dimensions there are fewer vertices than before. The regret of `posterior` on "
        "linear costs after 4096 rounds over what it was, on `transportation` of 12 x 12, 24 "
        "repeats: 0.94 (to 0.06). With 600 vertices instead of 1000, 8 repeats, of `posterior` and "
        "`parameter_free`: 0.96 and 1.03 (to 0.05) on `knapsack` of 150 weights, 1.03 (to 0.07) "
        "and 1.04 (to 0.03) on `spanning_trees` of 150 edges.",
        "",
    ]
