"""Learners: asks, tells, states, pickles, errors, threads, leaks."""

import contextlib
import copy
import math
import os
import pickle
import subprocess
import sys
import threading

import keyhole as kh
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st


def run(learner, rounds, cost=lambda x: float(x[0])):
    for _ in range(rounds):
        play = learner.ask()
        learner.tell(play, cost(play.point))
    return learner


def test_ask_and_tell():
    learner = kh.Learner(kh.simplex(3), "parameter_free", seed=7)
    play = learner.ask()
    id, x = play
    assert id == play.id == 1
    assert x is play.point
    assert x in learner.set
    assert play.values == {}
    assert repr(play).startswith("Play(id=1, point=array(")
    assert learner.tell(play, 0.5) == "fresh"
    assert learner.tell(1, np.float64(0.5)) == "repeated"
    assert learner.asked == 1
    summary = learner.summary()
    assert (summary.asked, summary.told, summary.duplicates, summary.average) == (1, 1, 1, 0.5)
    assert learner.status().recent_average == 0.5
    assert learner.space is None
    assert learner.recommend_values() == {}


def test_batches():
    learner = kh.Learner(kh.simplex(3), seed=7)
    plays = learner.ask(100)
    ids, points = plays
    assert ids.tolist() == list(range(1, 101))
    assert points.shape == (100, 3)
    assert learner.tell(plays, points[:, 0]) == ["fresh"] * 100
    assert learner.tell(ids[:2], points[:2, 0]) == ["repeated"] * 2
    assert learner.tell([3, np.int64(4)], points[2:4, 0].tolist()) == ["repeated"] * 2
    assert learner.ask(0).points.shape == (0, 3)
    assert learner.tell([], []) == []


def test_a_batch_is_told_whole_or_not_at_all():
    learner = kh.Learner(kh.ball(2), seed=1)
    learner.ask(3)
    state = learner.state
    for ids, losses, code in [([1, 2, 9], [1, 2, 3], "unknown_play"),
                              ([1, 2, 1], [1, 2, 3], "contradiction"),
                              ([1, 2, 3], [1, 2, math.nan], "unusable_feedback")]:
        with pytest.raises(kh.FeedbackError) as caught:
            learner.tell(ids, losses)
        assert caught.value.code == code
        assert learner.state == state
    assert learner.tell([1, 2, 1], [1, 2, 1]) == ["fresh", "fresh", "repeated"]


def test_it_learns():
    learner = run(kh.Learner(kh.simplex(3), seed=7), 2000,
                  lambda x: 0.2 * x[0] + 0.9 * x[1] + 0.6 * x[2])
    assert learner.recommend()[0] > 0.9
    gains = run(kh.Learner(kh.simplex(3), seed=7, maximize=True), 2000,
                lambda x: 0.2 * x[0] + 0.9 * x[1] + 0.6 * x[2])
    assert gains.recommend()[1] > 0.9


def test_gradients():
    learner = kh.GradientLearner(kh.ball(2), kh.learners.ogd(gradient_bound=2))
    for _ in range(500):
        play = learner.ask()
        learner.tell(play, 2 * (play.point - [0.5, 0]))
    assert np.allclose(learner.recommend(), [0.5, 0], atol=0.1)
    plays = learner.ask(3)
    assert learner.tell(plays, np.zeros((3, 2))) == ["fresh"] * 3
    assert pickle.loads(pickle.dumps(learner)).state == learner.state
    assert "ogd" in repr(learner)


def test_specs_of_learners():
    names = [entry["name"] for entry in kh.catalogue() if entry["kind"] == "learner"]
    assert names == kh.learners.__all__
    text = kh.learners.anytime(kh.learners.projection_free(loss_bound=1, gradient_bound=1))
    assert kh.Learner(kh.ball(2), text).spec.startswith("learner(anytime(projection_free(")
    newton = kh.learners.online_newton(gradient_bound=1, horizon=10, lambda_=0.5)
    assert "lambda=0.5" in kh.Learner(kh.ball(2), newton).spec
    start = kh.learners.posterior(start=[0.5, 0.25, 0.25], restarts=False)
    assert kh.Learner(kh.simplex(3), start).recommend().tolist() == [0.5, 0.25, 0.25]


