"""Studies over HTTP: against a small server here, and `keyhole serve` where it is built."""

import http.server
import json
import multiprocessing
import os
import pathlib
import pickle
import socket
import subprocess
import threading
import time
from urllib.parse import parse_qsl

import keyhole as kh
import numpy as np
import pytest

SPACE = kh.Space(batch=kh.integer(1, 256), timeout=kh.number(5, 500, scale="log", unit="ms"),
                 codec=kh.choice(["zstd", "lz4"]),
                 pool=kh.shares(["a", "b", "c"], least=0.1, most=[1, 1, 0.5]),
                 constraints=["pool.a + pool.b >= 0.3"])

STATUS = {"unknown_play": 404, "contradiction": 409, "unusable_feedback": 400,
          "unreadable_spec": 400, "horizon_used_up": 409, "invalid_argument": 400,
          "unknown_study": 404, "other_description": 409}


class Handler(http.server.BaseHTTPRequestHandler):
    """The routes of a service, over a store."""

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16  # an answer is sent at once, and not in parts that wait for each other

    def log_message(self, *_):
        pass

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except ConnectionError:
            self.close_connection = True

    def do(self):
        server = self.server
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server.calls.append((self.command, self.path, self.client_address))
        fault = server.faults.pop(0) if server.faults else None
        if fault == "refuse":
            self.close_connection = True
            return
        if fault == "busy":
            self.problem(503, "busy", "not now")
            return
        if isinstance(fault, tuple):
            self.problem(*fault[:2], "no", *fault[2:])
            return
        if server.token is not None and (
                self.headers.get("Authorization") != f"Bearer {server.token}"):
            self.problem(401, "unauthorized", "a token is needed")
            return
        try:
            with server.lock:
                status, content = self.answer(json.loads(body or "{}"))
        except kh.Error as error:
            self.problem(STATUS[error.code], error.code, str(error))
            return
        if fault == "lose":
            self.close_connection = True
            return
        if fault == "late":
            self.problem(503, "disk", "the disk has failed")
            return
        if fault == "html":
            self.reply(200, b"<html>")
            return
        self.reply(status, content)

    do_GET = do_POST = do_PUT = do_DELETE = do

    def problem(self, status, kind, detail, more=()):
        self.reply(status, {"type": f"urn:keyhole:{kind}", "detail": detail, "status": status,
                            **dict(more)})

    def reply(self, status, content):
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def answer(self, body):
        store = self.server.store
        path, _, query = self.path.partition("?")
        _, _, _, name, what = (*path.split("/"), "", "")[:5]
        if path == "/v1/deleted":
            return 200, {"studies": [{"name": each.name, "until": f"{each.until:%FT%TZ}"}
                                     for each in store.deleted()]}
        if path.endswith("/undelete"):
            store.undelete(name)
            return 200, self.shown(store.open(name))
        if not name and self.command == "GET":
            wanted = dict(parse_qsl(query))
            found = store.find(wanted.get("search", ""), tag=wanted.get("tag", ""),
                               prefix=wanted.get("prefix", ""))
            rest = [each._asdict() for each in found if each.name > wanted.get("after", "")]
            return 200, {"studies": rest[:2],
                         **({"next": rest[1]["name"]} if len(rest) > 2 else {})}
        if not name:
            return self.create(body)
        if self.command == "DELETE":
            store.delete(name, keep=60 if name == "kept" else 0)
            return 204, b""
        study = store.open(name)
        if not what:
            return 200, self.shown(study)
        return 200, getattr(self, what)(study, body)

    def create(self, body):
        description = dict(body)
        name = description.pop("name")
        space = description.pop("space", None)
        if "max_steps" in description:
            description["max_step"] = description.pop("max_steps")
        if space is not None:
            description["on"] = read_space(space)
        else:
            description["on"] = description.pop("set")
        new = name not in self.server.store
        study = self.server.store.create(name, **description)
        self.server.shown[name] = body
        return 201 if new else 200, self.shown(study)

    def shown(self, study):
        summary, status = study.summary(), study.status()
        known = {"mean_loss": summary.average, "recent_mean_loss": status.recent_average,
                 "exploring": status.exploring, "reach": status.reach}
        belief = dict(zip(kh.Belief.__match_args__, status.belief))
        proof = dict(zip(kh.Proof.__match_args__, status.proof))
        return {**self.server.shown[study.name], **study.label()._asdict(), **finite(known),
                "belief": finite(belief), "proof": finite(proof),
                "limits": {name: finite(dict(zip(kh.LimitStatus.__match_args__, limit)))
                           for name, limit in status.limits.items()},
                "asked": summary.asked, "told": summary.told, "pending": summary.pending,
                "oldest_pending": summary.oldest_pending, "missing": summary.missing,
                "repeated": summary.duplicates, "expired": summary.expired, "late": summary.late,
                "recent_told": status.recent_told, "restarts": status.restarts,
                "paused": not study.explores, "past": study.past, "clipped": study.clipped}

    def steps(self, study, body):
        tells = [(tell["play"], tell.get("loss"), tell.get("count", 1), tell.get("metrics"))
                 for tell in body["tells"]]
        receipts, plays = study.step(tells, body["asks"], worker=body.get("worker", ""),
                                     context=body.get("context"))
        return {"receipts": receipts, "plays": [
            {"play": play.id, "point": play.point.tolist(), **values_json(play.values),
             **({"recommended": True} if play.recommended else {}),
             **({"pair": play.pair} if play.pair else {}),
             **({"context": play.context} if play.context else {})} for play in plays]}

    def past(self, study, body):
        losses = body["losses"]
        receipt = study.learn([each.get("point", each.get("values")) for each in losses],
                              [each["loss"] for each in losses],
                              context=[each.get("context") for each in losses],
                              id=body["id"])
        return {name: getattr(receipt, name) for name in ("learned", "projected", "skipped")}

    def label(self, study, body):
        return study.label(**body)._asdict()

    def paused(self, study, body):
        study.explore(not body["paused"])
        return body

    def recommendation(self, study, _):
        numbers = [name for name, domain in (study.space.contexts if study.space else {}).items()
                   if not isinstance(domain, kh.Choice)]
        context = {name: float(text) if name in numbers else text
                   for name, text in parse_qsl(self.path.partition("?")[2])}
        return {"point": study.recommend(context=context).tolist(),
                **values_json(study.recommend_values(context=context))}

    def estimates(self, study, body):
        points = [at.get("values", at.get("point")) for at in body["points"]]
        return {"estimates": [dict(zip(row.dtype.names, row.item())) if row["loss"] == row["loss"]
                              else {} for row in study.estimate(points, context=body["context"])]}

    def front(self, study, _):
        front = study.front(self.path.partition("metric=")[2])
        return {"front": [{**at._asdict(), "point": at.point.tolist(), **values_json(at.values)}
                          for at in front]}

    def state(self, study, _):
        return study.state

    def log(self, study, _):
        """One step that asks for all, and one that tells all."""
        plays = study.history()
        lines = [{"tells": [], "plays": [int(play["play"])], "worker": str(play["worker"])}
                 for play in plays]
        lines += [{"tells": [{"play": int(play["play"]), "loss": float(play["loss"]), "told": told}
                             for told in ("fresh", "repeated")], "plays": []}
                  for play in plays if not np.isnan(play["loss"])]
        return "".join(json.dumps({"step": k + 1, **line}) + "\n"
                       for k, line in enumerate(lines)).encode()


