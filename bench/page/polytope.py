"""The oracle of dense polytopes in the dynamics of a run, next to CLP and GLPK."""

import json

from page.common import at_least, at_most, duration, output, table

SIZES = ["10x10", "8x50", "50x50", "100x100"]

runs = 3


def measure(build):
    """Nanoseconds, and counts, by name."""
    return json.loads(output([f"{build}/bench/bench_polytope_oracle", "--json"]))


def of_step(results, size):
    """Nanoseconds of a step without the vertex at the end of a call."""
    return (results[f"all calls/{size}"] - results[f"vertex/{size}"]) / results[f"steps/{size}"]


def goals(results):
    def limit(size):
        floor = results[f"steps/{size}"] * results[f"floor of a step/{size}"]
        return f"the passes over the tableau alone take {floor / 1e3:.1f}"

    rows = []
    for size, most in (("50x50", 15), ("100x100", 100)):
        rows.append(at_most(f"us a call of the polytope oracle, {size}: at most {most}",
                            results[f"all calls/{size}"] / 1e3, most, "{:.1f}", limit(size)))
        rows.append(at_least(f"CLP over it, {size}: at least 5",
                             results.ratio(f"clp/{size}", f"keyhole/{size}"), 5))
    return rows


def section(results):
    return [
        "## The oracle of dense polytopes",
        "",
        "The set is {0 <= x <= 1, A x <= 1} with A uniform on [0, 1], rows x columns; the learner "
        "is projection_free in 4096 rounds of the quadratic experiment "
        "(bench/polytope_oracle.cc). *In the run* is the median time of its calls between the "
        "other work of the round; *call* that of all the same directions one after the other. CLP "
        "(`primal(0, 7)`) and GLPK keep their bases from call to call, Keyhole starts afresh each "
        "time, so that the answer is a pure function of the direction; the peers take part in a "
        "stretch of the run, where ratios are formed. *Values differ* is the largest difference of "
        "the least values found, over the norm of the direction.",
        "",
        *table(
            ["size", "in the run", "call", "steps", "CLP", "steps", "CLP / call",
             "GLPK", "steps", "GLPK / call", "values differ"],
            [[size, duration(results[f"in the run/{size}"]), duration(results[f"all calls/{size}"]),
              f"{results[f'steps/{size}']:.1f}",
              duration(results[f"clp/{size}"]), f"{results[f'clp steps/{size}']:.1f}",
              f"{results.ratio(f'clp/{size}', f'keyhole/{size}'):.0f}",
              duration(results[f"glpk/{size}"]), f"{results[f'glpk steps/{size}']:.1f}",
              f"{results.ratio(f'glpk/{size}', f'keyhole/{size}'):.0f}",
              f"{results[f'clp differs/{size}']:.0e}, {results[f'glpk differs/{size}']:.0e}"]
             for size in SIZES]),
        "Where the time of a step goes: the parts by themselves, in the middle of real calls. Of "
        "the tableau only the rows of basic coordinates are kept, that of the reduced costs and "
        "that of a sum of all rows. *Floor* is the tightest loop over these rows that a step "
        "cannot do without: a column and, where a slack leaves, a row are combined from them, and "
        "they are updated. *Whole tableau* is the update of all rows of it and nothing else, the "
        "floor of a step of the textbook's method.",
        "",
        *table(
            ["size", "rows kept", "step", "pricing", "column", "ratio test", "exchange", "floor",
             "step / floor", "whole tableau", "the vertex, once a call"],
            [[size, f"{results[f'rows kept/{size}']:.1f}", duration(of_step(results, size)),
              *(duration(results[f"{part}/{size}"])
                for part in ("pricing", "column", "ratio test", "exchange", "floor of a step")),
              f"{of_step(results, size) / results[f'floor of a step/{size}']:.1f}",
              duration(results[f"floor of a whole tableau/{size}"]),
              duration(results[f"vertex/{size}"])] for size in SIZES]),
    ]
