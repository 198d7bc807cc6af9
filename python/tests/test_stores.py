"""What every store promises, whatever has its studies: a folder, memory, PostgreSQL, a service.

The cases are those of tests/studies/store_suite.h.
"""

import concurrent.futures
import itertools
import multiprocessing
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

import keyhole as kh
import numpy as np
import pytest
from test_service import program

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPACE = kh.Space(batch=kh.integer(1, 64), codec=kh.choice(["zstd", "lz4"]),
                 wait=kh.number(1, 100, scale="log"))
BALL = {"on": "ball(2)", "seed": 7}
ON_SPACE = {"on": SPACE, "seed": 3, "window": 100}
ACTORS = 4
HAPROXY = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin")
THINGS = int(os.environ.get("KEYHOLE_STORM", 40))


class Backend:
    """An empty store of some kind."""

    def __init__(self, connect, logs, is_store=True):
        self.connect = connect  # as another thread or process has it
        self.logs = logs  # the same studies where their logs are
        self.is_store = is_store  # a client copies nothing, and knows names alone


def quick_store(place):
    return lambda: kh.Store(place, durability="process")


def store_at(place):
    return Backend(quick_store(place), quick_store(place))


def store_in_memory():
    store = kh.Store.in_memory()
    return Backend(lambda: store, lambda: store)


def proxy_before(servers, configuration):
    """A haproxy that gives each call to the next of the servers: its address, and the process."""
    # It listens before the proxy runs, so nobody has to wait until it does.
    with socket.create_server(("127.0.0.1", 0)) as listener:
        lines = "".join(f"  server s{k} {server}\n" for k, server in enumerate(servers))
        configuration.write_text(
            "defaults\n  mode http\n  timeout connect 5s\n  timeout client 60s\n"
            f"  timeout server 60s\nlisten keyhole\n  bind fd@{listener.fileno()}\n"
            f"  balance roundrobin\n{lines}")
        proxy = subprocess.Popen([HAPROXY, "-q", "-db", "-f", configuration],
                                 pass_fds=[listener.fileno()], stdout=subprocess.PIPE)
        return f"127.0.0.1:{listener.getsockname()[1]}", proxy


@pytest.fixture(scope="session")
def databases():
    """Makes databases that nobody else has, in a private server."""
    sys.path.insert(0, str(ROOT / "tests/cluster"))
    from private_postgres import PrivatePostgres

    before = {name: os.environ.get(name) for name in ("PGHOST", "PGUSER")}
    numbers = itertools.count()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # the server has a user of its own
        with PrivatePostgres(os.path.join(folder, "postgres")) as server:
            host = os.environ["PGHOST"]

            def new():
                name = f"test{next(numbers)}"
                subprocess.run([server.program("createdb"), name], check=True)
                return f"postgresql://keyhole@/{name}?host={host}"

            yield new
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    sys.path.pop(0)


@pytest.fixture
def new_backend(request, tmp_path):
    """Makes stores of a kind."""
    processes = []
    numbers = itertools.count()

    def new():
        if request.param == "memory":
            return store_in_memory()
        if request.param == "postgres":
            return store_at(request.getfixturevalue("databases")())
        place = str(tmp_path / f"studies{next(numbers)}")
        if request.param == "folder":
            return store_at(place)
        servers = []
        for _ in range(2 if request.param == "behind haproxy" else 1):
            processes.append(subprocess.Popen(
                [program(), "serve", "--store", place, "--listen", "127.0.0.1:0", "--durability",
                 "process"], stdout=subprocess.PIPE, text=True))
            servers.append(processes[-1].stdout.readline().split()[-1].rpartition("/")[2])
        address = servers[0]
        if len(servers) > 1:
            address, proxy = proxy_before(servers, tmp_path / f"haproxy{next(numbers)}.cfg")
            processes.append(proxy)
        return Backend(lambda: kh.connect(f"http://{address}"), quick_store(place), is_store=False)

    yield new
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def backend(new_backend):
    return new_backend()


KINDS = ["folder", "memory", "postgres"]
if program():
    KINDS.append("service")
    if HAPROXY:
        KINDS.append("behind haproxy")


