"""Sets: the functions of the catalogue, one point or many, pickles."""

import copy
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

finite = st.floats(-1e6, 1e6, allow_subnormal=False)


def test_a_large_polytope():
    """By CLP, which is no part of the wheel."""
    steps = kh.polytope(600, lower=0, upper=1, A=np.eye(600) + np.eye(600, k=1), b=np.ones(600))
    cheap = -np.random.default_rng(4).uniform(1, 2, size=600)
    best, without, with_ = steps.minimise(cheap), 0.0, 0.0
    for gain in -cheap:  # no two neighbours
        without, with_ = max(without, with_), without + gain
    assert -best @ cheap == pytest.approx(max(without, with_), rel=1e-12)
    assert steps.contains(best)


def test_without_clp_it_says_what_to_install(tmp_path):
    (tmp_path / "libClp.so.1").touch()
    code = """if True:
        import keyhole as kh, numpy as np
        steps = lambda n: kh.polytope(n, lower=0, upper=1, A=np.eye(n), b=np.ones(n))
        steps(400)
        try:
            steps(600)
        except kh.SpecError as error:
            print(error)
        """
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}).stdout
    assert ("this set is too large for the dense method: the sparse one needs CLP, which cannot be "
            "loaded: ") in said
    assert said.endswith("install it (Debian: coinor-libclp1)\n")


def test_a_function_for_each_entry():
    names = [entry["name"] for entry in kh.catalogue() if entry["kind"] == "set"]
    assert names == kh.sets.__all__
    assert all(callable(getattr(kh, name)) for name in names)
    assert kh.simplex(3) == kh.Set("simplex(3)")
    assert kh.nuclear_ball(20, 20, radius=18).spec == "nuclear_ball(20, 20, radius=18)"
    assert kh.product(kh.ball(2), kh.simplex(3)).spec == "product(ball(2), simplex(3))"
    assert kh.box([0, 1.5], np.array([1, 2])) == kh.Set("box([0, 1.5], [1, 2])")
    assert kh.polytope(2, lower=0, A=[[1, 1]], b=[1]).dimension == 2
    assert kh.graphic_matroid(3, [[0, 1], [1, 2], [0, 2]], bases=True).dimension == 3
    assert "n :" in kh.simplex.__doc__


def test_numbers_of_a_spec_keep_their_bits():
    third = kh.ball(2, radius=1 / 3)
    assert third.geometry.outer_radius == 1 / 3
    assert kh.ball(2, radius=np.float32(0.5)) == kh.ball(np.int64(2), 0.5)


def test_texts_are_quoted(tmp_path):
    path = tmp_path / 'a "quoted" name.csv'
    path.write_text("x,y\n0,0\n1,0\n0,1\n")
    assert kh.convex_hull(file=str(path)).dimension == 2


def test_geometry():
    g = kh.simplex(3).geometry
    assert np.allclose(g.centre, 1 / 3)
    assert g.inner_radius == pytest.approx(6**-0.5)
    assert g.diameter == pytest.approx(2**0.5)
    assert g.diameter_exact
    set_ = kh.simplex(3)
    assert (set_.dimension, set_.hull_dimension) == (3, 2)
    assert np.allclose(set_.flatten([1, 0, 0]), [2 / 3, -1 / 3, -1 / 3])


def test_minimise_one_and_many():
    set_ = kh.simplex(3)
    assert set_.minimise([3, 1, 2]).tolist() == [0, 1, 0]
    assert set_.minimise([[3, 1, 2], [0, 1, 2]]).tolist() == [[0, 1, 0], [1, 0, 0]]
    assert set_.minimise(np.empty((0, 3))).shape == (0, 3)
    assert set_.minimise(np.asfortranarray([[3, 1, 2], [0, 1, 2]])).tolist()[1] == [1, 0, 0]


