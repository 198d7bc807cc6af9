"""Studies: on a disk, from many processes, from the command line and Python in turn."""

import datetime
import json
import math
import multiprocessing
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import types

import keyhole as kh
import numpy as np
import pytest

SPACE = kh.Space(batch=kh.integer(1, 256), timeout=kh.number(5, 500, scale="log"),
                 codec=kh.choice(["zstd", "lz4"]), pool=kh.shares(["a", "b", "c"]))


@pytest.fixture
def store(tmp_path):
    return kh.Store(tmp_path / "studies", durability="process")


def test_create_ask_and_tell(tmp_path):
    with kh.create(tmp_path, "one", SPACE, seed=7, durability="process",
                   start={"batch": 32, "codec": "lz4"}) as study:
        play = study.ask(worker="w1")
        assert study.ask(worker="w1").values == play.values
        assert study.tell(play, 0.5) == "fresh"
        assert study.tell(play.id, 0.5) == "repeated"
    study = kh.open(tmp_path, "one", durability="process")
    assert study.summary().told == 1
    assert study.status().recent_average == 0.5
    assert study.space == SPACE
    assert study.set == SPACE.set
    plays = study.ask(3)
    assert study.tell(plays, [1, 2, 3]) == ["fresh"] * 3
    assert study.tell([2, 3], [1, 2]) == ["repeated"] * 2
    receipts, more = study.step([(5, 1.0)] if study.summary().asked > 4 else [], 2)
    assert len(more) == 2
    assert set(study.recommend_values()) == set(SPACE.parameters)
    assert study.recommend() in study.set
    assert "one" in repr(study)
    assert play.recommended is False
    study.explore(False)
    paused = kh.open(tmp_path, "one", durability="process")
    assert not paused.explores
    play = paused.ask()
    assert play.recommended is True
    assert play.values == study.recommend_values()
    paused.explore(True)
    assert study.explores


def test_plays_say_their_pair(store):
    two_point = "anytime(two_point(gradient_bound=2))"
    study = store.create("pairs", kh.ball(2), two_point)
    learner = kh.Learner(kh.ball(2), two_point)
    assert [study.ask().pair for _ in range(5)] == [1, 2, 2, 4, 4]
    assert study.ask(2).pairs.tolist() == [6, 6]
    assert [learner.ask().pair for _ in range(5)] == [1, 2, 2, 4, 4]
    assert learner.ask(2).pairs.tolist() == [6, 6]
    assert kh.Learner(kh.ball(2)).ask().pair == 0


def test_a_study_plays_as_a_learner(store):
    study = store.create("set", kh.simplex(3), "parameter_free", seed=5)
    learner = kh.Learner(kh.simplex(3), "parameter_free", seed=5)
    for _ in range(50):
        play, same = study.ask(), learner.ask()
        assert play.point.tobytes() == same.point.tobytes()
        study.tell(play, float(play.point[0]))
        learner.tell(same, float(play.point[0]))
    assert study.state == learner.state
    assert study.recommend().tobytes() == learner.recommend().tobytes()
    assert study.recommend_values() == {}


def test_the_store(store):
    assert list(store) == []
    store.create("b", "ball(2)")
    store.create("a", kh.ball(2))
    assert list(store) == ["a", "b"]
    assert "a" in store
    assert len(store) == 2
    assert store.verify("a")["frames"] == 1
    store.delete("a")
    assert list(store) == ["b"]
    again = pickle.loads(pickle.dumps(store))
    assert again.folder == store.folder
    patient = kh.Store(store.folder, wait=0.5)
    assert pickle.loads(pickle.dumps(patient))._arguments == patient._arguments
    assert patient._arguments[-1] == 0.5
    kh.open(store.folder, "b", wait=0)
    kh.create(store.folder, "b", "ball(2)", wait=60)
    assert "studies" in repr(store)


def test_labels(store):
    study = store.create("b", "ball(2)")
    store.create("a", "ball(2)")
    assert study.label() == ("", [])
    assert study.label("of the Web tier", tags=["prod", "eu", "prod"]).tags == ["prod", "eu"]
    assert study.label(tags="canary") == kh.Label("of the Web tier", ["canary"])
    assert store.open("b").label().note == "of the Web tier"
    assert store.find("WEB") == [kh.FoundStudy("b", "of the Web tier", ["canary"])]
    assert [found.name for found in store.find()] == ["a", "b"]
    assert store.find(tag="prod") == []
    assert store.find("b", tag="canary", prefix="b")[0].name == "b"
    assert study.label("", []) == ("", [])
    with pytest.raises(kh.InvalidArgument, match="cannot be a tag"):
        study.label(tags=["two words"])
    store.delete("b")
    with pytest.raises(kh.StudyError, match="there is no study 'b'"):
        study.label()
    assert "b" not in store
    assert 7 not in store