def pytest_generate_tests(metafunc):
    """Each case with each kind; several actors in each way in which its studies are shared."""
    if "new_backend" not in metafunc.fixturenames:
        return
    names, rows = ["new_backend"], [(kind,) for kind in KINDS]
    if "at_once" in metafunc.fixturenames:
        names.append("at_once")
        rows = [(kind, way) for kind in KINDS for way in (in_threads, in_processes)
                if kind != "memory" or way is in_threads]
    metafunc.parametrize(names, [
        pytest.param(*row, marks=pytest.mark.plain if row[0] == "postgres" else ()) for row in rows
    ], indirect=["new_backend"])


def loss_of(play):
    """It follows from its number, so the loss of one play is never that of another."""
    return 1 / (1 + getattr(play, "id", play))


def code_of(call, *arguments, **options):
    """The code of what a call raises; None if it raises nothing."""
    try:
        call(*arguments, **options)
    except kh.Error as error:
        return error.code
    return None


def make_steps(study, worker, count):
    play = study.ask(worker=worker)
    for _ in range(count):
        (play,) = study.step([(play, loss_of(play))], worker=worker)[1]


# One at a time.


def test_creates_opens_lists_and_deletes(backend):
    store = backend.connect()
    assert list(store) == []
    for name in ("b", "B", "a.1-_"):
        store.create(name, **BALL)
    assert list(backend.connect()) == ["B", "a.1-_", "b"]
    assert backend.connect().open("b").ask().id == 1
    store.delete("b")
    assert list(backend.connect()) == ["B", "a.1-_"]
    backend.connect().create("b", **ON_SPACE)  # the name is free
    assert len(store.open("b").ask().values) == 3


def test_created_again_it_is_the_same_study(backend):
    store = backend.connect()
    for name, description in (("b", BALL), ("s", ON_SPACE)):
        study = store.create(name, **description)
        make_steps(study, "w", 5)
        again = backend.connect().create(name, **description)
        assert again.state == study.state
        assert again.ask(worker="w").id == 6
    assert len(store) == 2


def test_another_description_is_refused(backend):
    study = backend.connect().create("s", **BALL)
    make_steps(study, "w", 3)
    before = study.state
    for other in ({**BALL, "seed": 8}, ON_SPACE, {**BALL, "window": 9}):
        assert code_of(backend.connect().create, "s", **other) == "other_description"
    assert backend.connect().open("s").state == before


def test_an_unknown_study_is_one(backend, new_backend):
    store = backend.connect()
    store.create("cache", **BALL)
    assert code_of(store.open, "cash") == "unknown_study"
    assert code_of(store.delete, "cash") == "unknown_study"
    assert code_of(store.renew, "cash") == "unknown_study"
    if backend.is_store:
        assert code_of(store.copy, "cash", new_backend().logs()) == "unknown_study"
    assert list(store) == ["cache"]


def test_a_study_that_was_deleted_is_gone(backend):
    store = backend.connect()
    study = store.create("s", **BALL)
    make_steps(study, "w", 3)
    backend.connect().delete("s")
    gone = "replaced" if backend.is_store else "unknown_study"
    assert code_of(study.ask) == gone
    assert code_of(study.tell, 4, 0.5) == gone
    assert code_of(study.explore, False) == gone
    assert code_of(study.summary) == gone
    assert code_of(store.open, "s") == "unknown_study"
    other = backend.connect().create("s", **BALL)
    if backend.is_store:
        assert code_of(study.tell, 1, 0.5) == "replaced"
    assert other.ask().id == 1


def test_what_is_no_name_is_refused(backend):
    store = backend.connect()
    for name in ("", ".", "..", "-a", "../a", "a/b", "a b", "é", "x" * 101):
        with pytest.raises(kh.Error):
            store.create(name, **BALL)
        if name:  # a service would list its studies
            for call in (store.open, store.delete):
                with pytest.raises(kh.Error):
                    call(name)
    assert list(store) == []
    store.create("x" * 100, **BALL)
    assert len(store) == 1


def test_what_cannot_be_made_leaves_nothing(backend):
    store = backend.connect()
    for wrong in ({"on": "simplx(3)"}, {**BALL, "learner": "nobody"}, {**BALL, "window": 0}):
        with pytest.raises(kh.Error):
            store.create("s", **wrong)
    assert list(store) == []
    assert code_of(store.open, "s") == "unknown_study"


