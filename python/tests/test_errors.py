"""Errors: one family, a code each, and what raises has changed nothing."""

import pathlib
import pickle
import re
import struct

import keyhole as kh
import numpy as np
import pytest
from failing import failed_learner

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "tests/golden"


def learner():
    result = kh.Learner(kh.ball(2), "parameter_free", seed=1)
    result.tell(result.ask(), 0.5)
    return result


def sealed(state):
    """With the checksum that its bytes must have: docs/state.md."""
    hash = 0xcbf29ce484222325
    for byte in state[:-8]:
        hash = (hash ^ byte) * 0x100000001b3 % 2**64
    return state[:-8] + struct.pack("<Q", hash)


def newer():
    state = learner().state
    return learner().restore(sealed(state[:8] + struct.pack("<Q", 999) + state[16:]))


def altered():
    state = bytearray(learner().state)
    state[-9] ^= 1
    learner().restore(bytes(state))


def older_digits():
    state = (GOLDEN / "state_4_parameter_free.bin").read_bytes()
    of_that = kh.Learner(kh.box(0, 2, 3), "parameter_free", seed=2019, stream=3, window=16)
    with pytest.raises(kh.StateError):
        of_that.restore(state)
    of_that.restore(state, same_digits=False)
    assert of_that.asked == 200
    of_that.restore(state)


def within_itself():
    inner = []

    def minimise(d):
        if inner:
            inner[0].ask()
        return -np.sign(d) + (d == 0)

    player = kh.Learner(kh.own_set(2, minimise), "projection_free(loss_bound=9, "
                        "gradient_bound=9, horizon=100)")
    player.tell(player.ask(), 1.0)
    inner.append(player)
    player.ask()


CASES = {
    "other": (kh.Error, within_itself, "within one of its own calls"),
    "invalid_argument": (kh.InvalidArgument, lambda: kh.ball(2).minimise([1]), "shape"),
    "horizon_used_up": (
        kh.InvalidArgument,
        lambda: kh.Learner(kh.ball(2), "fkm(loss_bound=1, gradient_bound=1, horizon=3)").ask(4),
        "3 plays are left"),
    "unknown_play": (kh.FeedbackError, lambda: learner().tell(7, 1.0), "7"),
    "unusable_feedback": (kh.FeedbackError, lambda: learner().tell(1, np.inf), "inf"),
    "contradiction": (kh.FeedbackError, lambda: learner().tell(1, 0.75), "0.75"),
    "damaged_state": (kh.StateError, altered, "altered|checksum|damaged"),
    "newer_state": (kh.StateError, newer, "reads formats up to"),
    "foreign_state": (kh.StateError, lambda: learner().restore(kh.Learner(kh.ball(3)).state),
                      "ball"),
    "other_digits": (kh.StateError, older_digits, "revision"),
    "failed_learner": (kh.StateError, lambda: failed_learner().ask(), "restore"),
    "unreadable_input": (kh.InputError, lambda: kh.Experiment.from_toml("rounds = 'x'"),
                         "whole number"),
    "unreadable_spec": (kh.SpecError, lambda: kh.polytope(file="no such file.csv"), "no such"),
}


def frame(content):
    """The first frame of a log: docs/study-format.md."""
    covered = bytes([len(content), 0]) + content
    words = [len(covered)]
    words += [int.from_bytes(covered[k:k + 8], "little") for k in range(0, len(covered), 8)]
    seal = 0x243F6A8885A308D3
    for word in words:
        product = (seal ^ word) * 0x9E3779B97F4A7C15
        seal = (product >> 64 ^ product) & (1 << 64) - 1
    return covered + struct.pack("<Q", seal)


def opened(store, content):
    log = pathlib.Path(store.folder) / "odd/log"
    log.parent.mkdir()
    log.write_bytes(frame(content))
    return store.open("odd")


def replaced(store):
    study = store.open("one")
    store.delete("one")
    study.ask()


def within_a_file(store):
    file = pathlib.Path(store.folder) / "file"
    file.touch()
    kh.Store(file / "studies")


#: Those of studies. A service has all of them: test_service.py.
OF_STUDIES = {
    "unknown_study": (kh.StudyError, lambda s: s.open("none"), "there is no study 'none'"),
    "other_description": (kh.StudyError, lambda s: s.create("one", "ball(3)"), "take another name"),
    "damaged_log": (kh.StudyError, lambda s: opened(s, b"{}"), "does not begin with a description"),
    "newer_log": (kh.StudyError, lambda s: opened(s, b'{"format":99}'), "use a newer one"),
    "replaced": (kh.StudyError, replaced, "one"),
    "disk": (kh.Error, within_a_file, "file"),
    "database": (kh.StudyError, lambda s: kh.Store("postgresql:///db?host=/nowhere"),
                 "cannot be reached"),
}


@pytest.mark.parametrize("code", OF_STUDIES)
def test_every_code_of_studies(code, tmp_path):
    store = kh.Store(tmp_path, durability="process")
    store.create("one", "ball(2)")
    kind, call, message = OF_STUDIES[code]
    with pytest.raises(kind, match=message) as caught:
        call(store)
    assert caught.value.code == code


@pytest.mark.parametrize("code", CASES)
def test_every_code(code):
    kind, call, message = CASES[code]
    with pytest.raises(kind, match=message) as caught:
        call()
    assert caught.value.code == code
    assert isinstance(caught.value, kh.Error)
    assert isinstance(caught.value, ValueError) == (kind is not kh.Error)


def test_the_codes_are_those_of_the_header(root):
    header = (root / "include/keyhole/error.h").read_text()
    codes = re.findall(r"^  (\w+) = \d+,$", header, re.MULTILINE)
    assert set(codes) - {"needs_renewal", "busy"} == {*CASES, *OF_STUDIES}


def test_what_python_raises_has_a_code_too(tmp_path):
    study = kh.create(tmp_path, "one", "ball(2)", durability="process")
    for call, code in [(lambda: study.tell(-1, 1.0), "unknown_play"),
                       (lambda: study.tell([1, 2], [1.0]), "invalid_argument"),
                       (lambda: kh.open(tmp_path, "two"), "unknown_study")]:
        with pytest.raises(kh.Error) as caught:
            call()
        assert caught.value.code == code


def test_errors_can_be_pickled():
    """As those of a process pool are."""
    with pytest.raises(kh.SpecError) as caught:
        kh.Set("simplx(3)")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is kh.SpecError
    assert str(again) == str(caught.value)
    assert again.code == "unreadable_spec"
