#!/usr/bin/env python3
"""usage: lines.py <folder of the project>

Fails if a line of a page is longer than 100 columns. Tables, code, and lines that are one link
cannot be broken, and do not count; nor do the pages that programs write.
"""

import pathlib
import re
import subprocess
import sys

LONGEST = 100
WRITTEN = ('docs/sets/', 'docs/performance.md')


def long_lines(text):
    """The numbers and lengths of the lines that could be broken and are too long."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r'\s*(```|~~~)', line):
            in_code = not in_code
        words = line.split()
        breakable = len(words) > 1 and not line.startswith(('|', '<', '#', '    '))
        if not in_code and breakable and len(line) > LONGEST:
            yield number, len(line)


def self_test():
    words = 'word ' * 30
    assert list(long_lines(words)) == [(1, 150)]
    assert not list(long_lines(f'```\n{words}\n```\n| {words} |\n[link]({"x" * 200})\n'))
    assert list(long_lines(f'```\ncode\n```\n{words}')) == [(4, 150)]


def main():
    self_test()
    root = pathlib.Path(sys.argv[1])
    pages = subprocess.run(['git', 'ls-files', '*.md'], cwd=root, capture_output=True, text=True,
                           check=False).stdout.split()
    pages = pages or [str(path.relative_to(root)) for path in (root / 'docs').rglob('*.md')]
    bad = [f'{page}:{number}: {length} columns' for page in pages if not page.startswith(WRITTEN)
           for number, length in long_lines((root / page).read_text())]
    print('\n'.join(bad) or f'{len(pages)} pages')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
