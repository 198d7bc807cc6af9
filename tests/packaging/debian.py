"""usage: debian.py <folder of the project>

What the Debian packages are made from names nothing that is not there. `make release` builds the
packages, and is run too rarely to find that out.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
DEBIAN = ROOT / "packaging/debian"
CONTROL = (DEBIAN / "control.in").read_text(encoding="utf-8")


def groups(setup):
    """The groups of scripts/setup: the packages of each, with those of the groups it names."""
    found = {}
    for name, _, words in re.findall(r"""^([a-z]+)=(['"])([^'"]*)\2""", setup, re.MULTILINE):
        for other in re.findall(r"\$([a-z]+)", words):
            words += " " + " ".join(found[other])
        found[name] = {word.split(":")[0] for word in words.split() if "$" not in word}
    return found


def build_depends():
    field = re.search(r"^Build-Depends:((?:.*\n)(?: .*\n)*)", CONTROL, re.MULTILINE)[1]
    names = {re.sub(r"\(.*\)", "", entry).strip() for entry in field.split(",")}
    return {name.replace("debhelper-compat", "debhelper") for name in names}


def check_the_build_has_its_packages():
    installed = groups((ROOT / "scripts/setup").read_text(encoding="utf-8"))["release"]
    missing = build_depends() - installed
    assert not missing, f"scripts/setup release does not install {missing}"
    assert {"lintian", "debootstrap", "build-essential"} <= installed


def check_the_options_exist():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    known = set(re.findall(r"^\s*(?:option|set)\((KEYHOLE_\w+)", text, re.MULTILINE))
    used = set(re.findall(r"-D(KEYHOLE_\w+)", (DEBIAN / "rules").read_text(encoding="utf-8")))
    assert used and used <= known, f"debian/rules sets {used - known}"


def check_the_completions_are_packaged():
    made = (ROOT / "cmake/manual.cmake").read_text(encoding="utf-8")
    folders = re.findall(r"\$\{CMAKE_INSTALL_DATADIR\}/([^)\s]+)", made)
    assert len(folders) == 3, folders
    listed = (DEBIAN / "keyhole.install").read_text(encoding="utf-8")
    for folder in folders:
        assert f"usr/share/{folder}/" in listed, f"keyhole.install has nothing of {folder}"


def check_the_lists_are_of_packages():
    packages = re.findall(r"^Package: (.*)$", CONTROL, re.MULTILINE)
    assert len(packages) == 5, packages
    for path in DEBIAN.glob("*.*"):
        package, kind = path.name.split(".", 1)
        if kind not in ("install", "docs", "examples", "README.Debian"):
            continue
        name = package + ("@ABI@" if package == "libkeyhole" else "")
        assert name in packages, path
        if kind == "README.Debian":
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            source = line.split()[0]
            # What begins with usr is made by the build.
            assert source.startswith("usr/") or list(ROOT.glob(source)), f"{path}: {source}"
    page = (ROOT / "docs/versions.md").read_text(encoding="utf-8")
    for package in packages:
        assert f"| `{package.removesuffix('@ABI@')}`" in page, f"docs/versions.md lacks {package}"


assert groups("a='x:y z'\nb=\"$a v:-\"\n") == {"a": {"x", "z"}, "b": {"x", "z", "v"}}
check_the_build_has_its_packages()
check_the_options_exist()
check_the_completions_are_packaged()
check_the_lists_are_of_packages()
