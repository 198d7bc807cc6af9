"""Figures of what was played."""

import keyhole as kh
import matplotlib.pyplot
import numpy as np
import pytest

matplotlib.use("Agg")

SPACE = kh.Space(batch=kh.integer(1, 4096, scale="log"), rate=kh.number(0, 1),
                 mode=kh.choice(["fast", "safe"]), mix=kh.shares(["a", "b"]))


def cost(batch, rate, mode, mix):
    return abs(np.log(batch / 64)) + rate + (mode == "safe") + mix["a"]


@pytest.fixture(autouse=True)
def close():
    matplotlib.pyplot.close("all")  # those of other tests
    yield
    matplotlib.pyplot.close("all")


def of_a_study():
    study = kh.Store.in_memory().create("one", SPACE, start={"batch": 8, "mode": "safe"})
    study.prove(0.5)
    for _ in range(80):
        play = study.ask()
        study.tell(play, cost(**play.values))
    study.ask()  # what is not told is not drawn
    return study


def of_a_study_that_was_changed():
    store = kh.Store.in_memory()
    study = store.create("one", kh.Space(rate=kh.choice(["low", "high"]), batch=kh.number(1, 2),
                                         mode=kh.choice(["steady", "safe"])))
    for k in range(40):
        study.tell(study.ask(), k)
    store.change("one", SPACE, {"batch": 8, "rate": 0.5, "mode": "safe", "mix": {"a": 1, "b": 0}})
    study = store.open("one")
    study.tell(study.ask(), 1)
    return study


def of_a_result():
    return kh.minimize(cost, SPACE, 80)


@pytest.mark.parametrize("made", [of_a_study, of_a_study_that_was_changed, of_a_result])
def test_each_makes_its_own_figure(made):
    plots = made().plots
    figures = [plots.history(), plots.slices(), plots.parallel(), plots.history(recent=10)]
    assert len({id(figure) for figure in figures}) == 4
    assert len(matplotlib.pyplot.get_fignums()) == 4
    for figure in figures:
        figure.canvas.draw()


def test_history_is_drawn_against_the_start():
    study = of_a_study()
    plays = study.history()[:-1]
    axes = study.plots.history(recent=20).axes[0]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert list(lines) == ["loss", "mean of the latest 20", "at the start"]
    assert np.array_equal(lines["loss"].get_ydata(), plays["loss"])
    mean = lines["mean of the latest 20"].get_ydata()
    assert mean[-1] == pytest.approx(plays["loss"][-20:].mean())
    assert len(axes.collections) == 1  # its band
    band = axes.collections[0].get_paths()[0].vertices
    half = 1.96 * plays["loss"][-20:].std(ddof=1) / np.sqrt(20)
    at_end = band[band[:, 0] == plays["play"][-1]][:, 1]
    assert at_end.max() == pytest.approx(mean[-1] + half)
    start = SPACE.point(batch=8, mode="safe")
    there = np.isclose(plays["point"], start).all(axis=1)
    assert 20 <= there.sum() < 60
    line = lines["at the start"]
    assert line.get_ydata()[0] == pytest.approx(plays["loss"][there].mean())
    assert line.get_color() == "0.6"
    assert line.get_linewidth() < lines["mean of the latest 20"].get_linewidth()


def test_slices_have_a_panel_for_each_value():
    result = of_a_result()
    panels = [axes for axes in result.plots.slices().axes if axes.axison]
    assert [axes.get_xlabel() for axes in panels] == ["batch", "rate", "mode", "mix.a", "mix.b"]
    assert [axes.get_xscale() for axes in panels] == ["log"] + ["linear"] * 4
    batch, *_ = panels
    dots, mean, marked, believed = batch.get_lines()
    values = [int(round(x)) for x in believed.get_xdata()]
    assert (values[0], values[-1]) == (1, 4096)
    assert values == sorted(set(values))
    others = {**result.values, "batch": values[3]}
    one = result.learner.estimate(others)
    assert believed.get_ydata()[3] == pytest.approx(one["loss"])
    band = batch.collections[-1].get_paths()[0].vertices
    half = 1.96 * one["excess_error"]
    at = band[np.isclose(band[:, 0], values[3])][:, 1]
    assert at.max() - at.min() == pytest.approx(2 * half)
    assert np.array_equal(dots.get_xdata(), result.history()["values"]["batch"])
    assert marked.get_xdata()[0] == result.values["batch"]
    order = np.argsort(result.history()["values"]["batch"], kind="stable")
    parts = np.array_split(order, 12)
    assert mean.get_ydata() == pytest.approx([result.losses[part].mean() for part in parts])
    assert [text.get_text() for text in panels[2].get_xticklabels()] == ["fast", "safe"]
    one = result.plots.slices("rate")
    assert [axes.get_xlabel() for axes in one.axes] == ["rate"]
    with pytest.raises(kh.InvalidArgument, match="no value 'rat'"):
        result.plots.slices("rat")