def test_what_is_deleted_can_be_brought_back(store):
    study = store.create("a", "ball(2)", seed=3)
    study.tell(study.ask(), 0.5)
    state = study.state
    store.delete("a", keep=3600)
    assert list(store) == []
    (one,) = kh.Store(store.folder).deleted()
    assert one.name == "a"
    assert 3500 < (one.until - datetime.datetime.now(datetime.timezone.utc)).total_seconds() < 3601
    assert store.undelete("a").state == state
    assert store.deleted() == []
    assert store.undelete("a").state == state  # again, as after a lost answer
    store.delete("a", keep=3600)
    store.create("a", kh.ball(2))
    with pytest.raises(kh.StudyError, match="there is a study 'a'"):
        store.undelete("a")
    store.delete("a")
    store.undelete("a")
    store.delete("a")
    with pytest.raises(kh.StudyError, match="no deleted study 'a' is kept"):
        store.undelete("a")
    with pytest.raises(kh.InvalidArgument, match="keep"):
        store.delete("a", keep=-1)


def test_a_store_in_memory():
    store = kh.Store.in_memory()
    study = store.create("a", "ball(2)")
    study.tell(study.ask(), 1.0)
    assert store.open("a").summary().told == 1
    assert list(kh.Store.in_memory()) == []  # another one
    assert store.folder == ""
    assert repr(store) == "Store.in_memory()"
    assert "in 'memory'" in repr(study)
    for one in (store, study):
        with pytest.raises(TypeError, match="other processes"):
            pickle.dumps(one)
    with pytest.raises(kh.InvalidArgument, match="wait"):
        kh.Store.in_memory(wait=-1)


def command(build, store, *arguments):
    run = subprocess.run([build / "keyhole", "study", *arguments, "--store", store.folder],
                         check=True, capture_output=True, text=True)
    return run.stdout


def contents(log):
    """What the frames of a log hold (docs/study-format.md). How far the disk was is left out."""
    data = log.read_bytes()
    position = 0
    result = []

    def number():
        nonlocal position
        value = shift = 0
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while position < len(data):
        length = number()
        number()  # the gap
        result.append(data[position:position + length])
        position += length + 8  # and the seal
    return result


def test_command_line_and_python_in_turn(tmp_path, build):
    """The frames of the log hold the same, byte for byte, as those of Python alone."""
    store = kh.Store(tmp_path)
    alone = store.create("alone", "simplex(3)", seed=7)
    command(build, store, "create", "turns", "--set=simplex(3)", "--seed=7")
    turns = store.open("turns")
    for round in range(6):
        play = alone.ask()
        alone.tell(play, float(play.point[1]))
        if round % 2 == 0:
            same = json.loads(command(build, store, "ask", "turns", "--format=json"))
            assert same["point"] == play.point.tolist()
            assert command(build, store, "tell", "turns", str(same["play"]),
                           repr(float(play.point[1]))) == "fresh\n"
        else:
            same = turns.ask()
            assert same.point.tobytes() == play.point.tobytes()
            turns.tell(same, float(play.point[1]))
    assert store.verify("alone") == store.verify("turns")
    assert contents(tmp_path / "alone/log") == contents(tmp_path / "turns/log")


def test_history(store):
    study = store.create("h", SPACE, seed=1)
    for k in range(5):
        play = study.ask(worker="w" * (k + 1))
        if k != 2:
            study.tell(play, k)
    plays = study.history()
    assert plays["play"].tolist() == [1, 2, 3, 4, 5]
    assert plays["worker"].tolist() == ["w" * k for k in range(1, 6)]
    assert np.isnan(plays["loss"]).tolist() == [False, False, True, False, False]
    assert plays["point"].shape == (5, SPACE.set.dimension)
    again = SPACE.values(plays["point"][0], seed=1, play=1)
    first = plays["values"][0]
    assert (first["batch"], first["timeout"], first["codec"]) == (
        again["batch"], again["timeout"], again["codec"])
    assert first["pool"].tolist() == list(again["pool"].values())
    assert store.create("empty", SPACE).history().shape == (0,)
    assert store.create("on_set", "ball(2)").history().dtype.names == (
        "play", "worker", "loss", "point")


