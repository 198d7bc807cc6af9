"""Arrays that are handed over as arrays, not as text."""

import os
import pickle
import time
import tracemalloc

import keyhole as kh
import numpy as np
import pytest


def spd(n, seed=1):
    """A symmetric positive matrix of odd numbers, whose text is more than 1 MiB from n = 240 on."""
    q = np.random.default_rng(seed).normal(size=(n, n))
    return q @ q.T / n + np.eye(n)


def costs(n):
    places = np.random.default_rng(2).uniform(size=(n, 2))
    return np.linalg.norm(places[:, None] - places[None], axis=2)


def layers(width):
    """From node 0 through three layers of nodes, each joined to all of the next, to the last node."""
    nodes = np.arange(1, 3 * width + 1).reshape(3, width)
    ends = [[0], *nodes, [3 * width + 1]]
    return np.concatenate([np.array([(u, v) for u in one for v in next_])
                           for one, next_ in zip(ends, ends[1:])])


def polytope_230():
    rows = np.random.default_rng(3).uniform(0.1, 1, size=(230, 230))
    return kh.sets.polytope(230, lower=0, A=rows, b=np.ones(230))


def wasserstein_300():
    return kh.sets.wasserstein_ball(np.full(300, 1 / 300), 0.1, costs=costs(300))


LARGE = {
    "a dense polytope": (polytope_230, 230),
    "an ellipsoid": (lambda: kh.sets.ellipsoid(spd(250)), 250),
    "a graph": (lambda: kh.sets.unit_flow(638, layers(212), 0, 637), 90312),
    "costs": (wasserstein_300, 300),
}


@pytest.mark.parametrize("name", LARGE)
def test_what_no_text_of_a_mebibyte_holds(name):
    make, n = LARGE[name]
    began = time.process_time()
    made = make()
    took = time.process_time() - began
    print(f"{name}: {took:.2f} s")
    assert took < 5
    assert made.dimension == n
    assert made.minimise(np.linspace(-1, 1, n)) in made
    assert len(made._text) < 2000 + 30 * 300
    assert made == make()


def test_the_spec_says_which_numbers_they_are():
    matrix = spd(260)
    made = kh.sets.ellipsoid(matrix)
    assert made.spec.startswith('ellipsoid(array("sha256:')
    assert made.spec.endswith('", 260x260))')
    other = matrix.copy()
    other[0, 0] += 1e-12
    assert kh.sets.ellipsoid(other) != made
    learner = kh.Learner(made, "parameter_free")
    learner.tell(learner.ask().id, 1.0)
    again = kh.Learner(kh.sets.ellipsoid(matrix), "parameter_free")
    again.restore(learner.state)
    np.testing.assert_array_equal(again.ask().point, learner.ask().point)
    with pytest.raises(kh.StateError, match="belongs to the set"):
        kh.Learner(kh.sets.ellipsoid(other), "parameter_free").restore(learner.state)


def test_small_lists_stay_text():
    made = kh.sets.ellipsoid(spd(3))
    assert made._arrays == {}
    assert made._text.startswith("ellipsoid(matrix=[[")
    assert kh.sets.ellipsoid(spd(70)).spec == kh.sets.ellipsoid(spd(70).tolist()).spec
    assert len(kh.sets.ellipsoid(spd(70))._arrays) == 1


def test_arrays_that_nobody_can_write_are_shared():
    matrix = spd(300)
    assert not np.shares_memory(next(iter(kh.sets.ellipsoid(matrix)._arrays.values())), matrix)
    view = matrix.view()
    view.flags.writeable = False  # what it is a view of can be written
    assert not np.shares_memory(next(iter(kh.sets.ellipsoid(view)._arrays.values())), matrix)
    matrix.flags.writeable = False
    made = kh.sets.ellipsoid(matrix)
    assert np.shares_memory(next(iter(made._arrays.values())), matrix)
    spec = made.spec
    del matrix
    assert made.spec == spec


def test_files_that_are_mapped_are_shared(tmp_path):
    np.save(tmp_path / "q.npy", spd(300))
    matrix = np.load(tmp_path / "q.npy", mmap_mode="r")
    made = kh.sets.ellipsoid(matrix)
    assert np.shares_memory(next(iter(made._arrays.values())), matrix)
    assert made == kh.Set(f'ellipsoid(file("{tmp_path}/q.npy"))')


def test_python_makes_one_copy_at_most():
    matrix = spd(600)
    tracemalloc.start()
    kh.sets.ellipsoid(matrix)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.2 * matrix.nbytes


def test_other_types_and_orders_are_the_same_set():
    matrix = np.round(spd(80) * 8) + 0.0  # no -0
    made = kh.sets.ellipsoid(matrix)
    for same in (matrix.astype(np.int64), np.asfortranarray(matrix), matrix.astype(np.float32),
                 matrix.tolist(), np.repeat(matrix, 2, axis=0)[::2]):
        assert kh.sets.ellipsoid(same) == made
    weights = np.arange(1, 5001)
    assert kh.sets.knapsack(weights, 100) == kh.sets.knapsack(list(map(int, weights)), 100)


def test_wrong_numbers_are_refused_with_their_place():
    matrix = spd(80)
    matrix[3, 4] = np.nan
    with pytest.raises(kh.SpecError, match="matrix, number 4 of row 3, must be .*not nan"):
        kh.sets.ellipsoid(matrix)
    with pytest.raises(kh.SpecError, match="must be a list of lists of numbers, not an array of 5000"):
        kh.sets.ellipsoid(np.ones(5000))
    with pytest.raises(kh.SpecError, match="which is not here"):
        kh.Set('ellipsoid(array("sha256:00"))')


def test_sets_of_such_sets_and_pickles_have_them():
    inner = kh.sets.ellipsoid(spd(100))
    made = kh.sets.product(kh.sets.scaled(inner, 2), kh.sets.simplex(3), inner)
    assert list(made._arrays) == list(inner._arrays)
    assert pickle.loads(pickle.dumps(made)) == made
    learner = kh.Learner(inner, "parameter_free")
    learner.tell(learner.ask().id, 0.5)
    again = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(again.ask().point, learner.ask().point)


def test_experiments_take_them_as_text():
    text = kh.problems.linear(kh.sets.ellipsoid(spd(70)))
    assert "array(" not in text
    assert text.count(",") > 4800


def test_studies_keep_them(tmp_path):
    store = kh.Store(tmp_path / "studies")
    made = kh.sets.ellipsoid(spd(260))
    with store.create("s", made, "parameter_free") as study:
        play = study.ask()
        study.tell(play.id, 1.0)
        expected = study.recommend()
    kept = [name for name in os.listdir(tmp_path / "studies/s") if name.startswith("content-")]
    assert len(kept) == 1
    np.testing.assert_array_equal(np.load(tmp_path / "studies/s" / kept[0]), spd(260))
    with store.open("s") as again:
        np.testing.assert_array_equal(again.recommend(), expected)
    store.copy("s", kh.Store(tmp_path / "copies"))
    with kh.Store(tmp_path / "copies").open("s") as copy:
        np.testing.assert_array_equal(copy.recommend(), expected)
    (tmp_path / "studies/s" / kept[0]).write_bytes(b"")
    with pytest.raises(kh.StudyError, match="has changed since it was written") as raised:
        store.open("s")
    assert raised.value.code == "damaged_log"