def test_options():
    learner = kh.Learner(kh.ball(2), "parameter_free", seed=2**64 - 1, stream=3, window=8,
                         expiry=4, max_step=0.01)
    points = learner.ask(50).points
    assert (np.linalg.norm(np.diff(points, axis=0), axis=1) <= 0.01 + 1e-12).all()
    by_axis = kh.Learner(kh.ball(2), "parameter_free", max_step=[0.01, 0.5])
    assert (np.abs(np.diff(by_axis.ask(50).points, axis=0)) <= [0.01 + 1e-12, 0.5]).all()
    assert learner.summary().missing > 0
    assert learner.tell(1, 1.0) == "expired"
    assert learner.explores
    learner.explore(False)
    assert not learner.explores
    bound = kh.Learner(kh.ball(2), "projection_free(loss_bound=1, gradient_bound=1, "
                       "horizon=100)").regret_bound()
    assert bound.value > 0
    assert bound.note


def test_states_in_files(tmp_path):
    learner = kh.Learner(kh.simplex(3), seed=4)
    learner.tell(learner.ask(), 1)
    path = tmp_path / "learner.state"
    learner.save(path)
    learner.save(str(path))  # in its place
    assert path.read_bytes() == learner.state
    assert list(tmp_path.iterdir()) == [path]
    other = kh.Learner(kh.simplex(3), seed=4)
    other.load(path)
    assert other.state == learner.state
    descent = kh.GradientLearner(kh.simplex(3), "ogd(gradient_bound=1)")
    descent.save(path)
    descent.load(path)
    with pytest.raises(kh.StateError, match=r"learner\.state|ogd"):
        other.load(path)
    with pytest.raises(kh.InputError, match="there is no such file"):
        other.load(tmp_path / "none")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(kh.StateError, match=r"learner\.state: .*truncated"):
        other.load(path)
    with pytest.raises(TypeError):
        other.load(3)


@given(st.integers(0, 2**64 - 1), st.integers(0, 60), st.lists(st.floats(-5, 5), min_size=1))
def test_states_go_on_bit_for_bit(seed, before, losses):
    learner = kh.Learner(kh.simplex(3), "parameter_free", seed=seed)
    learner.ask(before)
    for id in range(1, before + 1, 2):
        learner.tell(id, losses[id % len(losses)])
    others = [pickle.loads(pickle.dumps(learner)), copy.copy(learner), copy.deepcopy(learner),
              kh.Learner(kh.simplex(3), "parameter_free", seed=seed)]
    others[-1].restore(learner.state)
    for other in others:
        assert other is not learner
        assert other.state == learner.state
    plays = [each.ask(20).points.tobytes() for each in (learner, *others)]
    assert len(set(plays)) == 1


def test_repr_tells_the_context():
    text = repr(run(kh.Learner(kh.simplex(3), "parameter_free", seed=7), 3))
    for part in ("Learner", "parameter_free", "simplex(3)", "seed 7", "3 plays"):
        assert part in text



@pytest.mark.parametrize("make, kind, message", [
    (lambda l: l.tell(99, 1.0), kh.FeedbackError, "99"),
    (lambda l: l.tell(-1, 1.0), kh.FeedbackError, "-1"),
    (lambda l: l.tell(2**70, 1.0), kh.FeedbackError, "no play"),
    (lambda l: l.tell(1, math.inf), kh.FeedbackError, "not inf"),
    (lambda l: l.tell(1, 3.0), kh.FeedbackError, "play 1"),
    (lambda l: l.tell(1.5, 3.0), TypeError, "float"),
    (lambda l: l.tell("1", 3.0), TypeError, "str"),
    (lambda l: l.tell(1, "x"), TypeError, "real number"),
    (lambda l: l.tell([1, 2], [1.0]), kh.InvalidArgument, "one loss for each of the 2"),
    (lambda l: l.restore(b"abc"), kh.StateError, "state"),
    (lambda l: l.restore(kh.Learner(kh.ball(3)).state), kh.StateError, "ball"),
    (lambda l: kh.Learner(kh.ball(2), "posteror"), kh.SpecError, "did you mean 'posterior'"),
    (lambda l: kh.Learner(kh.ball(2), "ogd(gradient_bound=1)"), kh.SpecError, "gradients"),
    (lambda l: kh.GradientLearner(kh.ball(2), "posterior"), kh.SpecError, "losses"),
    (lambda l: kh.Learner(kh.ball(2), l.spec), kh.InvalidArgument, "options by name"),
    (lambda l: kh.Learner("ball(2)"), TypeError, "a Set or a Space"),
    (lambda l: kh.Learner(kh.ball(2), window=0), kh.InvalidArgument, "window"),
    (lambda l: kh.Learner(kh.ball(2), max_step=[1, 2, 3]), kh.InvalidArgument, "max_step"),
    (lambda l: kh.Learner(kh.ball(2), seed=-1), kh.InvalidArgument, "seed"),
    (lambda l: kh.GradientLearner(kh.ball(2), "ogd(gradient_bound=1)").tell(1, [1.0]),
     kh.InvalidArgument, "gradient"),
])
def test_errors(make, kind, message):
    learner = kh.Learner(kh.ball(2), seed=1)
    learner.tell(learner.ask(), 1.0)
    state = learner.state
    with pytest.raises(kind, match=message) as caught:
        make(learner)
    assert learner.state == state
    if isinstance(caught.value, kh.Error):
        assert isinstance(caught.value, ValueError)
        assert caught.value.code != "other"


