"""Optimisers of others next to the learners of a suite."""

import json
import subprocess
import sys

import keyhole as kh
import numpy as np
import pytest

SUITE = """rounds = 40
repeats = 2
seed = 9
checkpoints = [8]
controls = false
problems = [
  {name = "box", spec = "tracking(box([0, -1], [1, 3]), noise=0.1)"},
  {name = "edge", spec = "linear(birkhoff(2))"},
]
learners = ["stay", "ogd"]
"""


class Walk:
    """Points all over a larger box."""

    made = []

    def __init__(self, task):
        self.task = task
        self.random = np.random.default_rng(task.seed)
        self.told = []
        Walk.made.append(self)

    def ask(self):
        task = self.task
        return task.low + (task.high - task.low) * self.random.uniform(-0.5, 1.5, len(task.low))

    def tell(self, point, loss):
        self.told.append((point, loss))


class Centre(Walk):
    def ask(self):
        return self.task.start.tolist()

    def recommend(self):
        return self.task.high + 1  # the nearest point of the set counts


def test_what_an_optimiser_is_given_and_told(tmp_path):
    Walk.made = []
    results = kh.bench(SUITE, {"walk": Walk, "the centre": Centre}, tmp_path / "out", timing=0)
    table = results.summary()
    assert set(table["learner"]) == {"stay", "ogd", "walk", "the centre"}
    assert np.all(table["infeasible_plays"] == 0)
    boxes = [walk for walk in Walk.made if walk.task.set == kh.box([0, -1], [1, 3])]
    assert len(boxes) == 4  # two optimisers, two repeats
    for walk in boxes:
        assert walk.task.rounds == 40
        assert walk.task.low.tolist() == [0, -1] and walk.task.high.tolist() == [1, 3]
        assert walk.task.start.tolist() == [0.5, 1]
        assert len(walk.told) == 39  # the last loss comes after the last ask
        assert all(point in walk.task.set and np.isfinite(loss) for point, loss in walk.told)
    assert len({walk.task.seed for walk in boxes if type(walk) is Walk}) == 2
    edges = [walk for walk in Walk.made if walk.task.set != kh.box([0, -1], [1, 3])]
    assert all(point in walk.task.set for walk in edges for point, _ in walk.told)
    means = results.means()
    assert means.dtype.names == ("learner", "round", "problems", "arithmetic", "geometric",
                                 "recommended", "recommended_problems")
    assert np.all(means["recommended_problems"] == 2)
    of_centre = means[means["learner"] == "the centre"]
    assert of_centre["round"].tolist() == [8, 40] and np.allclose(of_centre["arithmetic"], 1)
    assert np.all(of_centre["recommended"] > 1)  # it recommends a corner
    # Who stays at the centre has the regret of stay.
    regret = {(row["problem"], row["learner"]): row["average_regret"] for row in table}
    for problem in ("box", "edge"):
        assert regret[problem, "the centre"] == pytest.approx(regret[problem, "stay"])


def test_the_same_as_a_program_of_keyhole_bench(build, tmp_path):
    program = tmp_path / "corner.py"
    program.write_text("""
import json, sys
task = json.loads(sys.stdin.readline())
for line in sys.stdin:
    message = json.loads(line)
    for told in message["told"]:
        task["low"] = told["point"] if told["loss"] < 0 else task["low"]
    print(json.dumps({} if "recommend" in message else {"point": task["low"]}), flush=True)
""")

    class Corner:
        def __init__(self, task):
            self.point = task.low

        def ask(self):
            return self.point

        def tell(self, point, loss):
            self.point = point if loss < 0 else self.point

    suite = tmp_path / "suite.toml"
    suite.write_text(SUITE)
    ran = subprocess.run([build / "keyhole", "bench", suite, "--out", tmp_path / "cli",
                          f"--with=corner={sys.executable} {program}", "--quiet", "--format=csv"],
                         capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    kh.bench(suite, {"corner": Corner}, tmp_path / "python", timing=0)
    curves = [(tmp_path / folder / "curves.csv").read_text() for folder in ("cli", "python")]
    assert curves[0] == curves[1]
    found = [json.loads((tmp_path / folder / "summary.json").read_text())["relative_regret_means"]
             for folder in ("cli", "python")]
    assert found[0] == found[1]


def test_what_an_optimiser_raises_comes_out():
    class Broken(Walk):
        def ask(self):
            raise ZeroDivisionError("no point")

    with pytest.raises(ZeroDivisionError, match="no point"):
        kh.bench(SUITE, {"broken": Broken})


def test_bad_names_and_points():
    with pytest.raises(kh.InputError, match="two of the learners are called 'ogd'"):
        kh.bench(SUITE, {"ogd": Walk})
    with pytest.raises(TypeError, match="no class: what makes an optimiser must be a class"):
        kh.bench(SUITE, {"no class": 3})

    class Short(Walk):
        def ask(self):
            return given

    for given in [0.5], [[0.5, 0.5]], [0.5, 1j], ["a", "b"], None:
        with pytest.raises(kh.InvalidArgument, match="a point must be 2 numbers, not"):
            kh.bench(SUITE, {"short": Short})


def test_its_own_array_may_change_and_losses_come_late():
    class Moving:
        def __init__(self, task):
            self.x = np.zeros(2)
            self.told = []
            made.append(self)

        def ask(self):
            self.x += 1 / 64
            return self.x

        def tell(self, point, loss):
            self.told.append(point[0])

    made = []
    suite = """
rounds = 40
controls = false
problems = [{name = "late", spec = "tracking(box(0, 1, 2))", delay = 5, missing = 0.2}]
learners = ["stay"]
"""
    kh.bench(suite, {"a b": Moving, "a-b": Moving}, timing=0)
    for one in made:
        assert 10 < len(one.told) < 40
        assert sorted(one.told) == sorted(set(one.told))  # each is another point
        assert one.told != sorted(one.told)


def test_sets_and_problems_of_a_catalogue():
    catalogue = kh.Catalogue()
    catalogue.add_set("segment", kh.box(0, 1, 1))
    suite = """
rounds = 8
controls = false
problems = ["tracking(segment)"]
learners = ["stay"]
"""
    for _ in range(2):  # the catalogue stays as it is
        results = kh.bench(suite, {"walk": Walk}, timing=0, catalogue=catalogue)
        assert results.learners == ["stay", "walk"]
    assert len(catalogue) == 1


def test_learners_next_to_those_of_a_text():
    experiment = kh.Experiment.from_toml(
        SUITE, learners=[{"name": "FKM", "spec": "anytime(fkm)"}])
    assert '{name = "FKM", spec = "anytime(fkm)"}' in experiment.to_toml()
    again = kh.Experiment.from_toml(SUITE, learners="posterior").run(timing=0)
    assert "posterior" in set(again.summary()["learner"])
    with pytest.raises(kh.InvalidArgument, match="a learner is a spec"):
        kh.Experiment.from_toml(SUITE, learners=[{"name": "FKM"}])
