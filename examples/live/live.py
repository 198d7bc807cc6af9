#!/usr/bin/env python3
"""Tunes the weights of a real haproxy, live: live.py KEYHOLE FOLDER [--quick]

haproxy splits real HTTP traffic over four servers of unlike speed. Nobody tells Keyhole the speeds:
it sees the mean latency of each round. Halfway the fastest and the slowest server change places.
Five systems, each with servers of its own, get the same requests at the same times: equal weights,
the best static weights that a search finds, those of before the change kept after it, haproxy's
least connections, and a study of KEYHOLE (the program), which `keyhole serve` keeps on the disk.

It takes 5 minutes and ends with a table. FOLDER gets the figures (results.json) and the study. All
is on this machine, by loopback alone, and ends when this program ends. With --quick it takes some
seconds, and shows only that all of it works.
"""

import asyncio
import math
import random
import statistics

from traffic import REFUSED, drain, main, send, started, tune

SPEEDS = [480, 240, 180, 150]   # units of work a second
CHANGED = [150, 240, 180, 480]  # the same after the change
RATE = 480                      # requests a second, each of 1 unit of work in the mean
ROUND = 0.15                    # seconds with the same weights
EQUAL = [0.25] * 4
NAMES = {"equal": "equal weights", "kept": "best static weights, not changed",
         "best": "best static weights", "leastconn": "least connections", "keyhole": "Keyhole"}


async def load(systems, seconds, chance):
    await send(systems, RATE, seconds, chance, lambda: chance.expovariate(1))


def square_root_rule(speeds):
    """The weights that queueing theory (M/M/1) says are best, told the speeds and the rate."""
    used = sorted(speeds, reverse=True)
    while True:
        slack = (sum(used) - RATE) / sum(math.sqrt(speed) for speed in used)
        if math.sqrt(used[-1]) >= slack:
            return [max(0, speed - math.sqrt(speed) * slack) / RATE for speed in speeds]
        used.pop()


async def search(systems, speeds, seconds, chance):
    """The best static weights: what theory says, and random ones like it. The search is told the
    speeds, as Keyhole is not. All are tried, and the best four again for longer."""
    tried = [square_root_rule(speeds), [speed / sum(speeds) for speed in speeds]]
    while len(tried) < 16:
        power = chance.uniform(0.8, 2.2)
        weights = [speed ** power * math.exp(chance.gauss(0, 0.2)) for speed in speeds]
        tried.append([weight / sum(weights) for weight in weights])
    for length in (seconds, 4 * seconds):
        means = []
        for k in range(0, len(tried), len(systems)):
            some = tried[k:k + len(systems)]
            for system, weights in zip(systems, some):
                await system.set_weights(weights)
                system.log.clear()
            await load(systems, length, chance)
            await drain(systems)
            means += [(statistics.fmean(latency for _, latency in system.log), weights)
                      for system, weights in zip(systems, some)]
        tried = [weights for _, weights in sorted(means)[:len(systems)]]
    return tried[0]


async def race(systems, study, change, weights, seconds, chance):
    """The figures of a race over two phases of so many seconds."""
    loop = asyncio.get_running_loop()
    for system in systems.values():
        system.log.clear()
    for name, chosen in (("equal", EQUAL), ("kept", weights[0]), ("best", weights[0])):
        await systems[name].set_weights(chosen)
    begin = loop.time()
    stop = asyncio.Event()
    everybody = list(systems.values())
    async with asyncio.TaskGroup() as group:
        tuned = group.create_task(tune(
            systems["keyhole"], study.step, ROUND,
            lambda each: {"loss": 1000 * statistics.fmean(each.latencies)}, stop))
        await load(everybody, seconds, chance)
        change()
        await systems["best"].set_weights(weights[1])
        await load(everybody, seconds, chance)
        stop.set()
    await drain(everybody)
    return {"seconds": seconds, "weights": weights,
            "logs": {name: [(at - begin, latency) for at, latency in system.log]
                     for name, system in systems.items()},
            "plays": [(each.at - begin, each.play["point"]) for each in tuned.result()]}


