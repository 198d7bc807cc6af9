"""Limits: metrics that are told with the loss, and must stay within a bound."""

import pickle

import keyhole as kh
import numpy as np
import pytest

SPACE = kh.Space(threads=kh.number(1, 64),
                 limits=dict(p99=kh.limit(most=200, unit="ms"),
                             hits=kh.limit(least=0.1, each=0.99)))
ONE = kh.Space(threads=kh.number(1, 64), limits={"p99": kh.limit(200)})
PLAIN = kh.Space(threads=kh.number(1, 64))


def p99_of(threads):
    return 40 + 0.1 * threads**2


def test_a_space_has_them():
    assert list(SPACE.limits) == ["p99", "hits"]
    p99 = SPACE.limits["p99"]
    assert (p99.most, p99.least, p99.each, p99.over, p99.unit) == (200, None, 0.999, None, "ms")
    assert kh.limit(10, over="all").over == "all"
    assert p99 == kh.limit(200, unit="ms") != kh.limit(200)
    for limit in SPACE.limits.values():
        assert pickle.loads(pickle.dumps(limit)) == limit
        assert hash(limit) == hash(pickle.loads(pickle.dumps(limit)))
        assert eval(repr(limit), vars(kh)) == limit
    again = pickle.loads(pickle.dumps(SPACE))
    assert again == SPACE != PLAIN
    assert hash(again) == hash(SPACE)
    assert eval(repr(SPACE), vars(kh)) == SPACE
    assert PLAIN.limits == {}
    assert "limits" not in repr(PLAIN)
    text = SPACE._repr_html_()
    assert "at most 200 ms, in each round with probability 0.999" in text
    assert "at least 0.1, in each round with probability 0.99" in text


def test_what_cannot_be_made():
    with pytest.raises(kh.InvalidArgument, match="'p99' must be a limit, as limit"):
        kh.Space(x=kh.number(0, 1), limits={"p99": 200})
    with pytest.raises(kh.InvalidArgument, match="over must be 'all' or None, not 'some'"):
        kh.limit(200, over="some")
    with pytest.raises(kh.InvalidArgument, match="p99"):
        kh.Space(x=kh.number(0, 1), limits={"p99": kh.limit()})
    with pytest.raises(kh.InvalidArgument, match="x"):
        kh.Space(x=kh.number(0, 1), limits={"x": kh.limit(2)})
    with pytest.raises(kh.Error, match="limits"):
        kh.Learner(SPACE, "fkm")
    with pytest.raises(kh.Error, match="limits"):
        kh.Store.in_memory().create("s", SPACE, "fkm")


def play_rounds(player, rounds):
    """Rounds of the page docs/limits.md, and how many were over the limit."""
    rng = np.random.default_rng(1)
    over = 0
    for _ in range(rounds):
        play = player.ask()
        threads = play.values["threads"]
        over += p99_of(threads) > 200
        player.tell(play, 100 - threads + rng.normal(), p99=p99_of(threads) + 5 * rng.normal())
    return over


@pytest.mark.parametrize("player", [
    lambda: kh.Learner(ONE, kh.learners.posterior(start=[16]), seed=3),
    lambda: kh.Store.in_memory().create("s", ONE, start={"threads": 16}, seed=3)])
def test_they_are_kept(player):
    made = player()
    assert play_rounds(made, 600) <= 2
    assert 35 < made.recommend_values()["threads"] < 40.5
    limit = made.status().limits["p99"]
    assert isinstance(limit, kh.LimitStatus)
    assert limit.recent == pytest.approx(195, abs=15)
    assert limit.recommended == pytest.approx(p99_of(made.recommend()[0]), abs=3 * limit.error + 1)
    assert 0 <= limit.over <= 0.5
    assert limit.price == pytest.approx(1 / 8, rel=0.3)  # dp99 / dthreads is 8 at 40 threads
    assert not limit.start_is_over
    assert not limit.none_is_within