def finite(known):
    return {name: value for name, value in known.items() if np.isfinite(value)}


def values_json(values):
    return {"values": {name: list(value.values()) if isinstance(value, dict) else value
                       for name, value in values.items()}} if values else {}


def read_space(given):
    """As C++ reads it, by other code than the client's."""
    kinds = {"number": lambda p: kh.Number(p["from"], p["to"], p["scale"], p["unit"]),
             "integer": lambda p: kh.Integer(p["from"], p["to"], p.get("scale", "linear"), p["unit"],
                                           p.get("step", 1)),
             "choice": lambda p: kh.Choice(p["names"]),
             "shares": lambda p: kh.Shares(p["names"], p["total"], p.get("least"), p.get("most")),
             "cyclic": lambda p: kh.Cyclic(p["period"], p["unit"]),
             "clock": lambda p: kh.Clock(p["clock"])}
    return kh.Space({p["name"]: kinds[p["type"]](p) for p in given["parameters"]},
                    constraints=given["constraints"],
                    contexts={p["name"]: kinds[p["type"]](p) for p in given.get("contexts", [])},
                    limits={p["name"]: kh.limit(p.get("most"), p.get("least"), p["each"],
                                                p.get("over"), p.get("unit", ""))
                            for p in given.get("limits", [])})


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder, token=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.store = kh.Store(folder, durability="process")
        self.token = token
        self.lock = threading.Lock()
        self.calls, self.faults, self.shown = [], [], {}
        self.url = f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def server(tmp_path):
    with Server(tmp_path / "served") as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def program():
    """`keyhole`, if it serves."""
    build = os.environ.get("KEYHOLE_BUILD", pathlib.Path(__file__).parents[2] / "build/release")
    path = pathlib.Path(build) / "keyhole"
    if not path.exists():
        return None
    asked = subprocess.run([path, "serve", "--help"], capture_output=True, check=False)
    return path if asked.returncode == 0 else None