def summary(raced, status):
    """What is said of a race; the windows are a hundredth of it."""
    seconds = raced["seconds"]
    window = 2 * seconds / 100

    def means_of(log):
        sums = [[0, 0.0] for _ in range(100)]
        for at, latency in log:
            place = sums[min(99, int(at / window))]
            place[0] += 1
            place[1] += 1000 * latency
        return [total / max(1, count) for count, total in sums]

    windows = {name: means_of(log) for name, log in raced["logs"].items()}
    thirds = {"before": (34, 50), "changed": (50, 66), "after": (84, 100)}

    def distance(a, b):
        return sum(abs(x - y) for x, y in zip(a, b))

    # Whether a play was back at the start, which is equal weights.
    back = [(at, distance(point, EQUAL) < distance(point, raced["weights"][at > seconds]))
            for at, point in raced["plays"]]
    result = {"seconds": seconds, "weights": raced["weights"], "windows": windows,
              "told": status["told"], "restarts": status["restarts"],
              "requests": len(raced["logs"]["equal"]), "mean": {}, "ratio": {}, "back": {}}
    for phase, (first, last) in thirds.items():
        result["mean"][phase] = {name: statistics.fmean(means[first:last])
                                 for name, means in windows.items()}
        ratio = result["mean"][phase]["keyhole"] / result["mean"][phase]["best"]
        off = [mine - ratio * best for mine, best in
               zip(windows["keyhole"][first:last], windows["best"][first:last])]
        error = statistics.stdev(off) / math.sqrt(len(off)) / result["mean"][phase]["best"]
        result["ratio"][phase] = ratio, error
        result["back"][phase] = statistics.fmean(
            [was for at, was in back if first * window <= at < last * window] or [0])
    return result


def table(result):
    mean, ratio, back = result["mean"], result["ratio"], result["back"]
    third = f"{result['seconds'] / 3:.2g} s"
    yield f"{'mean latency, ms':34}{'before':>12}{'just after':>12}{'after':>12}"
    for name, label in NAMES.items():
        yield f"{label:34}" + "".join(f"{mean[phase][name]:12.2f}" for phase in mean)
    yield f"{'Keyhole / best static weights':34}" + "".join(
        f"{value:12.2f}" for value, _ in ratio.values())
    yield f"{'  its standard error':34}" + "".join(f"{error:12.2f}" for _, error in ratio.values())
    yield f"{'plays nearer to equal weights':34}" + "".join(
        f"{share:12.0%}" for share in back.values())
    yield (f"before: the last {third} before the change; just after: the first {third} after it; "
           f"after: the last {third}.")


async def run(keyhole, out, quick):
    seconds, tried = (1, 0.05) if quick else (120, 2)
    chance = random.Random()
    balances = {name: "leastconn" if name == "leastconn" else "roundrobin" for name in NAMES}
    studies = {"weights": ["--set=simplex(4)", "--seed=1"]}
    print(f"Four servers behind haproxy, {RATE} requests a second. A server works at one "
          f"request\nat a time, and refuses whoever comes while 20 wait, which counts as "
          f"{1000 * REFUSED:.0f} ms.", flush=True)
    async with started(keyhole, out, balances, SPEEDS, studies) as (systems, [study], servers):
        def set_speeds(speeds):
            servers.stdin.write(" ".join(map(str, speeds)) + "\n")
            servers.stdin.flush()

        free = [system for name, system in systems.items() if name != "leastconn"]
        weights = []
        for speeds in (CHANGED, SPEEDS):
            set_speeds(speeds)
            weights.insert(0, await search(free, speeds, tried, chance))
            print(f"Best static weights for speeds {speeds}, by a search: "
                  f"{', '.join(f'{weight:.3f}' for weight in weights[0])}", flush=True)
        print(f"Now all systems get the same traffic for {2 * seconds} s. After {seconds} s the "
              f"fastest\nand the slowest server change places.", flush=True)
        raced = await race(systems, study, lambda: set_speeds(CHANGED), weights, seconds, chance)
        return summary(raced, study.status())


if __name__ == "__main__":
    measured = main(__doc__, run)
    print("\n".join(table(measured)))
    print(f"{measured['requests']} requests a system. Keyhole was told {measured['told']} rounds. "
          f"Restarts: {measured['restarts']}.")
