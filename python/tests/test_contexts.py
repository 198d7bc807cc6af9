"""Contexts: what is known when a play is asked for."""

import pickle

import keyhole as kh
import numpy as np
import pytest

SPACE = kh.Space(threads=kh.number(1, 64),
                 contexts=dict(load=kh.number(0, 5000, unit="req/s"), hour=kh.cyclic(24),
                               day=kh.clock("day"), segment=kh.choice(["new", "old"])))
PLAIN = kh.Space(threads=kh.number(1, 64))


def test_a_space_has_them():
    assert list(SPACE.contexts) == ["load", "hour", "day", "segment"]
    assert SPACE.contexts["hour"] == kh.cyclic(24) != kh.cyclic(12)
    assert (kh.cyclic(24, "h").period, kh.cyclic(24, "h").unit) == (24, "h")
    assert (kh.clock().every, kh.clock("week").every) == ("day", "week")
    for domain in SPACE.contexts.values():
        assert pickle.loads(pickle.dumps(domain)) == domain
        assert hash(domain) == hash(pickle.loads(pickle.dumps(domain)))
        assert eval(repr(domain), vars(kh)) == domain
    again = pickle.loads(pickle.dumps(SPACE))
    assert again == SPACE != PLAIN
    assert hash(again) == hash(SPACE)
    assert eval(repr(SPACE), vars(kh)) == SPACE
    assert "contexts" not in repr(PLAIN)
    assert PLAIN.contexts == {}
    text = SPACE._repr_html_()
    for each in ("number, 0 to 5000 req/s", "cyclic, period 24", "the time of the day", "new, old"):
        assert each in text


def test_a_learner_is_asked_in_them():
    learner = kh.Learner(SPACE, seed=3)
    assert 'contexts=["number", "cyclic", "cyclic", "choice(2)"]' in learner.spec
    rng = np.random.default_rng(3)
    for _ in range(300):
        load = 5000 * rng.random()
        play = learner.ask(load=load, segment="new")
        assert play.context == {"load": load, "segment": "new"}
        learner.tell(play, ((play.values["threads"] - 60 * load / 5000) / 64) ** 2)
    low, high = (learner.recommend_values(load=load)["threads"] for load in (500, 4500))
    assert low + 20 < high
    assert learner.recommend(context={"load": 500}) == pytest.approx(low)
    assert learner.recommend(context={"load": 500}, hour=None) == pytest.approx(low)
    plays = learner.ask(2, load=7)
    assert plays.contexts == [{"load": 7}] * 2
    assert learner.ask().context == {}
    assert kh.Learner(SPACE, kh.learners.posterior(caution=2)).ask(load=3).context == {"load": 3}
    for load in (np.longdouble(812), 10**19):
        assert learner.ask(load=load).context == {"load": float(load)}
    again = pickle.loads(pickle.dumps(learner))
    assert again.ask(load=812) == learner.ask(load=812)


def test_a_learner_on_a_set_takes_numbers():
    spec = kh.learners.posterior(contexts=["number", "cyclic"])
    learner = kh.Learner(kh.box([0, 0], [1, 1]), spec)
    play = learner.ask(context=[0.5, 0.25])
    assert play.context == {}
    learner.tell(play, 1.0)
    learner.learn([0.1, 0.2], 0.3, context=[np.nan, 0.5])
    learner.learn([[0.1, 0.2], [0.3, 0.4]], [0.3, 0.2], context=[[1, 0.5], [0, 0.1]])
    assert learner.recommend(context=[1, 0.25]).shape == (2,)
    for context in ([0.5], [0.5, 0.1, 0.2], [1e60, 0.5]):
        with pytest.raises(kh.InvalidArgument, match="context"):
            learner.ask(context=context)
        before = learner.state
        with pytest.raises(kh.InvalidArgument, match="context"):
            learner.learn([[0.1, 0.2]] * 2, [0.3, 0.3], context=[[1, 0.5], context])
        assert learner.state == before
    with pytest.raises(kh.InvalidArgument, match="names on a space only"):
        learner.ask(load=812)
    with pytest.raises(kh.InvalidArgument, match="takes no context"):
        kh.Learner(kh.box([0, 0], [1, 1])).ask(context=[0.5])


def test_a_learner_learns_in_them():
    one, other = kh.Learner(SPACE), kh.Learner(SPACE)
    points = [{"threads": x} for x in (5, 20, 60)]
    loads = [100.0, 2000.0, 4900.0]
    for point, load in zip(points, loads):
        one.learn(point, 0.5, context={"load": load})
    other.learn([SPACE.point(point) for point in points], [0.5] * 3,
                context=[{"load": load} for load in loads])
    assert one.state == other.state
    for wrong in ([{"load": 1}], [{"laod": 1}] * 3):
        with pytest.raises(kh.InvalidArgument, match="context"):
            other.learn([SPACE.point(point) for point in points], [0.5] * 3, context=wrong)
    assert one.state == other.state


