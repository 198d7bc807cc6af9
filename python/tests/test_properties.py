"""Properties of sets, spaces, learners and studies, on cases that hypothesis makes."""

import copy
import math
import pickle
import shutil
import tempfile

import keyhole as kh
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle, RuleBasedStateMachine, initialize, invariant, multiple, precondition, rule,
)

# Sets.

small = st.floats(-10, 10, allow_subnormal=False)
sizes = st.floats(0.125, 8)
counts = st.integers(1, 6)


def rows(n, width, **options):
    return st.lists(st.lists(small, min_size=width, max_size=width), min_size=n, **options)


@st.composite
def boxes(draw):
    lower = draw(st.lists(small, min_size=1, max_size=6))
    widths = draw(st.lists(sizes, min_size=len(lower), max_size=len(lower)))
    return kh.box(lower, [low + width for low, width in zip(lower, widths)])


@st.composite
def some_of(draw, make):
    n = draw(st.integers(2, 6))
    return make(n, draw(st.integers(1, n - 1)))


@st.composite
def knapsacks(draw):
    weights = draw(st.lists(sizes, min_size=2, max_size=5))
    return kh.knapsack(weights, draw(st.floats(0.25, 0.75)) * sum(weights))


@st.composite
def ellipsoids(draw):
    n = draw(st.integers(1, 3))
    half = np.array(draw(rows(n, n, max_size=n))) / 10
    return kh.ellipsoid(half @ half.T + np.eye(n), draw(st.lists(small, min_size=n, max_size=n)))


@st.composite
def hulls(draw):
    points = np.round(draw(rows(3, 2, max_size=6)), 2)
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    assume(spread[-1] > 0.1)
    return kh.convex_hull(points)


simple_sets = st.one_of(
    boxes(), knapsacks(), ellipsoids(), hulls(),
    st.builds(kh.ball, counts, sizes),
    st.builds(kh.simplex, st.integers(2, 6), sizes),
    st.builds(kh.solid_simplex, counts, sizes),
    st.builds(kh.l1_ball, counts, sizes),
    st.builds(kh.lp_ball, counts, st.floats(1.25, 6), sizes),
    st.builds(kh.isotonic, counts),
    st.builds(kh.permutahedron, st.permutations([0.5, 1, 2, 4])),
    st.builds(kh.birkhoff, st.integers(2, 3)),
    st.builds(kh.nuclear_ball, st.integers(1, 3), st.integers(1, 3), sizes),
    st.builds(kh.spectraplex, st.integers(2, 3), sizes),
    some_of(kh.hypersimplex), some_of(kh.k_sparse_ball), some_of(kh.k_norm_ball),
    some_of(kh.uniform_matroid),
)


plane_sets = st.one_of(st.builds(kh.ball, st.just(2), sizes), hulls(),
                       st.builds(kh.l1_ball, st.just(2), sizes))
all_sets = st.one_of(
    simple_sets, simple_sets,
    st.builds(kh.scaled, simple_sets, sizes),
    st.builds(kh.translated, simple_sets, st.floats(-5, 5, allow_subnormal=False)),
    st.builds(kh.product, simple_sets, simple_sets),
    st.builds(kh.minkowski_sum, plane_sets, plane_sets),
)


@st.composite
def set_and_points(draw):
    """A set, and points about it: inside, near and far."""
    set_ = draw(all_sets)
    n = set_.dimension
    offsets = np.array(draw(st.lists(
        st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=n, max_size=n),
        min_size=1, max_size=3)))
    reach = draw(st.sampled_from([0.5, 2.0, 100.0])) * set_.geometry.outer_radius
    return set_, set_.geometry.centre + reach * offsets


def rounding(set_, points):
    """What a sum over coordinates may be off by."""
    largest = np.abs(points).max() + np.abs(set_.geometry.centre).max() + set_.geometry.outer_radius
    return 1e-8 * largest


@given(set_and_points())
def test_an_oracle_s_answer_is_the_best_member(case):
    set_, directions = case
    answers = set_.minimise(directions)
    members = np.vstack([set_.geometry.centre, set_.draw_exploration(20, seed=1), answers])
    assert set_.contains(members).all()
    best = (directions * answers).sum(axis=1)
    others = (directions @ members.T).min(axis=1)
    scale = np.linalg.norm(directions, axis=1) * np.abs(members).max()
    assert (best <= others + 1e-8 * scale + 1e-300).all()


