"""A round of Algorithm 2 on the solid simplex, its floor and its peers; random numbers."""

import json
import math

from page.common import (at_least, at_most, count, duration, google_benchmark, median, output,
                         python_with_numpy, table)

SIZES = [20, 100, 400, 10000, 1000000]
PEER_SIZES = [100, 10000]

runs = 3

# Of a group of eight normal numbers, in the loop of src/math/gaussian_aes.cc as gcc 12 compiles it.
INSTRUCTIONS_A_GROUP = 140
# Vector instructions, stores among them, for two coordinates.
LENGTH, DIVISION = 2, 5


def measure(build):
    """Nanoseconds by name."""
    python = python_with_numpy()
    output([python, "bench/peers/rounds.py", "--check", f"{build}/bench/bench_round"])
    times = {}
    for name, entries in google_benchmark(f"{build}/bench/bench_round").items():
        times[name] = median([entry["cpu_time"] for entry in entries])
        times[f"{name} allocations"] = max(entry["allocations"] for entry in entries)
    for name, entries in google_benchmark(f"{build}/bench/bench_micro").items():
        times[name] = median([entry["ns"] for entry in entries])
    for n in PEER_SIZES:
        peers = json.loads(output([python, "bench/peers/rounds.py", str(n)]))
        for name, values in peers.items():
            times[f"numpy {name}/{n}"] = median(values)
    return times


def goals(results):
    """What was to be reached: text, measured, whether it was met, what limits it."""

    def of_floor(peer):
        return f"the floor reaches {results.ratio(peer, 'floor/100'):.1f}"

    def instructions_alone(cycles, form="{:.2f}"):
        return f"the instructions alone take {form.format(cycles * results['cycle'])} (see below)"

    return [
        at_most("a round at n = 100 over its floor: at most 1.25",
                results.ratio("library/100", "floor/100"), 1.25),
        at_most("a round at n = 10^4 over its floor: at most 1.1",
                results.ratio("library/10000", "floor/10000"), 1.1),
        at_most("exponent of a round's time in n, from 10^4 to 10^6: at most 1.1",
                results.exponent("library", 10000, 1000000), 1.1),
        at_most("allocations a round: 0", max(results[f"library/{n} allocations"] for n in SIZES),
                0, "{:.0f}"),
        at_least("the obvious Eigen version over a round, n = 100: at least 4",
                 results.ratio("eigen/100", "library/100"), 4, limit=of_floor("eigen/100")),
        at_least("the NumPy version over a round, n = 100: at least 100",
                 results.ratio("numpy projection_free/100", "library/100"), 100,
                 limit=of_floor("numpy projection_free/100")),
        at_most("ns a normal number: at most 1.7", results["gaussians/10000"], 1.7,
                limit=instructions_alone(cycles_of_normals(8) / 8)),
        at_most("ns a coordinate of a direction, n = 400: at most 2.1",
                results["directions/400"], 2.1,
                limit=instructions_alone(cycles_of_direction(400) / 400)),
        at_most("ns a direction, n = 100: at most 250", 100 * results["directions/100"], 250,
                "{:.0f}", instructions_alone(cycles_of_direction(100), "{:.0f}")),
    ]


