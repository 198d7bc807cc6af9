"""What learners take of the machine: memory, and instructions beyond the baseline."""

import json
import os

from page.common import at_most, duration, google_benchmark, median, output, table

# The same programs with and without the instructions of this processor alone.
NATIVE = [("bench_round", "library/100"), ("bench_round", "library/10000"),
          ("bench_micro", "gaussians/10000"), ("bench_micro", "directions/100"),
          ("bench_learners", "parameter_free/solid_simplex/100"),
          ("bench_learners", "minimise/polytope/50"), ("bench_learners", "minimise/polytope/100"),
          ("bench_learners", "minimise/nuclear_ball/20"),
          ("bench_learners", "minimise/nuclear_ball/100"),
          ("bench_learners", "project/nuclear_ball/50")]

runs = 1


def measure(build):
    return {"learners": json.loads(output([f"{build}/bench/bench_memory"])),
            "native": native(build)}


def native(build):
    """Ratios of times, default build over the build for this processor, interleaved."""
    other = os.path.join(os.path.dirname(build), "native")
    times = {}
    for program in dict.fromkeys(program for program, _ in NATIVE):
        wanted = "|".join(name for of, name in NATIVE if of == program)
        for _ in range(3):
            for folder in (build, other):
                entries = google_benchmark(f"{folder}/bench/{program}",
                                           f"--benchmark_filter=^({wanted})$")
                for name, repetitions in entries.items():
                    times.setdefault((folder, name), []).append(
                        median([entry["cpu_time"] for entry in repetitions]))
    return {name: median(times[build, name]) / median(times[other, name]) for _, name in NATIVE}


def goals(results):
    run = results.runs[0]
    vectors = {entry["learner"]: entry["own"] for entry in run["learners"]}
    return [
        at_most("vectors held by projection_free on the simplex, n = 10^7: at most 4",
                vectors["projection_free"], 4.05, "{:.1f}"),
        at_most("default build over -march=native, worst of those below: at most 1.1",
                max(run["native"].values()), 1.1),
    ]


def section(results):
    run = results.runs[0]
    return [
        "## Memory",
        "",
        "On the simplex in 10^7 dimensions (80 MB a vector), resident memory at its highest, in "
        "vectors, beyond the point that the user asks into: the set, which the user makes, and "
        "the learner.",
        "",
        *table(["learner", "set", "learner's own", "a round"],
               [[f"`{entry['learner']}`", f"{entry['set']:.2f}", f"{entry['own']:.2f}",
                 duration(entry["ns"])] for entry in run["learners"]]),
        "## Instructions beyond the baseline",
        "",
        "The default build runs on every processor of its architecture: AES instructions and, on "
        "x86-64, fused products are asked for at run time, with portable paths of the same "
        "digits, and all else is the baseline. The same sources built with -march=native (preset `native`), time of the "
        "default build over its time:",
        "",
        *table(["what", "default / native"],
               [[f"`{name}`", f"{ratio:.2f}"] for name, ratio in run["native"].items()]),
    ]