@pytest.fixture(params=["here", "keyhole serve"] if program() else ["here"])
def url(request, tmp_path):
    if request.param == "here":
        yield request.getfixturevalue("server").url
        return
    with subprocess.Popen([program(), "serve", "--store", tmp_path / "studies", "--listen",
                           "127.0.0.1:0", "--durability", "process"], stdout=subprocess.PIPE,
                          text=True) as process:
        address = process.stdout.readline().split()[-1]
        yield address if "//" in address else f"http://{address}"
        process.kill()


def test_arrays_are_sent_as_text(url):
    numbers = np.random.default_rng(1).normal(size=(70, 70))
    made = kh.ellipsoid(numbers @ numbers.T + np.eye(70))
    assert len(made._arrays) == 1
    study = kh.connect(url).create("s", made, "parameter_free")
    assert study.ask().point in made


@pytest.mark.parametrize("url", ["keyhole serve"] if program() else [], indirect=True)
def test_a_study_of_a_store_goes_to_a_service(url, tmp_path):
    service, store = kh.connect(url), kh.Store(tmp_path / "home")
    study = store.create("s", "simplex(3)")
    study.label(note="of my machine")
    for _ in range(2):
        play = study.ask()
        study.tell(play, float(play.point[0]))
        store.copy("s", service)
        assert service.open("s").state == study.state
    assert service.open("s").label().note == "of my machine"
    with pytest.raises(kh.StudyError):
        store.copy("none", service)


def test_a_study_of_a_service_is_like_one_on_a_disk(url, tmp_path):
    service = kh.connect(url)
    for name, on, options in [
            ("set", "simplex(3)", {"seed": 2**64 - 1, "expiry": 3, "max_step": 0.5}),
            ("made", kh.ball(2), {"learner": "parameter_free", "max_step": [0.5, 0.25]}),
            ("space", SPACE, {"seed": 7, "window": 100, "maximize": True,
                              "start": {"batch": 32, "pool": {"b": 0.5, "a": 0.25, "c": 0.25}}})]:
        remote = service.create(name, on, **options)
        local = kh.create(tmp_path / "local", name, on, durability="process", **options)
        assert isinstance(remote, kh.Study)
        assert (remote.space, remote.set, remote.learner) == (local.space, local.set, local.learner)
        for study in (remote, local):
            play = study.ask(worker="w")
            assert study.ask(worker="w").id == play.id
            study.tell(play, 0.5)
            study.tell(play.id, 0.5)
            plays = study.ask(3)
            assert study.tell(plays, [1, 2, 3]) == ["fresh"] * 3
            receipts, more = study.step([(plays.ids[0], 1.0)], 2)
            assert (receipts, len(more)) == (["repeated"], 2)
            study.explore(False)
            assert not study.explores
            assert study.ask(worker="w").recommended
            study.explore(True)
            assert study.explores
            assert not study.ask(worker="x").recommended
        assert_alike(service.open(name), local)


