"""Optimisers of others for kh.bench: each is made for a kh.Task, and asks and tells.

They choose numbers of a box: those of the set, where that is one, else what `Coordinates` has for
it. Those that want to call a function, and not to be asked, run in a thread of their own.
"""

import math
import queue
import re
import threading
import warnings

import keyhole as kh
import nlopt
import numpy as np
import optuna
import scipy.optimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel


class Coordinates:
    """Numbers from `low` to `high` for the points of a set, so that all of its inside is met.

    A ball is a cube whose corners are drawn in. Shares are the logarithms of numbers from 0 to 1,
    divided by their sum: uniform numbers give uniform shares. Products have those of their parts.
    """

    def __init__(self, task):
        self.parts = []  # how many numbers, and what makes points of them
        self.low, self.high, self.start = np.empty(0), np.empty(0), np.empty(0)
        self.add(task.set.spec, task.low, task.high, task.start)

    def add(self, spec, low, high, start):
        kind, text = re.fullmatch(r"(\w+)\((.*)\)", spec).groups()
        if kind == "product":
            for part in arguments(text):
                size = kh.Set(part).dimension
                self.add(part, low[:size], high[:size], start[:size])
                low, high, start = low[size:], high[size:], start[size:]
            return
        count, radius, total = len(low), (high[0] - low[0]) / 2, start.sum()
        if kind == "box":
            made = np.array
        elif kind == "ball":
            centre = start

            def made(u):
                return centre + radius * u * np.abs(u).max() / (np.linalg.norm(u) or 1.0)

            low, high, start = -np.ones(count), np.ones(count), np.zeros(count)
        elif kind == "simplex":
            def made(u):
                numbers = -np.log(u)
                return total * numbers / numbers.sum()

            low, high, start = np.full(count, 1e-9), np.full(count, 1 - 1e-9), np.full(count, 0.5)
        else:
            raise ValueError(f"there are no coordinates for {spec}")
        self.parts.append((count, made))
        self.low, self.high = np.append(self.low, low), np.append(self.high, high)
        self.start = np.append(self.start, start)

    def point(self, numbers):
        left = np.clip(numbers, self.low, self.high)
        points = []
        for count, made in self.parts:
            points.append(made(left[:count]))
            left = left[count:]
        return np.concatenate(points)


def arguments(text):
    """What stands between the commas of a call."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [each.strip() for each in found]


class RandomSearch:
    """The start, then points all over."""

    def __init__(self, task):
        self.task = task
        self.coordinates = Coordinates(task)
        self.random = np.random.default_rng(task.seed)
        self.points, self.losses = [], []

    def drawn(self, count):
        low, high = self.coordinates.low, self.coordinates.high
        return np.array([self.coordinates.point(numbers)
                         for numbers in self.random.uniform(low, high, (count, len(low)))])

    def ask(self):
        return self.next() if self.losses else self.task.start

    def next(self):
        return self.drawn(1)[0]

    def tell(self, point, loss):
        self.points.append(point)
        self.losses.append(loss)


class GaussianProcess(RandomSearch):
    """Matern 5/2 with a length for all coordinates. Its parameters are fitted again when there are
    half more losses. The improvement is expected over the least mean of what was played, and
    sought among 100 points, most of them about that one."""

    model = None
    due = 0

    def next(self):
        count = len(self.losses)
        if count < min(2 * len(self.task.low) + 2, 20):
            return super().next()
        losses = np.array(self.losses)
        if count >= self.due:
            kernel = ConstantKernel() * Matern(nu=2.5) + WhiteKernel(0.1)
            optimizer = "fmin_l_bfgs_b"
            self.due = 1.5 * count
        else:
            kernel, optimizer = self.model.kernel_, None
        self.model = GaussianProcessRegressor(kernel, optimizer=optimizer)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.model.fit(self.points, (losses - losses.mean()) / (losses.std() or 1.0))
        incumbent = self.recommend()
        candidates = self.drawn(100)
        nearer = 10 ** -self.random.uniform(0, 2, (70, 1))
        candidates[30:] = incumbent + nearer * (candidates[30:] - incumbent)
        mean, deviation = self.model.predict(candidates, return_std=True)
        # Without the noise of a loss, which is no chance to find a better point.
        deviation = np.sqrt(np.maximum(deviation**2 - self.model.kernel_.k2.noise_level, 1e-18))
        z = (self.model.predict([incumbent])[0] - mean) / deviation
        below = 0.5 * np.array([math.erfc(-one / math.sqrt(2)) for one in z])
        improvement = deviation * (z * below + np.exp(-z * z / 2) / math.sqrt(2 * math.pi))
        return candidates[int(np.argmax(improvement))]

    def recommend(self):
        if self.model is None:
            return self.points[int(np.argmin(self.losses))]
        return self.points[int(np.argmin(self.model.predict(self.points)))]


class InTurn:
    """An optimiser that needs each loss before it is asked again."""

    waits = False

    def take_turn(self):
        if self.waits:
            raise ValueError("this optimiser needs each loss before the next play: take a suite "
                             "without late or missing losses")
        self.waits = True


class Tpe(InTurn):
    """Optuna's TPE with its defaults."""

    def __init__(self, task):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.coordinates = Coordinates(task)
        self.study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=task.seed))
        self.study.enqueue_trial({f"x{i}": x for i, x in enumerate(self.coordinates.start)})

    def ask(self):
        self.take_turn()
        self.trial = self.study.ask()
        return self.coordinates.point([
            self.trial.suggest_float(f"x{i}", low, high)
            for i, (low, high) in enumerate(zip(self.coordinates.low, self.coordinates.high))])

    def tell(self, point, loss):
        self.waits = False
        self.study.tell(self.trial, loss)