def test_what_is_written_on_a_study_stays(backend, new_backend):
    store = backend.connect()
    study = store.create("s", **BALL)
    assert study.label() == ("", [])
    note, tags = 'for the new index\n\n  on "zwei" äpfel \\', ["prod", "team:search/eu", "v1.2-b_3"]
    assert study.label(note, tags) == (note, tags)
    make_steps(study, "w", 3)
    assert backend.connect().open("s").label() == (note, tags)
    if backend.is_store:
        other = new_backend()
        store.copy("s", other.logs())
        assert other.connect().open("s").label() == (note, tags)
    # What is written takes the place of what was there; what is not given stays.
    study.label(tags=["a", "b", "a"])
    assert backend.connect().open("s").label() == (note, ["a", "b"])
    study.label("\nsecond line")
    assert backend.connect().open("s").label() == ("\nsecond line", ["a", "b"])
    study.label("", "alone")
    assert backend.connect().open("s").label() == ("", ["alone"])

    # What cannot be written changes nothing.
    many = [f"t{k}" for k in range(21)]
    for wrong in ({"note": "x" * 10001}, {"tags": many}, *(
            {"tags": [tag]} for tag in ("two words", "", "a,b", "line\nend", "x" * 101))):
        assert code_of(study.label, **wrong) == "invalid_argument"
    assert backend.connect().open("s").label() == ("", ["alone"])
    study.label("x" * 10000, many[:20])
    assert backend.connect().open("s").label() == ("x" * 10000, many[:20])

    # It goes with the study.
    store.delete("s")
    assert code_of(study.label) in ("unknown_study", "replaced")
    assert store.create("s", **BALL).label() == ("", [])


def test_studies_are_found(backend):
    store = backend.connect()
    written = {"Cache": ("of the WEB tier", ["prod"]), "cache-eu": ("", ["prod", "eu"]),
               "cache-us": ("see cache-eu", []), "web": ("", [])}
    for name, (note, tags) in written.items():
        store.create(name, **BALL).label(note, tags)

    def names(*arguments, **search):
        return [study.name for study in backend.connect().find(*arguments, **search)]

    assert backend.connect().find() == [(name, *label) for name, label in written.items()]
    assert names("CACHE") == ["Cache", "cache-eu", "cache-us"]
    assert names("web") == ["Cache", "web"]
    assert names("cache-eu") == ["cache-eu", "cache-us"]
    assert names(tag="prod") == ["Cache", "cache-eu"]
    assert names(tag="pro") == []
    assert names("eu", tag="prod") == ["cache-eu"]
    assert names(prefix="cache") == ["cache-eu", "cache-us"]
    assert names(prefix="x") == []
    assert code_of(names, prefix="../x") == "invalid_argument"
    store.delete("cache-eu")
    assert names(prefix="cache") == ["cache-us"]


# Asks and tells.


def same_play(one, two):
    return (one.id, one.point.tobytes(), one.values) == (two.id, two.point.tobytes(), two.values)


def test_a_worker_gets_its_play_again(backend):
    study = backend.connect().create("s", **ON_SPACE)
    first, second = study.ask(worker="w1"), study.ask(worker="w2")
    assert (first.id, second.id) == (1, 2)
    assert same_play(study.ask(worker="w1"), first)
    assert same_play(backend.connect().open("s").ask(worker="w2"), second)
    assert study.ask().id == 3  # nobody in particular
    assert backend.connect().open("s").tell(first, 1.0) == "fresh"
    fourth = study.ask(worker="w1")
    assert fourth.id == 4
    # A step tells and asks; made again, after an answer that was lost, it gives the same.
    receipts, (play,) = study.step([(fourth, 0.5)], worker="w1")
    assert (receipts, play.id) == (["fresh"], 5)
    receipts, (again,) = backend.connect().open("s").step([(fourth, 0.5)], worker="w1")
    assert receipts == ["repeated"]
    assert same_play(again, play)
    assert study.summary().asked == 5
    study.ask(100)  # beyond the window
    assert study.ask(worker="w2").id == 106