def test_they_could_be_others():
    study = kh.Store.in_memory().create("s", ONE, start={"threads": 16}, seed=3)
    assert study.front() == []
    play_rounds(study, 200)
    front = study.front("p99")
    assert len(front) == len(study.front()) == 11
    assert isinstance(front[0], kh.FrontPoint)
    metrics, losses = [at.metric for at in front], [at.loss for at in front]
    assert metrics == sorted(metrics)
    assert losses == sorted(losses, reverse=True)
    for at in front:
        assert at.values["threads"] == pytest.approx(at.point[0])
        assert at.loss == pytest.approx(100 - at.point[0], abs=4 * at.loss_error + 1)
    with pytest.raises(kh.InvalidArgument, match="did you mean 'p99'?"):
        study.front("p98")
    for other, message in [(PLAIN, "has no limits"), (SPACE, "has more than one")]:
        with pytest.raises(kh.InvalidArgument, match=message):
            study.store.create("other" + message[-3:], other).front()


def test_minimize_takes_them():
    def cost(threads):
        return 100 - threads, {"p99": p99_of(threads)}

    result = kh.minimize(cost, ONE, 300, start={"threads": 16})
    assert 35 < result.values["threads"] < 40.5
    assert result.fun == pytest.approx(100 - result.values["threads"])
    with pytest.raises(kh.FeedbackError, match="did you mean 'p99'"):
        kh.minimize(lambda threads: (1.0, {"p98": 3.0}), ONE, 3)


def test_a_learner_is_told_them_in_any_way():
    by_name, by_dict, later, many, later_many = (kh.Learner(SPACE, seed=2) for _ in range(5))
    for learner in (by_name, by_dict, later):
        plays = [learner.ask() for _ in range(3)]
        for k, play in enumerate(plays):
            if learner is by_name:
                assert learner.tell(play, k, p99=150 + k, hits=0.5) == "fresh"
            elif learner is by_dict:
                learner.tell(play.id, k, metrics={"p99": 150 + k}, hits=np.float64(0.5))
            else:
                learner.measure(play, p99=150 + k)
                learner.tell(play, k)
                learner.measure(play.id, {"hits": 0.5, "p99": None})
    plays = many.ask(3)
    assert many.tell(plays, [0, 1, 2], p99=[150, 151, 152], hits=np.full(3, 0.5)) == ["fresh"] * 3
    plays = later_many.ask(3)
    later_many.tell(plays, [0, 1, 2])
    later_many.measure(plays, {"p99": [150, 151, 152], "hits": [0.5] * 3})
    states = {learner.ask().point.tobytes() for learner in (by_name, by_dict, later)}
    assert len(states) == 1
    assert many.ask().point.tobytes() == later_many.ask().point.tobytes()


def test_a_learner_on_a_set_takes_numbers():
    learner = kh.Learner(kh.box([0, 0], [1, 1]), kh.learners.posterior(limits=["most=2", "least=0"]))
    learner.tell(learner.ask(), 1.0, metrics=[1.5, np.nan])
    learner.tell(learner.ask(2), [1.0, 2.0], metrics=[[1.5, 3], [1, 2]])
    assert list(learner.status().limits) == [0, 1]
    with pytest.raises(kh.InvalidArgument, match="names on a space only"):
        learner.tell(learner.ask(), 1.0, p99=3)
    with pytest.raises(kh.InvalidArgument, match="metrics"):
        learner.tell(learner.ask(), 1.0, metrics=[1.5])
    with pytest.raises(kh.Error, match="metrics"):
        kh.Learner(kh.box([0, 0], [1, 1])).tell(1, 1.0, metrics=[1.5])