def test_the_horizon_ends():
    learner = kh.Learner(kh.ball(2), "projection_free(loss_bound=1, gradient_bound=1, horizon=5)")
    with pytest.raises(kh.InvalidArgument, match="5 plays are left") as caught:
        learner.ask(6)
    assert caught.value.code == "horizon_used_up"
    learner.ask(5)
    with pytest.raises(kh.InvalidArgument):
        learner.ask()


def test_threads_share_a_learner():
    learner = kh.Learner(kh.ball(3), seed=1)
    wrong = []

    def work(k):
        try:
            for _ in range(100):
                plays = learner.ask(10)
                learner.tell(plays, plays.points[:, 0])
                play = learner.ask()
                learner.tell(play, float(play.point[0]))
                learner.recommend()
        except Exception as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert learner.summary().told == 4 * 100 * 11


def test_a_forked_child_goes_on_alike():
    learner = run(kh.Learner(kh.ball(2), seed=1), 10)
    expected = copy.copy(learner).ask(5).points.tobytes()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, learner.ask(5).points.tobytes())
        os._exit(0)
    assert os.read(read, 1000) == expected
    assert os.waitpid(child, 0)[1] == 0
    assert learner.ask(5).points.tobytes() == expected


def test_pickles_while_others_play():
    learner = kh.Learner(kh.ball(3), "parameter_free", seed=1)
    stop = threading.Event()

    def work():
        while not stop.is_set():
            plays = learner.ask(10)
            learner.tell(plays, plays.points[:, 0])

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    taken = [pickle.loads(pickle.dumps(learner)) for _ in range(50)]
    stop.set()
    for thread in threads:
        thread.join()
    assert learner.asked >= taken[-1].asked
    for one in taken:
        summary = one.summary()
        assert summary.asked % 10 == 0
        assert summary.asked == summary.told + summary.pending + summary.missing
        assert one.ask().point in one.set


