"""Calls that do not fit are refused in our words; what fits in other types is taken."""

import inspect
import re

import keyhole as kh
import numpy as np
import pytest


def learner():
    return kh.Learner(kh.ball(2), seed=1)


def space():
    return kh.Space(a=kh.integer(1, 9), b=kh.choice(["x", "y"]), c=kh.shares(["p", "q"]))


def study():
    return kh.Store.in_memory().create("one", kh.ball(2))


def read_geometry(**changed):
    ball = kh.ball(2)
    return kh.own_set(2, ball.minimise, geometry=kh.Geometry(
        [changed.get(name, getattr(ball.geometry, name)) for name in (
            "centre", "inner_radius", "outer_radius", "diameter", "outer_radius_exact",
            "diameter_exact")]))


REFUSED = {
    "a seed that is a text": (lambda: kh.Learner(kh.ball(2), seed="x"), "seed.*whole number.*'x'"),
    "a seed below 0": (lambda: kh.Learner(kh.ball(2), seed=-1), "seed.*not.*-1"),
    "a seed too large": (lambda: kh.Learner(kh.ball(2), seed=2**64), "seed.*not.*18446744073709551616"),
    "a seed that is no whole number": (lambda: kh.Learner(kh.ball(2), seed=1.5), "seed.*1.5"),
    "a window below 0": (lambda: kh.Learner(kh.ball(2), window=-3), "window.*-3"),
    "an expiry that is a text": (lambda: kh.Learner(kh.ball(2), expiry="soon"), "expiry.*'soon'"),
    "an argument that is not there": (lambda: kh.Learner(kh.ball(2), sed=1), "did you mean 'seed'"),
    "too many arguments": (lambda: kh.Learner(kh.ball(2), "default", 7), "by name seed"),
    "no set": (lambda: kh.Learner(), "needs 'on'"),
    "a function for a set": (lambda: kh.Learner(len), "a Set or a Space"),
    "a function for a learner": (lambda: kh.Learner(kh.ball(2), len), "spec of an algorithm"),
    "a function for a space": (lambda: kh.Space(a=len), "'a'.*number.*integer.*choice.*shares"),
    "a tuple for a number": (lambda: kh.Space(a=(0, 1)), "'a'.*number.*integer.*choice.*shares"),
    "a text for constraints": (lambda: kh.Space(a=kh.number(0, 1), constraints=3), "constraints"),
    "a function for a number": (lambda: kh.number(len, 1), "low must be a number"),
    "a text for a whole number": (lambda: kh.integer("1", 9), "low must be a whole number.*'1'"),
    "a fraction for a whole number": (lambda: kh.integer(1, 2.5), "high must be a whole number"),
    "a choice of a number": (lambda: kh.choice(3), "names must be a list of texts"),
    "a choice of nothing": (lambda: kh.choice([1, None]), "list of texts, numbers.*None"),
    "levels of lists": (lambda: kh.levels([[1], [2]]), "levels must be a list of texts, numbers"),
    "what is fixed at a list": (lambda: kh.fixed([1]), "what is fixed must be"),
    "a choice of a text": (lambda: kh.choice("ab"), "names must be a list of texts"),
    "shares of numbers": (lambda: kh.shares([1, 2]), "names must be a list of texts"),
    "ask of -1": (lambda: learner().ask(-1), "count.*-1"),
    "ask of a text": (lambda: learner().ask("x"), "count.*'x'"),
    "ask of a fraction": (lambda: learner().ask(1.5), "count.*1.5"),
    "ask of a study of -1": (lambda: study().ask(-1), "count.*-1"),
    "steps of -1": (lambda: study().step([], -1), "asks.*-1"),
    "a seed of a study": (lambda: kh.Store.in_memory().create("a", kh.ball(2), seed="x"),
                          "seed.*'x'"),
    "a study without a seed": (lambda: kh.Store.in_memory().create("a", kh.ball(2), seed=None),
                               "seed.*None"),
    "a name that is a number": (lambda: kh.Store.in_memory().create(3, kh.ball(2)), "name.*3"),
    "a study on a function": (lambda: kh.Store.in_memory().create("a", len), "Set.*Space"),
    "a spec that is a number": (lambda: kh.Set(3), "spec must be a text"),
    "a loss that is a function": (lambda: learner().tell(1, len), "loss|number"),
    "a restore of a text": (lambda: learner().restore("x"), "state must be bytes"),
    "recent of a text": (lambda: learner().status("x"), "recent must be a whole number"),
    "explore of a text": (lambda: learner().explore("x"), "on must be True or False"),
    "a share that is a text": (lambda: learner().prove("x"), "share must be a number"),
    "values of a text": (lambda: space().values("x", 1, 1), "point must be numbers"),
    "a value that is a list": (lambda: space().point(a=[1]), "'a' cannot be"),
    "shares that are texts": (lambda: space().point(c=["a", "b"]), "'c' cannot be"),
    "a name of values": (lambda: space().point({3: 1}), "3"),
    "minimise that is no function": (lambda: kh.own_set(2, 3), "minimise must be a function"),
    "minimise that returns nothing": (lambda: kh.own_set(2, lambda d: None), "minimise.*numbers"),
    "a dimension that is a text": (lambda: kh.own_set("2", len), "dimension"),
    "a geometry with a text": (lambda: read_geometry(diameter="x"), "diameter"),
    "a geometry that is a number": (lambda: kh.own_set(2, kh.ball(2).minimise, geometry=3),
                                    "geometry.*3"),
    "draws of -1": (lambda: kh.ball(2).draw_exploration(-1), "count.*-1"),
    "a dimension of a set": (lambda: kh.simplex("3"), "3"),
    "a function for a dimension": (lambda: kh.simplex(len), "len"),
    "rounds that are a text": (lambda: kh.minimize(len, kh.ball(2), "x"), "rounds.*'x'"),
    "rounds below 0": (lambda: kh.minimize(len, kh.ball(2), -1), "rounds.*-1"),
    "a cost that is no function": (lambda: kh.minimize(3, kh.ball(2)), "cost must be a function"),
    "a cost without a value": (lambda: kh.minimize(lambda x: None, kh.ball(2)), "None"),
    "a store that is a number": (lambda: kh.Store(3), "PathLike"),
    "a wait that is a text": (lambda: kh.Store("x", wait="y"), "wait must be a number"),
    "an experiment of fractions": (lambda: kh.Experiment("x", "y", 1.5), "rounds"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused_in_our_words(case):
    call, message = REFUSED[case]
    with pytest.raises((TypeError, kh.Error)) as caught:
        call()
    text = str(caught.value)
    assert re.search(message, text), text
    for word in ("incompatible", "Unable to c", "handle", "object at 0x", "arg0", "_keyhole",
                 "C++", "pybind", "std::"):
        assert word not in text, text
    assert "\n" not in text


def test_errors_of_functions_are_their_own():
    """Those with words of pybind11, too: such a function may call another module."""
    def minimise(d):
        raise TypeError("f(): incompatible function arguments")

    with pytest.raises(TypeError, match="incompatible function arguments"):
        kh.own_set(2, minimise)


@pytest.mark.parametrize("whole", [np.int8, np.int64, np.uint16, np.uint64, int])
def test_whole_numbers_of_numpy_are_taken(whole, tmp_path):
    n = whole(3)
    set_ = kh.simplex(n)
    assert set_ == kh.simplex(3)
    same = kh.Learner(set_, seed=n, stream=n, window=n, expiry=n)
    assert same.ask(n).points.tobytes() == kh.Learner(set_, seed=3, stream=3).ask(3).points.tobytes()
    assert same.tell(whole(1), np.float32(0.5)) == "fresh"
    assert same.status(n).recent_told == 1
    assert kh.minimize(lambda x: np.float32(x[0]), set_, n, seed=n).losses.shape == (3,)
    space = kh.Space(a=kh.integer(whole(1), whole(9), step=whole(2)), b=kh.number(n, whole(5)))
    assert space.values(space.point(a=n, b=n), n, n, n)["a"] == 3
    study = kh.create(tmp_path, "a", space, seed=n, stream=n, durability="process")
    assert len(study.ask(n).ids) == 3
    assert study.step([(whole(1), 0.5)], n)[0] == ["fresh"]
    assert set_.draw_exploration(n, seed=n).shape == (3, 3)
    assert kh.Experiment(kh.problems.quadratic(n), "default", n, repeats=n, seed=n)


@pytest.mark.parametrize("make", [lambda seed: kh.Learner(kh.ball(2), seed=seed),
                                  lambda seed: kh.GradientLearner(kh.ball(2), kh.learners.ogd(
                                      gradient_bound=1), seed=seed)])
def test_no_seed_draws_one(make):
    one, other = make(None), make(None)
    assert one.spec != other.spec
    seed = int(re.search(r"seed=(\d+)", one.spec)[1])
    assert make(seed).spec == one.spec


def public_functions():
    for name in sorted({*kh.__all__, "open", "slice"} - {"__version__", "trace_revision"}):
        member = getattr(kh, name)
        if inspect.ismodule(member):
            for each in getattr(member, "__all__", []):
                yield f"{name}.{each}", getattr(member, each), ""
        elif not isinstance(member, type):
            yield name, member, ""
        else:
            yield name, member, ""
            for each, value in vars(member).items():
                if not each.startswith("_") and callable(getattr(member, each)) and not isinstance(
                        value, type):
                    yield f"{name}.{each}", getattr(member, each), member.__doc__ or ""


#: Tuples with names, exceptions and what the library alone makes.
MADE_BY_THE_LIBRARY = (tuple, Exception, kh.Randomness, kh.Results, kh.Result, kh.Study)


def test_every_function_has_a_signature_and_every_parameter_words():
    missing = []
    for name, function, more in public_functions():
        made = isinstance(function, type) and issubclass(function, MADE_BY_THE_LIBRARY)
        if made or not callable(function):
            continue
        init = (function.__init__.__doc__ or "") if isinstance(function, type) else ""
        words = " ".join([function.__doc__ or "", init, more])
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name in ("self", "args", "kwargs"):
                continue
            if not re.search(rf"\b{parameter.name.rstrip('_')}_?\b", words):
                missing.append(f"{name}: {parameter.name}")
    assert missing == []


def test_help_has_the_signatures_of_the_stubs():
    assert str(inspect.signature(kh.Learner.ask)) == (
        "(self, count=None, *, context=None, **kwargs)")
    assert str(inspect.signature(kh.Number)) == "(low, high, scale='linear', unit='')"
    assert str(inspect.signature(kh.Learner)).startswith(
        "(on, learner='default', *, seed=0, stream=0, window=4096, expiry=None")
    assert "_keyhole" not in kh.Learner.ask.__doc__
