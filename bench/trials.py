#!/usr/bin/env python3
"""usage: bench/trials.py [--repeats=2] [--seed=1] [--noise=0.3] [--most=400] [--each] [LEARNER...]

Few trials: what posterior, with and without trials=, and other methods have after 25 to 400 of them,
or --most, on 18 problems in 2 to 20 dimensions, as Markdown. The others are a Gaussian process with
expected improvement (scikit-learn), TPE (Optuna), CMA-ES and random search. All begin at the centre
of the set. Losses have normal noise, whose deviation is this times what there is to gain over the centre.
A figure is the regret over that of the centre, 1 for staying there: on the average over the trials,
and of the recommended point. It is the mean over the repeats, and the geometric mean over the
problems, at least 0.001 each; --each prints the problems, too. Needs the package to be installed:
after `make python`, run it by build/python/venv/bin/python.
"""

import math
import sys
import warnings

import keyhole as kh
import numpy as np
import optuna
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

LOOKS = (25, 64, 128, 256, 400)


class Box:
    """[0, 1]^n."""

    def __init__(self, n):
        self.n = n
        self.set = kh.box(0, 1, n)
        self.centre = np.full(n, 0.5)

    def inside(self, random):
        """A point to aim at, neither at the centre nor at the edge."""
        return self.point(random.choice([-1, 1], self.n) * random.uniform(0.2, 0.4, self.n) + 0.5)

    def point(self, u):
        """Of the set, by numbers from 0 to 1."""
        return u

    def least(self, slope):
        return np.minimum(slope, 0).sum()


class Shares(Box):
    """n shares, of a whole."""

    def __init__(self, n):
        self.n = n
        self.set = kh.simplex(n)
        self.centre = np.full(n, 1 / n)

    def inside(self, random):
        return 0.2 * self.centre + 0.8 * random.dirichlet(np.full(self.n, 0.7))

    def point(self, u):
        e = -np.log(np.clip(u, 1e-9, 1 - 1e-9))
        return e / e.sum()

    def least(self, slope):
        return slope.min()


class Both:
    """A box and shares."""

    def __init__(self, box, shares):
        self.parts = box, shares
        self.n = box.n + shares.n
        self.set = kh.product(box.set, shares.set)
        self.centre = np.concatenate([p.centre for p in self.parts])

    def inside(self, random):
        return np.concatenate([p.inside(random) for p in self.parts])

    def point(self, u):
        k = self.parts[0].n
        return np.concatenate([self.parts[0].point(u[:k]), self.parts[1].point(u[k:])])


# What a problem costs in the mean, as a function of a point, whose least value is 0.

def bowl(on, random, condition=10):
    """A tilted quadratic."""
    target = on.inside(random)
    turn = np.linalg.qr(random.standard_normal((on.n, on.n)))[0]
    scale = condition ** np.linspace(0, 0.5, on.n)
    return lambda x: np.sum((scale * (turn @ (x - target))) ** 2)


def round_bowl(on, random):
    return bowl(on, random, 1)


def valley(on, random):
    return bowl(on, random, 100)


def corner(on, random):
    """A quadratic that is least at a corner of a box."""
    beyond = random.choice([-0.3, 1.3], on.n)
    least = np.sum(np.full(on.n, 0.3) ** 2)
    return lambda x: np.sum((x - beyond) ** 2) - least


def steep(on, random):
    """Exponentials: too much costs more than too little."""
    target = on.inside(random)
    side = 3 * random.choice([-1, 1], on.n)
    return lambda x: np.sum(np.exp(side * (x - target)) - side * (x - target) - 1)


def kinks(on, random):
    """A kink in each coordinate."""
    target = on.inside(random)
    return lambda x: np.abs(x - target).sum()


def ridge(on, random):
    """The largest of linear functions."""
    target = on.inside(random)
    slopes = random.standard_normal((2 * on.n, on.n))
    slopes -= slopes.mean(axis=0)
    return lambda x: np.max(slopes @ (x - target))


def linear(on, random):
    slope = random.standard_normal(on.n)
    least = on.least(slope)
    return lambda x: slope @ x - least


def returns(on, random):
    """Shares whose returns diminish: -sum c_i log(0.05 + x_i), least where c_i / (0.05 + x_i) are
    equal for all that have something."""
    c = random.dirichlet(np.ones(on.n))
    low, high = 0.0, 20.0
    for _ in range(100):
        price = (low + high) / 2
        shares = np.maximum(0, c / price - 0.05)
        low, high = (price, high) if shares.sum() > 1 else (low, price)
    least = -c @ np.log(0.05 + shares)
    return lambda x: -c @ np.log(0.05 + x) - least


PROBLEMS = {
    "bowl 2": (bowl, Box(2)), "valley 3": (valley, Box(3)), "bowl 5": (bowl, Box(5)),
    "bowl 10": (bowl, Box(10)), "round bowl 20": (round_bowl, Box(20)), "corner 10": (corner, Box(10)),
    "steep 5": (steep, Box(5)), "steep 10": (steep, Box(10)), "kinks 2": (kinks, Box(2)),
    "kinks 5": (kinks, Box(5)), "ridge 5": (ridge, Box(5)), "ridge 10": (ridge, Box(10)),
    "linear 8": (linear, Box(8)), "linear shares 5": (linear, Shares(5)),
    "linear shares 20": (linear, Shares(20)), "round bowl of shares 5": (round_bowl, Shares(5)),
    "returns 10": (returns, Shares(10)), "bowl of both 8": (bowl, Both(Box(4), Shares(4))),
}


