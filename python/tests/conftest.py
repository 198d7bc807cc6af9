"""What the tests share. KEYHOLE_BUILD names the folder of the build that the wheel is made from."""

import os
import pathlib
import resource

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def pytest_configure(config):
    from hypothesis import settings

    settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=50,
                              database=None)
    settings.load_profile("fixed")


@pytest.fixture(scope="session")
def build():
    """The folder with the programs."""
    return pathlib.Path(os.environ.get("KEYHOLE_BUILD", ROOT / "build/release")).resolve()


@pytest.fixture(scope="session")
def root():
    """The folder of the project."""
    return ROOT


@pytest.fixture
def resident():
    """A function: the memory that the process has now, in KB."""
    def measured():
        pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() // 1024

    return measured