@given(set_and_points())
def test_a_projection_is_the_nearest_member(case):
    set_, points = case
    if not set_.can_project:
        with pytest.raises(kh.InvalidArgument, match="project"):
            set_.project(points)
        return
    nearest = set_.project(points)
    assert set_.contains(nearest).all()
    off = rounding(set_, points)
    assert np.allclose(set_.project(nearest), nearest, rtol=0, atol=off)
    # No member is farther along z - p than p: that is what makes p the nearest.
    away = points - nearest
    farthest = set_.minimise(-away)
    assert ((away * (farthest - nearest)).sum(axis=1)
            <= off * (np.linalg.norm(away, axis=1) + off)).all()


@given(set_and_points(), st.floats(0.125, 8))
def test_a_gauge_grows_with_the_way_from_the_centre(case, factor):
    set_, points = case
    if not set_.can_gauge:
        with pytest.raises(kh.InvalidArgument, match="gauge"):
            set_.gauge(points)
        return
    centre = set_.geometry.centre
    on_hull = centre + set_.flatten(points - centre)
    gauges = set_.gauge(on_hull)
    scaled = set_.gauge(centre + factor * (on_hull - centre))
    off = rounding(set_, points) / set_.geometry.inner_radius
    assert np.allclose(scaled, factor * gauges, rtol=1e-6, atol=off * factor)
    for x, gauge in zip(on_hull, gauges):
        if gauge > 10 * off:
            edge = centre + (x - centre) / gauge
            assert set_.contains(centre + 0.999 * (edge - centre))
            assert not set_.contains(centre + 1.001 * (edge - centre))
    # A subgradient supports the gauge from below.
    slopes = set_.gauge_subgradient(on_hull)
    for x, gauge, slope in zip(on_hull, gauges, slopes):
        assert (gauge + (on_hull - x) @ slope <= gauges + 1e-6 * (1 + gauge) + off).all()


@given(all_sets)
def test_a_set_is_made_again_from_its_text(set_):
    for again in (pickle.loads(pickle.dumps(set_)), kh.Set(set_.spec), copy.deepcopy(set_)):
        assert again == set_
        assert hash(again) == hash(set_)
        assert again.geometry.centre.tobytes() == set_.geometry.centre.tobytes()
    assert set_._repr_html_().count("<svg") == 1


# Spaces.

names = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=4, unique=True)
whole = st.integers(-10**6, 10**6)


@st.composite
def numbers(draw):
    if draw(st.booleans()):
        low = draw(st.floats(1e-3, 1e3))
        return kh.number(low, low * draw(st.floats(1.5, 1e4)), scale="log", unit="ms")
    low = draw(st.floats(-1e3, 1e3))
    return kh.number(low, low + draw(st.floats(0.1, 1e3)))


@st.composite
def spaces(draw):
    domains = st.one_of(
        numbers(), st.builds(lambda a, n: kh.integer(a, a + n), whole, st.integers(1, 10**6)),
        st.builds(kh.choice, names), st.builds(kh.shares, names, sizes))
    return kh.Space({f"p{k}": d for k, d in enumerate(draw(st.lists(domains, min_size=1,
                                                                     max_size=4)))})


def is_of(domain, value):
    if isinstance(domain, kh.Choice):
        return value in domain.names
    if isinstance(domain, kh.Shares):
        return (list(value) == domain.names and min(value.values()) >= 0
                and sum(value.values()) == pytest.approx(domain.total))
    kind = int if isinstance(domain, kh.Integer) else float
    return type(value) is kind and domain.low <= value <= domain.high


@given(spaces(), st.integers(0, 2**64 - 1))
def test_a_space_gives_values_of_its_domains(space, seed):
    learner = kh.Learner(space, seed=seed)
    ids, points = plays = learner.ask(5)
    for id, point, values in zip(ids, points, plays.values):
        assert list(values) == list(space.parameters)
        assert all(is_of(space.parameters[name], value) for name, value in values.items())
        assert values == space.values(point, seed, int(id))
        assert space.point(values) in space.set
    assert all(is_of(space.parameters[name], value)
               for name, value in learner.recommend_values().items())


@given(spaces(), st.integers(0, 2**32))
def test_values_come_back_from_their_point(space, seed):
    values = space.values(space.set.draw_exploration(seed=seed), seed, 1)
    back = space.likeliest(space.point(values))
    for name, domain in space.parameters.items():
        if isinstance(domain, (kh.Choice, kh.Integer)):
            assert back[name] == values[name]
        elif isinstance(domain, kh.Shares):
            assert back[name] == pytest.approx(values[name], abs=1e-9 * domain.total)
        else:
            assert back[name] == pytest.approx(values[name], rel=1e-9, abs=1e-9)


