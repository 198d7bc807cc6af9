"""Compiling and starting, a build from nothing, and the paper's evaluation on all processors."""

import json
import os
import resource
import subprocess
import tempfile
import time

from page.common import at_least, at_most, median, table

# What keyhole.h itself includes of the standard library is the floor of a unit.
UNITS = ["keyhole.h", "standard headers alone"]
LONG_TIMES = "docs/long-times.json"

runs = 1


def compiler_of(build):
    with open(f"{build}/CMakeCache.txt", encoding="utf-8") as cache:
        return next(line.split("=", 1)[1].strip() for line in cache
                    if line.startswith("CMAKE_CXX_COMPILER:"))


def standard_headers():
    """Those that the headers of the library name."""
    names = set()
    for name in os.listdir("include/keyhole"):
        if name == "testing.h":  # not part of keyhole.h
            continue
        with open(f"include/keyhole/{name}", encoding="utf-8") as header:
            names |= {line.strip() for line in header if line.startswith("#include <")}
    return sorted(names)


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def wall_seconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def measure(build):
    compiler = compiler_of(build)
    texts = {"keyhole.h": ["#include <keyhole/keyhole.h>"],
             "standard headers alone": standard_headers()}
    times = {unit: [] for unit in UNITS}
    with tempfile.TemporaryDirectory() as folder:
        for unit, lines in texts.items():
            with open(f"{folder}/{unit.split()[0]}.cc", "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        for _ in range(5):
            for unit in UNITS:
                times[unit].append(processor_seconds(
                    [compiler, "-std=c++20", "-O2", "-Iinclude", "-c",
                     f"{folder}/{unit.split()[0]}.cc", "-o", f"{folder}/unit.o"]))
    results = {unit: median(values) for unit, values in times.items()}
    program = f"{build}/keyhole"
    results["start"] = median([wall_seconds([program, "--version"]) for _ in range(20)])
    results["size"] = os.path.getsize(program)
    return results


def long_times():
    with open(LONG_TIMES, encoding="utf-8") as file:
        return json.load(file)


def from_nothing(long):
    return long["configure"]["clock"] + long["build"]["clock"]


def busy(long):
    """The share of all processors that the reproduction kept busy, in percent."""
    return 100 * long["reproduce"]["processors"] / (long["processors"] * long["reproduce"]["clock"])


def goals(results):
    long = long_times()
    used = (long["configure"]["processors"] + long["build"]["processors"]) / long["processors"]
    return [
        at_least(f"percent of {long['processors']} processors that keyhole reproduce keeps busy: "
                 "at least 90", busy(long), 90, "{:.0f}"),
        at_most("ms to start the program: at most 20", 1e3 * results["start"], 20, "{:.1f}"),
        at_most("MB of the program: at most 10", results["size"] / 1e6, 10, "{:.1f}"),
        at_most(f"seconds to build everything from nothing on {long['processors']} processors: "
                "at most 240", from_nothing(long), 240, "{:.0f}",
                f"processor time over {long['processors']} processors: {used:.0f}"),
        at_most("seconds to compile a unit that includes keyhole.h: at most 1",
                results["keyhole.h"], 1,
                limit=f"its standard headers alone take {results['standard headers alone']:.2f}"),
    ]


def section(results):
    long = long_times()
    return [
        "## Compiling and starting",
        "",
        "A unit is compiled with `-std=c++20 -O2 -c`, in processor time, the median of 5. The "
        "program is started as `keyhole --version`, in wall time, the median of 20.",
        "",
        *table(["", "measured"], [
            ["a unit that includes keyhole.h alone", f"{results['keyhole.h']:.2f} s"],
            ["a unit with the standard headers that it includes, and nothing else",
             f"{results['standard headers alone']:.2f} s"],
            ["start of the program", f"{1e3 * results['start']:.1f} ms"],
            ["size of the program", f"{results['size'] / 1e6:.1f} MB"],
        ]),
        "## The whole machine",
        "",
        "What is too long for `make bench` is measured by `scripts/long-times`, on a machine that "
        f"does nothing else, and kept in {LONG_TIMES}: here on {long['processors']} processors "
        f"{long['processor']}, {long['compiler']}, commit {long['commit']}. A build from nothing, "
        "without ccache, of the library, the program, all tests and the examples took "
        f"{from_nothing(long):.0f} s. `keyhole reproduce`, as it is by default, took "
        f"{long['reproduce']['clock']:.0f} s by the clock and "
        f"{long['reproduce']['processors']:.0f} s of processor time: {busy(long):.0f} % of the "
        "processors. What is missing there is mostly the measurement of relative times, for "
        "which the other processor is left at rest.",
        "",
    ]
