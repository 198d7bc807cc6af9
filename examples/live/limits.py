#!/usr/bin/env python3
"""Keeps a latency below a limit, live, at least cost: limits.py KEYHOLE FOLDER [--quick]

haproxy splits real HTTP traffic over three pools of machines. A request costs least at one's own
machines, more at spot ones and most at rented ones. Each pool is slower the more it has to do. The
95th percentile of the latencies of a round must stay below a limit; pools.toml says which. Four
systems, each with servers of its own, get the same requests at the same times: the start, which is
safe and expensive; the cheapest fixed shares that a search finds within the limit; a study of
KEYHOLE (the program) that is told the cost and a penalty made by hand; and a study with the limit.

It takes 5 minutes and ends with a table. FOLDER gets the figures (results.json) and the studies.
All is on this machine, by loopback alone, and ends when this program ends. With --quick it takes
some seconds, and shows only that all of it works.
"""

import asyncio
import math
import pathlib
import random
import statistics
import tomllib

from traffic import main, send, started, tune

FILE = pathlib.Path(__file__).with_name("pools.toml")
SPACE = tomllib.loads(FILE.read_text(encoding="utf-8"))
START = SPACE["start"]["share"]
LIMIT = SPACE["limits"]["p95"]["most"]        # ms
PRICES = [1, 3, 8]                            # of 1,000 requests at each pool, in cents
POOLS = ["0.04x300", "0.03x300", "0.02x600"]  # servers.py says what it means
RATE = 400                                    # requests a second, of 1 unit of work in the mean
ROUND = 0.5                                   # seconds with the same shares
NAMES = {"start": "the start", "fixed": "cheapest fixed shares within it",
         "penalty": "Keyhole, a penalty by hand", "limit": "Keyhole, the limit"}


def cost(shares):
    return sum(price * share for price, share in zip(PRICES, shares))


def p95(each):
    return 1000 * statistics.quantiles(each.latencies, n=20)[-1]


def with_limit(each):
    return {"loss": cost(each.play["point"]), "metrics": {"p95": p95(each)}}


def with_penalty(each):
    """At twice the limit it is as much as the start costs."""
    above = max(0, p95(each) / LIMIT - 1)
    return {"loss": cost(each.play["point"]) + cost(START) * above}


async def race(systems, steps, rounds, chance, of_rounds=(with_limit,) * len(NAMES)):
    """The shares and the percentile of each round of the systems that play by these steps."""
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(tune(system, step, ROUND, of_round, stop))
                 for system, step, of_round in zip(systems, steps, of_rounds)]
        await send(systems[:len(tasks)], RATE, rounds * ROUND, chance,
                   lambda: chance.gammavariate(8, 1 / 8))
        stop.set()
    # The first round begins with nobody there, and the last one is not whole.
    return [[(each.play["point"], p95(each)) for each in task.result()[1:-1]] for task in tasks]


def fixed(shares):
    return lambda tells, asks=1: [{"play": 0, "point": shares}]


async def cheapest(systems, tried, rounds, errors, chance):
    """The cheapest of the fixed shares of which the mean percentile is within the limit, by so many
    standard errors. They are tried from the cheapest on."""
    tried = sorted(tried, key=cost)
    for k in range(0, len(tried), len(systems)):
        some = tried[k:k + len(systems)]
        for shares, seen in zip(some, await race(systems, map(fixed, some), rounds + 2, chance)):
            values = [value for _, value in seen]
            if len(values) < 2:  # of a machine that is very busy
                continue
            error = statistics.stdev(values) / math.sqrt(len(values))
            if statistics.fmean(values) + errors * error <= LIMIT:
                return shares
    return START


async def search(systems, quick, chance):
    """A grid of tenths, then one of twentieths near the best of these, for longer."""
    def grid(n):
        return [[a / n, b / n, (n - a - b) / n] for a in range(n + 1) for b in range(n + 1 - a)]
    rough = await cheapest(systems, grid(1 if quick else 10), 3, 0, chance)
    near = [shares for shares in grid(20)
            if max(abs(a - b) for a, b in zip(shares, rough)) < (0.01 if quick else 0.11)]
    return await cheapest(systems, near, 3 if quick else 32, 2, chance)


def figures(seen):
    """What is said of some rounds of a system."""
    return {"cost": statistics.fmean(cost(shares) for shares, _ in seen),
            "over": statistics.fmean(value > LIMIT for _, value in seen),
            "far": statistics.fmean(value > 1.1 * LIMIT for _, value in seen),
            "p95": statistics.fmean(value for _, value in seen)}


def table(result):
    yield f"{'':34}{'cost':>8}{'over':>8}{'by 10 %':>9}{'mean p95, ms':>14}"
    for phase, systems in result["phases"].items():
        yield phase
        for name, label in NAMES.items():
            of = systems[name]
            yield (f"  {label:32}{of['cost']:8.2f}{of['over']:8.0%}{of['far']:9.0%}"
                   f"{of['p95']:14.1f}")


async def run(keyhole, out, quick):
    rounds = 10 if quick else 380
    chance = random.Random()
    free = out / "free.toml"
    free.write_text(FILE.read_text(encoding="utf-8").split("[limits]")[0], encoding="utf-8")
    studies = {"penalty": [f"--space={free}", "--seed=1"], "limit": [f"--space={FILE}", "--seed=1"]}
    async with started(keyhole, out, dict.fromkeys(NAMES, "roundrobin"), POOLS, studies) as (
            systems, [penalty, limit], _):
        systems = list(systems.values())
        best = await search(systems, quick, chance)
        print(f"Cheapest fixed shares with p95 at most {LIMIT} ms, by a search: "
              f"{', '.join(f'{share:g}' for share in best)}\nNow all systems get the same traffic "
              f"for {rounds * ROUND:.0f} s.", flush=True)
        steps = fixed(START), fixed(best), penalty.step, limit.step
        raced = await race(systems, steps, rounds, chance,
                           (with_limit, with_limit, with_penalty, with_limit))
        status, recommended = limit.status(), limit.call("GET", "/recommendation")
    phases = {"all rounds": 0, "second half": 0.5}
    return {"limit": LIMIT, "rounds": rounds, "start": START, "best": best,
            "phases": {phase: {name: figures(seen[int(part * len(seen)):])
                               for name, seen in zip(NAMES, raced)}
                       for phase, part in phases.items()},
            "told": status["told"], "says": status["limits"]["p95"]["says"],
            "recommended": recommended["values"]["share"]}


if __name__ == "__main__":
    measured = main(__doc__, run)
    print("\n".join(table(measured)))
    print(f"Keyhole was told {measured['told']} rounds. It says of p95: {measured['says']}")
