"""A round from Python, next to the same round in C++ and to plain NumPy."""

from page.common import at_most, figure_table, figures

runs = 3

ONE = "`parameter_free` on `ball({})`, ask and tell"
MANY = "`parameter_free` on `ball({})`, a play of 100 asked and told at once"


def measure(build):
    """By the package that `make python` has installed."""
    return figures(["build/python/venv/bin/python", "bench/python.py", build])


def goals(results):
    return [
        at_most("us to ask and tell from Python, n = 10: at most 1.6", results[ONE.format(10)], 1.6),
        at_most("us to ask and tell from Python, n = 100: at most 2.0", results[ONE.format(100)],
                2.0),
        at_most("us a play from Python, 100 at once, n = 10: at most 0.6", results[MANY.format(10)],
                0.6),
        at_most("ms to import keyhole after NumPy: at most 10",
                results["import of keyhole after it"], 10, "{:.1f}"),
    ]


def section(results):
    return [
        "## Python",
        "",
        "The processor time of a round (`bench/python.py`): the least of five, as whatever else runs "
        "only adds. All losses are equal, so `posterior` has little to compute.",
        "",
        *figure_table(results),
    ]