def test_many_plays_are_one_unit(backend):
    study = backend.connect().create("s", **BALL)
    twin = kh.Learner(kh.ball(2), seed=7)
    plays, same = study.ask(500), twin.ask(500)
    assert plays.points.tobytes() == same.points.tobytes()
    losses = [loss_of(int(play)) for play in plays.ids]
    assert study.tell(plays, losses) == ["fresh"] * 500
    twin.tell(same, losses)
    assert backend.connect().open("s").state == twin.state


def test_a_loss_counts_once(backend):
    study = backend.connect().create("s", **BALL)
    study.ask(4)
    assert study.tell(2, 0.5) == "fresh"
    assert study.tell(2, 0.5) == "repeated"
    again = backend.connect().open("s")
    assert again.tell([2, 1, 1], [0.5, 0.25, 0.25]) == ["repeated", "fresh", "repeated"]
    summary = study.summary()
    assert (summary.told, summary.pending, summary.average) == (2, 2, 0.375)


def test_what_is_wrong_with_a_tell_changes_nothing(backend):
    study = backend.connect().create("s", **BALL)
    study.ask(3)
    study.tell(1, 0.5)
    before = study.state
    assert code_of(study.tell, 1, 0.25) == "contradiction"
    assert code_of(study.tell, 4, 0.5) == "unknown_play"
    assert code_of(study.tell, 0, 0.5) == "unknown_play"
    assert code_of(study.tell, 2, 1e60) == "unusable_feedback"
    assert code_of(study.tell, 2, np.nan) == "unusable_feedback"
    assert code_of(study.step, [(2, 0.1), (2, 0.2)], worker="w") == "contradiction"
    assert code_of(study.step, [(2, 0.1), (3, 0.1), (9, 0.1)], worker="w") == "unknown_play"
    assert study.state == before
    assert backend.connect().open("s").state == before
    assert study.ask(worker="w").id == 4


def test_a_play_expires(backend):
    study = backend.connect().create("s", "ball(2)", window=4)
    old = study.ask(worker="w")
    study.ask(4)
    assert study.tell(old, 0.5) == "expired"
    assert study.tell(2, 0.5) == "fresh"
    assert study.ask(worker="w").id == 6
    assert study.summary().told == 1


def test_a_horizon_is_not_exceeded(backend):
    study = backend.connect().create("s", "ball(2)", "projection_free(loss_bound=1, horizon=5)")
    study.ask(3)
    assert code_of(study.ask, 3) == "horizon_used_up"
    assert study.ask(2).ids.tolist() == [4, 5]
    assert code_of(study.ask, worker="w") == "horizon_used_up"
    assert backend.connect().open("s").summary().asked == 5


# What was learned.


@pytest.mark.parametrize("description", [
    BALL, ON_SPACE, {"on": "simplex(3)", "learner": "parameter_free", "maximize": True}])
def test_it_goes_on_bit_for_bit_wherever_it_is_opened_again(backend, description):
    study = backend.connect().create("s", **description)
    options = dict(description)
    on = options.pop("on")
    twin = kh.Learner(on if on is SPACE else kh.Set(on), **options)
    chance = random.Random(1)
    pending = []
    for t in range(1, 41):
        if t % 5 == 0:
            study = backend.connect().open("s")
        play, same = study.ask(), twin.ask()
        assert (play.id, play.point.tobytes()) == (same.id, same.point.tobytes())
        if on is SPACE:
            assert play.values == SPACE.values(play.point, seed=3, play=play.id)
        pending.append(play.id)
        while pending and chance.random() < 0.6:  # late, in any order, or never
            told = pending.pop(chance.randrange(len(pending)))
            loss = chance.gauss(0, 1)
            assert study.tell(told, loss) == twin.tell(told, loss)
    again = backend.connect().open("s")
    assert again.state == twin.state
    assert again.recommend().tobytes() == twin.recommend().tobytes()
    assert again.summary()[:8] == twin.summary()[:8]


