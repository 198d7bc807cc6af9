"""Same seed, same digits as C++, bit by bit."""

import struct
import subprocess

import keyhole as kh
import numpy as np

ROUNDS = 1000

# One of each family of the catalogue.
SETS = ["simplex(4)", "lp_ball(3, 3)", "knapsack([1, 2, 3, 1.5], 4)", "uniform_matroid(5, 2)",
        "unit_flow(4, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]], 0, 3)", "nuclear_ball(2, 3)",
        "product(ball(2), simplex(3))"]

BOUNDS = "loss_bound=8, gradient_bound=8"
LEARNERS = ["default", "posterior", "face", "parameter_free",
            f"projection_free({BOUNDS}, horizon=1000)",
            f"unregularized({BOUNDS}, horizon=1000)", f"fkm({BOUNDS}, horizon=1000)",
            f"bbcg({BOUNDS}, horizon=1000)", "two_point(gradient_bound=8, horizon=1000)",
            f"gauge({BOUNDS}, horizon=1000)", "online_newton(gradient_bound=8, horizon=1000)",
            "linear_thompson", "spsa", "cma_es", f"anytime(projection_free({BOUNDS}))",
            'levelled(parameter_free(), contexts=["number"])', "anchored(parameter_free(), 2)",
            "restarting(parameter_free(), every=300)", "watchful(parameter_free())", "stay",
            "random_vertex", "fed_constant(parameter_free())"]
GRADIENT_LEARNERS = ["ogd(gradient_bound=8)", "ocg(gradient_bound=8, horizon=1000)",
                     "stochastic_ocg(gradient_bound=8, horizon=1000)",
                     "one_shot(loss_bound=8, gradient_deviation=8, start_gradient=8)"]


def slope(i):
    return i * i % 5 / 2 - 1


def loss(x):
    total = 0.25 * x[0] * x[0]
    for i, x_i in enumerate(x):
        total += slope(i) * x_i
    return total


def gradient(x):
    result = [slope(i) for i in range(len(x))]
    result[0] += 0.5 * x[0]
    return result


def plays(kind, spec, learner):
    """What plays.cc writes."""
    try:
        set_ = kh.Set(spec)
        player = (kh.Learner if kind == "losses" else kh.GradientLearner)(set_, learner, seed=7)
    except kh.Error as error:
        return b"-", str(error).encode()
    tell = loss if kind == "losses" else gradient
    points = []
    for _ in range(ROUNDS):
        play = player.ask()
        points.append(play.point)
        player.tell(play, tell(play.point.tolist()))
    return b"+", np.array(points).tobytes() + player.state


def test_every_learner_plays_as_in_cpp(build):
    named = {text.split("(")[0] for text in LEARNERS + GRADIENT_LEARNERS} - {"default"}
    assert named == {entry["name"] for entry in kh.catalogue() if entry["kind"] == "learner"}
    families = {entry["name"]: entry["family"] for entry in kh.catalogue()}
    assert ({families[text.split("(")[0]] for text in SETS}
            == {entry["family"] for entry in kh.catalogue() if entry["kind"] == "set"})

    cases = [(kind, spec, learner) for spec in SETS
             for kind, texts in (("losses", LEARNERS), ("gradients", GRADIENT_LEARNERS))
             for learner in texts]
    run = subprocess.run([build / "python/keyhole_plays"], check=True, capture_output=True,
                         input="".join("\t".join(case) + "\n" for case in cases).encode())
    rest = run.stdout
    refused = 0
    for case in cases:
        which, size = rest[:1], struct.unpack("<Q", rest[1:9])[0]
        expected, rest = rest[9:9 + size], rest[9 + size:]
        assert plays(*case) == (which, expected), case
        refused += which == b"-"
    assert not rest
    assert refused < len(cases) / 4


def test_batches_play_as_single_asks():
    one, many = (kh.Learner(kh.simplex(4), seed=3) for _ in range(2))
    for size in (1, 5, 17):
        singles = [one.ask() for _ in range(size)]
        ids, points = many.ask(size)
        assert [play.id for play in singles] == ids.tolist()
        assert np.array([play.point for play in singles]).tobytes() == points.tobytes()
        losses = [loss(x) for x in points.tolist()]
        for play, value in zip(singles, losses):
            one.tell(play, value)
        assert many.tell(ids, losses) == ["fresh"] * size
    assert one.state == many.state
