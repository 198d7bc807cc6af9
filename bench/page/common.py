"""What the parts of the page share: running programs, medians over runs, tables."""

import json
import math
import statistics
import subprocess
import sys


def output(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, **options).stdout


def figures(command):
    """The figures that a program prints as a table, by what they are of, with their units."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in output(command).splitlines()[2:]]
    return {what: float(figure.split()[0]) for what, figure in rows} | {
        f"unit of {what}": figure.partition(" ")[2] for what, figure in rows}


def figure_table(results):
    """What `figures` read, as a table again."""
    first = results.runs[0]
    names = [name for name in first if not name.startswith("unit of ")]
    return table(["what", ""], [[name, f"{results[name]:g} {first['unit of ' + name]}".rstrip()]
                                for name in names])


def median(values):
    return statistics.median(values)


def google_benchmark(program, *flags):
    """The entries of all repetitions, by the benchmark's name. Repetitions are interleaved."""
    report = json.loads(output([
        program, "--benchmark_repetitions=5", "--benchmark_min_time=0.02",
        "--benchmark_enable_random_interleaving=true", "--benchmark_format=json", *flags]))
    entries = {}
    for entry in report["benchmarks"]:
        if entry["run_type"] == "iteration" and not entry.get("error_occurred"):
            entries.setdefault(entry["run_name"], []).append(entry)
    return entries


def python_with_numpy():
    for candidate in (sys.executable, "/usr/bin/python3"):
        test = subprocess.run([candidate, "-c", "import numpy"], stderr=subprocess.DEVNULL)
        if test.returncode == 0:
            return candidate
    sys.exit("NumPy is needed: scripts/setup bench")


class Results:
    """The runs of a part; what is printed is the median over them."""

    def __init__(self, runs):
        self.runs = runs

    def __getitem__(self, name):
        return median([run[name] for run in self.runs])

    def ratio(self, above, below):
        return median([run[above] / run[below] for run in self.runs])

    def spread(self, above, below):
        ratios = [run[above] / run[below] for run in self.runs]
        return f"{min(ratios):.2f} to {max(ratios):.2f}"

    def exponent(self, name, small, large):
        """b of time ~ n^b between two sizes."""
        return math.log(self.ratio(f"{name}/{large}", f"{name}/{small}")) / math.log(large / small)

    def has(self, name):
        return all(name in run for run in self.runs)


def at_most(text, value, most, form="{:.2f}", limit=""):
    return text, form.format(value), value <= most, limit


def at_least(text, value, least, form="{:.1f}", limit=""):
    return text, form.format(value), value >= least, limit


def shown(text, value, form="{:.1f}", limit=""):
    """A figure that has no limit to keep."""
    return text, form.format(value), None, limit


def duration(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= 10 * size:
            return f"{nanoseconds / size:.1f} {unit}"
    return f"{nanoseconds:.0f} ns"


def count(n):
    return f"10^{round(math.log10(n))}" if n >= 10000 else str(n)


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]
