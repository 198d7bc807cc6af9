#!/usr/bin/env python3
"""usage: check.py arrows <folder of the project>
       check.py headers <folder of the project> <compiler>
       check.py self-test <compiler>

arrows: holds what the files under src, include and python/src say against the blocks `arrows`, `headers`,
`outsiders` and `writers` of docs/architecture.md, and counts the files of each folder.
headers: compiles every public header alone.
self-test: breaks each rule in a made-up project and looks whether that is noticed.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = 'docs/architecture.md'
MOST_FILES = 25  # of one kind in one folder
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
NOT_CODE = re.compile(r'''//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])'|"(?:\\.|[^"\\\n])*"''', re.DOTALL)
# What only a file that writes has a use for.
WRITING = re.compile(r'\b(?:w?ofstream|w?fstream(?!>)|filebuf|fopen|freopen|fdopen|tmpfile|mkstemp|'
                     r'creat|openat|O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND)\b')


def block(page, name):
    """{first word: the words after "->"} of a block of the page, in order; a line that begins
    with a blank goes on from the one before."""
    found = re.search(rf'^```{name}\n(.*?)^```$', page, re.DOTALL | re.MULTILINE)
    if not found:
        raise SystemExit(f'{PAGE}: there is no block {name}')
    lines = [line.split('->') for line in re.sub(r'\n +', ' ', found[1]).splitlines()]
    result = {first.strip(): ' '.join(others).split() for first, *others in lines}
    if len(result) < len(lines):
        raise SystemExit(f'{PAGE}: the block {name} has a name twice')
    return result


def folder_of(file):
    """sets/basic of src/sets/basic/ball.cc."""
    return str(pathlib.PurePath(file).parent.relative_to('src'))


def matches(name, pattern):
    """Whether the pattern is the name, or a folder or beginning of it that ends in / or *."""
    return name == pattern or (pattern[-1] in '/*' and name.startswith(pattern.rstrip('*')))


class Project:
    def __init__(self, root):
        root = pathlib.Path(root)
        page = (root / PAGE).read_text()
        self.arrows, self.headers, self.outsiders, self.writers = (
            block(page, name) for name in ('arrows', 'headers', 'outsiders', 'writers'))
        paths = [path for folder in ('src', 'include', 'python/src')
                 for path in sorted((root / folder).rglob('*'))]
        self.text = {str(path.relative_to(root)): path.read_text()
                     for path in paths if path.suffix in ('.cc', '.h')}
        self.includes = {file: INCLUDE.findall(text) for file, text in self.text.items()}
        self.problems = []

    def report(self, where, what):
        self.problems.append(f'{where}: {what}')

    def check(self):
        self.check_page()
        self.check_sizes()
        self.check_cycles()
        for file, text in self.text.items():
            for mark, name in self.includes[file]:
                target = self.ours(name)
                if target:
                    self.check_arrow(file, target, name)
                else:
                    self.check_outsider(file, mark, name)
            writing = WRITING.search(NOT_CODE.sub('', text))
            if writing and file not in self.writers:
                self.report(file, f'{writing[0]}: only the writers of {PAGE} open files to write')
        return self.problems

    def ours(self, name):
        """The file of the project that an #include names; None for others."""
        paths = (f'src/{name}', f'include/{name}', f'python/src/{name}')
        return next((path for path in paths if path in self.text), None)

    def room(self, file):
        """sets, of src/sets/basic/ball.cc and of include/keyhole/set.h."""
        path = pathlib.PurePath(file)
        if path.parts[0] == 'src':
            return path.parts[1]
        return next((room for room, names in self.headers.items() if path.stem in names), None)

    def check_page(self):
        """The page speaks of all that is there and of nothing else, and its arrows point down."""
        folders = {folder_of(file) for file in self.text if file.startswith('src/')}
        for folder in sorted(folders ^ set(self.arrows)):
            what = 'not listed' if folder in folders else 'not there'
            self.report(PAGE, f'arrows: src/{folder} is {what}')
        below = set()
        for room, others in self.arrows.items():
            for other in others:
                if other not in below and f'include/{other}' not in self.text:
                    self.report(PAGE, f'arrows: {room} -> {other} points up, or to nothing')
            below.add(room)
        listed = sum(self.headers.values(), [])
        headers = [pathlib.PurePath(file).stem for file in self.text if file.startswith('include/')]
        for name in sorted(set(listed + headers)):
            if listed.count(name) != headers.count(name):
                self.report(PAGE, f'headers: {name}.h is there {headers.count(name)} times, '
                                  f'but listed {listed.count(name)} times')
        for name, places in self.outsiders.items():
            for place in places:
                if not any(matches(file, place) and matches(other, name)
                           for file in self.text for _, other in self.includes[file]):
                    self.report(PAGE, f'outsiders: {place} does not include {name}')
        for file in self.writers:
            if not WRITING.search(self.text.get(file, '')):
                self.report(PAGE, f'writers: {file} does not write')

    def check_arrow(self, file, target, name):
        if file.startswith('python/'):
            if target.startswith('src/'):
                self.report(file, f'includes the private {name}')
            return
        if file.startswith('include/') and target.startswith('src/'):
            self.report(file, f'a public header includes the private {name}')
        here, there = self.room(file), self.room(target)
        if here == there and file.startswith('src/') and target.startswith('src/'):
            here, there = folder_of(file), folder_of(target)
        if there == 'keyhole':
            self.report(file, f'includes {name}, which is for users of the library')
        elif here not in (there, 'keyhole'):
            allowed = self.arrows.get(here, [])
            if there not in allowed and name not in allowed:
                self.report(file, f'includes {name}: there is no arrow {here} -> {there}')

    def check_outsider(self, file, mark, name):
        """A header of the standard library, or one that the page allows to this file."""
        standard = mark == '<' and re.fullmatch(r'[a-z0-9_]+', name)
        places = [place for start, places in self.outsiders.items()
                  if matches(name, start) for place in places]
        if file.startswith('include/'):
            if not standard:
                self.report(file, f'a public header includes {name}')
        elif (places or not standard) and not any(matches(file, place) for place in places):
            self.report(file, f'includes {name}: the outsiders of {PAGE} do not allow it')

    def check_cycles(self):
        """No header includes itself, however long the way."""
        done = set()

        def visit(file, way):
            if file in way:
                self.report(file, f'includes itself: {" -> ".join(way[way.index(file):])}')
            elif file not in done:
                for other in filter(None, (self.ours(name) for _, name in self.includes[file])):
                    visit(other, [*way, file])
                done.add(file)

        for file in self.text:
            visit(file, [])

    def check_sizes(self):
        kinds = [(folder_of(file), pathlib.PurePath(file).suffix)
                 for file in self.text if file.startswith('src/')]
        for folder, kind in sorted(set(kinds)):
            count = kinds.count((folder, kind))
            if count > MOST_FILES:
                self.report(f'src/{folder}', f'{count} files *{kind}, more than {MOST_FILES}')