@pytest.mark.plain
def test_nothing_leaks(resident):
    """A million asks; an object of Python has 16 bytes at least."""
    learner = kh.Learner(kh.simplex(3), "parameter_free")
    space = kh.Learner(kh.Space(a=kh.number(0, 1), b=kh.shares(["x", "y"])), "parameter_free")

    def work(singles, batches):
        for _ in range(singles):
            learner.tell(learner.ask(), 0.5)
        losses = np.full(100, 0.5)
        for _ in range(batches):
            learner.tell(learner.ask(100), losses)
        for _ in range(singles // 500):
            space.tell(space.ask(), 0.5)
            copy.copy(learner)
            kh.simplex(3).minimise([1, 2, 3])
            with contextlib.suppress(TypeError):
                learner.tell("x", 0.0)

    work(10_000, 100)
    before = resident()
    work(500_000, 5000)
    assert resident() - before < 2000


def test_the_import_brings_nothing_large():
    code = ("import sys, keyhole; "
            "print([m for m in ('pandas', 'matplotlib', 'numpy.typing') if m in sys.modules])")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_fields_of_a_structured_array():
    """They begin anywhere in memory; under a sanitizer, reading them there fails."""
    rows = np.zeros(3, dtype=[("flag", "u1"), ("play", "u8"), ("loss", "f8"), ("point", "f8", 2)])
    learner = kh.Learner(kh.ball(2))
    rows["play"], rows["point"] = learner.ask(3)
    rows["loss"] = rows["point"][:, 0]
    assert not rows["loss"].flags.aligned
    assert kh.ball(2).contains(rows["point"]).all()
    assert list(learner.tell(rows["play"], rows["loss"])) == ["fresh"] * 3


def test_past_losses_and_counts():
    points = np.random.default_rng(1).dirichlet([1, 1, 1], 200)
    losses = points @ [0.2, 0.9, 0.6]
    learner, one_by_one = kh.Learner(kh.simplex(3), seed=7), kh.Learner(kh.simplex(3), seed=7)
    assert learner.can_learn
    learner.learn(points, losses, count=3)
    for point, loss in zip(points, losses):
        one_by_one.learn(list(point), loss, error=3**-0.5)
    assert learner.recommend()[0] > 0.99
    assert learner.asked == 0
    np.testing.assert_allclose(one_by_one.recommend(), learner.recommend(), atol=1e-9)
    before = learner.state
    for point, loss, options in [([0.5, 0.5, 0.5], 1, {}), ([1, 0], 1, {}), ([1, 0, 0], [1], {}),
                                 (points, losses[:5], {}), ([1, 0, 0], np.nan, {}),
                                 ([1, 0, 0], 1, {"count": 0}), ([1, 0, 0], 1, {"error": 0}),
                                 ([1, 0, 0], 1, {"count": 1, "error": 1}),
                                 (points, losses, {"count": [1, 2]}), ({"a": 1}, 1, {}),
                                 (np.vstack([points, [[2, 0, 0]]]), [*losses, 1], {})]:
        with pytest.raises(kh.Error):
            learner.learn(point, loss, **options)
        assert learner.state == before
    plays = learner.ask(3)
    with pytest.raises(kh.FeedbackError, match="two different losses"):
        learner.tell([1, 1], [0.5, 0.5], count=[1, 2])
    assert learner.tell(plays, [0.1, 0.2, 0.3], count=[1, 10, 100]) == ["fresh"] * 3
    assert learner.tell(2, 0.2, count=10) == "repeated"
    with pytest.raises(kh.FeedbackError, match="was told as 10 before and as 1 now"):
        learner.tell(2, 0.2)
    assert not kh.Learner(kh.ball(2), "parameter_free").can_learn


def test_values_by_name_are_taught():
    space = kh.Space(threads=kh.integer(1, 64), wait=kh.number(1, 100, scale="log"))
    by_name, by_point = kh.Learner(space, seed=1), kh.Learner(space, seed=1)
    by_name.learn({"threads": 8, "wait": 10}, 0.5)
    by_point.learn(space.point(threads=8, wait=10), 0.5)
    assert by_name.state == by_point.state


def test_estimates():
    space = kh.Space(threads=kh.integer(1, 64, scale="log"), rate=kh.number(0, 1),
                     contexts=dict(load=kh.number(0, 10)))
    learner = kh.Learner(space, seed=3)
    assert np.isnan(learner.estimate({"threads": 8, "rate": 0.5})["loss"])
    for k in range(600):
        play = learner.ask(load=k % 11)
        threads, rate = play.values["threads"], play.values["rate"]
        learner.tell(play, np.log2(threads / 8) ** 2 + (rate - 0.5) ** 2 + k % 11)
    before = learner.state
    one = learner.estimate({"threads": 16, "rate": 0.5}, load=5)
    assert one.dtype.names == ("loss", "loss_error", "excess", "excess_error")
    assert one["loss"] == pytest.approx(6, abs=3 * one["loss_error"] + 0.1)
    assert one["excess"] == pytest.approx(1, abs=3 * one["excess_error"] + 0.1)
    assert one["excess_error"] < 1
    points = np.array([space.point(threads=16, rate=0.5), space.point(threads=8, rate=0.5)])
    many = learner.estimate(points, context={"load": 5})
    assert many.shape == (2,)
    assert many[0] == one
    assert many["excess"][1] < many["excess"][0]
    assert learner.estimate(points[:0], load=5).shape == (0,)
    assert learner.state == before
    with pytest.raises(kh.InvalidArgument, match="did you mean 'load'"):
        learner.estimate(points, laod=5)
    with pytest.raises(kh.InvalidArgument, match="the point to estimate is not in the set"):
        learner.estimate([7.0, 0.5])
    gains = kh.Learner(kh.box(0, 1, 2), maximize=True)
    for _ in range(200):
        play = gains.ask()
        gains.tell(play, -((play.point - 0.5) ** 2).sum())
    assert gains.estimate([0, 0])["excess"] < 0
    other = kh.Learner(kh.box(0, 1, 2), "parameter_free")
    assert np.isnan(other.estimate([0, 0]).item()).all()
