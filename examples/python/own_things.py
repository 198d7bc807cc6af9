"""A set, a problem and an algorithm of your own in an experiment, next to the built-ins.

A depot sends a van out every day, on one of four tours. What may be chosen is how often each tour is
driven, seen as the mean load of two towns; what is seen is what the day cost.
"""

import numpy as np

import keyhole as kh

# The loads that a tour brings to the two towns.
TOURS = np.array([[0.0, 0.0], [4.0, 0.0], [3.0, 3.0], [0.0, 2.0]])


def tours():
    """Mixtures of tours: all that is needed is the best tour for given prices of a load."""
    return kh.own_set(2, lambda prices: TOURS[np.argmin(TOURS @ prices)], name="tours")


class Demand(kh.Problem):
    """What a day costs: too much and too little in each town, and demand differs from day to day."""

    name = "demand"

    def __init__(self, set: kh.Set, spread: float = 0.5):
        super().__init__(set)
        self.spread = spread
        self.loss_bound = 20.0

    def draw(self, t, random):
        self.wanted = np.array([3.3, 0.5]) + self.spread * random.normals(t, 2)

    def value(self, x):
        return 0.5 * float(np.sum((x - self.wanted) ** 2))

    def gradient(self, x):
        return x - self.wanted

    def total(self):
        return TotalDemand(self)


class TotalDemand:
    """The sum of the losses by three numbers, so that hindsight need not draw them again."""

    def __init__(self, problem):
        self.problem = problem
        self.days, self.wanted, self.squares = 0, np.zeros(2), 0.0

    def add(self):
        self.days += 1
        self.wanted = self.wanted + self.problem.wanted
        self.squares += float(self.problem.wanted @ self.problem.wanted)

    def value(self, x):
        return 0.5 * (self.days * float(x @ x) + self.squares) - float(self.wanted @ x)

    def gradient(self, x):
        return self.days * x - self.wanted


class Compass(kh.Algorithm):
    """Tries the extreme points one after the other, and leans to the better half of them."""

    name = "compass"

    def __init__(self, set, lean=0.02):
        super().__init__(set)
        self.name = f"compass(lean={lean})"
        self.lean = lean
        self.x = np.array(set.geometry.centre)
        self.mean, self.seen = 0.0, 0

    def play(self, t, random):
        return self.x + 0.1 * (self.tried(t, random) - self.x)

    def absorb(self, s, loss, random):
        self.seen += 1
        self.mean += (loss - self.mean) / self.seen
        if loss < self.mean:
            self.x = self.x + self.lean * (self.tried(s, random) - self.x)

    def tried(self, t, random):
        return self.set.minimise(random.direction(t))

    def recommend(self):
        return self.x


def main():
    catalogue = kh.Catalogue()
    catalogue.add_set("tours", tours)
    catalogue.add_problem("demand", Demand)
    catalogue.add_algorithm("compass", Compass)

    report = kh.testing.check_algorithm(Compass, tours(), rounds=15)
    print("compass keeps the contract of algorithms:", report.ok)
    experiment = kh.Experiment(
        problems=["demand(tours)", "tracking(tours)"],
        learners=["posterior", "compass", "compass(lean=0.1)", "anytime(bbcg)"],
        rounds=300, repeats=3, seed=1, catalogue=catalogue)
    results = experiment.run(timing=0)
    print(results)
    results.save("own_things.pdf")


main()