@given(spaces())
def test_a_space_is_made_again(space):
    for again in (pickle.loads(pickle.dumps(space)), eval(repr(space), vars(kh)),
                  copy.deepcopy(space)):
        assert again == space
        assert hash(again) == hash(space)


# Learners.

losses = st.floats(-100, 100)
LEARNERS = ["posterior", "parameter_free", "stay", "watchful(parameter_free())",
            "anytime(projection_free(loss_bound=100, gradient_bound=100))"]


@given(st.sampled_from(LEARNERS), st.lists(losses, min_size=3, max_size=12), st.data())
def test_the_order_of_tells_does_not_matter(spec, told, data):
    plain, mixed = (kh.Learner(kh.simplex(3), spec, seed=3) for _ in range(2))
    for learner in (plain, mixed):
        learner.ask(len(told))
    ids = list(range(1, len(told) + 1))
    receipts = plain.tell(ids, told)
    for id in data.draw(st.permutations(ids)):
        assert mixed.tell(id, told[id - 1]) == receipts[id - 1]
    assert plain.ask(3).points.tobytes() == mixed.ask(3).points.tobytes()
    assert plain.state == mixed.state


class Account(RuleBasedStateMachine):
    """A learner next to an account of its plays that is kept here, in a plain way."""

    plays = Bundle("plays")

    @initialize(spec=st.sampled_from(LEARNERS), window=st.integers(1, 12), share=st.floats(0, 1),
                maximize=st.booleans(), seed=st.integers(0, 2**64 - 1))
    def begin(self, spec, window, share, maximize, seed):
        self.expiry = max(1, round(share * window))
        self.window = window
        self.learner = kh.Learner(kh.simplex(3), spec, seed=seed, window=window,
                                  expiry=self.expiry, maximize=maximize)
        self.asked = 0
        self.told = {}
        self.counts = {"told": 0, "duplicates": 0, "expired": 0}

    def expected(self, id, loss):
        """How a tell is to be taken; None if it contradicts one."""
        if id in self.told and id > self.asked - self.window:
            return "repeated" if self.told[id] == loss else None
        return "fresh" if id > self.asked - self.expiry else "expired"

    def count(self, receipt, id, loss):
        if receipt == "fresh":
            self.told[id] = loss
        self.counts[{"fresh": "told", "repeated": "duplicates"}.get(receipt, receipt)] += 1

    @rule(target=plays)
    def ask(self):
        play = self.learner.ask()
        self.asked += 1
        assert play.id == self.asked
        assert play.point in self.learner.set
        return self.asked

    @rule(target=plays, count=st.integers(1, 6))
    def ask_many(self, count):
        ids, points = self.learner.ask(count)
        assert ids.tolist() == list(range(self.asked + 1, self.asked + count + 1))
        assert self.learner.set.contains(points).all()
        self.asked += count
        return multiple(*ids.tolist())

    @rule(id=plays, loss=losses)
    def tell(self, id, loss):
        expected = self.expected(id, loss)
        if expected is None:
            state = self.learner.state
            with pytest.raises(kh.FeedbackError) as caught:
                self.learner.tell(id, loss)
            assert caught.value.code == "contradiction"
            assert self.learner.state == state
            return
        receipt = self.learner.tell(id, loss)
        if expected == "fresh" and receipt == "late":  # its algorithm has started again since
            receipt = "fresh"
        assert receipt == expected
        self.count(expected, id, loss)

    @rule(id=plays)
    def tell_again(self, id):
        if id in self.told:
            self.tell(id, self.told[id])

    @precondition(lambda self: self.asked)
    @rule(data=st.data())
    def tell_many(self, data):
        ids = data.draw(st.lists(st.integers(1, self.asked), max_size=5, unique=True))
        given = [self.told.get(id, 1.5) for id in ids]
        expected = [self.expected(id, loss) for id, loss in zip(ids, given)]
        receipts = self.learner.tell(ids, given)
        assert ["fresh" if receipt == "late" else receipt for receipt in receipts] == expected
        for receipt, id, loss in zip(expected, ids, given):
            self.count(receipt, id, loss)

    @rule(beyond=st.integers(1, 2**70), loss=losses)
    def tell_a_play_that_was_not_asked(self, beyond, loss):
        state = self.learner.state
        with pytest.raises(kh.FeedbackError) as caught:
            self.learner.tell(self.asked + beyond, loss)
        assert caught.value.code == "unknown_play"
        assert self.learner.state == state

    @rule(id=plays, loss=st.sampled_from([math.nan, math.inf, -math.inf, 1e51]))
    def tell_no_number(self, id, loss):
        state = self.learner.state
        with pytest.raises(kh.FeedbackError) as caught:
            self.learner.tell(id, loss)
        assert caught.value.code == "unusable_feedback"
        assert self.learner.state == state

    @rule(how=st.sampled_from(["pickle", "copy", "deepcopy", "restore"]))
    def go_on_with_another(self, how):
        before = self.learner
        if how == "restore":
            self.learner = copy.copy(before)
            self.learner.ask(3)
            self.learner.restore(before.state)
        else:
            self.learner = (pickle.loads(pickle.dumps(before)) if how == "pickle"
                            else getattr(copy, how)(before))
        assert self.learner.state == before.state
        before.ask(2)  # which the other must not notice

    @rule(on=st.booleans())
    def explore(self, on):
        self.learner.explore(on)
        assert self.learner.explores == on

    @invariant()
    def counts_agree(self):
        summary = self.learner.summary()
        assert self.learner.asked == summary.asked == self.asked
        assert {name: getattr(summary, name) for name in self.counts} == self.counts
        waited_for = range(max(1, self.asked - self.expiry + 1), self.asked + 1)
        assert summary.pending == sum(id not in self.told for id in waited_for)
        assert self.learner.recommend() in self.learner.set