def test_frames(store, monkeypatch):
    """With what pandas is called with, so that it need not be installed."""
    pandas = types.SimpleNamespace(DataFrame=dict)
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    study = store.create("f", SPACE)
    study.tell(study.ask(), 2.0)
    frame = study.to_frame()
    assert list(frame) == ["play", "worker", "loss", "batch", "timeout", "codec", "pool.a",
                           "pool.b", "pool.c"]
    assert frame["loss"].tolist() == [2.0]
    on_set = store.create("g", "ball(2)")
    on_set.ask(4)
    assert {name: len(column) for name, column in on_set.to_frame().items()} == dict.fromkeys(
        ["play", "worker", "loss", "x1", "x2"], 4)


def test_frames_have_names_that_are_those_of_columns():
    pytest.importorskip("pandas")
    space = kh.Space({"loss": kh.number(0, 1), "play": kh.integer(1, 3), "worker": kh.number(0, 1)})
    store = kh.Store.in_memory()
    study = store.create("s", space, seed=1)
    for k in range(5):
        study.tell(study.ask(), k + 7.0)
    frame, plays = study.to_frame(), study.history()
    assert list(frame) == ["play", "worker", "loss", "value.loss", "value.play", "value.worker"]
    assert frame["loss"].tolist() == [7, 8, 9, 10, 11]
    assert frame["value.loss"].tolist() == plays["values"]["loss"].tolist()
    other, by_hand = store.create("other", space), store.create("by_hand", space)
    assert other.learn(frame, frame["loss"]).learned == 5
    for row in plays:
        by_hand.learn(dict(zip(space.parameters, row["values"].tolist())), row["loss"])
    assert other.state == by_hand.state
    # So do metrics and contexts, and are found by them again.
    space = kh.Space(x=kh.number(0, 1), contexts=dict(worker=kh.number(0, 9)),
                     limits=dict(play=kh.limit(most=2)))
    study, other, by_hand = (store.create(name, space) for name in ("from", "to", "one_by_one"))
    for k in range(30):
        play = study.ask(context={"worker": k % 10})
        study.tell(play, k, metrics={"play": play.point[0]})
        by_hand.learn(play.values, k, context={"worker": k % 10}, metrics={"play": play.point[0]})
    frame = study.to_frame()
    assert list(frame) == ["play", "worker", "loss", "x", "value.worker", "value.play"]
    assert other.learn(frame, frame["loss"]).learned == 30
    assert other.state == by_hand.state


def test_history_of_what_was_changed(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=dict))
    spaces = [
        kh.Space(a=kh.number(5, 6), codec=kh.choice(["brotli", "lz4"]), pool=kh.shares(["x", "y"])),
        # narrower names, whole numbers, other shares, one parameter more
        kh.Space(a=kh.integer(1, 9), codec=kh.choice(["br", "lz4"]),
                 pool=kh.shares(["x", "y", "z"]), new=kh.choice(["on", "off"])),
        # renamed, and names where numbers were
        kh.Space(a=kh.choice(["few", "many"]), method=kh.choice(["br", "lz4"])),
    ]
    starts = [None, {"a": 5, "codec": "lz4", "pool": {"x": 1, "y": 0, "z": 0}, "new": "on"},
              {"a": "few", "method": "br"}]
    played = []
    for space, start in zip(spaces, starts):
        study = store.open("h") if played else store.create("h", space, seed=1)
        if played:
            store.change("h", space, start)
            study = store.open("h")
        for _ in range(8):
            play = study.ask()
            study.tell(play, float(play.id))
            played.append(play.values)
        history = study.history()
        assert history["loss"].tolist() == list(range(1, len(played) + 1))
        known = [~np.isnan(row["point"]).any() for row in history]
        assert known == [False] * (len(played) - 8) + [True] * 8
        for name, domain in space.parameters.items():
            column = history["values"][name]
            for row, values in zip(column.tolist(), played):
                given = values.get(name, "" if isinstance(domain, kh.Choice) else np.nan)
                if isinstance(domain, kh.Shares):
                    parts = list(given.values())
                    given = parts if len(parts) == len(domain.names) else [np.nan] * len(row)
                np.testing.assert_equal(row, given)
        assert len(study.to_frame()["loss"]) == len(played)
    assert study.history()["values"]["a"].dtype == object


def test_plots(store):
    class Axes:
        def __init__(self):
            self.lines = []

        def plot(self, x, y, *_, **__):
            self.lines.append((x.tolist(), y.tolist()))

        def __getattr__(self, name):
            return lambda *_, **__: None

    study = store.create("p", "ball(2)")
    study.tell(study.ask(4), [1, 2, 3, 6])
    study.ask()
    axes = study.plot(Axes(), recent=2)
    assert axes.lines == [([1, 2, 3, 4], [1, 2, 3, 6]), ([1, 2, 3, 4], [1, 1.5, 2.5, 4.5])]