@pytest.mark.parametrize("make", [kh.Learner, kh.Store.in_memory().create])
def test_what_cannot_be_told(make):
    player = make(SPACE) if make is kh.Learner else make("wrong", SPACE)
    play = player.ask()
    for tell in (lambda **told: player.tell(play, 0.5, **told),
                 lambda **told: player.measure(play, **told)):
        with pytest.raises(kh.FeedbackError, match="play 1: there is no metric 'p98'; did you mean "
                                                   "'p99'?"):
            tell(p98=183)
        with pytest.raises(kh.FeedbackError, match="'p99' must be a number"):
            tell(p99="much")
        with pytest.raises(kh.InvalidArgument, match="the metric 'p99' cannot be"):
            tell(p99=[1, 2])
        with pytest.raises(kh.FeedbackError, match="1e50"):
            tell(metrics={"p99": float("inf")})
    with pytest.raises(kh.FeedbackError):
        player.measure(play)
    with pytest.raises(kh.FeedbackError, match="no play 9|9"):
        player.measure(9, p99=3)
    player.tell(play, 0.5, p99=183)
    with pytest.raises(kh.FeedbackError) as caught:
        player.measure(play, p99=184)
    assert caught.value.code == "contradiction"
    plays = player.ask(2)
    with pytest.raises(kh.InvalidArgument, match="for each of the 2 plays"):
        player.tell(plays, [1, 2], p99=[183])
    before = player.state
    with pytest.raises(kh.FeedbackError):
        player.tell(plays, [1, 2], p99=[183, np.inf])
    assert player.state == before


def test_a_space_without_limits_takes_none():
    store = kh.Store.in_memory()
    for player in (kh.Learner(PLAIN), store.create("s", PLAIN), store.create("t", kh.ball(2))):
        play = player.ask()
        with pytest.raises(kh.Error, match="metric"):
            player.tell(play, 0.5, p99=183)
        player.tell(play, 0.5)
        assert player.status().limits == {}


def test_a_study_keeps_them(tmp_path):
    study = kh.create(tmp_path, "service", SPACE, durability="process")
    plays = study.ask(3)
    study.tell(plays.ids[0], 0.5, count=4, p99=183, hits=float("nan"))
    study.tell(plays.ids[1:], [0.25, 0.75], p99=[190, np.nan])
    receipts, _ = study.step([(2, None, 1, {"hits": 0.5}), (3, 0.75)], 0)
    assert receipts == ["fresh", "repeated"]
    history = kh.open(tmp_path, "service").history()
    assert history["metrics"]["p99"][:2].tolist() == [183, 190]
    np.testing.assert_array_equal(history["metrics"]["hits"], [np.nan, 0.5, np.nan])
    pandas = pytest.importorskip("pandas")
    assert pandas.notna(study.to_frame()["p99"]).tolist() == [True, True, False]
    again = kh.Store.in_memory().create("plain", PLAIN)
    again.ask()
    assert "metrics" not in again.history().dtype.names


def test_what_was_measured_before_is_learned(tmp_path):
    rng = np.random.default_rng(2)
    threads = rng.uniform(1, 64, 100)
    past = [{"threads": x} for x in threads]
    losses = np.where(rng.random(100) < 0.2, np.nan, -threads)
    study = kh.create(tmp_path, "service", ONE, durability="process", start={"threads": 16})
    assert study.learn(past, losses, metrics={"p99": p99_of(threads)}).learned == 100
    assert 30 < study.recommend_values()["threads"] < 40  # at 40 the p99 is 200
    learner = kh.Learner(ONE, kh.learners.posterior(start=[16]))
    learner.learn([ONE.point(each) for each in past], losses, metrics={"p99": p99_of(threads)})
    np.testing.assert_array_equal(learner.recommend(), study.recommend())
    learner.learn({"threads": 20}, -20, metrics={"p99": p99_of(20)})
    for player in (study, learner):
        before = player.state
        point = ONE.point({"threads": 20})
        with pytest.raises(kh.Error, match="there is no metric 'p98'; did you mean 'p99'?"):
            player.learn(point, 1.0, metrics={"p98": 3})
        with pytest.raises(kh.InvalidArgument, match="for each of the 2 points"):
            player.learn([point, point], [1.0, 2.0], metrics={"p99": [3]})
        with pytest.raises(kh.Error, match="nan"):
            player.learn(point, np.nan)
        assert player.state == before
    pandas = pytest.importorskip("pandas")
    other = kh.create(tmp_path, "frame", ONE, durability="process", start={"threads": 16})
    other.learn(pandas.DataFrame({"threads": threads, "p99": p99_of(threads)}), losses)
    assert other.recommend_values() == study.recommend_values()