@pytest.mark.parametrize("ask", [
    lambda **known: kh.Learner(SPACE).ask(**known),
    lambda **known: kh.Learner(SPACE).recommend(**known),
    lambda **known: kh.Store.in_memory().create("s", SPACE).ask(**known),
    lambda **known: kh.Store.in_memory().create("s", SPACE).recommend_values(**known),
])
def test_what_cannot_be_known(ask):
    with pytest.raises(kh.InvalidArgument, match="no context 'laod'; did you mean 'load'"):
        ask(laod=812)
    with pytest.raises(kh.InvalidArgument, match="'load' must be a number, not 'much'"):
        ask(load="much")
    with pytest.raises(kh.InvalidArgument, match="'segment' must be a name"):
        ask(segment=3)
    with pytest.raises(kh.InvalidArgument, match="'load' cannot be"):
        ask(load=[1, 2])
    with pytest.raises(kh.InvalidArgument, match="magnitude"):
        ask(load=float("inf"))


def test_what_cannot_be_made():
    with pytest.raises(kh.InvalidArgument, match="'load' must be a number, cyclic, choice or clock"):
        kh.Space(x=kh.number(0, 1), contexts=dict(load=kh.integer(1, 3)))
    with pytest.raises(kh.InvalidArgument, match="every 'day' or 'week'"):
        kh.clock("month")
    with pytest.raises(kh.Error, match="context"):
        kh.Learner(SPACE, "fkm")
    with pytest.raises(kh.InvalidArgument, match="'load': the space has none"):
        kh.Learner(PLAIN).ask(load=812)
    store = kh.Store.in_memory()
    with pytest.raises(kh.InvalidArgument, match="'load': the space has none"):
        store.create("plain", PLAIN).ask(load=812)
    with pytest.raises(kh.InvalidArgument, match="is on a set, which has no contexts"):
        store.create("set", kh.box([0, 0], [1, 1])).ask(load=812)


def test_a_study_is_asked_in_them():
    study = kh.Store.in_memory().create("service", SPACE, seed=3)
    play = study.ask(worker="w1", load=812)
    assert list(play.context) == ["load", "day"]
    assert play.context["load"] == 812
    assert 0 <= play.context["day"] < 24  # the study has looked at the clock
    assert study.ask(worker="w1", load=9).context == play.context
    _, [second] = study.step([(play, 0.5)], worker="w1", context={"load": 900}, day=3)
    assert second.context == {"load": 900, "day": 3}
    plays = study.ask(2, segment="old", load=None, day=None)
    assert plays.contexts == [{"segment": "old"}] * 2
    assert study.recommend(load=812) == pytest.approx(study.recommend_values(load=812)["threads"])
    assert study.clipped == 0
    study.ask(load=1e9)
    assert study.clipped == 1
    history = study.history()
    assert history["context"]["load"][:2].tolist() == [812, 900]
    assert np.isnan(history["context"]["load"][2])
    assert history["context"]["segment"].tolist() == ["", "", "old", "old", ""]
    again = kh.Store.in_memory().create("plain", PLAIN)
    again.ask()
    assert "context" not in again.history().dtype.names


def test_a_study_learns_in_them():
    pandas = pytest.importorskip("pandas")
    one, other, third = (kh.Store.in_memory().create("s", SPACE) for _ in range(3))
    threads, loads, segments = [5.0, 20.0, 60.0], [100.0, np.nan, 4900.0], ["new", "", "old"]
    contexts = [{"load": 100.0, "segment": "new"}, {}, {"load": 4900.0, "segment": "old"}]
    values = [{"threads": x} for x in threads]
    one.learn(values, [1, 2, 3], context=contexts)
    frame = pandas.DataFrame({"threads": threads, "load": loads, "segment": segments})
    other.learn(frame, [1, 2, 3])
    for value, loss, context in zip(values, [1, 2, 3], contexts):
        third.learn(value, loss, context=context)
    assert one.recommend(load=4000) == other.recommend(load=4000) == third.recommend(load=4000)
    assert one.state == other.state
    with pytest.raises(kh.InvalidArgument, match="one context for each"):
        one.learn(values, [1, 2, 3], context=contexts[:2])
    with pytest.raises(kh.InvalidArgument, match="did you mean 'load'"):
        one.learn(values[0], 1, context={"laod": 3})
    play = one.ask(load=3)
    one.tell(play, 1.0)
    assert one.to_frame()["load"].tolist() == [3]
