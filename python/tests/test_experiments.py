"""Experiments: by Python as by `keyhole run`, with entries of one's own, and their figures."""

import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import keyhole as kh
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

TOML = """rounds = 200
repeats = 3
seed = 5
checkpoints = [64]
problems = ["tracking(ball(3))", {name = "late, \\"quoted\\"", spec = "linear(simplex(3))", delay = 5}]
learners = ["posterior", {name = "FKM", spec = "anytime(fkm)"}, "ogd"]
"""


def same_in_python():
    return kh.Experiment(
        [kh.problems.tracking(kh.ball(3)),
         {"name": 'late, "quoted"', "spec": kh.problems.linear("simplex(3)"), "delay": 5}],
        [kh.learners.posterior(), {"name": "FKM", "spec": "anytime(fkm)"},
         kh.learners.ogd()], rounds=200, repeats=np.int64(3), seed=5, checkpoints=[64])


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return kh.Experiment.from_toml(TOML).run(tmp_path_factory.mktemp("all") / "results", timing=0)


def curves_of(folder):
    return (pathlib.Path(folder) / "curves.csv").read_bytes()


def test_the_same_bytes_as_the_program(build, tmp_path, results):
    file = tmp_path / "study.toml"
    file.write_text(TOML)
    ran = subprocess.run([build / "keyhole", "run", file, "--out", tmp_path / "cli", "--quiet"],
                         capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert curves_of(tmp_path / "cli") == curves_of(results.directory)
    parts = sorted((tmp_path / "cli/parts").iterdir())
    times = [part.stat().st_mtime_ns for part in parts]
    again = kh.Experiment.from_toml(file).run(tmp_path / "cli", threads=2)
    assert [part.stat().st_mtime_ns for part in parts] == times
    assert np.array_equal(again.curves(), results.curves())
    assert np.all(again.summary()["seconds_per_round"] > 0)
    assert np.all(np.isnan(results.summary()["seconds_per_round"]))


def test_the_same_by_arguments(tmp_path, results):
    """The functions write all arguments, so that names differ, and nothing else."""
    mine = same_in_python().run(timing=0)
    assert mine.directory is None
    for field in ("measure", "round", "mean", "lower", "upper", "repeats"):
        assert np.array_equal(mine.curves()[field], results.curves()[field],
                              equal_nan=field in ("lower", "upper"))
    assert mine.problems[1] == results.problems[1]


def test_to_toml_and_back():
    experiment = same_in_python()
    text = experiment.to_toml()
    assert text == str(experiment)
    assert kh.Experiment.from_toml(text).to_toml() == text
    assert "checkpoints = [64]" in text
    assert "delay = 5" in text
    assert "rounds = 200" in repr(experiment)


def test_one_of_each_needs_no_list():
    text = kh.Experiment("tracking(ball(2))", {"name": "a", "spec": "stay"}, 8, slowest=1e-3,
                         controls=False).to_toml()
    assert '{name = "a", spec = "stay"}' in text
    assert "slowest = 0.001" in text
    assert "controls = false" in text


def test_files_are_looked_for_next_to_the_experiment(tmp_path):
    (tmp_path / "costs.csv").write_text("a,b\n" + "1,2\n" * 8)
    spec = kh.problems.linear(kh.simplex(2), file="costs.csv")
    (tmp_path / "study.toml").write_text(
        f"rounds = 8\nproblems = ['{spec}']\nlearners = 'ogd'\n")
    by_file = kh.Experiment.from_toml(tmp_path / "study.toml").run(timing=0)
    by_folder = kh.Experiment(spec, "ogd", 8, folder=tmp_path).run(timing=0)
    assert np.array_equal(by_file.curves()["mean"], by_folder.curves()["mean"])


def test_results_as_arrays(results):
    curves, summary = results.curves(), results.summary()
    assert results.learners == ["posterior", "FKM", "ogd", "stay", "random_vertex", "fed_constant"]
    assert set(curves["learner"]) == set(results.learners)
    assert len(summary) == 2 * 6
    details = json.loads((pathlib.Path(results.directory) / "summary.json").read_text())
    for row in summary:
        problem = details["problems"][results.problems.index(row["problem"])]
        learner = problem["learners"][results.learners.index(row["learner"])]
        assert row["average_regret"] == learner["average_regret"]["mean"]
        assert row["average_regret_lower"] == learner["average_regret"]["lower"]
        last = curves[(curves["problem"] == row["problem"]) & (curves["learner"] == row["learner"])
                      & (curves["measure"] == "average_regret")][-1]
        assert (last["round"], last["mean"]) == (row["rounds"], row["average_regret"])
    stay = summary[summary["learner"] == "stay"]
    assert np.all(stay["relative_regret"][~np.isnan(stay["relative_regret"])] == 1)
    assert results.toml == TOML
    curves["mean"] = 0
    assert np.any(results.curves()["mean"] != 0)


def test_read_again(results):
    again = kh.read_results(results.directory)
    assert np.array_equal(again.curves(), results.curves())
    assert str(again) == str(results)
    assert "FKM" in str(again)
    assert "+-" in str(again)
    assert results.directory in repr(again)


def test_frames(results):
    frame = results.to_frame()
    assert list(frame["learner"][:3]) == ["posterior", "FKM", "ogd"]
    assert len(results.to_frame("curves")) == len(results.curves())


def test_one_repeat_has_no_interval():
    results = kh.Experiment("tracking(ball(2))", "ogd", 8).run(timing=0)
    assert np.all(np.isnan(results.curves()["lower"]))
    assert "+-" not in str(results)


@pytest.mark.parametrize(("change", "error", "message"), [
    ({"rounds": 0}, kh.InputError, "^'rounds' must be from 1 to"),
    ({"rounds": 2.5}, kh.InputError, "must be a whole number"),
    ({"rounds": object()}, kh.InvalidArgument, "texts, numbers, lists and dicts"),
    ({"problems": "trcking(ball(2))"}, kh.InputError, "did you mean 'tracking'"),
    ({"problems": []}, kh.InputError, "'problems' is empty"),
    ({"problems": {"spec": "tracking(ball(2))", "dely": 3}}, kh.InputError, "did you mean 'delay'"),
    ({"learners": ["ogd", "ogd"]}, kh.InputError, "two of the learners are called 'ogd'"),
    ({"learners": "projection_free(horizon=3)"}, kh.InputError, "it can play 3 rounds"),
])
def test_what_cannot_run_is_refused(change, error, message):
    arguments = {"problems": "tracking(ball(2))", "learners": "ogd", "rounds": 8, **change}
    with pytest.raises(error, match=message) as raised:
        kh.Experiment(**arguments)
    assert isinstance(raised.value, ValueError)


def test_errors_of_files(tmp_path):
    with pytest.raises(kh.InputError, match="nothing.toml: the file cannot be read"):
        kh.Experiment.from_toml(tmp_path / "nothing.toml")
    (tmp_path / "a.toml").write_text("rounds = 8\nround = 9\n")
    with pytest.raises(kh.InputError, match="a.toml:2: unknown key 'round'"):
        kh.Experiment.from_toml(str(tmp_path / "a.toml"))
    with pytest.raises(kh.InputError, match="holds no results"):
        kh.read_results(tmp_path / "nothing")
    with pytest.raises(kh.InputError, match="holds no results"):
        kh.read_results(tmp_path)


def test_errors_of_directories(tmp_path, results):
    other = kh.Experiment("tracking(ball(2))", "ogd", 8)
    with pytest.raises(kh.Error, match="holds another experiment"):
        other.run(results.directory)
    for threads in (0, 5000):
        with pytest.raises(kh.InvalidArgument, match=f"from 1 to 4096, not {threads}"):
            other.run(threads=threads)
    other.run(tmp_path / "out", timing=0)
    (tmp_path / "out/curves.csv").write_text("problem,learner\n")
    with pytest.raises(kh.InputError, match="damaged"):
        kh.read_results(tmp_path / "out")
    (tmp_path / "out/curves.csv").unlink()
    with pytest.raises(kh.InputError, match="is not finished: run it again"):
        kh.read_results(tmp_path / "out")
    assert len(other.run(tmp_path / "out", timing=0).curves()) > 0


def test_warnings_are_warnings(tmp_path):
    (tmp_path / "costs.csv").write_text("a,b\n" + "1,2\n" * 4)
    short = kh.Experiment(kh.problems.linear(kh.simplex(2), file="costs.csv"), "ogd", 8,
                          folder=tmp_path)
    with pytest.warns(UserWarning, match="4 of the 8 rounds"):
        short.run(timing=0)


SLOW = """
import os, sys, time
import keyhole as kh

class Swing(kh.Problem):
    def draw(self, t, random):
        self.slope = random.normals(t, 2)
        if SLOW and os.path.exists(os.path.join(sys.argv[1], "parts/0-1.json")):
            time.sleep(0.02)

    def value(self, x):
        return float(self.slope @ x)

    def gradient(self, x):
        return self.slope

    def total(self):
        return Total(self)

class Total:
    def __init__(self, problem):
        self.problem, self.slope = problem, 0.0

    def add(self):
        self.slope = self.slope + self.problem.slope

    def value(self, x):
        return float(self.slope @ x)

    def gradient(self, x):
        return self.slope

catalogue = kh.Catalogue()
catalogue.add_problem("swing", Swing)
experiment = kh.Experiment("swing(ball(2))", "posterior", 100, repeats=6, catalogue=catalogue)
"""
INTERRUPTED = SLOW + """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
try:
    experiment.run(sys.argv[1], timing=0)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_interrupted_and_gone_on_with(tmp_path):
    """The child is slow after two parts: it cannot be done before it is interrupted."""
    out = tmp_path / "out"
    child = subprocess.Popen([sys.executable, "-c", "SLOW = True" + INTERRUPTED, out],
                             stdout=subprocess.PIPE, text=True)
    while not (out / "parts/0-1.json").exists():
        assert child.poll() is None
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=600)[0] == "interrupted\n"
    done = {part.name: part.stat().st_mtime_ns for part in (out / "parts").iterdir()}
    assert 2 <= len(done) < 6
    with pytest.raises(kh.InputError, match="not finished"):
        kh.read_results(out)
    quick = {"SLOW": False}
    exec(SLOW, quick)  # noqa: S102
    quick["experiment"].run(out, timing=0)
    assert all((out / "parts" / name).stat().st_mtime_ns == when for name, when in done.items())
    quick["experiment"].run(tmp_path / "whole", timing=0)
    assert curves_of(out) == curves_of(tmp_path / "whole")


def test_other_threads_run_meanwhile():
    experiment = kh.Experiment("tracking(ball(3))", "ogd", 50_000, controls=False)
    runner = threading.Thread(target=lambda: experiment.run(timing=0))
    count = 0
    runner.start()
    while runner.is_alive():
        count += 1
    assert count > 1000


def test_the_line_of_progress(capfd):
    kh.Experiment("tracking(ball(3))", "ogd", 100).run(timing=0, progress=True)
    assert "100/100 rounds" in capfd.readouterr().err
    kh.Experiment("tracking(ball(3))", "ogd", 100).run(timing=0)
    assert capfd.readouterr().err == ""


class Target(kh.Problem):
    """1/2 ||x - theta_t||^2, theta_t normal about a point."""

    name = "target"

    def __init__(self, set: kh.Set, spread: float = 0.1):
        super().__init__(set)
        self.spread = spread
        self.loss_bound, self.gradient_bound, self.bounds_proven = 50.0, 10.0, False

    def draw(self, t, random):
        mean = self.set.geometry.centre + 0.3 * random.normals(0, self.set.dimension)
        self.theta = mean + self.spread * random.normals(t, self.set.dimension)

    def value(self, x):
        return 0.5 * float((x - self.theta) @ (x - self.theta))

    def gradient(self, x):
        return x - self.theta


class Summing(Target):
    class Total:
        def __init__(self, problem):
            self.problem, self.count = problem, 0
            self.sum, self.squares = np.zeros(problem.set.dimension), 0.0

        def add(self):
            self.count += 1
            self.sum = self.sum + self.problem.theta
            self.squares += self.problem.theta @ self.problem.theta

        def value(self, x):
            return 0.5 * (self.count * x @ x + self.squares) - self.sum @ x

        def gradient(self, x):
            return self.count * x - self.sum

    def total(self):
        return self.Total(self)


class Blind(Target):
    def gradient(self, x):
        return None


class Still(kh.Algorithm):
    """Never leaves the centre."""

    name = "still"

    def play(self, t, random):
        return self.set.geometry.centre

    def absorb(self, s, loss, random):
        pass

    def recommend(self):
        return self.set.geometry.centre


def own():
    catalogue = kh.Catalogue()
    catalogue.add_set("mine", kh.own_set(3, lambda d: -d / max(np.linalg.norm(d), 1e-300),
                                         name="mine"))
    for name, make in (("target", Target), ("summing", Summing), ("blind", Blind)):
        catalogue.add_problem(name, make)
    catalogue.add_algorithm("still", Still)
    return catalogue


def curve(results, problem, learner, measure="average_regret"):
    curves = results.curves()
    return curves[(curves["problem"] == problem) & (curves["learner"] == learner)
                  & (curves["measure"] == measure)]["mean"]


def test_own_things_play_next_to_the_built_ins():
    problems = ["target(ball(3))", "summing(ball(3))", "blind(ball(3))", "tracking(mine)",
                "target(simplex(3), spread=0.01)", "blind(simplex(3), spread=0.01)"]
    results = kh.Experiment(problems, ["still", "posterior"], 64, repeats=2, seed=3,
                            catalogue=own()).run(timing=0)
    for problem in problems:
        for measure in ("average_loss", "average_regret"):
            assert np.array_equal(curve(results, problem, "still", measure),
                                  curve(results, problem, "stay", measure))
    target = curve(results, "target(ball(3))", "posterior")
    assert np.allclose(curve(results, "summing(ball(3))", "posterior"), target, atol=1e-6)
    assert np.allclose(curve(results, "blind(ball(3))", "posterior"), target, atol=1e-5)
    assert np.allclose(curve(results, "blind(simplex(3), spread=0.01)", "posterior"),
                       curve(results, "target(simplex(3), spread=0.01)", "posterior"), atol=1e-5)


def test_the_regret_on_an_own_problem_is_the_textbook_s():
    """Of the learner alone, with the streams that docs/experiments.md names."""
    drawn = {}

    class Recording(Target):
        def draw(self, t, random):
            super().draw(t, random)
            drawn[t] = self.theta

    catalogue = kh.Catalogue()
    catalogue.add_problem("recording", Recording)
    results = kh.Experiment("recording(ball(3, radius=9))", "posterior", 32, seed=3,
                            catalogue=catalogue).run(timing=0)
    learner = kh.Learner(kh.ball(3, radius=9), seed=3, stream=0)
    loss = 0.0
    for t in range(1, 33):
        play = learner.ask()
        seen = 0.5 * float((play.point - drawn[t]) @ (play.point - drawn[t]))
        learner.tell(play, seen)
        loss += seen
    thetas = np.array([drawn[t] for t in range(1, 33)])
    best = 0.5 * np.sum((thetas - thetas.mean(axis=0)) ** 2)
    found = curve(results, "recording(ball(3, radius=9))", "posterior")[-1]
    assert math.isclose(found, (loss - best) / 32, rel_tol=1e-5)


def test_parameters_of_own_entries():
    seen = []

    class Options(Still):
        def __init__(self, set, step=0.5, count=3, on=True, word="a", rows=(1.0,), horizon=None,
                     loss_bound=None, other=None):
            super().__init__(set)
            seen.append((set.spec, step, count, on, word, list(rows), horizon, loss_bound))

    catalogue = own()
    catalogue.add_algorithm("options", Options)
    kh.Experiment("target(ball(3))", 'options(0.25, count=4, on=false, word="b", rows=[1, 2])', 7,
                  controls=False, catalogue=catalogue)
    assert seen == [("ball(3)", 0.25, 4, False, "b", [1, 2], 7, 50)]
    kh.Experiment("target(ball(3))", "options(horizon=9, loss_bound=2)", 7, controls=False,
                  catalogue=catalogue)
    assert seen[1] == ("ball(3)", 0.5, 3, True, "a", [1], 9, 2)
    with pytest.raises(kh.InputError, match="did you mean 'step'"):
        kh.Experiment("target(ball(3))", "options(stp=1)", 7, catalogue=catalogue)
    assert "options" in catalogue
    assert len(catalogue) == 6
    assert "still" in repr(catalogue)


def test_what_own_code_raises_comes_out():
    class Fails(Still):
        def play(self, t, random):
            if t == 5:
                raise ZeroDivisionError("in play")
            return super().play(t, random)

    class Late(Target):
        def draw(self, t, random):
            super().draw(t, random)
            if t == 6:
                raise LookupError("in draw")

    catalogue = own()
    catalogue.add_algorithm("fails", Fails)
    catalogue.add_problem("late", Late)
    failing = kh.Experiment("target(ball(3))", "fails", 9, catalogue=catalogue)
    with pytest.raises(ZeroDivisionError, match="in play") as raised:
        failing.run(timing=0)
    if sys.version_info >= (3, 11):
        assert raised.value.__notes__ == [
            "in problem 'target(ball(3))', repeat 0, learner 'fails'"]
    with pytest.raises(LookupError, match="in draw"):
        kh.Experiment("late(ball(3))", "still", 9, catalogue=catalogue).run(timing=0)
    # Built at once, so refused at once.
    catalogue.add_problem("never", lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        kh.Experiment("never", "still", 9, catalogue=catalogue)


def test_errors_of_own_entries():
    catalogue = own()
    with pytest.raises(kh.InvalidArgument, match="target"):
        catalogue.add_problem("target", Target)
    with pytest.raises(kh.InvalidArgument, match="cannot give the parameter 'what'"):
        catalogue.add_problem("other", lambda what: None)
    with pytest.raises(TypeError, match="not int"):
        catalogue.add_set("other", 3)
    assert "other" not in catalogue
    catalogue.add_problem("nothing", lambda: None)
    with pytest.raises(TypeError, match="derives from Problem"):
        kh.Experiment("nothing", "still", 9, catalogue=catalogue)
    catalogue.add_set("no_set", lambda: 3)
    with pytest.raises(TypeError, match="must be a Set"):
        kh.Experiment("target(no_set)", "still", 9, catalogue=catalogue)

    class Outside(Still):
        def play(self, t, random):
            return [2, 2, 2]

    catalogue.add_algorithm("outside", Outside)
    outside = kh.Experiment("target(ball(3))", "outside", 9, catalogue=catalogue)
    with pytest.raises(kh.Error, match="learner 'outside': .* not in the set"):
        outside.run()
    with pytest.raises(kh.InvalidArgument, match="one thread, not 2"):
        outside.run(threads=2)
    with pytest.raises(NotImplementedError):
        kh.Problem(kh.ball(2)).value(np.zeros(2))


def test_figures(results):
    import matplotlib

    matplotlib.use("Agg")
    figure = results.plot("regret", learners=["ogd", "stay"])
    *panels, key = figure.axes
    assert [panel.get_title() for panel in panels] == results.problems
    for panel in panels:
        assert (panel.get_xscale(), panel.get_yscale()) == ("log", "log")
        assert [line.get_label() for line in panel.get_lines()] == ["ogd", "stay"]
        assert len(panel.collections) == 2  # the bands
    assert [text.get_text() for text in key.get_legend().get_texts()] == ["ogd", "stay"]
    line = panels[0].get_lines()[0]
    wanted = curve(results, results.problems[0], "ogd")
    assert np.array_equal(line.get_ydata(), np.where(wanted > 0, wanted, np.nan), equal_nan=True)
    loss = results.plot("loss", problems=results.problems[0])
    assert len(loss.axes) == 2
    assert loss.axes[0].get_yscale() == "linear"
    colours = {line.get_label(): line.get_color() for line in loss.axes[0].get_lines()}
    controls = {"stay", "random_vertex", "fed_constant"}
    assert {colours.pop(name) for name in controls} == {"0.6"}  # thin and grey, as in the report
    assert len(set(colours.values())) == 3
    again = results.plots.history("loss", learners="ogd")
    assert again is not loss
    assert again.axes[0].get_lines()[0].get_color() == colours["ogd"]
    assert colours["ogd"] == line.get_color()
    matplotlib.pyplot.close("all")


def test_the_curves_of_the_paper(results):
    import matplotlib

    from keyhole import _paper

    matplotlib.use("Agg")
    source = ROOT / "src/reproduction/published_curves.cc"
    for name, points in _paper.CURVES.items():
        table = re.search(rf"> {name} = {{{{\n(.*?)}}}};", source.read_text(), re.S)[1]
        rows = re.findall(r"{(.*?)}", table)
        assert points == tuple(tuple(map(float, row.split(","))) for row in rows)
    first, second = results.problems[:2]
    figure = results.plot("loss", learners="ogd", paper={second: "portfolio"})
    panels = {panel.get_title(): panel for panel in figure.axes}
    assert [line.get_label() for line in panels[first].get_lines()] == ["ogd"]
    labels = ["ogd", *(f"{name}, paper" for name in _paper.LEARNERS)]
    assert [line.get_label() for line in panels[second].get_lines()] == labels
    fkm = panels[second].get_lines()[labels.index("FKM, paper")]
    assert fkm.get_xydata()[-1].tolist() == [1000, 0.193]
    assert [text.get_text() for text in figure.axes[-1].get_legend().get_texts()] == labels
    matplotlib.pyplot.close("all")


def test_figures_for_a_paper(results, tmp_path):
    """Letters are letters, and the bytes are the same each time."""
    for name in ("a.pdf", "b.pdf", "a.svg", "b.svg", "a.png"):
        results.save(tmp_path / name, problems=results.problems[0], learners=["ogd", "stay"])
    pdf = (tmp_path / "a.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert b"/Type3" not in pdf
    assert pdf == (tmp_path / "b.pdf").read_bytes()
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert ">stay<" in (tmp_path / "a.svg").read_text()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("arguments", "message"), [
    ({"measure": "regrets"}, "one of regret, loss, not 'regrets'"),
    ({"learners": "nobody"}, "there is no learner 'nobody': there are posterior, FKM"),
    ({"problems": ["nothing"]}, "there is no problem 'nothing'"),
    ({"paper": {'late, "quoted"': "quadratic"}}, "the paper's curves are losses: plot \"loss\""),
    ({"measure": "loss", "paper": {"nothing": "quadratic"}}, "there is no problem 'nothing'"),
    ({"measure": "loss", "paper": {'late, "quoted"': "cubic"}}, "no experiment of the paper 'cubic'"),
])
def test_errors_of_figures(results, tmp_path, arguments, message):
    with pytest.raises(kh.InvalidArgument, match=message):
        results.save(tmp_path / "a.pdf", **arguments)
    assert os.listdir(tmp_path) == []
