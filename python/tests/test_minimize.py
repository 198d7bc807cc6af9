"""One call."""

import itertools
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor

import keyhole as kh
import numpy as np
import pytest


def test_on_a_set():
    result = kh.minimize(lambda x: x @ [0.2, 0.9, 0.6], kh.simplex(3), rounds=2000, seed=7)
    assert result.x[0] > 0.9
    assert result.values == {}
    assert result.losses.shape == (2000,)
    assert result.average == pytest.approx(result.losses.mean())
    assert not result.interrupted
    assert result.learner.asked == 2000
    assert repr(result).startswith("Result(x=array(")


def test_on_a_space():
    space = kh.Space(batch=kh.integer(1, 100), rate=kh.number(0.1, 10, scale="log"))

    def gain(batch, rate):
        return -((batch - 70) / 100) ** 2 - np.log(rate / 2) ** 2

    result = kh.minimize(gain, space, 3000, seed=1, maximize=True, progress=False)
    assert abs(result.values["batch"] - 70) < 25
    assert abs(np.log(result.values["rate"] / 2)) < 0.5
    assert "values={" in repr(result)


def test_ctrl_c_returns_what_is_known():
    calls = []

    def cost(x):
        calls.append(x)
        if len(calls) == 50:
            raise KeyboardInterrupt
        return float(x[0])

    result = kh.minimize(cost, kh.ball(2))
    assert result.interrupted
    assert len(result.losses) == 49
    assert "49 rounds, interrupted" in repr(result)
    assert kh.minimize(cost, kh.ball(2), rounds=0).losses.shape == (0,)


def test_errors_of_the_cost_are_raised():
    with pytest.raises(ZeroDivisionError):
        kh.minimize(lambda x: 1 / 0, kh.ball(2))
    with pytest.raises(kh.FeedbackError):
        kh.minimize(lambda x: np.nan, kh.ball(2))


def test_what_was_learned_survives_a_cost_that_raises():
    calls = []

    def cost(x):
        calls.append(x)
        if len(calls) == 50:
            raise OSError("the disk is full")
        return float(x[0])

    with pytest.raises(OSError, match="the disk is full") as caught:
        kh.minimize(cost, kh.ball(2), rounds=100)
    result = caught.value.result
    assert len(result.losses) == 49
    assert result.nfev == 50
    assert not result.success
    assert "the disk is full" in result.message
    assert result.learner.summary().told == 49
    on = kh.minimize(cost, result.learner, rounds=10)  # goes on
    assert on.learner.summary().told == 59
    assert len(on.losses) == 10
    with pytest.raises(kh.InvalidArgument, match="has its algorithm"):
        kh.minimize(cost, result.learner, seed=3)


def test_every_play_is_there():
    space = kh.Space(batch=kh.integer(1, 100), mode=kh.choice(["fast", "safe"]),
                     mix=kh.shares(["a", "b"]))
    called = []

    def cost(**values):
        called.append(values)
        return (values["batch"] - 30) ** 2 / 1000 + (values["mode"] == "safe")

    result = kh.minimize(cost, space, 60, seed=3)
    assert result.nfev == len(called) == 61
    assert called[-1] == result.values
    assert result.fun == cost(**result.values)
    assert result.success
    assert result.message == "all rounds were played"
    assert result.seconds > 0
    assert result.best.loss == result.losses.min()
    assert result.best.values == called[int(result.losses.argmin())]
    assert result.best.x in space.set
    plays = result.history()
    assert plays["play"].tolist() == list(range(1, 61))
    assert plays["values"]["batch"].tolist() == [values["batch"] for values in called[:60]]
    frame = result.to_frame()
    assert list(frame.columns) == ["play", "loss", "batch", "mode", "mix.a", "mix.b"]
    assert frame["loss"].tolist() == result.losses.tolist()
    on_a_set = kh.minimize(lambda x: x[0], kh.ball(2), 5).to_frame()
    assert list(on_a_set.columns) == ["play", "loss", "x1", "x2"]
    gains = kh.minimize(lambda x: x[0], kh.ball(2), 50, maximize=True)
    assert gains.best.loss == gains.losses.max()
    nothing = kh.minimize(lambda x: 1 / 0, kh.ball(2), 0)
    assert nothing.best is None
    assert np.isnan(nothing.fun)


