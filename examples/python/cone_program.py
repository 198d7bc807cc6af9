"""A set whose oracle is a cone program, solved by another package: CVXOPT (python3-cvxopt).

Money is spread over five assets. The set is all spreads x >= 0, sum x = 1, whose risk
||L' x|| is at most a limit: no set of the catalogue, but a cone program minimises over it.
"""

import cvxopt
import cvxopt.solvers
import numpy as np

import keyhole as kh

ASSETS = 5
LIMIT = 0.1
# L' x is what the five risks that all assets share make of a spread.
L = np.array([[0.20, 0.00, 0.00, 0.00, 0.00],
              [0.05, 0.15, 0.00, 0.00, 0.00],
              [0.02, 0.05, 0.12, 0.00, 0.00],
              [0.01, 0.02, 0.03, 0.08, 0.00],
              [0.00, 0.01, 0.01, 0.02, 0.05]])

SOLVER = {"show_progress": False, "abstol": 1e-9, "reltol": 1e-9, "feastol": 1e-9}
# G x + s = h with s in the cone: x >= 0, and (LIMIT, L' x) in the cone of the second order.
CONE = {"l": ASSETS, "q": [ASSETS + 1], "s": []}
G = cvxopt.matrix(np.vstack([-np.eye(ASSETS), np.zeros((1, ASSETS)), -L.T]))
H = cvxopt.matrix(np.concatenate([np.zeros(ASSETS), [LIMIT], np.zeros(ASSETS)]))
ONES = cvxopt.matrix(np.ones((1, ASSETS)))
FIRST = np.eye(ASSETS)[0]


def minimise(direction):
    """The spread x of the set with the least <direction, x>."""
    direction = direction - direction.mean()  # what all assets have in common changes nothing
    size = np.abs(direction).max()
    direction = direction / size if size > 1e-12 else FIRST
    found = cvxopt.solvers.conelp(cvxopt.matrix(direction), G, H, CONE, ONES, cvxopt.matrix(1.0),
                                  options=SOLVER)
    if found["status"] != "optimal":
        raise RuntimeError(f"the cone program ended as {found['status']}")
    x = np.maximum(np.array(found["x"]).ravel(), 0)  # what is below 0 is the solver's tolerance
    return x / x.sum()


def contains(x):
    return bool(np.all(x >= 0) and abs(x.sum() - 1) <= 1e-9
                and np.linalg.norm(L.T @ x) <= LIMIT + 1e-8)


def main():
    set = kh.own_set(ASSETS, minimise, name="spreads of a risk of 0.1", contains=contains)
    print(f"dimensions: {set.hull_dimension} of {set.dimension}")

    gains = np.array([0.30, 0.22, 0.15, 0.08, 0.02])
    random = np.random.default_rng(1)
    learner = kh.Learner(set, seed=1)
    for _ in range(300):
        play = learner.ask()
        learner.tell(play, -gains @ play.point + 0.01 * random.standard_normal())
    best = minimise(-gains)
    spread = learner.recommend()
    print(f"risk of the recommended spread: {np.linalg.norm(L.T @ spread):.2f}")
    print(f"its gain is within 0.02 of the best: {bool(gains @ (best - spread) <= 0.02)}")


if __name__ == "__main__":
    main()
