#!/usr/bin/env python3
"""Rounds of projection_free and fkm on the solid simplex, transcribed to NumPy.

The same step with the same constants on the same losses as ../round.cc.

usage: rounds.py n [repetitions]   the time of a round in nanoseconds, as JSON: a list for each
       rounds.py --check program   repeats the plays that `bench_round --plays` prints
"""

import json
import math
import subprocess
import sys
import time

import numpy as np

LOSS_BOUND = 3
HORIZON = 2.0**40
LOSSES = [2 * ((k * 0.6180339887498949) % 1) - 1 for k in range(1, 1025)]


def unit_vector(random, n):
    u = random.standard_normal(n)
    u /= math.sqrt(u @ u)
    return u


class ProjectionFree:
    """Chen, Zhang, Karbasi 2019, Algorithm 1, on {x >= 0, sum x <= 1}."""

    def __init__(self, n):
        self.n = n
        self.r = 1 / (n + math.sqrt(n))
        c = self.r / 2
        self.delta = c * HORIZON**-0.2
        self.alpha = self.delta / self.r
        self.eta = c / (n * LOSS_BOUND) * HORIZON**-0.8
        self.x_1 = np.full(n, self.r)
        self.x = self.x_1
        self.S = np.zeros(n)
        self.t = 0

    def ask(self, u):
        if self.t > 0:
            gradient = self.eta * self.S + 2 * (self.x - self.x_1)
            sigma = self.t**-0.4
            self.x = (1 - sigma) * self.x + sigma * self.alpha * self.r
            least = gradient.argmin()
            if gradient[least] < 0:
                self.x[least] += sigma * (1 - self.alpha)
            self.S += self.n / self.delta * self.loss * self.u
        self.t += 1
        self.u = u
        return np.maximum(self.x + self.delta * u, 0)

    def tell(self, loss):
        self.loss = loss


def project(z):
    """The nearest point of {x >= 0, sum x <= 1}, by sorting."""
    positive = np.maximum(z, 0)
    if positive.sum() <= 1:
        return positive
    descending = np.sort(z)[::-1]
    excess = np.cumsum(descending) - 1
    k = np.nonzero(descending * np.arange(1, len(z) + 1) > excess)[0][-1]
    return np.maximum(z - excess[k] / (k + 1), 0)


class Fkm:
    """Flaxman, Kalai, McMahan 2005, on {x >= 0, sum x <= 1}."""

    def __init__(self, n):
        self.n = n
        self.r = 1 / (n + math.sqrt(n))
        self.delta = self.r / 8
        self.alpha = self.delta / self.r
        self.eta = 0.1 * self.delta / n
        self.x = np.full(n, self.r)
        self.t = 0

    def ask(self, u):
        if self.t > 0:
            z = self.x - self.eta * (self.n / self.delta * self.loss) * self.u
            k = project(self.r + (z - self.r) / (1 - self.alpha))
            self.x = self.r + (1 - self.alpha) * (k - self.r)
        self.t += 1
        self.u = u
        return np.maximum(self.x + self.delta * u, 0)

    def tell(self, loss):
        self.loss = loss


PEERS = {"projection_free": ProjectionFree, "fkm": Fkm}


def check(program):
    """Whether the transcriptions play the library's points, given its directions."""
    printed = subprocess.run([program, "--plays"], capture_output=True, text=True, check=True)
    players = {}
    counts = {}
    largest = 0.0
    for line in printed.stdout.splitlines():
        name, *numbers = line.split()
        numbers = np.array(numbers, dtype=float)
        u, y = np.split(numbers, 2)
        player = players.setdefault(name, PEERS[name](len(u)))
        largest = max(largest, np.abs(player.ask(u) - y).max())
        player.tell(LOSSES[counts.get(name, 0) % len(LOSSES)])
        counts[name] = counts.get(name, 0) + 1
    if set(players) != set(PEERS) or not largest <= 1e-12:
        sys.exit(f"the transcriptions differ from the library by {largest}")
    print(f"{counts}: the plays agree to {largest:.1e}")


def nanoseconds(name, n, random):
    """A round's time, over at least 50 ms of them."""
    player = PEERS[name](n)
    rounds = 0
    total = 0
    while total < 5e7:
        start = time.process_time_ns()
        for k in range(100 if n <= 1000 else 10):
            player.ask(unit_vector(random, n))
            player.tell(LOSSES[k])
            rounds += 1
        total += time.process_time_ns() - start
    return total / rounds


def main():
    if sys.argv[1] == "--check":
        check(sys.argv[2])
        return
    n = int(sys.argv[1])
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    random = np.random.default_rng(7)
    times = {name: [] for name in PEERS}
    for _ in range(repetitions):
        for name in PEERS:
            times[name].append(nanoseconds(name, n, random))
    print(json.dumps(times))


main()
