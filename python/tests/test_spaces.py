"""Spaces: named parameters as a set, and points as dicts."""

import pickle

import keyhole as kh
import numpy as np
import pytest

SPACE = kh.Space(batch=kh.integer(1, 256), timeout=kh.number(5, 500, scale="log", unit="ms"),
                 codec=kh.choice(["zstd", "lz4"]), pool=kh.shares(["a", "b", "c"]))


def test_asks_give_dicts():
    learner = kh.Learner(SPACE, seed=3)
    play = learner.ask()
    assert list(play.values) == ["batch", "timeout", "codec", "pool"]
    assert isinstance(play.values["batch"], int)
    assert 5 <= play.values["timeout"] <= 500
    assert play.values["codec"] in ("zstd", "lz4")
    assert sum(play.values["pool"].values()) == pytest.approx(1)
    assert "values={'batch':" in repr(play)
    assert play.values == SPACE.values(play.point, seed=3, play=1)
    learner.tell(play, 1.0)
    plays = learner.ask(3)
    assert [set(values) for values in plays.values] == [set(play.values)] * 3
    assert learner.recommend_values() == SPACE.likeliest(learner.recommend())
    assert learner.space is SPACE
    assert learner.set == SPACE.set
    again = pickle.loads(pickle.dumps(learner))
    assert again.ask().values == learner.ask().values


def test_points():
    point = SPACE.point(batch=32, codec="lz4", pool={"b": 0.5, "a": 0.25, "c": 0.25})
    values = SPACE.likeliest(point)
    assert (values["batch"], values["codec"]) == (32, "lz4")
    assert values["pool"] == {"a": 0.25, "b": 0.5, "c": 0.25}
    assert np.array_equal(point, SPACE.point({"batch": 32}, codec="lz4", pool=[0.25, 0.5, 0.25]))


def test_parameters():
    assert list(SPACE.parameters) == ["batch", "timeout", "codec", "pool"]
    timeout = SPACE.parameters["timeout"]
    assert (timeout.low, timeout.high, timeout.scale, timeout.unit) == (5, 500, "log", "ms")
    assert SPACE.parameters["batch"] == kh.integer(1, 256)
    assert SPACE.parameters["codec"].names == ["zstd", "lz4"]
    pool = kh.shares(["a", "b"], total=2, least=0.1, most=[1, 1.5])
    assert (pool.total, pool.least, pool.most) == (2, [0.1], [1, 1.5])
    buffer = kh.integer(1, 65536, scale="log", unit="B")
    assert (buffer.low, buffer.high, buffer.scale, buffer.unit, buffer.step) == (
        1, 65536, "log", "B", 1)
    assert kh.integer(16, 256, step=16).step == 16
    for domain in (*SPACE.parameters.values(), pool, buffer, kh.integer(16, 256, step=16)):
        assert pickle.loads(pickle.dumps(domain)) == domain
        assert hash(domain) == hash(pickle.loads(pickle.dumps(domain)))
        assert eval(repr(domain), vars(kh)) == domain
    assert kh.integer(0, 1) != kh.number(0, 1)


def test_whole_numbers_on_a_log_scale():
    space = kh.Space(buffer=kh.integer(1, 65536, scale="log"), block=kh.integer(16, 256, step=16))
    point = space.point(buffer=64, block=48)
    assert point[0] == pytest.approx(np.log(64))
    assert space.likeliest(point) == {"buffer": 64, "block": 48}
    drawn = [space.values([np.log(3.3), 40.0], seed=1, play=play) for play in range(1, 2001)]
    assert {values["buffer"] for values in drawn} == {3, 4}
    assert {values["block"] for values in drawn} == {32, 48}
    # Five standard errors of the mean.
    assert np.mean([np.log(values["buffer"]) for values in drawn]) == pytest.approx(
        np.log(3.3), abs=0.02)


def test_rules_hold_for_whole_numbers():
    space = kh.Space(a=kh.integer(0, 4), b=kh.integer(0, 4), c=kh.integer(0, 4),
                     constraints=["a + b + c <= 4"])
    learner = kh.Learner(space, seed=2)
    for _ in range(300):
        play = learner.ask()
        assert sum(play.values.values()) <= 4
        learner.tell(play, -sum(play.values.values()))
    assert sum(learner.recommend_values().values()) <= 4
    with pytest.raises(kh.InvalidArgument, match="no whole numbers meet"):
        kh.Space(a=kh.integer(0, 4), b=kh.integer(0, 4), c=kh.number(0, 1),
                 constraints=["2*a + 2*b = 5"])


def test_constraints():
    space = kh.Space({"cpu": kh.number(1, 8)}, memory=kh.number(1, 4),
                     constraints=["cpu + 2*memory <= 10"])
    assert space.constraints == ["cpu + 2*memory <= 10"]
    again = pickle.loads(pickle.dumps(space))
    assert again == space
    assert hash(again) == hash(space)
    assert eval(repr(space), vars(kh)) == space
    for values in kh.Learner(space).ask(50).values:
        assert values["cpu"] + 2 * values["memory"] <= 10 + 1e-8


