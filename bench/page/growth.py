"""How the time of a round grows with the dimension and with the rounds."""

import json
import math

from page.common import at_most, duration, output, table

# What the sizes of a line count, and what is to be said of its projection.
LINES = {
    "solid_simplex": ("coordinates", "Michelot's method"),
    "polytope, 8 rows": ("coordinates", "Newton's method on the dual"),
    "polytope, n rows": ("coordinates", "the same"),
    "polytope, n rows of ten entries": ("coordinates", "the same on the dense rows; none from "
                                        "250,000 places on, where the rows are kept sparse"),
    "nuclear_ball": ("order", "a whole singular value decomposition"),
    "birkhoff": ("order", "Newton's method on the dual, up to 1000 entries"),
    "spanning_trees": ("edges", "by minimum cuts, timed up to 200 edges; none beyond 2000"),
    "unit_flow": ("nodes a layer", "the same, up to 1000 edges"),
    "flow": ("nodes a layer", "the same, up to 1000 edges"),
}
FASTER_BY_STRUCTURE = ["nuclear_ball", "birkhoff", "spanning_trees", "unit_flow"]

runs = 1


def measure(build):
    """Nanoseconds and counts by name."""
    return json.loads(output([f"{build}/bench/bench_growth"]))


def sizes(results, line):
    return [int(name.split("/")[1]) for name in results.runs[0]
            if name.startswith(line + "/") and name.endswith("/dimension")]


def slope(points):
    """The least-squares slope of log y over log x; none of less than two points."""
    if len(points) < 2:
        return None
    x = [math.log(p[0]) for p in points]
    y = [math.log(p[1]) for p in points]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return (sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
            / sum((a - mean_x) ** 2 for a in x))


def exponent(results, line, what, over=None):
    """Of a time, or of the ratio of two, in the dimension."""
    points = []
    for size in sizes(results, line):
        of = f"{line}/{size}/"
        if not results.has(of + what):
            continue
        time = results[of + what] if over is None else results.ratio(of + what, of + over)
        points.append((results[of + "dimension"], time))
    return slope(points)


def count(n):
    """Powers of ten from 10^4 on as such."""
    power = round(math.log10(n))
    return f"10^{power}" if n == 10 ** power and power > 3 else str(n)


def text_of(number, form="{:.2f}"):
    return "-" if number is None else form.format(number)


def cases(results):
    return [(line, size, f"{line}/{size}/") for line in LINES for size in sizes(results, line)]


def label(line, size):
    return f"{line}, {LINES[line][0]} {count(size)}"


def oracle_share(results, of):
    """Of a round of Algorithm 2. Asked again by itself an oracle can be slower than in the run."""
    return min(1.0, results.ratio(of + "algorithm 2 oracle", of + "algorithm 2"))


def dominated(results):
    return [case for case in cases(results) if oracle_share(results, case[2]) > 0.5]


def calls_alone(results, of):
    """parameter_free's linear minimisations by themselves, over a round of Algorithm 2."""
    return (results[of + "default calls"] * results[of + "default oracle"]
            / results[of + "algorithm 2"])


def goals(results):
    def ratio(case, what="default"):
        return results.ratio(case[2] + what, case[2] + "algorithm 2")

    rows = []
    those = dominated(results)
    for what, when in (("default", "the first 2^14 rounds"),
                       ("default late", "the second half of the longest run")):
        worst = max(those, key=lambda case: ratio(case, what))
        missed = [case for case in those if ratio(case, what) > 0.1]
        limit = (f"met on {len(those) - len(missed)} of {len(those)} sets; largest on "
                 f"{label(*worst[:2])}")
        if what == "default" and missed:
            limit += (f", where its linear minimisations alone take "
                      f"{calls_alone(results, worst[2]):.2f} and what a play must do "
                      f"{must_do(results, worst[2]) / results[worst[2] + 'algorithm 2']:.2f}")
        rows.append(at_most(
            f"parameter_free over Algorithm 2 where the oracle takes more than half, {when}: "
            "at most 0.1", ratio(worst, what), 0.1, limit=limit))
    others = [case for case in cases(results) if case not in those]
    worst = max(others, key=ratio)
    rows.append(at_most("parameter_free over Algorithm 2 elsewhere: at most 1.2", ratio(worst),
                        1.2, limit=f"largest on {label(*worst[:2])}"))
    steepest = max(value for _, _, value in over_rounds(results))
    rows.append(at_most("exponent of a round's time in the number of rounds, 10^3 to 10^5: "
                        "at most 0.1", steepest, 0.1))
    return rows