def check_headers(root, compiler):
    """What the compiler says of public headers that need another one before them."""
    include = pathlib.Path(root) / 'include'
    command = [compiler, '-std=c++20', '-Wall', '-Wextra', '-Werror', '-fsyntax-only',
               f'-I{include}', '-x', 'c++', '-']

    def compile_alone(header):
        line = f'#include "{header.relative_to(include)}"\n'
        run = subprocess.run(command, input=line * 2, text=True, capture_output=True, check=False)
        return [] if run.returncode == 0 else [f'{header}: does not compile alone\n{run.stderr}']

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(compile_alone, sorted(include.rglob('*.h'))), [])


# A project in which every rule holds.
MADE_UP = {
    PAGE: '''
```arrows
base
sets -> base keyhole/late.h
sets/round -> sets
sets/square -> sets
learners -> base sets
```
```headers
base -> error
sets -> set
learners -> late
keyhole -> keyhole
```
```outsiders
Eigen/ ->
   src/sets/set.cc
fstream -> src/base/
```
```writers
src/base/disk.cc
```
''',
    'include/keyhole/error.h': '#pragma once\n#include <string>\n',
    'include/keyhole/set.h': '#pragma once\n#include "keyhole/error.h"\n',
    'include/keyhole/late.h': '#pragma once\n#include "keyhole/set.h"\n',
    'include/keyhole/keyhole.h': '#pragma once\n#include "keyhole/late.h"\n',
    'src/base/disk.cc': '#include <fstream>\nstd::ofstream file;\n',
    'src/base/disk.h': '#pragma once\n#include "keyhole/error.h"\n',
    'src/sets/set.cc':
        '#include <Eigen/Dense>\n#include "base/disk.h"\n#include "keyhole/late.h"\n',
    'src/sets/shared.h': '#pragma once\n#include "keyhole/set.h"  // no ofstream\n',
    'src/sets/round/ball.h': '#pragma once\n#include "sets/shared.h"\n',
    'src/sets/square/box.cc': '#include "sets/shared.h"\nconst char* const word = "O_RDWR";\n',
    'src/learners/fkm.cc': '#include "keyhole/set.h"\n#include "sets/round/ball.h"\n',
    'python/src/own.h': '#pragma once\n#include "keyhole/keyhole.h"\n',
    'python/src/module.cc': '#include "own.h"\n',
}

