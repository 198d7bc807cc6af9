"""The package as a whole: types, generated files, the pages and the examples."""

import builtins
import importlib.metadata
import math
import os
import pathlib
import re
import subprocess
import sys

import keyhole as kh
import pytest


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          check=False, **options)


@pytest.mark.plain
def test_types(root, build, tmp_path):
    """mypy --strict of the package and of a program that uses it."""
    program = tmp_path / "program.py"
    program.write_text(
        "import keyhole as kh\n"
        "learner = kh.Learner(kh.simplex(3), kh.learners.posterior(caution=0.2), seed=7)\n"
        "play = learner.ask()\n"
        "reveal_type(learner.tell(play, 0.5))\n"
        "reveal_type(learner.ask(3).points)\n"
        "reveal_type(kh.open('studies', 'a').ask().values)\n"
        "kh.simplex('3')\n")
    checked = run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", build / "python/mypy",
                  "--config-file", root / "pyproject.toml", root / "python/keyhole", program,
                  env={"MYPYPATH": str(root / "python"), "PATH": "/usr/bin:/bin"})
    found = re.findall(r"program.py:(\d+): (note|error): (.*)", checked.stdout)
    assert [(line, kind) for line, kind, _ in found] == [
        ("4", "note"), ("5", "note"), ("6", "note"), ("7", "error")], checked.stdout
    assert "Literal['fresh']" in found[0][2]
    assert "floating" in found[1][2]
    assert "dict[builtins.str, Any]" in found[2][2]
    assert "Found 1 error" in checked.stdout, checked.stdout


@pytest.mark.plain
def test_the_stubs_are_those_of_the_module(root):
    """stubtest: every name and signature that the stubs promise is there, and no other."""
    checked = run(sys.executable, "-m", "mypy.stubtest", "--mypy-config-file",
                  root / "pyproject.toml", "keyhole._keyhole",
                  env={"MYPYPATH": str(root / "python"), "PATH": "/usr/bin:/bin"})
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.plain
def test_the_functions_are_up_to_date(root):
    checked = run(sys.executable, root / "scripts/python-functions", "--check")
    assert checked.returncode == 0, checked.stderr


@pytest.mark.plain
def test_the_reference_is_up_to_date(root):
    checked = run(sys.executable, root / "scripts/python-reference", "--check")
    assert checked.returncode == 0, checked.stderr


def test_the_version_is_the_library_s():
    assert importlib.metadata.version("keyhole") == kh.__version__


def test_all_names_are_there():
    assert all(hasattr(kh, name) for name in kh.__all__)
    assert len(set(kh.__all__)) == len(kh.__all__)
    for name in kh.__all__:
        member = getattr(kh, name)
        if isinstance(member, type):
            assert member.__doc__, name
            assert member.__module__.startswith("keyhole"), name


def test_import_star_takes_nothing_of_python_away():
    assert set(kh.__all__) & set(dir(builtins)) == set()
    names = {}
    exec("from keyhole import *", names)  # noqa: S102
    assert "Learner" in names
    assert "open" not in names
    assert kh.open.__doc__.startswith("The study of a name")
    assert kh.slice(kh.ball(2), [[1, 0]], [0]).dimension == 2


@pytest.mark.plain
def test_the_wheel_installs_without_a_compiler(root, build, tmp_path):
    made = run(root / "scripts/wheel", build, tmp_path)
    assert made.returncode == 0, made.stderr
    wheel, = tmp_path.glob("keyhole-*.whl")
    nothing = {"PATH": "/nowhere", "CC": "/nowhere", "CXX": "/nowhere"}
    there = tmp_path / "there"
    pip = run("/usr/bin/python3", "-m", "pip", "install", "--no-index", "--no-deps", "--target",
              there, wheel, env=nothing)
    assert pip.returncode == 0, pip.stderr
    code = "import keyhole as kh; print(kh.__file__, kh.Learner(kh.simplex(3)).ask().id)"
    used = run("/usr/bin/python3", "-c", code, env={**nothing, "PYTHONPATH": str(there)}, cwd=there)
    assert used.stdout == f"{there}/keyhole/__init__.py 1\n", used.stderr