def over_rounds(results):
    """(set, learner, exponent), in the order of the program."""
    points = {}
    for name, time in results.runs[0].items():
        if name.startswith("rounds/"):
            _, where, t, learner = name.split("/")
            points.setdefault((where, learner), []).append((int(t), time))
    return [(where, learner, slope(values)) for (where, learner), values in points.items()]


def section(results):
    return [
        "## FKM, Algorithm 2 and parameter_free over the dimension",
        "",
        "A round of each (bench/growth.cc) on a linear loss with noise, 0 at its least point and 1 "
        "at the centre; the losses are recorded and not timed. Algorithm 2 is "
        "anytime(projection_free). FKM (anytime(fkm)) starts its epochs at a vertex and takes steps "
        "of a twentieth of the outer radius for a loss of 1, what its theorem has for 350 rounds; "
        "*outside* is the share of the rounds in which they left the set, so that the projection "
        "moved the point. Rounds: 2^14 - 1, or as many as fit in 60 ms, but 15 at least; of the "
        "parameter_free as many as fit in 240 ms.",
        "",
        *table(
            ["set", "size", "n", "Algorithm 2", "of it the oracle", "default", "FKM", "outside",
             "FKM / Algorithm 2", "FKM / default"],
            [curve_row(results, *case) for case in cases(results)]),
        "The exponents of n that fit these times, over all sizes that have them, and that of the "
        "ratio: what FKM loses or gains as the dimension grows.",
        "",
        *table(
            ["set", "projection", "oracle", "Algorithm 2", "default", "FKM",
             "FKM / Algorithm 2", "FKM / default"],
            [[line, LINES[line][1],
              text_of(exponent(results, line, "algorithm 2 oracle")),
              text_of(exponent(results, line, "algorithm 2")),
              text_of(exponent(results, line, "default")),
              text_of(exponent(results, line, "fkm")),
              text_of(exponent(results, line, "fkm", "algorithm 2")),
              text_of(exponent(results, line, "fkm", "default"))] for line in LINES]),
        *in_words(results),
        "## parameter_free next to Algorithm 2",
        "",
        "Algorithm 2 minimises a linear function a round. parameter_free does so at the ends "
        "of blocks, up to 50 times, and blocks grow like the square root of the rounds. *Calls* are its linear minimisations a round in the first 2^14 rounds, *calls alone* is "
        "their time by themselves over a whole round of Algorithm 2, estimated from the latest 300 "
        "of the whole run, which can be harder than the first. *Later*: the second half of a run of up to 2^17 - 1 "
        "rounds, as many as the time allows.",
        "",
        *table(
            ["set", "size", "oracle in Algorithm 2", "goal", "default / Algorithm 2", "calls",
             "calls alone", "later", "calls then", "rounds in all"],
            [goal_row(results, *case) for case in cases(results)]),
        *why_not(results),
        "## Over the rounds",
        "",
        "Nanoseconds a round from round t to 2 t, and the exponent of t that fits from 10^3 to 10^5.",
        "",
        *rounds_table(results),
    ]


def curve_row(results, line, size, of):
    projects = results.has(of + "fkm")
    return [
        line, count(size), count(round(results[of + "dimension"])),
        duration(results[of + "algorithm 2"]), f"{100 * oracle_share(results, of):.0f} %",
        duration(results[of + "default"]),
        duration(results[of + "fkm"]) if projects else
        "not timed" if results[of + "projects"] else "no projection",
        f"{100 * results[of + 'projected']:.0f} %" if projects else "",
        f"{results.ratio(of + 'fkm', of + 'algorithm 2'):.2f}" if projects else "",
        f"{results.ratio(of + 'fkm', of + 'default'):.1f}" if projects else ""]