@given(st.lists(st.lists(finite, min_size=3, max_size=3), min_size=1, max_size=4))
def test_methods_of_many_are_those_of_one(points):
    for set_ in (kh.ball(3, 2), kh.box([-1, 0, 1], [1, 2, 3]), kh.l1_ball(3)):
        nearest = set_.project(points)
        assert np.array_equal(nearest, [set_.project(point) for point in points])
        assert set_.contains(nearest).tolist() == [True] * len(points)
        assert set_.contains(points).tolist() == [set_.contains(point) for point in points]
        assert set_.minimise(points).tolist() == [set_.minimise(p).tolist() for p in points]
        gauges = set_.gauge(points)
        assert gauges.tolist() == [set_.gauge(point) for point in points]
        slopes = set_.gauge_subgradient(points)
        assert slopes.tolist() == [set_.gauge_subgradient(p).tolist() for p in points]


def test_contains():
    set_ = kh.ball(2)
    assert [0.5, 0.5] in set_
    assert [2, 0] not in set_
    assert not set_.contains([np.nan, 0])
    assert set_.contains([0.5, 0.5]) is True


def test_draws():
    set_ = kh.simplex(4)
    draws = set_.draw_exploration(200, seed=5)
    assert set_.contains(draws).all()
    assert np.array_equal(draws[0], set_.draw_exploration(seed=5))
    assert not np.array_equal(draws, set_.draw_exploration(200, seed=6))
    assert np.allclose(draws.mean(axis=0), 0.25, atol=0.1)


def test_pickle_copy_and_equality():
    set_ = kh.polytope(2, lower=0, A=[[1, 2]], b=[1])
    for again in (pickle.loads(pickle.dumps(set_)), copy.copy(set_), copy.deepcopy(set_)):
        assert again == set_
        assert hash(again) == hash(set_)
    assert set_ != kh.ball(2)
    assert set_ != 3
    assert "simplex(3)" in repr(kh.simplex(3))
    assert len(repr(kh.owl_ball(np.linspace(2, 1, 500)))) < 300