def assert_alike(remote, local):
    assert remote.state == local.state
    plays, same = remote.ask(4), local.ask(4)
    assert plays.ids.tolist() == same.ids.tolist()
    assert plays.points.tobytes() == same.points.tobytes()
    assert plays.values == same.values
    assert remote.recommend().tobytes() == local.recommend().tobytes()
    assert remote.recommend_values() == local.recommend_values()
    assert remote.summary()[:8] == local.summary()[:8]
    assert remote.summary().average == local.summary().average
    np.testing.assert_array_equal(remote.status()[:6], local.status()[:6])
    np.testing.assert_array_equal(remote.status().belief, local.status().belief)
    assert not remote.needs_renewal()
    history, known = remote.history(), local.history()
    for field in ("play", "worker", "loss"):
        np.testing.assert_array_equal(history[field], known[field])
    assert pickle.loads(pickle.dumps(remote)).state == local.state


def test_limits_are_those_of_a_study_on_a_disk(url, tmp_path):
    space = kh.Space(threads=kh.number(1, 64), limits=dict(
        p99=kh.limit(200, unit="ms"), hits=kh.limit(least=0.1, each=0.99),
        spend=kh.limit(10, over="all")))
    remote = kh.connect(url).create("shop", space)
    local = kh.create(tmp_path / "local", "shop", space, durability="process")
    assert remote.space == kh.connect(url).open("shop").space == space
    for study in (remote, local):
        for k in range(40):
            play = study.ask()
            threads = play.values["threads"]
            metrics = {"p99": 40 + threads**2 / 10, "hits": threads / 64, "spend": k % 7}
            if k % 3:
                study.tell(play, 100 - threads, metrics=metrics, hits=np.nan)
            else:
                study.measure(play, metrics, p99=None)
                study.tell(play, 100 - threads, p99=metrics["p99"])
        plays = study.ask(2)
        assert study.tell(plays, [1, 2], p99=[183, 184]) == ["fresh"] * 2
        study.measure(plays, spend=[3, 4])
        receipts, _ = study.step([(plays.ids[0], 1, 1, {"hits": np.float64(0.5)})], 0)
        assert receipts == ["repeated"]
        with pytest.raises(kh.FeedbackError, match="no metric 'p98'; did you mean 'p99'"):
            study.tell(study.ask(), 1, p98=183)
        with pytest.raises(kh.FeedbackError) as caught:
            study.measure(plays.ids[0], p99=184)
        assert caught.value.code == "contradiction"
    assert_alike(kh.connect(url).open("shop"), local)
    assert len(remote.front("p99")) == 11
    for at, same in zip(remote.front("p99"), local.front("p99")):
        assert at.values == same.values
        assert at.point.tobytes() == same.point.tobytes()
        assert at[2:] == same[2:]
    assert list(remote.status().limits) == ["p99", "hits", "spend"]
    for name, limit in local.status().limits.items():
        np.testing.assert_array_equal(remote.status().limits[name], limit)


