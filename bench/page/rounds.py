"""A round of Algorithm 2 on the solid simplex, its floor and its peers; random numbers."""

import json
import re
import subprocess
import tempfile

from page.common import (at_least, at_most, count, duration, google_benchmark, median, output,
                         python_with_numpy, table)

SIZES = [20, 100, 400, 10000, 1000000]
PEER_SIZES = [100, 10000]

runs = 3

# How many instructions a Neoverse-N1 starts in a cycle, at most.
WIDTH = 4


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
    for what, n in (("normals", 10000), ("directions", 400), ("directions", 100)):
        times[f"instructions {what}/{n}"] = instructions(build, what, n)
    for n in PEER_SIZES:
        peers = json.loads(output([python, "bench/peers/rounds.py", str(n)]))
        for name, values in peers.items():
            times[f"numpy {name}/{n}"] = median(values)
    return times


def instructions(build, what, n):
    """Instructions of a number or coordinate, counted by callgrind."""
    with tempfile.NamedTemporaryFile() as counts:
        subprocess.run(["valgrind", "--tool=callgrind", "--collect-atstart=no",
                        "--toggle-collect=counted_draws", f"--callgrind-out-file={counts.name}",
                        f"{build}/bench/bench_counted_draws", what, str(n)],
                       stderr=subprocess.DEVNULL, check=True)
        total = re.search(r"^totals: (\d+)", open(counts.name, encoding="utf-8").read(), re.M)
    return int(total.group(1)) / (100 * n)


def goals(results):
    """What was to be reached: text, measured, whether it was met, what limits it."""

    def of_floor(peer):
        return f"the floor reaches {results.ratio(peer, 'floor/100'):.1f}"

    def instructions_alone(what, times=1, form="{:.2f}"):
        least = times * least_time(results, what)
        return f"its instructions, four a cycle, take {form.format(least)}"

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
                limit=instructions_alone("normals/10000")),
        at_most("ns a coordinate of a direction, n = 400: at most 2.1",
                results["directions/400"], 2.1,
                limit=instructions_alone("directions/400")),
        at_most("ns a direction, n = 100: at most 250", 100 * results["directions/100"], 250,
                "{:.0f}", instructions_alone("directions/100", 100, "{:.0f}")),
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


def least_time(results, what):
    """Nanoseconds in which the instructions can start."""
    return results[f"instructions {what}"] / WIDTH * results["cycle"]


def limits(results):
    def counted(what):
        return f"{results[f'instructions {what}']:.1f}"

    return [
        "The words and the ziggurat take turns instruction by instruction (src/math/random/gaussian_aes.cc): "
        f"by themselves they take {results['words_by_aes']:.2f} and {results['ziggurat']:.2f} ns a "
        f"number, together {results['gaussians/10000']:.2f} ns. What limits them is how many "
        f"instructions the processor can start, at most {WIDTH} (a Neoverse-N1) in a cycle of "
        f"{results['cycle']:.2f} ns. As compiled and counted by callgrind, a normal number takes "
        f"{counted('normals/10000')} of them, its second look, where it needs one, included; a "
        f"coordinate of a direction {counted('directions/400')} at n = 400 and "
        f"{counted('directions/100')} at n = 100. That is at least "
        f"{least_time(results, 'normals/10000'):.2f}, {least_time(results, 'directions/400'):.2f} "
        f"and {least_time(results, 'directions/100'):.2f} ns. What is above that: AES and the "
        "vector instructions have one and two of the units; a direction waits for the root and "
        "the reciprocal of its length before it can be divided.",
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