def goal_row(results, line, size, of):
    most = 0.1 if oracle_share(results, of) > 0.5 else 1.2
    ratio = results.ratio(of + "default", of + "algorithm 2")
    return [
        line, count(size), f"{100 * oracle_share(results, of):.0f} %",
        f"{most} {'met' if ratio <= most else '**not met**'}", f"{ratio:.3f}",
        f"{results[of + 'default calls']:.3f}", f"{calls_alone(results, of):.3f}",
        f"{results.ratio(of + 'default late', of + 'algorithm 2'):.3f}",
        f"{results[of + 'default late calls']:.3f}",
        f"{results[of + 'default late rounds']:.0f}"]


def in_words(results):
    faster = [label(line, size) for line, size, of in cases(results)
              if results.has(of + "fkm") and results.ratio(of + "fkm", of + "algorithm 2") < 1]
    text = []
    if faster:
        text.append("The projection beats the linear minimisation, against the paper's ratio, on "
                    + "; ".join(faster) + ".")
    wins = []
    for line in FASTER_BY_STRUCTURE:
        ratios = [(size, results.ratio(of + "fkm", of + "algorithm 2"))
                  for a, size, of in cases(results) if a == line and results.has(of + "fkm")]
        unit = LINES[line][0]
        wins.append(f"{line} from {ratios[0][1]:.1f} ({unit} {ratios[0][0]}) to "
                    f"{ratios[-1][1]:.0f} times ({unit} {ratios[-1][0]}), like n to the "
                    f"{exponent(results, line, 'fkm', 'algorithm 2'):.2f}")
    text.append("The oracle wins by structure, and by more the larger the set: "
                + "; ".join(wins) + ". On large graphs and on large sparse polytopes there is no "
                "projection at all, and the oracle plays alone.")
    return [" ".join(text), ""]


def must_do(results, of):
    """Nanoseconds of a round of parameter_free besides its linear minimisations."""
    share = results[of + "default exploring"]
    return (share * results[of + "default draw"] + (1 + share) * results[of + "default pass"]
            + results[of + "default settle"])


def why_not(results):
    missed = [(line, size, of) for line, size, of in dominated(results)
              if results.ratio(of + "default", of + "algorithm 2") > 0.1]
    if not missed:
        return []

    def row(line, size, of):
        share = results[of + "default exploring"]
        passes = (1 + share) * results[of + "default pass"]
        calls = results[of + "default calls"] * results[of + "default oracle"]
        tenth = results[of + "algorithm 2"] / 10
        return [line, count(size), duration(tenth), duration(results[of + "default"]),
                duration(calls), f"{share:.2f}", duration(share * results[of + "default draw"]),
                duration(passes), duration(results[of + "default settle"]),
                f"{(calls + must_do(results, of)) / tenth:.2f}"]

    return [
        "Where a tenth is not met, in the first 2^14 rounds: *calls*, the linear minimisations by "
        "themselves; *draws*, of exploring plays, whose share is next to it, with their scores; one "
        "*pass* over the vectors to play, and one to learn from an exploring play; *settling* the "
        "signs and bounds of the play. *These / a tenth* is what they take of the limit. All else "
        "is the passes of the leader at the ends of blocks, and the bookkeeping of ask and tell "
        "(first table).",
        "",
        *table(["set", "size", "a tenth of Algorithm 2", "default", "calls", "exploring", "draws",
                "passes", "settling", "these / a tenth"],
               [row(*case) for case in missed]),
    ]


def rounds_table(results):
    run = results.runs[0]
    times = sorted({int(name.split("/")[2]) for name in run if name.startswith("rounds/")})
    return table(
        ["set", "learner", *(f"{t}" for t in times), "exponent"],
        [[where, learner, *(duration(run[f"rounds/{where}/{t}/{learner}"]) for t in times),
          f"{value:.2f}"] for where, learner, value in over_rounds(results)])