def test_contexts_are_those_of_a_study_on_a_disk(url, tmp_path):
    space = kh.Space(threads=kh.number(1, 64), contexts=dict(
        load=kh.number(0, 5000), rate=kh.number(1, 100, scale="log", unit="Hz"),
        hour=kh.cyclic(24, "h"), day=kh.clock("week"), segment=kh.choice(["new", "100 % + more"])))
    remote = kh.connect(url).create("shop", space)
    local = kh.create(tmp_path / "local", "shop", space, durability="process")
    assert remote.space == kh.connect(url).open("shop").space == space
    for study in (remote, local):
        known = dict(load=812, rate=7.5, hour=3, day=2.5)
        play = study.ask(worker="w", segment="100 % + more", **known)
        assert play.context == {**known, "segment": "100 % + more"}
        assert study.ask(worker="w", load=9).context == play.context
        study.step([(play, 0.5)], worker="w", context={"load": float("nan"), "day": None})
        assert study.ask(2, load=np.float64(1e9), day=1).contexts == [{"load": 1e9, "day": 1}] * 2
        study.learn([{"threads": 60.0}, {"threads": 3.0}], [0, 1],
                    context=[{"load": 4900, "segment": None}, {"segment": "new"}])
        with pytest.raises(kh.InvalidArgument, match="did you mean 'load'"):
            study.ask(laod=812)
        with pytest.raises(kh.InvalidArgument, match="'load' must be a number, not 'much'"):
            study.ask(load="much")
    assert remote.clipped == local.clipped > 0
    nothing = remote.estimate({"threads": 8})
    assert np.isnan(nothing["loss"]).all()
    for study in (remote, local):
        for k in range(60):
            play = study.ask(load=100 * (k % 50), segment="new", day=k / 10)
            study.tell(play, (play.values["threads"] - 20) ** 2 / 100 + k % 3)
    for known in ({}, {"load": 812}):
        points = [{"threads": 8.0}, {"threads": 40.0}]
        found = remote.estimate(points, **known)
        assert np.array_equal(found, local.estimate(points, **known))
        assert np.array_equal(found[1:], remote.estimate([[40.0]], **known))
        assert found.dtype.names == ("loss", "loss_error", "excess", "excess_error")
        assert found["loss_error"].min() > 0
    with pytest.raises(kh.InvalidArgument, match="did you mean 'load'"):
        remote.estimate({"threads": 8}, laod=8)
    with pytest.raises(kh.InvalidArgument, match="did you mean 'threads'"):
        remote.estimate({"treads": 8})
    for known in ({}, {"load": 812}, {"load": 4000, "segment": "100 % + more", "hour": None}):
        assert np.array_equal(remote.recommend(**known), local.recommend(**known))
        assert remote.recommend_values(**known) == local.recommend_values(context=known)
    with pytest.raises(kh.InvalidArgument, match="did you mean 'load'"):
        kh.connect(url).open("shop").recommend(laod="many")


def test_values_have_the_types_of_their_domains(url):
    play = kh.connect(url).create("one", SPACE, seed=3).ask()
    assert isinstance(play, kh.Play)
    assert isinstance(play.values["batch"], int)
    assert isinstance(play.values["timeout"], float)
    assert list(play.values["pool"]) == ["a", "b", "c"]
    assert play.values == SPACE.values(play.point, seed=3, play=1)


def test_names(url):
    service = kh.connect(url + "/")
    for name in "cabde":
        service.create(name, "ball(2)")
    assert list(service) == list("abcde")
    assert len(service) == 5
    service.delete("b")
    assert "b" not in service
    assert "a" in service
    assert "cash" not in service
    assert service.deleted() == []
    assert 7 not in service
    assert repr(pickle.loads(pickle.dumps(service))) == repr(service) == f"Service({url!r})"


def test_what_is_deleted_can_be_brought_back(server):
    service = kh.connect(server.url)
    study = service.create("kept", "ball(2)")
    study.tell(study.ask(), 0.5)
    service.delete("kept")
    (one,) = service.deleted()
    assert one == (*server.store.deleted()[0],)
    assert service.undelete("kept").summary().told == 1
    assert service.undelete("kept").summary().told == 1  # again, as after a lost answer