# Of a file: what is added to it (or replaced by what), and what is to be said then.
VIOLATIONS = [
    ('src/base/disk.h', '#include "keyhole/set.h"', 'no arrow base -> sets'),
    ('src/base/disk.cc', '#include "sets/shared.h"', 'no arrow base -> sets'),
    ('src/sets/set.cc', '#include "sets/round/ball.h"', 'no arrow sets -> sets/round'),
    ('src/sets/square/box.cc', '# include "sets/round/ball.h"', 'no arrow sets/square -> sets/'),
    ('src/sets/square/box.cc', '#include <Eigen/Core>', 'outsiders of docs/architecture.md do not'),
    ('src/learners/fkm.cc', '#include <unistd.h>', 'outsiders of docs/architecture.md do not'),
    ('src/learners/fkm.cc', '#include <fstream>', 'outsiders of docs/architecture.md do not'),
    ('src/learners/fkm.cc', 'auto file = std::fopen("a", "w");', 'open files to write'),
    ('src/learners/fkm.cc', "char c = '\"'; int f = open(name, O_CREAT);", 'open files to write'),
    ('src/learners/fkm.cc', '#include "keyhole/keyhole.h"', 'which is for users'),
    ('include/keyhole/set.h', '#include "sets/shared.h"', 'includes the private'),
    ('python/src/module.cc', '#include "sets/shared.h"', 'includes the private'),
    ('python/src/module.cc', '#include <Eigen/Core>', 'outsiders of docs/architecture.md do not'),
    ('include/keyhole/set.h', '#include <Eigen/Core>', 'a public header includes Eigen/Core'),
    ('include/keyhole/set.h', '#include "keyhole/late.h"', 'includes itself'),
    ('include/keyhole/error.h', '#include "keyhole/set.h"', 'no arrow base -> sets'),
    ('include/keyhole/new.h', '', 'new.h is there 1 times, but listed 0 times'),
    ('src/new/room.cc', '', 'src/new is not listed'),
    ('src/sets/blue/set.cc', '', 'src/sets/blue is not listed'),
    (PAGE, ('sets/square', 'sets/green'), 'src/sets/green is not there'),
    (PAGE, ('base\n', 'base -> learners\n'), 'base -> learners points up'),
    (PAGE, ('sets/round ->', 'sets/round -> sets/square'), 'sets/round -> sets/square points up'),
    (PAGE, ('-> set\n', '-> set gone\n'), 'gone.h is there 0 times, but listed 1 times'),
    (PAGE, ('-> late', '-> late set'), 'set.h is there 1 times, but listed 2 times'),
    (PAGE, ('src/base/\n', 'src/base/ src/learners/\n'), 'src/learners/ does not include fstream'),
    (PAGE, ('`writers\n', '`writers\nsrc/learners/fkm.cc\n'), 'fkm.cc does not write'),
]


def self_test(compiler):
    failures = []

    def look(changes, expected, check=lambda root: Project(root).check()):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**MADE_UP, **changes}.items():
                path = pathlib.Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = check(root)
        if not any(expected in text for text in found) if expected else found:
            failures.append(f'{changes}: expected "{expected}", found {found}')

    look({}, None)
    for name, change, expected in VIOLATIONS:
        before = MADE_UP.get(name, '')
        after = before.replace(*change) if isinstance(change, tuple) else f'{before}{change}\n'
        look({name: after}, expected)
    look({f'src/sets/set_{i}.cc': '' for i in range(MOST_FILES)}, '26 files *.cc, more than 25')

    def headers(root):
        return check_headers(root, compiler)

    look({}, None, headers)
    look({'include/keyhole/late.h': '#pragma once\nstd::string x;\n'}, 'late.h: does not', headers)
    look({'include/keyhole/set.h': 'inline int x = 1;\n'}, 'set.h: does not compile alone', headers)
    return failures


def main():
    actions = {'arrows': lambda root: Project(root).check(),
               'headers': check_headers,
               'self-test': self_test}
    if len(sys.argv) < 3 or sys.argv[1] not in actions:
        raise SystemExit(__doc__)
    problems = actions[sys.argv[1]](*sys.argv[2:])
    print('\n'.join(problems))
    sys.exit(1 if problems else 0)


main()
