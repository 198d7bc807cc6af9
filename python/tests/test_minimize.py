"""One call."""

import subprocess
import sys

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


def test_progress(capsys):
    kh.minimize(lambda x: 1.0, kh.ball(2), rounds=100, progress=True)
    line = capsys.readouterr().err
    assert line.endswith("\n")
    assert "100/100, mean loss 1" in line
    kh.minimize(lambda x: 1.0, kh.ball(2), rounds=100)
    assert capsys.readouterr().err == ""


def test_the_docstring_runs():
    code = "import doctest, keyhole; print(doctest.testmod(keyhole))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "TestResults(failed=0, attempted=4)"