def test_labels(url):
    service = kh.connect(url)
    study = service.create("b", "ball(2)")
    service.create("a", "ball(2)")
    assert study.label() == ("", [])
    assert study.label("äußerst & neu", tags=["prod", "team:x"]).note == "äußerst & neu"
    assert study.label(tags="eu") == kh.Label("äußerst & neu", ["eu"])
    assert service.find("neu") == [kh.FoundStudy("b", "äußerst & neu", ["eu"])]
    assert service.find("& n", tag="eu", prefix="b")[0].name == "b"
    assert service.find(tag="prod") == []
    assert [found.name for found in service.find()] == ["a", "b"]
    with pytest.raises(kh.InvalidArgument, match="cannot be a tag"):
        study.label(tags=["two words"])


def test_what_is_shown(url):
    study = kh.connect(url).create("one", "ball(2)")
    assert repr(study) == f"<keyhole.Study 'one' in {url!r}: default on ball(2)>"
    assert url in study._repr_html_()
    study.tell(study.ask(2), [1, 3])

    class Axes:
        def __getattr__(self, name):
            return lambda *_, **__: None

    assert study.plot(Axes()) is not None


@pytest.mark.parametrize("call, kind, code", [
    (lambda s: s.open("one").tell(9, 1.0), kh.FeedbackError, "unknown_play"),
    (lambda s: s.open("one").tell(-9, 1.0), kh.FeedbackError, "unknown_play"),
    (lambda s: s.open("one").tell(1, 9.0), kh.FeedbackError, "contradiction"),
    (lambda s: s.open("one").tell(1, np.nan), kh.FeedbackError, "unusable_feedback"),
    (lambda s: s.open("one").tell(1, 1e60), kh.FeedbackError, "unusable_feedback"),
    (lambda s: s.open("one").tell([1, 2], [1]), kh.InvalidArgument, "invalid_argument"),
    (lambda s: s.open("short").ask(4), kh.InvalidArgument, "horizon_used_up"),
    (lambda s: s.open("none"), kh.StudyError, "unknown_study"),
    (lambda s: s.delete("none"), kh.StudyError, "unknown_study"),
    (lambda s: s.create("one", "ball(3)"), kh.StudyError, "other_description"),
    (lambda s: s.create("two", "bal(2)"), kh.SpecError, "unreadable_spec"),
    (lambda s: s.create("two", "ball(2)", window=0), kh.InvalidArgument, "invalid_argument"),
    (lambda s: s.create("two", "ball(2)", start={"x": 1}), kh.InvalidArgument, "invalid_argument"),
    (lambda s: s.create("two", SPACE, start={"x": 1}), kh.InvalidArgument, "invalid_argument"),
    (lambda s: s.create("two", kh.own_set(1, lambda d: -np.sign(d))), kh.InvalidArgument,
     "invalid_argument"),
])
def test_errors_are_those_of_a_study_on_a_disk(url, tmp_path, call, kind, code):
    for studies in (kh.connect(url), kh.Store(tmp_path / "here", durability="process")):
        study = studies.create("one", "ball(2)")
        study.tell(study.ask(), 1.0)
        studies.create("short", "ball(2)", "fkm(loss_bound=1, gradient_bound=1, horizon=3)")
        with pytest.raises(kind) as caught:
            call(studies)
        assert caught.value.code == code
        assert list(studies) == ["one", "short"]
        assert study.summary()[:3] == (1, 1, 0)