def test_a_pause_is_kept(backend):
    study = backend.connect().create("s", **BALL)
    twin = kh.Learner(kh.ball(2), seed=7)
    exploring = True
    for t in range(1, 41):
        if t % 10 == 0:
            exploring = t % 20 == 0
            study.explore(exploring)
            twin.explore(exploring)
        if t % 7 == 0:
            study = backend.connect().open("s")
        play, same = study.ask(), twin.ask()
        assert play.point.tobytes() == same.point.tobytes()
        assert (play.recommended, study.explores) == (not exploring, exploring)
        assert study.tell(play, loss_of(play)) == "fresh"
        twin.tell(same, loss_of(play))
    assert study.state == twin.state
    assert backend.connect().open("s").state == twin.state


def test_the_past_and_counts_are_kept(backend):
    study = backend.connect().create("s", **ON_SPACE)
    twin = kh.Learner(SPACE, seed=3, window=100)
    past = [{"batch": 1 + 3 * k, "codec": ["zstd", "lz4"][k % 2], "wait": 2.0 + k}
            for k in range(20)]
    losses, counts = 0.1 * np.arange(20), 1.0 + np.arange(20) % 4
    assert study.learn(past, losses, count=counts) == (20, 0, 0)
    for values, loss, count in zip(past, losses, counts):
        twin.learn(values, loss, count=count)
    assert study.learn({"batch": 8, "codec": "lz4", "wait": 4}, 0.5, error=0.5).learned == 1
    twin.learn({"batch": 8, "codec": "lz4", "wait": 4}, 0.5, count=4)
    assert study.state == twin.state
    outside = [past[0], {"batch": 999, "codec": "lz4", "wait": 5.0}]
    with pytest.raises(kh.InvalidArgument, match="'batch' must be a whole number"):
        study.learn(outside, [1, 2])
    with pytest.raises(kh.Error) as refused:
        study.learn(outside, [1, 1e200], outside="project")
    assert refused.value.code == "unusable_feedback"
    with pytest.raises(kh.InvalidArgument, match="outside"):
        study.learn(outside, [1, 2], outside="maybe")
    with pytest.raises(kh.InvalidArgument, match="one loss for each"):
        study.learn(outside, [1])
    with pytest.raises(kh.InvalidArgument, match="not both"):
        study.learn(past[0], 1, count=1, error=1)
    with pytest.raises(kh.InvalidArgument, match="did you mean 'batch'"):
        study.learn({**past[0], "bacth": 1}, 1, outside="skip")
    assert study.state == twin.state
    assert study.learn(outside, [1, 2], outside="skip") == (1, 0, 1)
    assert study.learn(outside, [1, 2], outside="project") == (2, 1, 0)
    twin.learn(past[0], 1)
    twin.learn(past[0], 1)
    twin.learn({"batch": 64, "codec": "lz4", "wait": 5.0}, 2)
    assert study.past == 24
    for t in range(1, 31):
        again = backend.connect().open("s")
        play, same = again.ask(worker="w"), twin.ask()
        assert play.point.tobytes() == same.point.tobytes()
        assert again.tell(play, 0.01 * t, count=0.5 * t) == "fresh"
        twin.tell(same, 0.01 * t, count=0.5 * t)
    plays, same = study.ask(3), twin.ask(3)
    assert study.tell(plays, [1, 2, 3], error=[1, 0.5, 2]) == ["fresh"] * 3
    assert twin.tell(same, [1, 2, 3], count=[1, 4, 0.25]) == ["fresh"] * 3
    assert study.step([(31, 1), (32, 2, 4)], asks=0)[0] == ["repeated"] * 2
    assert [twin.tell(31, 1), twin.tell(32, 2, count=4)] == ["repeated"] * 2
    with pytest.raises(kh.FeedbackError) as refused:
        study.tell(30, 0.3, count=7)
    assert refused.value.code == "contradiction"
    assert study.state == twin.state
    assert backend.connect().open("s").past == 24
    for _ in range(2):
        assert study.learn(outside, [1, 2], outside="skip", id="a-1") == (1, 0, 1)
    assert study.past == 25
    with pytest.raises(kh.FeedbackError, match="by the id 'a-1' before") as refused:
        study.learn(outside, [3, 2], outside="skip", id="a-1")
    assert refused.value.code == "contradiction"
    with pytest.raises(kh.InvalidArgument, match="without blanks"):
        study.learn(past[0], 1, id="a 1")
    assert backend.connect().open("s").past == 25
    backend.logs().verify("s")


