"""What notebooks show: it is well-formed, says what is so, and hides nothing in markup."""

import itertools
import xml.etree.ElementTree as ElementTree

import keyhole as kh
import numpy as np
import pytest
from failing import failed_learner


def parsed(shown):
    """The title, the rows by name, and the picture if there is one."""
    text = shown._repr_html_()
    assert "color:" not in text  # tables have those of the notebook, light or dark
    page = ElementTree.fromstring(f"<div>{text}</div>")
    title = page.find("table/thead/tr/th/code").text
    rows = {row[0].text: row[1].text for row in page.findall("table/tbody/tr")}
    return title, rows, page.find("{http://www.w3.org/2000/svg}svg")


def corners(picture):
    polygon = picture.find("{http://www.w3.org/2000/svg}polygon").get("points")
    return np.array([[float(x) for x in point.split(",")] for point in polygon.split()])


def circles(picture):
    return [{key: float(circle.get(key)) for key in ("cx", "cy", "r")}
            for circle in picture.findall("{http://www.w3.org/2000/svg}circle")]


def test_a_set():
    title, rows, _ = parsed(kh.simplex(3))
    assert title == "simplex(3)"
    assert rows == {"coordinates": "3", "dimension of the hull": "2", "inner radius": "0.408248",
                    "outer radius": "0.816497", "diameter": "1.41421", "projects": "yes",
                    "has a gauge": "yes"}
    _, rows, _ = parsed(kh.matchings(3, [[0, 1], [1, 2], [0, 2]]))
    assert rows["projects"] == "no"


def test_the_picture_of_a_triangle():
    _, _, picture = parsed(kh.simplex(3))
    triangle = corners(picture)
    assert len(triangle) == 3
    sides = [np.linalg.norm(a - b) for a, b in itertools.combinations(triangle, 2)]
    assert np.allclose(sides, sides[0], rtol=1e-3)
    ball, centre = circles(picture)
    assert np.allclose([centre["cx"], centre["cy"]], triangle.mean(axis=0), atol=0.02)
    assert ball["r"] == pytest.approx(sides[0] / 12**0.5, rel=1e-3)


def test_the_picture_of_a_box_is_upright():
    _, _, picture = parsed(kh.box([0, 0], [2, 1]))
    assert sorted(map(tuple, corners(picture))) == [(-90, -45), (-90, 45), (90, -45), (90, 45)]
    _, _, picture = parsed(kh.solid_simplex(2))  # x_2 goes up, which is to less of y
    assert sorted(map(tuple, corners(picture))) == [(-90, -90), (-90, 90), (90, 90)]


def test_the_picture_of_a_disc_is_round():
    _, _, picture = parsed(kh.ball(2))
    lengths = np.linalg.norm(corners(picture), axis=1)
    assert len(lengths) > 30
    assert np.allclose(lengths, 90, atol=0.5)


@pytest.mark.parametrize("spec", [
    "box([0], [3])", "simplex(2)", "simplex(7)", "nuclear_ball(3, 4)", "birkhoff(4)",
    "spectraplex(3)", "permutahedron([1, 2, 3, 4])", "product(ball(2), simplex(3))",
    "translated(ball(3), [5, 5, 5])", "scaled(l1_ball(4), 1e-20)", "ball(400)",
])
def test_every_picture_fits(spec):
    _, _, picture = parsed(kh.Set(spec))
    outline = corners(picture)
    assert np.abs(outline).max() == pytest.approx(90, abs=0.02)
    centre = circles(picture)[-1]
    low, high = outline.min(axis=0), outline.max(axis=0)
    assert (low - 0.01 <= [centre["cx"], centre["cy"]]).all()
    assert ([centre["cx"], centre["cy"]] <= high + 0.01).all()