@pytest.mark.parametrize("status, type, kind, code", [
    (409, "needs_renewal", kh.StudyError, "needs_renewal"),
    (503, "damaged_log", kh.StudyError, "damaged_log"),
    (503, "newer_log", kh.StudyError, "newer_log"),
    (503, "other_digits", kh.StudyError, "other_digits"),
    (503, "replaced", kh.StudyError, "replaced"),
    (503, "disk", kh.ServiceError, "disk"),
    (503, "database", kh.ServiceError, "database"),
    (503, "busy", kh.ServiceError, "busy"),
    (503, "study_failed", kh.ServiceError, "other"),
    (429, "quota", kh.ServiceError, "other"),
    (404, "unknown_path", kh.ServiceError, "other"),
])
def test_a_problem_has_its_code(server, status, type, kind, code):
    server.faults += [(status, type)]
    with pytest.raises(kind, match="no") as caught:
        kh.connect(server.url, patience=0).open("one")
    assert caught.value.code == code
    assert getattr(caught.value, "status", status) == status


@pytest.mark.parametrize("url", ["127.0.0.1:8600", "ftp://a", "http://", "http://a/b",
                                 "http://a?b", "http://me@a"])
def test_urls_that_are_none(url):
    with pytest.raises(kh.InvalidArgument, match="such as http"):
        kh.connect(url)


def test_tokens(tmp_path):
    with Server(tmp_path, token="kh_secret") as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            with pytest.raises(kh.ServiceError, match="token") as caught:
                list(kh.connect(server.url))
            assert caught.value.status == 401
            service = kh.connect(server.url, "kh_secret")
            assert list(service) == []
            assert list(pickle.loads(pickle.dumps(service))) == []
            assert "secret" not in repr(service)
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.skipif(not program(), reason="the program of this build does not serve")
def test_tls(tmp_path):
    key, chain = tmp_path / "key.pem", tmp_path / "chain.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", chain],
                   check=True, capture_output=True)
    with subprocess.Popen([program(), "serve", "--store", tmp_path / "studies", "--listen",
                           "127.0.0.1:0", "--durability", "process", "--certificate", chain,
                           "--key", key], stdout=subprocess.PIPE, text=True) as process:
        try:
            port = process.stdout.readline().split(":")[-1].strip()
            url = f"https://localhost:{port}"
            service = kh.connect(url, ca=chain)
            study = service.create("one", "ball(2)")
            assert study.tell(study.ask(), 0.5) == "fresh"
            assert list(pickle.loads(pickle.dumps(service))) == ["one"]
            stranger = kh.connect(url, patience=5)
            tries, connected = [], stranger._line
            stranger._line = lambda: tries.append(1) or connected()
            with pytest.raises(kh.ServiceError, match="certificate of .* is not good"):
                list(stranger)
            assert len(tries) == 1  # to try again is no use
            with pytest.raises(kh.ServiceError, match="certificate of .* is not good"):
                list(kh.connect(f"https://127.0.0.1:{port}", ca=chain))  # it is of localhost
            with pytest.raises(kh.InvalidArgument, match="PEM"):
                kh.connect(url, ca=key)
            with pytest.raises(kh.InvalidArgument, match="https"):
                kh.connect(f"http://localhost:{port}", ca=chain)
        finally:
            process.kill()


def test_numbers_of_numpy_are_taken(server):
    study = kh.connect(server.url).create("one", SPACE, seed=np.int64(1), window=np.uint16(64),
                                          maximize=np.True_, max_step=np.float32(0.5),
                                          start={"batch": np.int8(3), "timeout": np.float32(50)})
    assert len(study.ask(np.int64(3)).ids) == 3
    assert study.step([(np.uint64(1), np.float32(0.5), np.int64(2))], np.int64(1))[0] == ["fresh"]