class Over(Exception):
    """The run of an optimiser is over."""


class Calling(InTurn):
    """An optimiser that calls a function, in minimise(). It runs in a thread, which ends when the
    next one of its kind is made: then its run is over. When it has ended, its best point is
    played."""

    latest = {}

    def __init__(self, task, kind):
        self.seed = task.seed
        self.coordinates = Coordinates(task)
        self.asked, self.told = queue.Queue(), queue.Queue()
        self.best, self.least = self.coordinates.start, math.inf
        if kind in self.latest:
            self.latest[kind].told.put(None)
        self.latest[kind] = self
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        try:
            self.minimise()
            while True:
                self.loss(self.best)
        except Over:
            pass
        except Exception as error:
            self.asked.put(error)  # who asks is to see it

    def loss(self, x, gradient=None):
        self.asked.put(np.array(x))
        loss = self.told.get()
        if loss is None:
            self.told.put(None)
            raise Over
        if loss < self.least:
            self.best, self.least = np.array(x), loss
        return loss

    def ask(self):
        self.take_turn()
        numbers = self.asked.get()
        if isinstance(numbers, Exception):
            raise numbers
        return self.coordinates.point(numbers)

    def tell(self, point, loss):
        self.waits = False
        self.told.put(loss)


class NelderMead(Calling):
    """SciPy's, with first steps of a quarter of the box, as NLopt's have them."""

    def __init__(self, task):
        super().__init__(task, "Nelder-Mead")

    def minimise(self):
        low, high, start = self.coordinates.low, self.coordinates.high, self.coordinates.start
        scipy.optimize.minimize(
            self.loss, start, bounds=list(zip(low, high)), method="Nelder-Mead",
            options={"initial_simplex": np.vstack([start, start + np.diag(high - low) / 4]),
                     "adaptive": len(low) >= 10})


class NLopt(Calling):
    """An algorithm of NLopt, with its defaults."""

    def __init__(self, task, algorithm):
        self.algorithm = algorithm
        super().__init__(task, algorithm)

    def minimise(self):
        solver = nlopt.opt(self.algorithm, len(self.coordinates.low))
        solver.set_lower_bounds(self.coordinates.low)
        solver.set_upper_bounds(self.coordinates.high)
        solver.set_min_objective(self.loss)
        nlopt.srand(self.seed)
        try:
            solver.optimize(self.coordinates.start)
        except nlopt.RoundoffLimited:  # it is as near as it comes
            pass


TUNERS = {
    "Gaussian process (scikit-learn)": GaussianProcess,
    "TPE (Optuna)": Tpe,
    "Nelder-Mead (SciPy)": NelderMead,
    "COBYLA (NLopt)": lambda task: NLopt(task, nlopt.LN_COBYLA),
    "BOBYQA (NLopt)": lambda task: NLopt(task, nlopt.LN_BOBYQA),
    "DIRECT-L (NLopt)": lambda task: NLopt(task, nlopt.GN_DIRECT_L),
    "random search": RandomSearch,
}
