"""Builds the extension module with CMake; pyproject.toml has the rest.

KEYHOLE_BUILD may name a folder that CMake has built with KEYHOLE_WITH_PYTHON: then the module is
taken from there, and the library is not compiled again.
"""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).parent.resolve()


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        package = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        build = os.environ.get("KEYHOLE_BUILD")
        if build is None:
            build = str(pathlib.Path(self.build_temp).resolve())
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                            "-DKEYHOLE_WITH_PYTHON=ON", "-DKEYHOLE_WITH_TLS=OFF",
                            "-DKEYHOLE_BUILD_CLI=OFF", "-DKEYHOLE_BUILD_TESTS=OFF",
                            "-DKEYHOLE_INSTALL=OFF", "-DKEYHOLE_WERROR=OFF",
                            "-DKEYHOLE_JOIN=ON", "-DKEYHOLE_UNITY=ON",
                            f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "keyhole_python", "--parallel",
                        str(os.cpu_count())], check=True)
        subprocess.run(["cmake", "--install", pathlib.Path(build, "python"), "--component",
                        "python", "--prefix", package.parent], check=True)


version = re.search(r'version = "(.*)"', (ROOT / "include/keyhole/version.h").read_text())[1]
setup(version=version, ext_modules=[Extension("keyhole._keyhole", [])],
      cmdclass={"build_ext": CMakeBuild})