Account.TestCase.settings = settings(max_examples=40, stateful_step_count=30)
TestAccount = Account.TestCase


# Studies.

class Studies(RuleBasedStateMachine):
    """A study, opened again and again, next to a learner that is asked and told the same."""

    @initialize(spec=st.sampled_from(LEARNERS), seed=st.integers(0, 2**32))
    def begin(self, spec, seed):
        self.folder = tempfile.mkdtemp()
        self.study = kh.create(self.folder, "one", "simplex(3)", spec, seed=seed, window=8,
                               durability="process")
        self.learner = kh.Learner(kh.simplex(3), spec, seed=seed, window=8)
        self.waiting = {}  # by worker, the play that it has not told
        self.told = {}

    def teardown(self):
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)

    def same(self, plays):
        for play in plays:
            id, point = self.learner.ask()
            assert (play.id, play.point.tobytes()) == (id, point.tobytes())

    @rule(count=st.integers(1, 4))
    def ask_many(self, count):
        ids, points = self.study.ask(count)
        same_ids, same_points = self.learner.ask(count)
        assert ids.tolist() == same_ids.tolist()
        assert points.tobytes() == same_points.tobytes()

    @rule(worker=st.sampled_from(["a", "b"]))
    def ask_as_a_worker(self, worker):
        play = self.study.ask(worker=worker)
        known = self.waiting.get(worker)
        if known is not None and known.id > self.learner.asked - 8:
            assert play.id == known.id
            assert play.point.tobytes() == known.point.tobytes()
            return
        self.same([play])
        self.waiting[worker] = play

    @precondition(lambda self: self.learner.asked)
    @rule(data=st.data(), loss=losses, asks=st.integers(0, 2))
    def step(self, data, loss, asks):
        id = data.draw(st.integers(1, self.learner.asked + 1))
        try:
            expected = self.learner.tell(id, loss)
        except kh.FeedbackError as error:
            state = self.study.state
            with pytest.raises(kh.FeedbackError) as caught:
                self.study.step([(id, loss)], asks)
            assert caught.value.code == error.code
            assert self.study.state == state
            return
        receipts, plays = self.study.step([(id, loss)], asks)
        assert receipts == [expected]
        if expected in ("fresh", "late"):
            self.told[id] = loss
            self.waiting = {w: play for w, play in self.waiting.items() if play.id != id}
        self.same(plays)

    @rule(how=st.sampled_from(["open", "pickle"]))
    def go_on_with_another(self, how):
        self.study = (kh.open(self.folder, "one", durability="process") if how == "open"
                      else pickle.loads(pickle.dumps(self.study)))

    @rule()
    def look_back(self):
        history = self.study.history()
        assert history["play"].tolist() == list(range(1, self.learner.asked + 1))
        known = {int(row["play"]): row["loss"] for row in history if not np.isnan(row["loss"])}
        assert known == self.told

    @invariant()
    def states_agree(self):
        assert self.study.state == self.learner.state
        assert self.study.summary() == self.learner.summary() or math.isnan(
            self.learner.summary().average)


Studies.TestCase.settings = settings(max_examples=20, stateful_step_count=20)
TestStudies = Studies.TestCase