def blocks(page, kind):
    return re.findall(rf"^```{kind}\n((?:.*\n)*?)```$", page, re.MULTILINE)


# The pages of docs with Python in them.
ROOT = pathlib.Path(__file__).parents[2]
PAGES = sorted(str(page.relative_to(ROOT))
               for folder in ("docs", "docs/tutorials")
               for page in (ROOT / folder).glob("*.md")
               if "\n```python\n" in page.read_text())


def test_the_pages_with_python_are_found():
    assert "docs/python.md" in PAGES
    assert len(PAGES) >= 7


@pytest.mark.filterwarnings("ignore:problem .* the market is synthetic")
@pytest.mark.parametrize("name", PAGES)
def test_the_page_runs(root, tmp_path, monkeypatch, capsys, name):
    """Its blocks are one program. What a block prints stands in the block `text` after it."""
    monkeypatch.chdir(tmp_path)
    names = {}
    page = (root / name).read_text()
    found = re.findall(r"^```python\n((?:.*\n)*?)```\n(?:\n```text\n((?:.*\n)*?)```\n)?", page,
                       re.MULTILINE)
    for code, expected in found:
        exec(compile(code, name, "exec"), names)  # noqa: S102
        assert capsys.readouterr().out == expected, code


def test_the_pages_of_the_sets_have_their_call(root):
    pages = [page for page in (root / "docs/sets").glob("*.md") if page.name != "README.md"]
    assert len(pages) > 70
    for page in pages:
        text = page.read_text()
        call = blocks(text, "py")[0].removeprefix("set = ")
        made = re.search(r"## The example\n\n`(.*)`", text)[1]
        assert eval(call, {"kh": kh}).spec == made, page.name


def test_the_readme_runs(root):
    for code in blocks((root / "README.md").read_text(), "python"):
        exec(compile(code, "README.md", "exec"), {})  # noqa: S102


@pytest.mark.parametrize("name", ["service", "paper", "own_things", "cone_program"])
def test_the_example_runs(root, tmp_path, name):
    """Its output stands in the tutorial."""
    ran = run(sys.executable, root / f"examples/python/{name}.py", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    page = (root / "docs/python.md").read_text()
    assert f"$ python3 examples/python/{name}.py\n{ran.stdout}```" in page


def traffic(root, file):
    """What the example prints."""
    ran = run(sys.executable, root / "examples/python/traffic.py", file)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_example_on_traffic_runs(root, tmp_path):
    """Here on traffic that is made up: what is known helps."""
    rows = [f"{t},{1e8 * (6 + 4 * math.sin(t * math.pi / 144)):.0f},7e7" for t in range(2016)]
    (tmp_path / "made_up.csv").write_text("\n".join(["time,1-2,2-1", *rows]))
    means = {line[:-7].rstrip(): float(line[-7:])
             for line in traffic(root, tmp_path / "made_up.csv").splitlines()}
    assert means["all is known"] < means["the traffic before is known"]
    assert means["the traffic before is known"] < 0.9 * means["nothing is known"]
    assert means["the hour is known"] < 0.9 * means["nothing is known"]
    measured = pathlib.Path(os.environ.get("KEYHOLE_DATA", root / "../shared/data"))
    file = measured / "abilene_demand_2004w1.csv"
    if file.exists():  # then it prints what stands on the page
        assert traffic(root, file) in (root / "docs/tutorials/hours.md").read_text()


@pytest.mark.parametrize("before", ["", "import keyhole\n"])
def test_sub_interpreters_are_refused(before):
    code = (f"{before}import _xxsubinterpreters as subs\n"
            "id = subs.create()\n"
            "try:\n"
            "    subs.run_string(id, 'import keyhole')\n"
            "except subs.RunFailedError as error:\n"
            "    print(error)\n")
    ran = run(sys.executable, "-c", code, timeout=600)
    assert "cannot be used in a sub-interpreter" in ran.stdout, ran.stdout + ran.stderr
