"""Durable steps of studies, and opening one after many."""

import os

from page.common import at_least, at_most, figure_table, figures

runs = 3

LONG = "after 1000000 steps of `parameter_free`"
DISK = "it waits for the disk"
STUDIES = "64 studies in one process, disk"
ONE = "one file, a write and fdatasync each"
BARE = "64 files, a write and fdatasync each"
LOOKS = "64 files, a lock, a look and a read before it"
LOAD = os.getloadavg()[1]


def measure(build):
    return figures([f"{build}/bench/bench_study"])


def goals(results):
    return [
        at_least("durable steps a second, one study: at least 18,000", results["one study, disk"],
                 18000, "{:.0f}", f"{DISK}, which alone does {results[ONE]:.0f}"),
        at_least("the same, 64 studies in one process: at least 80,000",
                 results[STUDIES], 80000, "{:.0f}",
                 f"{DISK}, which alone does {results[BARE]:.0f}"),
        at_least("the same, of what 64 files do: at least 0.9", results.ratio(STUDIES, BARE), 0.9,
                 "{:.2f}", f"the calls that see what others do leave "
                 f"{results.ratio(LOOKS, BARE):.2f}"),
        at_least("the same, 8 processes on one study: at least 12,000",
                 results["8 processes on one study, disk"], 12000, "{:.0f}", DISK),
        at_least("steps a second that a power cut may lose: at least 300,000",
                 results["one study, process"], 300000, "{:.0f}"),
        at_most("bytes a step, 80 of which are its point: at most 105",
                results[f"bytes a step, {LONG}"], 105, "{:.1f}"),
        at_most("s to open a study of 10^6 steps without a snapshot: at most 0.4",
                results[f"open {LONG} without a snapshot, processor time"], 0.4),
        at_most("ms to open it with one: at most 10",
                results[f"open {LONG}, processor time"], 10, "{:.1f}"),
        at_most("ms of `keyhole study ask` then: at most 15",
                results[f"`keyhole study ask` {LONG}"], 15, "{:.1f}"),
    ]


def section(results):
    return [
        "## Studies",
        "",
        "A step is a tell and an ask as one unit, on `simplex(10)` (`bench_study`). *Disk* survives "
        "a power cut, *process* the end of the process. The learner is `parameter_free` where no "
        "other is named. Steps are counted by the clock. A new study keeps a snapshot whenever its "
        "log has grown by an eighth, which is often in its first seconds. The files next to the 64 "
        "studies get as many bytes as a step has: with nothing else, or with the calls by which a "
        "step sees what other processes have done. The load of the machine was "
        f"{LOAD:.0f} when this began; 0 is an idle one, by whose clock steps are faster.",
        "",
        *figure_table(results),
    ]
