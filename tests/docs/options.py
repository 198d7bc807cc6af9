#!/usr/bin/env python3
"""usage: options.py <folder of the project>

Fails if docs/building.md does not list each option of CMakeLists.txt once, or lists another one.
"""

import pathlib
import re
import sys


def main(folder):
    root = pathlib.Path(folder)
    cmake = (root / 'CMakeLists.txt').read_text()
    options = set(re.findall(r'^\s*option\((\w+)', cmake, re.M))
    options |= set(re.findall(r'^\s*set\((\w+) .* CACHE ', cmake, re.M)) - {'CMAKE_BUILD_TYPE'}
    options |= {'BUILD_SHARED_LIBS'}
    listed = re.findall(r'^\| `(\w+)` \|', (root / 'docs/building.md').read_text(), re.M)
    wrong = [f'docs/building.md does not have {name}' for name in sorted(options - set(listed))]
    wrong += [f'docs/building.md has {name}, which is no option' for name in listed
              if name not in options]
    wrong += [f'docs/building.md has {name} twice' for name in set(listed)
              if listed.count(name) > 1]
    sys.exit('\n'.join(wrong) or None)


if __name__ == '__main__':
    main(sys.argv[1])
