"""Algorithms of Python in a Learner."""

import copy
import pickle

import keyhole as kh
import numpy as np
import pytest


class Descent(kh.Algorithm):
    """One-point gradient estimates (Flaxman, Kalai, McMahan 2005), and projections."""

    name = "descent(delta=0.2)"
    delta = 0.2

    def __init__(self, set):
        super().__init__(set)
        self.x = set.geometry.centre
        self.gradient = np.zeros(set.dimension)

    def play(self, t, random):
        inside = self.set.geometry.centre + (1 - self.delta) * (self.x - self.set.geometry.centre)
        return inside + self.delta * self.set.geometry.inner_radius * random.direction(t)

    def absorb(self, s, loss, random):
        self.gradient = self.gradient + loss * random.direction(s)

    def advance(self):
        self.x = self.set.project(self.x - 0.05 * self.gradient)
        self.gradient = np.zeros(self.set.dimension)

    def recommend(self):
        return self.x


def run(learner, rounds):
    for _ in range(rounds):
        play = learner.ask()
        learner.tell(play, float(play.point @ [0.2, 0.9, 0.6]))
    return learner


def test_it_plays_and_learns():
    set_ = kh.simplex(3)
    learner = run(kh.Learner(set_, Descent(set_), seed=1), 2000)
    assert learner.recommend()[0] > 0.6
    assert "descent(delta=0.2)" in learner.spec
    assert "descent(delta=0.2)" in repr(learner)
    assert learner.summary().told == 2000
    assert not learner.regret_bound().holds


def test_it_keeps_the_contract():
    report = kh.testing.check_algorithm(Descent, kh.simplex(3), rounds=15)
    assert report.ok, str(report)
    assert "continues_from_its_state" in report.checks


def test_a_broken_one_is_found():
    class Deaf(Descent):
        def absorb(self, s, loss, random):
            pass

    report = kh.testing.check_algorithm(Deaf, kh.simplex(3), rounds=15)
    assert "is_not_deaf" in report.findings
    assert kh.testing.check_algorithm(Deaf, kh.simplex(3), rounds=15, learns=False).ok


def test_pickle_and_copy():
    set_ = kh.simplex(3)
    learner = run(kh.Learner(set_, Descent(set_), seed=1), 20)
    for again in (pickle.loads(pickle.dumps(learner)), copy.copy(learner), copy.deepcopy(learner)):
        assert again.state == learner.state
        expected = run(pickle.loads(pickle.dumps(learner)), 10).recommend()
        assert np.array_equal(run(again, 10).recommend(), expected)
    assert learner.asked == 20


def test_errors():
    set_ = kh.simplex(3)
    kept = []

    class Outside(Descent):
        def play(self, t, random):
            kept.append(random)
            return [2, 2, 2]

    with pytest.raises(kh.InvalidArgument, match="not in the set"):
        kh.Learner(set_, Outside(set_)).ask()
    with pytest.raises(kh.InvalidArgument, match="keep none"):
        kept[0].direction(1)
    with pytest.raises(NotImplementedError):
        kh.Learner(set_, kh.Algorithm(set_)).ask()
    with pytest.raises(TypeError, match="not int"):
        kh.Learner(set_, 3)