def test_a_study_goes_on_on_another_space(backend):
    store = backend.connect()
    study = store.create("s", kh.Space(threads=kh.integer(1, 16), wait=kh.number(0, 1)),
                         seed=3, start={"threads": 8})
    for _ in range(40):
        play = study.ask(worker="w")
        study.tell(play, (play.values["threads"] - 40) ** 2 / 1000)
    assert study.changed is None
    wide = kh.Space(threads=kh.integer(1, 64), share=kh.number(0, 1))
    with pytest.raises(kh.InvalidArgument, match="'share' is new"):
        store.change("s", wide)
    change = store.change("s", wide, {"threads": 8, "share": 0.5})
    assert change == kh.StudyChange(after=40, learned=40, dropped=0)
    assert store.change("s", wide, {"threads": 8, "share": 0.5}) == change
    again = store.open("s")
    assert again.changed == change
    assert again.space == wide
    assert again.ask(worker="w").id == 41
    with pytest.raises(kh.InvalidArgument, match="on a set"):
        store.create("set", "ball(2)")
        store.change("set", wide)
    backend.logs().verify("s")


def test_who_cannot_be_taught_says_so(backend):
    study = backend.connect().create("s", "ball(2)", "parameter_free")
    with pytest.raises(kh.InvalidArgument, match="cannot be taught"):
        study.learn([0, 0], 1)
    play = study.ask()
    with pytest.raises(kh.FeedbackError, match="cannot be used by"):
        study.tell(play, 1, count=5)
    assert study.tell(play, 1, count=1) == "fresh"
    assert study.past == 0


def test_a_copy_is_a_study_of_its_own(backend, new_backend, tmp_path):
    if not backend.is_store:
        return  # a client copies nothing
    store = backend.connect()
    study = store.create("s", **ON_SPACE)
    make_steps(study, "w", 80)
    before = study.state
    for there in (new_backend(), store_at(str(tmp_path / "copies"))):
        store.copy("s", there.logs())
        assert code_of(store.copy, "s", there.logs()) == "other_description"
        copy = there.connect().open("s")
        assert copy.state == before
        assert same_play(copy.ask(worker="w"), study.ask(worker="w"))
        make_steps(copy, "w", 5)
        assert there.logs().open("s").summary().told == 85
    assert study.state == before


def put_old_study(logs, tmp_path):
    """Puts a study of 89 plays there that another version has made, by the name "old"."""
    shutil.copytree(ROOT / "tests/golden/study_5", tmp_path / "golden/old")
    kh.Store(tmp_path / "golden").copy("old", logs)


def test_a_study_of_another_version_is_renewed(backend, tmp_path):
    logs = backend.logs()
    put_old_study(logs, tmp_path)
    study = backend.connect().open("old")
    recommended = study.recommend().tobytes()
    assert study.needs_renewal()
    assert code_of(study.ask) == "needs_renewal"
    assert code_of(study.tell, 1, 0.5) == "needs_renewal"
    store = backend.connect()
    assert store.renew("old", dry_run=True) == "what was learned"
    assert study.needs_renewal()
    assert store.renew("old") == "what was learned"
    assert store.renew("old") == "not needed"
    again = backend.connect().open("old")
    assert not again.needs_renewal()
    assert again.recommend().tobytes() == recommended
    assert again.ask(worker="w").id == 90
    assert again.tell(89, 0.5) == "expired"
    assert again.tell(90, 0.5) == "fresh"


# Several at once. An actor notes (study, play, mark, whether it was told) and what went wrong.


def in_processes(act):
    """What act(actor, wait) gives for each actor."""
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(ACTORS, timeout=60)

    def run(actor, pipe):
        pipe.send(act(actor, barrier.wait))

    pipes, children = [], []
    for actor in range(ACTORS):
        receiver, sender = context.Pipe(duplex=False)
        children.append(context.Process(target=run, args=(actor, sender)))
        children[-1].start()
        sender.close()
        pipes.append(receiver)
    results = [pipe.recv() for pipe in pipes]
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    return results