@pytest.mark.parametrize("made", [of_a_study, of_a_result])
def test_importance_is_what_the_worst_value_costs(made):
    made = made()
    axes = made.plots.importance().axes[0]
    bars = dict(zip((text.get_text() for text in axes.get_yticklabels()),
                    (bar.get_width() for bar in axes.patches)))
    assert set(bars) == {"batch", "rate", "mode", "mix"}
    assert list(bars.values()) == sorted(bars.values())
    learner = made.learner if isinstance(made, kh.Result) else made
    values = SPACE.likeliest(learner.recommend())
    worst = [learner.estimate({**values, "mode": mode})["excess"] for mode in ("fast", "safe")]
    assert bars["mode"] == pytest.approx(np.abs(worst).max())


def test_importance_tells_what_matters_from_what_does_not():
    space = kh.Space(much=kh.number(0, 1), little=kh.number(0, 1), fixed=kh.fixed(3))
    result = kh.minimize(lambda much, little, fixed: 9 * (much - 0.5) ** 2 + little / 10, space, 400)
    axes = result.plots.importance().axes[0]
    little, much = (bar.get_width() for bar in axes.patches)
    assert [text.get_text() for text in axes.get_yticklabels()] == ["little", "much"]
    assert much > 3 * little
    assert little == pytest.approx(0.1, abs=0.1)


def test_importance_needs_a_model():
    by_point = kh.minimize(lambda x: x[0], kh.box(0, 1, 2), 50)
    another = kh.minimize(cost, SPACE, 50, learner="parameter_free")
    for result in (by_point, another, kh.minimize(cost, SPACE, 0)):
        with pytest.raises(kh.InvalidArgument, match="nothing is believed of the parameters"):
            result.plots.importance()
    assert len(another.plots.slices("rate").axes[0].get_lines()) == 3


def test_parallel_lines_go_through_every_axis():
    result = of_a_result()
    axes = result.plots.parallel(most=30).axes[0]
    names = ["batch", "rate", "mode", "mix.a", "mix.b", "loss"]
    assert [text.get_text() for text in axes.get_xticklabels()] == names
    *lines, recommended = axes.get_lines()
    assert len(lines) == 30
    assert all(len(line.get_xdata()) == 6 for line in lines)
    assert len(recommended.get_xdata()) == 5
    heights = [line.get_ydata() for line in axes.get_lines()]
    assert all((0 <= height).all() and (height <= 1).all() for height in heights)


def test_sets_with_many_coordinates_show_the_first():
    result = kh.minimize(lambda x: x[0], kh.box(0, 1, 30), 20)
    assert len([axes for axes in result.plots.slices().axes if axes.axison]) == 12
    assert [axes.get_xlabel() for axes in result.plots.slices("x30").axes] == ["x30"]


def test_without_plays():
    result = kh.minimize(cost, SPACE, 0)
    for figure in (result.plots.history(), result.plots.slices(), result.plots.parallel()):
        figure.canvas.draw()


LIMITED = kh.Space(threads=kh.number(1, 64), contexts=dict(load=kh.number(0, 1)),
                   limits=dict(p99=kh.limit(most=200, unit="ms")))


def of_a_study_with_limits():
    study = kh.Store.in_memory().create("one", LIMITED, start={"threads": 16})
    for k in range(150):
        play = study.ask(load=k % 2)
        threads = play.values["threads"]
        study.tell(play, 100 - threads, p99=40 + 0.1 * threads**2)
    return study


def test_front_of_a_limit():
    study = of_a_study_with_limits()
    axes = study.plots.front().axes[0]
    assert axes.get_xlabel() == "p99, ms"
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert list(lines) == ["plays", "least loss", "limit"]
    front = study.front()
    assert len(front) == 11
    assert lines["least loss"].get_xdata() == pytest.approx([point.metric for point in front])
    assert lines["least loss"].get_ydata() == pytest.approx([point.loss for point in front])
    assert np.array_equal(lines["plays"].get_xdata(), study.history()["metrics"]["p99"])
    assert lines["limit"].get_xdata()[0] == 200
    assert lines["limit"].get_color() == "0.6"
    assert lines["limit"].get_linewidth() < lines["least loss"].get_linewidth()
    band = axes.collections[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx(max(p.loss + 1.96 * p.loss_error for p in front))
    assert study.plots.front("p99").axes[0].get_xlabel() == "p99, ms"
    with pytest.raises(kh.InvalidArgument, match="did you mean 'p99'"):
        study.plots.front("p98")
    for plots in (of_a_study().plots, of_a_result().plots):
        with pytest.raises(kh.InvalidArgument, match="no limits here"):
            plots.front()
    empty = kh.Store.in_memory().create("two", LIMITED)
    empty.plots.front().canvas.draw()


def test_contexts_and_metrics_have_panels():
    plots = of_a_study_with_limits().plots
    panels = [axes for axes in plots.slices().axes if axes.axison]
    assert [axes.get_xlabel() for axes in panels] == ["threads", "load", "p99"]
    assert [len(axes.get_lines()) for axes in panels] == [4, 2, 2]  # only one is recommended and believed
    plots.parallel().canvas.draw()