class Keyhole:
    def __init__(self, on, seed, learner):
        self.learner = kh.Learner(on.set, learner, seed=seed)

    def ask(self):
        self.play = self.learner.ask()
        return self.play.point

    def tell(self, loss):
        self.learner.tell(self.play, loss)

    def recommend(self):
        return self.learner.recommend()


class Seen:
    """What was played, and the least of it."""

    def __init__(self, on, seed):
        self.on = on
        self.random = np.random.default_rng(seed)
        self.points, self.losses = [on.centre], []

    def drawn(self):
        return self.on.point(self.random.random(self.on.n))

    def ask(self):
        if self.losses:
            self.points.append(self.next())
        return self.points[-1]

    def tell(self, loss):
        self.losses.append(loss)

    def recommend(self):
        return self.points[int(np.argmin(self.losses))]

    next = drawn


class GaussianProcess(Seen):
    """Matern 5/2 with a length for all coordinates. Its parameters are fitted again when there are half
    more losses. The improvement is expected over the least mean of what was played, and sought
    among 100 points, most of them about that one."""

    model = None
    due = 0

    def next(self):
        count = len(self.losses)
        if count < min(2 * self.on.n + 2, 20):
            return self.drawn()
        losses = np.array(self.losses)
        unit = losses.std() or 1.0
        if count >= self.due:
            kernel = ConstantKernel() * Matern(nu=2.5) + WhiteKernel(0.1)
            optimizer = "fmin_l_bfgs_b"
            self.due = 1.5 * count
        else:
            kernel, optimizer = self.model.kernel_, None
        self.model = GaussianProcessRegressor(kernel, optimizer=optimizer)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.model.fit(self.points, (losses - losses.mean()) / unit)
        incumbent = self.recommend()
        candidates = [self.drawn() for _ in range(100)]
        for k in range(30, 100):
            candidates[k] = incumbent + 10 ** -self.random.uniform(0, 2) * (candidates[k] - incumbent)
        mean, deviation = self.model.predict(candidates, return_std=True)
        deviation = np.maximum(deviation, 1e-9)
        z = (self.model.predict([incumbent])[0] - mean) / deviation
        below = 0.5 * np.array([math.erfc(-one / math.sqrt(2)) for one in z])
        improvement = deviation * (z * below + np.exp(-z * z / 2) / math.sqrt(2 * math.pi))
        return candidates[int(np.argmax(improvement))]

    def recommend(self):
        if self.model is None:
            return super().recommend()
        return self.points[int(np.argmin(self.model.predict(self.points)))]


class Tpe(Seen):
    """Optuna's TPE with its defaults."""

    def __init__(self, on, seed):
        super().__init__(on, seed)
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
        # The middle of a box, and equal shares.
        self.study.enqueue_trial({f"x{i}": 0.5 for i in range(on.n)})
        self.points = []

    def ask(self):
        self.trial = self.study.ask()
        u = [self.trial.suggest_float(f"x{i}", 0, 1) for i in range(self.on.n)]
        self.points.append(self.on.point(np.array(u)))
        return self.points[-1]

    def tell(self, loss):
        super().tell(loss)
        self.study.tell(self.trial, loss)


LEARNERS = {
    "`posterior`": lambda on, seed: Keyhole(on, seed, "posterior"),
    "`posterior(trials=400)`": lambda on, seed: Keyhole(on, seed, kh.learners.posterior(trials=400)),
    "`parameter_free`": lambda on, seed: Keyhole(on, seed, "parameter_free"),
    "`cma_es`": lambda on, seed: Keyhole(on, seed, "cma_es"),
    "random search": Seen,
    "Gaussian process": GaussianProcess,
    "TPE": Tpe,
}


def run(make, problem, seed, noise, looks):
    """The regret at each look: on the average, and of the recommended point."""
    family, on = PROBLEMS[problem]
    cost = family(on, np.random.default_rng([seed, 1]))
    unit = cost(on.centre)
    random = np.random.default_rng([seed, 2])
    learner = make(on, seed)
    total, found = 0, []
    for t in range(1, looks[-1] + 1):
        above = cost(learner.ask()) / unit
        total += above
        learner.tell(above + noise * random.standard_normal())
        if t in looks:
            found.append((total / t, cost(learner.recommend()) / unit))
    return np.array(found)


def row(name, found):
    cells = [" / ".join(f"{x:.3f}".lstrip("0") for x in column) for column in found.T]
    print(f"| {name} | {cells[0]} | {cells[1]} |", flush=True)


def main():
    given = dict(a[2:].split("=") for a in sys.argv[1:] if a.startswith("--") and "=" in a)
    repeats, seed = int(given.get("repeats", 2)), int(given.get("seed", 1))
    noise = float(given.get("noise", 0.3))
    wanted = [a for a in sys.argv[1:] if not a.startswith("--")]
    looks = [look for look in LOOKS if look <= int(given.get("most", LOOKS[-1]))]
    print(f"| at {' / '.join(map(str, looks))} trials | average regret | regret of the recommended "
          "point |\n|---|---|---|")
    for name, make in LEARNERS.items():
        if wanted and name.strip("`") not in wanted:
            continue
        logs = []
        for problem in PROBLEMS:
            found = np.mean([run(make, problem, 1000 * seed + k, noise, looks)
                             for k in range(repeats)], axis=0)
            if "--each" in sys.argv:
                row(f"{name}, {problem}", found)
            logs.append(np.log(np.maximum(found, 1e-3)))
        row(name, np.exp(np.mean(logs, axis=0)))


main()