@pytest.mark.parametrize("call, kind, message", [
    (lambda: kh.Space(a=kh.number(2, 1)), kh.InvalidArgument, "a"),
    (lambda: kh.Space(a=kh.number(0, 1, scale="lin")), kh.InvalidArgument, "scale"),
    (lambda: kh.Space(a=kh.choice(["x"])), kh.InvalidArgument, "'a'"),
    (lambda: kh.Space(a=3), Exception, ""),
    (lambda: kh.Space(a=kh.number(0, 1), constraints=["b <= 1"]), kh.InvalidArgument, "'b'"),
    (lambda: SPACE.point(bach=3), kh.InvalidArgument, "bach"),
    (lambda: SPACE.point(batch=0.5), kh.InvalidArgument, "'batch' cannot be 0.5"),
    (lambda: SPACE.point(codec="gzip"), kh.InvalidArgument, "gzip"),
    (lambda: SPACE.point(pool={"a": 1}), kh.InvalidArgument, "no share for 'b'"),
    (lambda: SPACE.point(pool={"a": 1, "b": 0, "c": 0, "d": 0}), kh.InvalidArgument, "more shares"),
    (lambda: SPACE.likeliest([1, 2]), kh.InvalidArgument, "coordinates"),
])
def test_errors(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


LISTED = kh.Space(block=kh.levels([64, 128, 256], unit="KiB"), threads=kh.choice([1, 2.5, "auto"]),
                  direct=kh.choice([True, False]), mode=kh.fixed("fast"), retries=kh.fixed(3),
                  x=kh.number(0, 1))


def test_listed_values_come_back_as_they_are():
    seen = {name: set() for name in LISTED.parameters}
    learner = kh.Learner(LISTED, seed=3)
    for _ in range(200):
        play = learner.ask()
        for name, value in play.values.items():
            seen[name].add((type(value), value))
        learner.tell(play, abs(play.values["block"] - 128) + play.values["direct"])
    assert seen.pop("x")
    assert seen == {"block": {(int, 64), (int, 128), (int, 256)},
                    "threads": {(int, 1), (float, 2.5), (str, "auto")},
                    "direct": {(bool, True), (bool, False)},
                    "mode": {(str, "fast")}, "retries": {(int, 3)}}
    best = learner.recommend_values()
    assert (best["block"], best["direct"], best["mode"], best["retries"]) == (128, False, "fast", 3)


def test_listed_values_are_found():
    point = LISTED.point(block=256, threads=1, direct=False)
    assert np.array_equal(point, LISTED.point(block=np.int64(256), threads=np.float32(1),
                                              direct=np.bool_(False), retries=3.0))
    # Of a long double the item is one again.
    assert np.array_equal(point, LISTED.point(block=np.longdouble(256), threads=1, direct=False))
    assert list(point[:6]) == [2, 1, 0, 0, 0, 1]
    assert LISTED.likeliest(point)["threads"] == 1
    for wrong, words in [({"block": 100}, "must be one of 64, 128, 256, not 100"),
                         ({"mode": "slow"}, "is fixed at fast, and cannot be slow"),
                         ({"direct": "no"}, "has no 'no'"), ({"threads": 7}, "1, 2.5, auto"),
                         ({"block": None}, "'block' cannot be None")]:
        with pytest.raises(kh.InvalidArgument, match=words):
            LISTED.point(wrong)


def test_listed_parameters():
    assert LISTED.parameters["block"].levels == [64, 128, 256]
    assert LISTED.parameters["threads"].names == [1, 2.5, "auto"]
    assert LISTED.parameters["mode"].value == "fast"
    for domain in LISTED.parameters.values():
        assert pickle.loads(pickle.dumps(domain)) == domain
        assert hash(domain) == hash(pickle.loads(pickle.dumps(domain)))
        assert eval(repr(domain), vars(kh)) == domain
    assert kh.choice(np.array([1, 2])) == kh.choice([1, 2]) == kh.choice(range(1, 3))
    assert kh.choice([1, 2]) != kh.choice(["1", "2"])
    for wrong in ("ab", 3, {1, 2}, [1, None], [[1], [2]]):
        with pytest.raises(kh.InvalidArgument, match="names must be a list of texts, numbers"):
            kh.choice(wrong)


def test_true_is_not_one_in_figures():
    pytest.importorskip("matplotlib")
    from keyhole._plots import _placed

    values = kh.choice([1, True, 2])
    assert _placed([1, True, 2, np.int64(1), np.bool_(True)], values).tolist() == [0, 1, 2, 0, 1]
    assert np.isnan(_placed([False, 3], values)).all()


def test_listed_values_in_tables_and_figures():
    result = kh.minimize(lambda block, direct, **_: block / 100 + direct, LISTED, rounds=80, seed=1)
    played = result.history()["values"]
    assert set(played["block"]) == {64, 128, 256}
    assert played["block"].dtype.kind == "i" and played["direct"].dtype.kind == "b"
    assert set(played["mode"]) == {"fast"}
    assert set(result.plots.slices().axes[0].get_xticks()) == {0, 1, 2}
    assert len(result.plots.parallel().axes) == 1
    study = kh.Store.in_memory().create("s", LISTED)
    frame = result.to_frame().drop(columns="mode")
    assert study.learn(frame, frame["loss"]).learned == 80


def test_contexts_of_numbers():
    space = kh.Space(x=kh.number(0, 1), contexts=dict(shard=kh.choice([1, 2]),
                                                      night=kh.choice([True, False])))
    study = kh.Store.in_memory().create("s", space)
    for shard, night in [(1, True), (np.int64(2), np.bool_(False)), (1, None)]:
        play = study.ask(shard=shard, night=night)
        study.tell(play, 0.5)
    known = study.history()["context"]
    assert list(known["shard"]) == [1, 2, 1]
    assert list(known["night"]) == [True, False, None]
