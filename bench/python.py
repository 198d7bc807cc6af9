#!/usr/bin/env python3
"""usage: bench/python.py BUILD

The processor time of a round from Python, next to the same round in C++ (BUILD/python/keyhole_plays)
and to a plain transcription of FKM in NumPy, in one run; and the time of the import. Needs the
package to be installed: after `make python`, run it by build/python/venv/bin/python.
"""

import subprocess
import sys
import time

import keyhole as kh
import numpy as np

ROUNDS = 50_000


def microseconds(play, rounds):
    """The least of five, each a fifth of the rounds: what else runs only adds."""
    times = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(rounds // 5):
            play()
        times.append(1e6 * (time.process_time() - start) / (rounds // 5))
    return min(times)


def cpp(build, n, learner):
    command = [f"{build}/python/keyhole_plays", f"ball({n})", learner, str(ROUNDS // 5)]
    return min(float(subprocess.run(command, check=True, capture_output=True).stdout)
               for _ in range(5))


def single(learner):
    def play():
        learner.tell(learner.ask(), 0.5)
    return play


def batch(learner):
    losses = np.full(100, 0.5)

    def play():
        learner.tell(learner.ask(100), losses)
    return play


def numpy_fkm(n):
    """Flaxman, Kalai and McMahan (2005) on the unit ball."""
    random = np.random.default_rng(1)
    x = np.zeros(n)
    delta, eta = 0.1, 0.001

    def told(y):
        return 0.5

    def play():
        nonlocal x
        u = random.standard_normal(n)
        u /= np.linalg.norm(u)
        x = x - eta * n / delta * told(x + delta * u) * u
        x *= min(1.0, (1 - delta) / max(np.linalg.norm(x), 1e-300))
    return play


def import_milliseconds(before, name):
    """Of a module, once another is there."""
    timed = f"import time, {before}; t = time.process_time(); import {name}; " \
            "print(time.process_time() - t)"
    return min(1000 * float(subprocess.run([sys.executable, "-c", timed], check=True,
                                           capture_output=True).stdout) for _ in range(5))


def show(what, figure):
    print(f"| {what} | {figure} |")


def main():
    build = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
    show("what", "")
    print("|---|---|")
    for learner in ("parameter_free", "posterior"):
        for n in (10, 100):
            of = f"`{learner}` on `ball({n})`"
            show(f"{of}, C++", f"{cpp(build, n, learner):.2f} us")
            one = microseconds(single(kh.Learner(kh.ball(n), learner)), ROUNDS)
            show(f"{of}, ask and tell", f"{one:.2f} us")
            many = microseconds(batch(kh.Learner(kh.ball(n), learner)), ROUNDS // 100) / 100
            show(f"{of}, a play of 100 asked and told at once", f"{many:.2f} us")
    for n in (10, 100):
        show(f"FKM in NumPy on `ball({n})`", f"{microseconds(numpy_fkm(n), ROUNDS // 5):.2f} us")
    show("import of NumPy", f"{import_milliseconds('sys', 'numpy'):.1f} ms")
    show("import of keyhole after it", f"{import_milliseconds('numpy', 'keyhole'):.1f} ms")


main()