def test_a_cost_may_write_into_what_it_is_given():
    def cost(x):
        x *= 100
        return x[0]

    result = kh.minimize(cost, kh.ball(2), 50, seed=3)
    assert result.best.x in kh.ball(2)
    assert (np.linalg.norm(result.history()["point"], axis=1) <= 1 + 1e-9).all()

    def share(pool):
        pool["a"] += 5
        return pool["a"]

    space = kh.Space(pool=kh.shares(["a", "b"]))
    assert kh.minimize(share, space, 5, seed=3).best.values["pool"]["a"] <= 1


def test_the_start_is_where_it_begins():
    space = kh.Space(a=kh.number(0, 10), b=kh.number(0, 10))
    for start in ({"a": 2, "b": 3}, space.point(a=2, b=3)):
        for learner in ("default", "posterior", "posterior()", "posterior(caution=0.2)",
                        kh.learners.posterior(caution=0.2)):
            result = kh.minimize(lambda a, b: 1.0, space, 0, learner, start=start)
            assert result.values == {"a": pytest.approx(2), "b": pytest.approx(3)}
    with pytest.raises(kh.InvalidArgument, match="needs a space"):
        kh.minimize(len, kh.ball(2), start={"a": 1})


def test_the_callback_ends_it():
    seen = []

    def enough(play, loss):
        seen.append((play.id, loss))
        return len(seen) == 7

    result = kh.minimize(lambda x: x[0], kh.ball(2), callback=enough)
    assert [loss for _, loss in seen] == result.losses.tolist()
    assert result.message == "the callback ended it"
    assert result.success

    def stop(play, loss):
        raise StopIteration

    assert len(kh.minimize(lambda x: x[0], kh.ball(2), callback=stop).losses) == 1


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by 10 ms whenever somebody looks, so that no stall matters."""
    looks = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: 0.01 * next(looks))


def test_the_time_ends_it(clock):
    result = kh.minimize(lambda x: x[0], kh.ball(2), seconds=0.2)
    assert len(result.losses) == 19
    assert result.message == "the time was over"
    assert len(kh.minimize(lambda x: x[0], kh.ball(2), 5, seconds=600).losses) == 5
    assert kh.minimize(lambda x: x[0], kh.ball(2), seconds=0).nfev == 0


def squared(x):
    return float(x @ x)


def test_workers_measure_at_once_and_digits_stay():
    there = threading.Barrier(3)  # breaks unless three costs are measured at once

    def cost(x):
        if there.n_waiting < 3 and not there.broken and cost.meet:
            there.wait(timeout=300)
        return float(x[0])

    cost.meet = True
    kh.minimize(cost, kh.ball(2), 3, workers=3, callback=lambda *_: setattr(cost, "meet", False))
    assert not there.broken

    def slow(x):
        time.sleep(0.002 * (x[0] > 0))
        return squared(x)

    one = kh.minimize(slow, kh.ball(2), 60, workers=3, seed=5)
    other = kh.minimize(squared, kh.ball(2), 60, workers=3, seed=5)
    assert one.losses.tobytes() == other.losses.tobytes()
    with ProcessPoolExecutor(2) as executor:
        in_processes = kh.minimize(squared, kh.ball(2), 20, workers=executor, seed=5)
    assert in_processes.nfev == 21
    with pytest.raises(kh.InvalidArgument, match="workers"):
        kh.minimize(squared, kh.ball(2), workers=0)


def test_a_worker_that_raises_ends_it():
    def cost(x):
        raise OSError("no")

    with pytest.raises(OSError, match="no") as caught:
        kh.minimize(cost, kh.ball(2), workers=4)
    assert len(caught.value.result.losses) == 0


def test_progress(capsys):
    kh.minimize(lambda x: 1.0, kh.ball(2), rounds=100, progress=True)
    line = capsys.readouterr().err
    assert line.endswith("\n")
    assert "100/100, mean loss 1" in line
    kh.minimize(lambda x: 1.0, kh.ball(2), rounds=100)
    assert capsys.readouterr().err == ""


def test_progress_of_a_time(capsys, clock):
    kh.minimize(lambda x: 1.0, kh.ball(2), seconds=0.2, progress=True)
    assert re.search(r"\r\d+, mean loss 1", capsys.readouterr().err)


def test_the_docstring_runs():
    code = "import doctest, keyhole; print(doctest.testmod(keyhole))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "TestResults(failed=0, attempted=4)"
