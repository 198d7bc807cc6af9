"""The time until the first play, before and after it was shortened."""

import json

from page.common import table

# Both columns are of one machine: taking them again needs the program as it was.
START_TIMES = "docs/start-times.json"

# Of `bench_start` and `bench_start --regret`.
LATER = [
    "Since then, by the same program on an arm64 machine with 2 cores that was busy too, the "
    "exploration takes 0.27 s on the flow of 920 edges, whose oracle starts from better potentials, "
    "0.78 s on the knapsack of 1500 weights, 0.58 s on the bipartite matchings of 1000 edges, and "
    "0.73 s on the polytope in 200 dimensions, where it took 5.4 s.",
    "",
    "A vertex of that polytope takes 5 ms, the projection of a point as far out as the set reaches "
    "a tenth of that. So a polytope of more than 100 dimensions whose vertices would take more than "
    "about a second asks for some of them, and for such projections in the other directions: "
    "points of the boundary, less far out."
    " What that costs: the regret of `parameter_free` in 16,384 rounds of a linear loss with "
    "noise on such a polytope in 150 dimensions is 1.12 times that with vertices alone, the "
    "mean of 4 repeats from 0.98 to 1.23 (`bench_start --regret`). With `posterior`, which "
    "asks the oracle many times a round there, it is not measured.",
    "",
]

runs = 1


def measure(_build):
    return {}


def goals(_results):
    return []


def row(entry):
    before, after = entry["before"], entry["after"]
    shown = [text for pair in zip(before, after) for text in pair]
    return [entry["set"], *shown]


def newer(times):
    return [
        f"The newer sets, as the program prints them, on {times['machine']}. These take less than "
        f"a tenth of a second: {times['quick']}. `arborescences` and `perfect_matchings` of 1500 "
        "listed edges take about 2 s to make, and an `own_set` of 1500 dimensions 1.3 s: their hull "
        "is found by asking the oracle.",
        "",
        *table(["set", "making", "exploration", "`posterior`"],
               [[entry["set"], *entry["times"]] for entry in times["sets"]]),
    ]


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
        *LATER,
        "Above 100 dimensions there are fewer vertices than before. The regret of `posterior` on "
        "linear costs after 4096 rounds over what it was, on `transportation` of 12 x 12, 24 "
        "repeats: 0.94 (to 0.06). With 600 vertices instead of 1000, 8 repeats, of `posterior` and "
        "`parameter_free`: 0.96 and 1.03 (to 0.05) on `knapsack` of 150 weights, 1.03 (to 0.07) "
        "and 1.04 (to 0.03) on `spanning_trees` of 150 edges.",
        "",
        *newer(times["newer"]),
    ]