def test_threads_share_a_set():
    set_ = kh.ball(5)
    directions = np.random.default_rng(1).normal(size=(200, 5))
    expected = set_.minimise(directions)
    wrong = []

    def work():
        for _ in range(50):
            if not np.array_equal(set_.minimise(directions), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


CORNERS = np.array([[0.0, 0], [4, 0], [4, 2], [0, 3]])


def corner(d):
    return CORNERS[np.argmin(CORNERS @ d)]


def test_own_set():
    set_ = kh.own_set(2, corner, name="corners")
    assert set_.minimise([1, 1]).tolist() == [0, 0]
    assert [1, 1] in set_
    assert [5, 1] not in set_
    assert set_ == pickle.loads(pickle.dumps(set_))
    report = kh.testing.check_set(set_, directions=20, polytope=True)
    assert report.ok, str(report)
    assert "oracle_is_optimal ok" in str(report)
    learner = kh.Learner(set_, seed=1)
    for _ in range(300):
        play = learner.ask()
        learner.tell(play, play.point @ [1.0, -1.0])
    assert np.allclose(learner.recommend(), [0, 3], atol=0.5)
    assert pickle.loads(pickle.dumps(learner)).state == learner.state


def concave(elements):
    return float(np.sqrt(len(elements)))


def test_submodular_bases():
    """A concave function of the number of elements has a permutahedron."""
    set_ = kh.submodular_bases(4, concave, name="roots")
    other = kh.permutahedron(np.diff(np.sqrt(np.arange(5))))
    assert set_.hull_dimension == 3
    for d in np.random.default_rng(1).standard_normal((20, 4)):
        np.testing.assert_allclose(set_.minimise(d), other.minimise(d), atol=1e-12)
    assert kh.testing.check_set(set_, directions=20).ok
    assert pickle.loads(pickle.dumps(set_)).spec == "roots"
    with pytest.raises(ValueError, match="must be 0 for the empty set, not 1.0"):
        kh.submodular_bases(3, lambda elements: 1)


def test_own_set_with_everything():
    def minimise(d):
        norm = np.linalg.norm(d)
        return -d / norm if norm > 0 else np.array([1.0, 0])

    def project(z):
        return z / max(1.0, np.linalg.norm(z))

    geometry = kh.Geometry(([0, 0], 1.0, 1.0, 2.0, True, True))
    disc = kh.own_set(2, minimise, "disc", contains=lambda x: x @ x <= 1 + 1e-9,
                      settle=lambda x: x, project=project, geometry=geometry)
    assert np.allclose(disc.project([[3, 4], [0.1, 0]]), [[0.6, 0.8], [0.1, 0]])
    assert disc.geometry.diameter == 2


def test_a_wrong_own_set_is_found():
    def wrong(d):
        return CORNERS[np.argmax(CORNERS @ d)]

    geometry = kh.Geometry(([2, 1.25], 1.0, 3.0, 6.0, False, False))
    report = kh.testing.check_set(kh.own_set(2, wrong, geometry=geometry), directions=20)
    assert not report.ok
    assert "oracle_is_optimal" in report.findings
    assert "FAILED" in str(report)


def test_what_an_own_set_raises_is_a_finding():
    fails = []

    def minimise(d):
        if fails:
            raise RuntimeError("the oracle is away")
        return corner(d)

    set_ = kh.own_set(2, minimise)
    fails.append(1)
    report = kh.testing.check_set(set_, directions=5)
    assert "the oracle is away" in str(report)


def test_errors_of_an_own_set():
    class Broken(Exception):
        pass

    def broken(d):
        raise Broken("no answer")

    with pytest.raises(Broken, match="no answer"):
        kh.own_set(2, broken)
    with pytest.raises(kh.InvalidArgument, match="one row of 2 numbers"):
        kh.own_set(2, lambda d: [1, 2, 3])
    with pytest.raises(kh.InvalidArgument, match="minimise"):
        kh.own_set(2, lambda d: "a")
    own = kh.own_set(2, corner)
    with pytest.raises(kh.InvalidArgument, match="part of another set"):
        kh.product(own, own)


def test_an_own_set_that_fails_later_fails_its_learner():
    fails = []

    def minimise(d):
        if fails:
            raise RuntimeError("the oracle is away")
        return corner(d)

    learner = kh.Learner(kh.own_set(2, minimise), "projection_free(loss_bound=9, "
                         "gradient_bound=9, horizon=100)")
    learner.tell(learner.ask(), 1.0)
    state = learner.state
    fails.append(1)
    with pytest.raises(RuntimeError, match="away"):
        learner.ask()
    with pytest.raises(kh.StateError):
        learner.ask()
    fails.clear()
    learner.restore(state)
    assert learner.ask().id == 2


def test_an_own_set_cannot_call_its_own_learner():
    learners = []

    def minimise(d):
        if learners:
            learners[0].ask()
        return corner(d)

    set_ = kh.own_set(2, minimise)
    learner = kh.Learner(set_, "projection_free(loss_bound=9, gradient_bound=9, horizon=100)")
    learner.tell(learner.ask(), 1.0)
    learners.append(learner)
    with pytest.raises(kh.Error, match="within one of its own calls"):
        learner.ask()


@pytest.mark.parametrize("call, message", [
    (lambda: kh.Set("simplx(3)"), "did you mean 'simplex'"),
    (lambda: kh.ball(0), "n"),
    (lambda: kh.simplex(3).minimise([1, 2]), r"shape \(2,\)"),
    (lambda: kh.simplex(3).minimise([[[1, 2, 3]]]), r"shape \(1, 1, 3\)"),
    (lambda: kh.simplex(3).minimise("abc"), "array of numbers"),
    (lambda: kh.simplex(3).minimise([1, np.nan, 0]), "not finite"),
    (lambda: kh.simplex(3).project([1, np.inf, 0]), "not finite"),
    (lambda: kh.matchings(3, [[0, 1], [1, 2], [0, 2]]).project([1, 2, 3]), "project"),
])
def test_errors(call, message):
    with pytest.raises(kh.Error, match=message) as caught:
        call()
    assert isinstance(caught.value, ValueError)