def section(results):
    return [
        "## A round of projection_free on the solid simplex",
        "",
        "`ask` and `tell` through the public interface; a round of Algorithm 1 of Chen, Zhang and "
        "Karbasi, and of Algorithm 2 between its restarts. The loss costs nothing. *Floor* "
        "(bench/floor_round.h) is the tightest loop of the same mathematics that we know, for this set "
        "and learner alone: it gives the same points to the last bit, which is checked before anything "
        "is timed, and shares the generator, so that both gain from a faster one. *Eigen* "
        "(bench/eigen_round.h) is the obvious version with std::mt19937_64 and "
        "std::normal_distribution.",
        "",
        *table(
            ["n", "library", "floor", "Eigen", "library / floor", "from run to run",
             "Eigen / library", "allocations"],
            [[count(n), duration(results[f"library/{n}"]),
              duration(results[f"floor/{n}"]), duration(results[f"eigen/{n}"]),
              f"{results.ratio(f'library/{n}', f'floor/{n}'):.2f}",
              results.spread(f"library/{n}", f"floor/{n}"),
              f"{results.ratio(f'eigen/{n}', f'library/{n}'):.1f}",
              f"{results[f'library/{n} allocations']:.0f}"] for n in SIZES]),
        "Where the time of the library's round goes, from the parts measured by themselves, one after "
        "the other (bench/micro.cc); in the round the processor also overlaps them a little, or waits "
        "for what one leaves to the next:",
        "",
        *table(
            ["part of a round", "n = 100", "share", "n = 10^4", "share"],
            [profile_row(results, label, names) for label, names in PROFILE]),
        *limits(results),
        "## NumPy",
        "",
        "The same step with the same constants on the same losses (bench/peers/rounds.py); given "
        "the library's directions it plays the library's points to 1e-12, which is checked first. "
        "fkm is given steps so long that it must project.",
        "",
        *table(
            ["learner", "n", "library", "NumPy", "NumPy / library"],
            [[learner, count(n), duration(results[f"{name}/{n}"]),
              duration(results[f"numpy {learner}/{n}"]),
              f"{results.ratio(f'numpy {learner}/{n}', f'{name}/{n}'):.1f}"]
             for learner, name in (("projection_free", "library"), ("fkm", "fkm"))
             for n in PEER_SIZES]),
        "## Random numbers",
        "",
        *table(
            ["what", "ns each"],
            [[label, f"{results[name]:.2f}"] for label, name in (
                ("word, AES instructions", "words_by_aes"),
                ("word, portable path (same bits)", "words_portable"),
                ("word, std::mt19937_64", "words_mt19937_64"),
                ("ziggurat of a word that is there", "ziggurat"),
                ("normal number, 100 at a time", "gaussians/100"),
                ("normal number, 10^4 at a time", "gaussians/10000"),
                ("normal number, std::mt19937_64 and std::normal_distribution",
                 "gaussians_standard_library/10000"),
                *((f"coordinate of a direction, n = {count(n)}", f"directions/{n}")
                  for n in SIZES),
            ) if results.has(name)]),
    ]


def cycles_of_normals(n):
    """Four instructions start in a cycle."""
    return math.ceil(n / 8) * INSTRUCTIONS_A_GROUP / 4


def cycles_of_direction(n):
    """Two vector instructions start in a cycle."""
    return cycles_of_normals(n) + n / 2 * (LENGTH + DIVISION) / 2


def limits(results):
    cycle = results["cycle"]
    return [
        "The words and the ziggurat take turns instruction by instruction (src/math/gaussian_aes.cc): "
        f"by themselves they take {results['words_by_aes']:.2f} and {results['ziggurat']:.2f} ns a "
        f"number, together {results['gaussians/10000']:.2f} ns, with the 0.43 % of the numbers that "
        "need a second look. What limits them is how many instructions a Neoverse-N1 can start, four in "
        f"a cycle of {cycle:.2f} ns: as compiled eight numbers take {INSTRUCTIONS_A_GROUP} of them, 44 "
        "for AES, of which one unit does 24 steps in as many cycles. That is at least "
        f"{cycles_of_normals(8) / 8 * cycle:.2f} ns a number. Vector instructions start at most two a "
        f"cycle: the length takes {LENGTH} for two coordinates and the division, correctly rounded by "
        f"fused multiply-adds, {DIVISION}, so that a direction takes at least "
        f"{cycles_of_direction(400) / 400 * cycle:.2f} ns a coordinate at n = 400 and "
        f"{cycles_of_direction(100) * cycle:.0f} ns at n = 100, where {math.ceil(100 / 8) * 8} numbers "
        "are drawn for 100; and there the root and the reciprocal of the length, which nothing can "
        "go on without, and the start of each loop weigh the more.",
        "",
    ] if results.has("words_by_aes") else []


# Rows of the profile: benchmarks of a coordinate, by their names without the size, or of a round.
PROFILE = [
    ("normal numbers", ["gaussians"]),
    ("their length", ["length"]),
    ("division by it", ["division"]),
    ("t^(-2/5)", ["power_in_turn"]),
    ("passes over the vectors: point, sum, gradient and step", ["passes"]),
    ("oracle: the first of the smallest coordinates", ["oracle"]),
    ("settling: a look at the signs", ["settling"]),
    ("ask and tell without an algorithm", ["bookkeeping"]),
    ("all of these", ["gaussians", "length", "division", "power_in_turn", "passes", "oracle",
                      "settling", "bookkeeping"]),
    ("the round", None),
]


def profile_row(results, label, names):
    row = [label]
    for n in PEER_SIZES:
        whole = results[f"library/{n}"]
        time = whole if names is None else sum(
            n * results[f"{name}/{n}"] if results.has(f"{name}/{n}") else results[name]
            for name in names)
        row += [duration(time), f"{100 * time / whole:.0f} %"]
    return row