def test_a_pickled_study_is_the_same_study(store):
    study = store.create("one", "ball(2)")
    again = pickle.loads(pickle.dumps(study))
    again.tell(again.ask(), 1.0)
    assert study.summary().told == 1


def work(study, rounds):
    for _ in range(rounds):
        play = study.ask()
        study.tell(play, float(play.point[0]))


def test_threads_and_forks(store):
    """A child goes on even where another thread of the parent was in a call."""
    study = store.create("many", "ball(2)", seed=1)
    threads = [threading.Thread(target=work, args=(study, 40)) for _ in range(2)]
    for thread in threads:
        thread.start()
    context = multiprocessing.get_context("fork")
    children = [context.Process(target=work, args=(study, 10)) for _ in range(3)]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    for thread in threads:
        thread.join()
    summary = study.summary()
    assert (summary.asked, summary.told) == (110, 110)
    assert store.verify("many")["torn"] == 0


@pytest.mark.plain
def test_nothing_leaks(store, resident):
    """100,000 steps; an object of Python has 16 bytes at least."""
    study = store.create("long", "ball(2)", "parameter_free")

    def step(rounds):
        play = study.ask(worker="w")
        for _ in range(rounds):
            (play,) = study.step([(play, 0.5)], worker="w")[1]

    step(5000)
    before = resident()
    step(100_000)
    assert resident() - before < 1000


def _open_to_all(folder):
    """A folder in it; the server has a user of its own."""
    os.chmod(folder, 0o755)
    return os.path.join(folder, "postgres")