def test_the_ball_is_inside_the_picture():
    for spec in ("simplex(5)", "birkhoff(3)", "l1_ball(4)", "hypersimplex(5, 2)"):
        _, _, picture = parsed(kh.Set(spec))
        ball = circles(picture)[0]
        outline = corners(picture)
        for a, b in zip(outline, np.roll(outline, -1, axis=0)):
            along = (b - a) / np.linalg.norm(b - a)
            away = abs(np.cross(along, np.array([ball["cx"], ball["cy"]]) - a))
            assert away > ball["r"] - 0.5


def test_large_sets_have_no_picture():
    assert parsed(kh.ball(401))[2] is None
    assert parsed(kh.ball(400))[2] is not None
    title, _, _ = parsed(kh.owl_ball(np.linspace(2, 1, 500)))
    assert len(title) == 203


def test_a_learner():
    learner = kh.Learner(kh.simplex(3), "parameter_free", seed=7)
    title, rows, _ = parsed(learner)
    assert "parameter_free" in title
    assert rows == {"plays on": "simplex(3)", "asked": "0", "told": "0", "waited for": "0",
                    "recommends": "0.333333, 0.333333, 0.333333"}
    learner.tell(learner.ask(3).ids[:2], [0.25, 0.75])
    _, rows, _ = parsed(learner)
    assert (rows["asked"], rows["told"], rows["waited for"]) == ("3", "2", "1")
    assert rows["average loss"] == "0.5"
    _, rows, _ = parsed(kh.Learner(kh.ball(30)))
    assert rows["recommends"].endswith("0, ...")
    descent = kh.GradientLearner(kh.ball(2), "ogd(gradient_bound=1)")
    assert parsed(descent)[1]["asked"] == "0"


def test_a_learner_that_has_failed():
    _, rows, _ = parsed(failed_learner())
    assert "restore" in rows["refuses"]


def test_a_space():
    space = kh.Space(batch=kh.integer(1, 256), timeout=kh.number(5, 500, scale="log", unit="ms"),
                     cpu=kh.number(0, 8), codec=kh.choice(["zstd", "lz4"]),
                     pool=kh.shares(["a", "b"], total=2), constraints=["cpu + pool.a <= 9"])
    title, rows, _ = parsed(space)
    assert title == "Space"
    assert rows == {"batch": "whole number, 1 to 256", "timeout": "number, 5 to 500 ms, log scale",
                    "cpu": "number, 0 to 8", "codec": "one of zstd, lz4",
                    "pool": "shares of 2: a, b", "constraint": "cpu + pool.a <= 9"}
    _, rows, _ = parsed(kh.Learner(space))
    assert rows["plays on"] == "batch, timeout, cpu, codec, pool"
    assert rows["recommends"].startswith("batch: ")
    assert "codec: zstd, pool: a: 0.5, b: 1.5" in rows["recommends"]


def test_a_study(tmp_path):
    study = kh.create(tmp_path, "one", "simplex(2)", durability="process")
    study.tell(study.ask(), 2.0)
    title, rows, _ = parsed(study)
    assert title == "one"
    assert rows["lives in"] == str(tmp_path)
    assert (rows["learner"], rows["plays on"], rows["told"]) == ("default", "simplex(2)", "1")
    assert "made by" not in rows


def test_markup_is_escaped(tmp_path):
    evil = '<script>alert("&")</script>'
    set_ = kh.own_set(2, lambda d: -np.sign(d) + (d == 0), name=evil)
    assert parsed(set_)[0].startswith(evil)
    assert evil in parsed(kh.Learner(set_))[1]["plays on"]
    space = kh.Space(a=kh.choice([evil, "b"]), b=kh.number(0, 1, unit=evil))
    assert evil in parsed(space)[1]["a"]
    assert evil in parsed(space)[1]["b"]
    folder = tmp_path / "<b>"
    assert parsed(kh.create(folder, "one", space, durability="process"))[1]["lives in"] == str(folder)
    assert evil in parsed(kh.open(folder, "one", durability="process"))[1]["recommends"]
