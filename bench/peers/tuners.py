"""Optimisers of others for kh.bench: each is made for a kh.Task, and asks and tells.

Those that want to call a function, and not to be asked, run in a thread of their own.
"""

import math
import queue
import threading
import warnings

import nlopt
import numpy as np
import optuna
import scipy.optimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel


class RandomSearch:
    """The start, then points all over."""

    def __init__(self, task):
        self.task = task
        self.random = np.random.default_rng(task.seed)
        self.points, self.losses = [], []

    def drawn(self, count):
        """Points of the set, from all over the box about it."""
        points = self.random.uniform(self.task.low, self.task.high, (count, len(self.task.low)))
        return self.task.set.project(points)

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
        deviation = np.maximum(deviation, 1e-9)
        z = (self.model.predict([incumbent])[0] - mean) / deviation
        below = 0.5 * np.array([math.erfc(-one / math.sqrt(2)) for one in z])
        improvement = deviation * (z * below + np.exp(-z * z / 2) / math.sqrt(2 * math.pi))
        return candidates[int(np.argmax(improvement))]

    def recommend(self):
        if self.model is None:
            return self.points[int(np.argmin(self.losses))]
        return self.points[int(np.argmin(self.model.predict(self.points)))]


class Tpe:
    """Optuna's TPE with its defaults."""

    def __init__(self, task):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.task = task
        self.study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=task.seed))
        self.study.enqueue_trial({f"x{i}": x for i, x in enumerate(task.start)})

    def ask(self):
        self.trial = self.study.ask()
        return [self.trial.suggest_float(f"x{i}", low, high)
                for i, (low, high) in enumerate(zip(self.task.low, self.task.high))]

    def tell(self, point, loss):
        self.study.tell(self.trial, loss)


class Over(Exception):
    """The run of an optimiser is over."""


class Calling:
    """An optimiser that calls a function, in minimise(). It runs in a thread, which ends when the
    next one of its kind is made: then its run is over. When it has ended, or failed, its best
    point is played."""

    latest = {}

    def __init__(self, task, kind):
        self.task = task
        self.asked, self.told = queue.Queue(), queue.Queue()
        self.best, self.least = task.start, math.inf
        if kind in self.latest:
            self.latest[kind].told.put(None)
        self.latest[kind] = self
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        try:
            self.minimise()
        except Exception:  # NLopt and SciPy have many
            pass
        while True:
            try:
                self.loss(self.best)
            except Over:
                return

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
        return self.asked.get()

    def tell(self, point, loss):
        self.told.put(loss)


class NelderMead(Calling):
    """SciPy's."""

    def __init__(self, task):
        super().__init__(task, "Nelder-Mead")

    def minimise(self):
        bounds = list(zip(self.task.low, self.task.high))
        scipy.optimize.minimize(self.loss, self.task.start, bounds=bounds, method="Nelder-Mead")


class NLopt(Calling):
    """An algorithm of NLopt, with its defaults."""

    def __init__(self, task, algorithm):
        self.algorithm = algorithm
        super().__init__(task, algorithm)

    def minimise(self):
        solver = nlopt.opt(self.algorithm, len(self.task.low))
        solver.set_lower_bounds(self.task.low)
        solver.set_upper_bounds(self.task.high)
        solver.set_min_objective(self.loss)
        nlopt.srand(self.task.seed)
        solver.optimize(self.task.start)


TUNERS = {
    "Gaussian process (scikit-learn)": GaussianProcess,
    "TPE (Optuna)": Tpe,
    "Nelder-Mead (SciPy)": NelderMead,
    "COBYLA (NLopt)": lambda task: NLopt(task, nlopt.LN_COBYLA),
    "BOBYQA (NLopt)": lambda task: NLopt(task, nlopt.LN_BOBYQA),
    "DIRECT-L (NLopt)": lambda task: NLopt(task, nlopt.GN_DIRECT_L),
    "random search": RandomSearch,
}