def test_lost_answers_do_no_harm(server):
    study = kh.connect(server.url).create("one", "ball(2)", seed=1)
    other = kh.Learner(kh.ball(2), seed=1)
    losses = []
    play = study.ask(worker="w")
    for faults in (["lose"], ["refuse"], ["busy"], ["busy", "lose", "refuse", "lose"]) * 3:
        same = other.ask()
        assert (play.id, play.point.tobytes()) == (same.id, same.point.tobytes())
        losses.append(float(play.point[0]))
        other.tell(same, losses[-1])
        server.faults += faults
        (play,) = study.step([(play, losses[-1])], worker="w")[1]
        assert not server.faults
    summary = study.summary()
    assert (summary.asked, summary.told) == (13, 12)
    assert summary.average == pytest.approx(np.mean(losses))
    server.faults += ["lose"]
    assert study.tell(play, 2.0) == "repeated"  # the answer that said "fresh" was lost
    assert study.summary().told == 13


def test_an_ask_of_nobody_is_not_made_twice(server):
    study = kh.connect(server.url).create("one", "ball(2)")
    for fault in ("lose", "refuse"):
        server.faults.append(fault)
        with pytest.raises(kh.ServiceError, match="a worker with a name could ask again") as caught:
            study.ask()
        assert caught.value.status == 0
    # Nothing was done.
    server.faults += ["busy", (503, "database", {"maybe_stored": False}), (429, "rate")]
    assert study.ask().id == 2
    assert not server.faults
    server.faults.append("late")  # which does not say so
    with pytest.raises(kh.ServiceError, match="the disk has failed") as caught:
        study.ask()
    assert (caught.value.status, caught.value.code) == (503, "disk")
    for more in ({"maybe_stored": True}, {}):
        server.faults.append((503, "database", more))
        with pytest.raises(kh.ServiceError, match="no") as caught:
            study.ask()
        assert (caught.value.status, caught.value.code) == (503, "database")


def test_a_connection_that_was_quiet_is_not_used(server, monkeypatch):
    monkeypatch.setattr("keyhole._service._QUIET", 0.05)
    monkeypatch.setattr(Handler, "timeout", 1)  # the service hangs up then
    study = kh.connect(server.url).create("one", "ball(2)")
    time.sleep(1.5)
    assert study.ask().id == 1


def test_what_was_learned_is_not_learned_twice(server):
    study = kh.connect(server.url).create("one", "ball(2)")
    server.faults += ["late", "lose", "busy", "refuse"]
    assert study.learn([[0.5, 0.0]], [1.0]) == (1, 0, 0)
    assert not server.faults
    assert study.past == 1
    for _ in range(2):  # without an id each call is another one
        study.learn([[0.5, 0.0]], [1.0])
    assert study.past == 3
    for _ in range(2):
        assert study.learn([[0.5, 0.0]], [1.0], id="mine") == (1, 0, 0)
    assert study.past == 4


def test_an_answer_that_nobody_understands(server):
    study = kh.connect(server.url).create("one", "ball(2)")
    for call in (study.ask, study.summary, study.recommend, lambda: study.past):
        server.faults.append("html")
        with pytest.raises(kh.ServiceError, match="what no service of studies does"):
            call()
    with pytest.raises(kh.InvalidArgument, match="end of a line"):
        kh.connect(server.url, "kh_x\n")


def test_a_service_that_is_away():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(kh.ServiceError, match="is it running"):
            kh.connect(url, patience=0.05).open("one")


def test_an_answer_that_is_no_problem(server):
    with pytest.raises(kh.ServiceError, match="does not answer|status"):
        kh.connect(server.url, patience=0.05)._call("PUT", "/")


def test_a_connection_serves_many_calls_of_a_thread(server):
    service = kh.connect(server.url)
    study = service.create("one", "ball(2)")
    for _ in range(10):
        study.ask()
    assert len({client for _, _, client in server.calls}) == 1

    def work():
        for _ in range(10):
            play = study.ask()
            study.tell(play, 1.0)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({client for _, _, client in server.calls}) == 4
    context = multiprocessing.get_context("fork")
    child = context.Process(target=study.ask)
    child.start()
    child.join(30)
    assert child.exitcode == 0
    assert len({client for _, _, client in server.calls}) == 5
    assert study.summary().asked == 41