def in_threads(act):
    barrier = threading.Barrier(ACTORS, timeout=60)
    with concurrent.futures.ThreadPoolExecutor(ACTORS) as pool:
        return list(pool.map(lambda actor: act(actor, barrier.wait), range(ACTORS)))


class Notes(list):
    """What an actor has seen."""

    def attempt(self, due, call):
        """Calls; what is raised is noted, unless it is due."""
        try:
            return call()
        except kh.Error as error:
            if error.code not in due:
                self.append(("error", error.code, str(error)))
        except Exception as error:
            self.append(("error", type(error).__name__, str(error)))
        return None

    def play(self, study, number, actor, rounds):
        """Its play is told with the step that asks for the next one, so the latest is not."""
        play = study.ask(worker=f"w{actor}")
        for _ in range(rounds):
            self.append((number, play.id, play.point[0], False))
            (following,) = study.step([(play, loss_of(play))], worker=f"w{actor}")[1]
            self.append((number, play.id, play.point[0], True))
            play = following
        self.append((number, play.id, play.point[0], False))


def errors(results):
    """One of each kind."""
    found = {}
    for notes in results:
        for note in notes:
            if note[0] == "error":
                found.setdefault(note[1], note[2])
    return found


def hash_of(state):
    """FNV-1a, which is that of a state."""
    result = 0xcbf29ce484222325
    for byte in state:
        result = (result ^ byte) * 0x100000001b3 % 2**64
    return result


def check(backend, name, number, results):
    """The study is whole, and all that was noted of it is in its log; what the log has."""
    logs = backend.logs()
    log, study = logs.verify(name), logs.open(name)
    assert (log["torn"], log["state_hash"]) == (0, hash_of(study.state))
    assert backend.connect().open(name).state == study.state
    plays = study.history()
    assert plays["play"].tolist() == list(range(1, len(plays) + 1))
    told = plays[~np.isnan(plays["loss"])]
    assert told["loss"].tolist() == [loss_of(int(play)) for play in told["play"]]
    owners = {}
    for actor, notes in enumerate(results):
        for study_number, play, mark, is_told in (note for note in notes if note[0] != "error"):
            # Another mark is that of a play of a study that was deleted since.
            if study_number != number or play > len(plays) or plays["point"][play - 1, 0] != mark:
                continue
            assert owners.setdefault(play, actor) == actor
            assert plays["worker"][play - 1] == f"w{actor}"
            assert not is_told or not np.isnan(plays["loss"][play - 1])
    return plays


def test_they_create_the_same_study(backend, at_once):
    def act(actor, wait):
        store, notes = backend.connect(), Notes()
        for k in range(6):
            wait()
            notes.attempt((), lambda: notes.play(store.create(f"s{k}", **BALL), k, actor, 2))
        return notes

    results = at_once(act)
    assert errors(results) == {}
    assert len(backend.logs()) == 6
    for k in range(6):
        assert len(check(backend, f"s{k}", k, results)) == 3 * ACTORS


def test_one_of_several_descriptions_is_taken(backend, at_once):
    def act(actor, wait):
        store, notes = backend.connect(), Notes()
        for k in range(6):
            wait()
            made = notes.attempt(("other_description",),
                                 lambda: store.create(f"s{k}", "ball(2)", seed=actor))
            if made is not None:
                notes.append(k)
        return notes

    results = at_once(act)
    assert errors([[note for note in notes if isinstance(note, tuple)] for notes in results]) == {}
    for k in range(6):
        assert sum(notes.count(k) for notes in results) == 1


def test_they_play_one_study(backend, at_once):
    backend.connect().create("s", **BALL)

    def act(actor, wait):
        notes = Notes()
        wait()
        notes.attempt((), lambda: notes.play(backend.connect().open("s"), 0, actor, 20))
        return notes

    results = at_once(act)
    assert errors(results) == {}
    assert len(check(backend, "s", 0, results)) == 21 * ACTORS


