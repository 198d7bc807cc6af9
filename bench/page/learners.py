"""Rounds of every learner on the paper's sets, and the oracles and projections that they call."""

from page.common import count, duration, google_benchmark, median, table

PLACES = [("solid_simplex", [20, 100, 400, 10000, 1000000]), ("polytope", [20, 50, 100]),
          ("nuclear_ball", [20, 50, 100])]
NAMES = ["posterior", "parameter_free", "anytime(projection_free)", "projection_free", "fkm",
         "bbcg", "gauge", "online_newton", "two_point", "ogd", "ocg", "stochastic_ocg", "one_shot",
         "minimise", "project"]

runs = 1


def measure(build):
    """Nanoseconds by name."""
    entries = google_benchmark(f"{build}/bench/bench_learners", "--benchmark_repetitions=3",
                               "--benchmark_min_time=0.01")
    return {name: median([entry["cpu_time"] for entry in repetitions])
            for name, repetitions in entries.items()}


def goals(_):
    return []


def section(results):
    columns = [(f"{place}/{n}", n) for place, sizes in PLACES for n in sizes]
    rows = [[f"`{name}`", *(duration(results[f"{name}/{place}"])
                            if results.has(f"{name}/{place}") else "" for place, _ in columns)]
            for name in NAMES]
    header = ["", *(f"{place.split('/')[0]} {count(n)}" for place, n in columns)]
    return [
        "## Rounds of all learners",
        "",
        "Processor time of a round, `ask` and `tell`, through the public interface, with the "
        "constants of the theory for 2^40 rounds; gradients are told where the learner takes "
        "them. `polytope n` is the paper's quadratic programming with n coordinates and n rows, "
        "`nuclear_ball n` has n x n matrices. The last two rows are calls of the oracle for "
        "normal directions and of the projection for points from a tenth of R to five times R "
        "away from the centre. An empty place: the learner does not take the set, or it is "
        "beyond its dimensions. The rounds are the first hundreds. `posterior` fits its model "
        "often there and is several times faster later: `keyhole run` shows 13 us a round for "
        "20,000 rounds of `tracking(ball(100))`.",
        "",
        *table(header, rows),
    ]