@pytest.mark.plain
def test_a_database_is_a_store(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(pathlib.Path(__file__).parents[2] / "tests/cluster")
    from private_postgres import PrivatePostgres

    address = "postgresql:///postgres"
    for name in ("PGHOST", "PGUSER"):  # which the server sets: as they were, after the test
        monkeypatch.setenv(name, "")
    with tempfile.TemporaryDirectory() as folder, PrivatePostgres(_open_to_all(folder)):
        study = kh.create(address, "split", kh.simplex(3), seed=7)
        twin = kh.create(tmp_path / "studies", "split", kh.simplex(3), seed=7)
        for _ in range(20):
            play = study.ask(worker="w")
            assert play.point.tobytes() == twin.ask(worker="w").point.tobytes()
            study.tell(play, play.point[0])
            twin.tell(play.id, play.point[0])
        again = kh.open(address, "split")
        assert again.state == twin.state
        assert list(kh.Store(address)) == ["split"]
        kh.Store(address).copy("split", kh.Store(tmp_path / "copies"))
        assert kh.open(tmp_path / "copies", "split").state == twin.state


@pytest.mark.plain
def test_a_database_needs_libpq(tmp_path):
    (tmp_path / "libpq.so.5").write_text("no library")
    program = "import keyhole as kh; kh.open('postgresql:///postgres', 'split')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)})
    assert "StudyError: studies in PostgreSQL need libpq, which cannot be loaded" in done.stderr
    assert "install it (Debian: libpq5)" in done.stderr


@pytest.mark.parametrize("call, kind, message", [
    (lambda s: s.open("none"), kh.StudyError, "none"),
    (lambda s: s.delete("none"), kh.StudyError, "none"),
    (lambda s: s.create("a/b", "ball(2)"), kh.StudyError, "a/b"),
    (lambda s: s.create("one", "ball(3)"), kh.StudyError, "one"),
    (lambda s: s.create("two", "bal(2)"), kh.SpecError, "did you mean 'ball'"),
    (lambda s: s.create("two", "ball(2)", start={"x": 1}), kh.InvalidArgument, "space"),
    (lambda s: s.create("two", SPACE, start={"x": 1}), kh.InvalidArgument, "x"),
    (lambda s: s.create("two", "ball(2)", colour=3), TypeError, "colour"),
    (lambda s: s.open("one").tell(9, 1.0), kh.FeedbackError, "9"),
    (lambda s: s.open("one").tell(-9, 1.0), kh.FeedbackError, "-9"),
    (lambda s: s.open("one").tell([1, 2], [1]), kh.InvalidArgument, "one loss for each"),
    (lambda s: s.create("two", kh.own_set(1, lambda d: -np.sign(d))), kh.InvalidArgument, "study"),
    (lambda s: kh.Store(s.folder, durability="paper"), kh.InvalidArgument, "durability"),
    *((lambda s, wait=wait: kh.Store(s.folder, wait=wait), kh.InvalidArgument,
       f"wait must be a number of seconds, 0 or more, not {wait}")
      for wait in (-1.0, np.inf, np.nan)),
    (lambda s: kh.Store(s.folder, wait="long"), TypeError, "wait must be a number"),
    (lambda s: kh.open("postgresql://me:key@/db?host=/nowhere", "one"), kh.StudyError,
     "the database postgresql://me@/db.host=/nowhere cannot be reached"),
])
def test_errors(store, call, kind, message):
    store.create("one", "ball(2)")
    with pytest.raises(kind, match=message):
        call(store)
    assert list(store) == ["one"]
    assert os.listdir(store.folder)


def test_copies_and_renewal(store, tmp_path):
    golden = pathlib.Path(__file__).resolve().parents[2] / "tests/golden/study_5"
    shutil.copytree(golden, tmp_path / "studies" / "old")
    other = kh.Store(tmp_path / "others")
    store.copy("old", other)
    log = (tmp_path / "studies/old/log").read_bytes()
    assert (tmp_path / "others/old/log").read_bytes() == log
    with pytest.raises(kh.StudyError, match="there is a study 'old'"):
        store.copy("old", other)
    store.create("new", "ball(2)")
    assert store.copy_all(other) == kh.StoreCopy(copied=1, there=1, failures=[])
    assert list(other) == ["new", "old"]
    assert store.renew("old", dry_run=True) == "what was learned"
    study = store.open("old")
    assert study.needs_renewal()
    recommended = study.recommend()
    with pytest.raises(kh.StudyError, match="renew it"):
        study.ask()
    plays = study.history()
    assert len(plays) == 89
    assert np.isnan(plays["point"]).all()
    assert store.renew("old") == "what was learned"
    assert store.renew("old") == "not needed"
    study = store.open("old")
    assert not study.needs_renewal()
    assert study.recommend().tobytes() == recommended.tobytes()
    assert study.ask().id == 90


def test_a_frame_is_learned(tmp_path):
    pandas = pytest.importorskip("pandas")
    space = kh.Space(threads=kh.integer(1, 64), codec=kh.choice(["zstd", "lz4"]),
                     pool=kh.shares(["a", "b"]))
    store = kh.Store.in_memory()
    study = store.create("s", space, seed=1)
    for _ in range(10):
        play = study.ask()
        study.tell(play, float(play.values["threads"]))
    frame = study.to_frame()
    other, by_hand = store.create("other", space), store.create("by_hand", space)
    assert other.learn(frame, frame["loss"], half_life=5).learned == 10
    for age, row in zip(range(9, -1, -1), frame.itertuples()):
        values = {"threads": row.threads, "codec": row.codec,
                  "pool": {"a": frame.loc[row.Index, "pool.a"],
                           "b": frame.loc[row.Index, "pool.b"]}}
        by_hand.learn(values, row.loss, count=0.5 ** (age / 5))
    np.testing.assert_allclose(other.recommend(), by_hand.recommend())
    with pytest.raises(kh.InvalidArgument, match="the frame has no column 'pool.b'"):
        other.learn(frame.drop(columns="pool.b"), frame["loss"])
    on_set = store.create("set", "ball(2)")
    points = pandas.DataFrame({"x2": [0.5, 0.0], "x1": [0.0, 0.25], "loss": [1.0, 2.0]})
    assert on_set.learn(points, points["loss"]).learned == 2
    twin = kh.Learner(kh.ball(2))
    twin.learn([[0, 0.5], [0.25, 0]], [1, 2])
    assert on_set.state == twin.state


def test_a_coin_proves(store):
    study = store.create("s", "box(0, 1, n=2)", seed=3)
    learner = kh.Learner(kh.box(0, 1, n=2), seed=3)
    study.prove()
    learner.prove(0.1)
    assert math.isnan(study.status().proof.gain)
    for _ in range(300):
        play = study.ask()
        assert (play.point == learner.ask().point).all()
        loss = float(play.point[0])
        study.tell(play, loss)
        learner.tell(play.id, loss)
    proof = study.status().proof
    assert proof == learner.status().proof
    assert proof.share == 0.1 and proof.gain > proof.error and 0 < proof.proven < 300
    study.prove(0)
    assert study.status().proof.share == 0
    with pytest.raises(kh.InvalidArgument, match=r"from 0 to 0\.5"):
        study.prove(0.9)
    learner.prove(0.5, start=np.array([0.25, 0.25]))
    assert any((learner.ask().point == 0.25).all() for _ in range(20))