def test_they_learn_the_past_of_a_study_that_is_played(backend, at_once):
    """Two play, and two teach a hundred losses at a time."""
    backend.connect().create("s", **BALL)

    def act(actor, wait):
        notes, chance = Notes(), np.random.default_rng(actor)
        wait()
        study = backend.connect().open("s")
        if actor % 2 == 0:
            notes.attempt((), lambda: notes.play(study, 0, actor, 40))
            return notes
        for _ in range(4):
            points, losses = 0.7 * chance.random((100, 2)), chance.normal(size=100)
            notes.attempt((), lambda: study.learn(points, losses))
        return notes

    results = at_once(act)
    assert errors(results) == {}
    assert len(check(backend, "s", 0, results)) == 41 * ACTORS // 2
    assert backend.connect().open("s").past == 400 * ACTORS // 2


def test_a_study_that_is_deleted_under_them_is_gone_for_all(backend, at_once):
    gone = "replaced" if backend.is_store else "unknown_study"

    def play_to_its_end(study, actor):
        play = study.ask(worker=f"w{actor}")
        end = time.monotonic() + 60  # far more than a slow disk takes
        while time.monotonic() < end:
            (play,) = study.step([(play, loss_of(play))], worker=f"w{actor}")[1]
        raise RuntimeError("the study goes on after it was deleted")

    def act(actor, wait):
        store, notes = backend.connect(), Notes()
        for k in range(10):
            if actor == 0:
                store.create("s", **BALL)
            wait()
            study = store.open("s")
            wait()
            if actor > 0 and not notes:
                notes.attempt((gone,), lambda: play_to_its_end(study, actor))
            elif actor == 0:
                time.sleep(0.0005 * k)
                notes.attempt((), lambda: store.delete("s"))
            wait()
        return notes

    assert errors(at_once(act)) == {}
    assert list(backend.connect()) == []


def test_they_renew_the_same_study(backend, at_once, tmp_path):
    put_old_study(backend.logs(), tmp_path)

    def act(actor, wait):
        store, notes = backend.connect(), Notes()
        wait()
        notes.attempt((), lambda: notes.append(("renewed", store.renew("old"))))
        notes.attempt((), lambda: notes.play(store.open("old"), 0, actor, 5))
        return notes

    results = at_once(act)
    assert errors(results) == {}
    renewals = [note[1] for notes in results for note in notes if note[0] == "renewed"]
    assert sorted(renewals) == ["not needed"] * (ACTORS - 1) + ["what was learned"]
    owners = {}
    for actor, notes in enumerate(results):
        for _, play, _, _ in (note for note in notes if note[0] != "renewed"):
            assert owners.setdefault(play, actor) == actor
    assert sorted(owners) == list(range(90, 90 + 6 * ACTORS))
    assert backend.connect().open("old").state == backend.logs().open("old").state


def test_they_create_open_play_copy_renew_and_delete(backend, new_backend, at_once):
    """Each study that is made has a seed of its own, so that its plays can be told from those of
    others of that name."""
    there = new_backend() if backend.is_store else None

    def act(actor, wait):
        chance = random.Random(actor)
        store, notes = backend.connect(), Notes()
        copies = there.logs() if backend.is_store else None
        # What has another study of the name may not know the play.
        gone = ("unknown_study", "replaced" if backend.is_store else "unknown_play")
        wait()
        for k in range(THINGS):
            number = chance.randrange(3)
            name, thing = f"s{number}", chance.randrange(11 if backend.is_store else 9)
            if thing == 0:
                notes.attempt(("unknown_study",), lambda: store.delete(name))
            elif thing < 3:
                notes.attempt(("other_description",),
                              lambda: store.create(name, "ball(2)", seed=1000 * actor + k + 1))
            elif thing < 8:
                notes.attempt(gone, lambda: notes.play(store.open(name), number, actor, 4))
            elif thing == 8:
                notes.attempt(("unknown_study", "replaced"), lambda: store.renew(name))
            elif thing == 9:
                notes.attempt((*gone, "other_description"), lambda: store.copy(name, copies))
            else:
                notes.attempt(("unknown_study",), lambda: copies.delete(name))
        return notes

    results = at_once(act)
    assert errors(results) == {}
    assert list(backend.connect()) == list(backend.logs())
    for name in backend.logs():
        check(backend, name, int(name[1:]), results)
    for name in there.logs() if there else ():
        check(there, name, -1, [])
