#!/usr/bin/env python3
"""usage: lines.py <folder of the project> [<commit>]

Fails if a line of a page is longer than 100 columns. Tables, code, and lines that are one link
cannot be broken, and do not count; nor do the pages that programs write. Of the pages that are read
most it also fails if a sentence has more than 40 words, or if the mean of a page is above 16. With
a commit it prints a table instead: the words a sentence in the mean, the words of the longest
sentence and the columns of the longest line, in that commit and now, of those pages.
"""

import pathlib
import re
import subprocess
import sys

LONGEST = 100
WRITTEN = ('docs/sets/', 'docs/performance.md')

MOST_WORDS = 40
MEAN_WORDS = 16
READ_MOST = ('README.md', 'SECURITY.md', 'docs/compared.md', 'docs/experiments.md', 'docs/index.md',
             'docs/learners.md', 'docs/learners/', 'docs/python.md', 'docs/reproduction.md',
             'docs/service.md', 'docs/sets.md', 'docs/spaces.md', 'docs/specs.md', 'docs/state.md',
             'docs/studies.md', 'docs/testing.md', 'docs/versions.md', 'docs/tutorials/',
             'examples/README.md')


def long_lines(text, longest=LONGEST):
    """The numbers and lengths of the lines that could be broken and are too long."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r'\s*(```|~~~)', line):
            in_code = not in_code
        words = line.split()
        breakable = len(words) > 1 and not line.startswith(('|', '<', '#', '    '))
        if not in_code and breakable and len(line) > longest:
            yield number, len(line)


def sentences(text):
    """The sentences of the prose, as lists of words. Code is one word, and so is a link's address.

    Formulas, tables and headings are no prose. An item of a list begins a sentence.
    """
    text = re.sub(r'^(```|~~~).*?^\1', '', text, flags=re.M | re.S)
    text = re.sub(r'^(    |\||#|<).*$', '', text, flags=re.M)
    text = re.sub(r'!?\[([^\]]*)\]\([^)]*\)', r'\1', text)
    text = re.sub(r'`[^`]*`', 'Code', text)
    text = re.sub(r'^\s*([-*]|\d+\.) ', '\n\n', text, flags=re.M)
    for paragraph in re.split(r'\n\s*\n', text):
        for sentence in re.split(r'(?<=[.:!?])[)"*_]*\s+(?=[^a-z])|(?<=:)\s', paragraph):
            words = [word for word in sentence.split() if re.search(r'\w', word)]
            if words:
                yield words


def hard_sentences(text):
    """What is wrong with the sentences of a page."""
    lengths = []
    for words in sentences(text):
        lengths.append(len(words))
        if len(words) > MOST_WORDS:
            yield f'{len(words)} words in a sentence: {" ".join(words[:12])} ...'
    mean = sum(lengths) / len(lengths) if lengths else 0
    if mean > MEAN_WORDS:
        yield f'{mean:.1f} words a sentence in the mean'


def measures(text):
    """The mean and the largest number of words of a sentence, and the longest line."""
    lengths = [len(words) for words in sentences(text)]
    widths = [length for _, length in long_lines(text, 0)]
    if not lengths or not widths:
        return '-'
    return f'{sum(lengths) / len(lengths):.1f}, {max(lengths)}, {max(widths)}'


def table(root, pages, commit):
    """What the pages that are read most were in a commit, and are."""
    yield f'| page | {commit} | now |\n|---|---|---|'
    for page in pages:
        if page.startswith(READ_MOST):
            then = subprocess.run(['git', 'show', f'{commit}:{page}'], cwd=root,
                                  capture_output=True, text=True, check=False).stdout
            yield f'| {page} | {measures(then)} | {measures((root / page).read_text())} |'


def self_test():
    words = 'word ' * 30
    assert list(long_lines(words)) == [(1, 150)]
    assert not list(long_lines(f'```\n{words}\n```\n| {words} |\n[link]({"x" * 200})\n'))
    assert list(long_lines(f'```\ncode\n```\n{words}')) == [(4, 150)]
    assert [len(s) for s in sentences('One `a b c` two. Three\nfour.\n\n- Five [six](x y)\n')] == [
        3, 2, 2]
    assert not list(sentences(f'# Head\n| {words} |\n```\n{words}\n```\n    {words}\n'))
    assert measures('One two.\nThree four five six.\n') == '3.0, 4, 20'
    assert len(list(hard_sentences('word ' * 41))) == 2
    assert len(list(hard_sentences('word ' * 17))) == 1
    assert not list(hard_sentences('word ' * 16 + '. Word ' + 'word ' * 15))


def main():
    self_test()
    root = pathlib.Path(sys.argv[1])
    pages = subprocess.run(['git', 'ls-files', '*.md'], cwd=root, capture_output=True, text=True,
                           check=False).stdout.split()
    pages = pages or [str(path.relative_to(root)) for path in (root / 'docs').rglob('*.md')]
    if len(sys.argv) > 2:
        print('\n'.join(table(root, pages, sys.argv[2])))
        return 0
    bad = []
    for page in pages:
        text = (root / page).read_text()
        if not page.startswith(WRITTEN):
            bad += [f'{page}:{number}: {length} columns' for number, length in long_lines(text)]
        if page.startswith(READ_MOST):
            bad += [f'{page}: {error}' for error in hard_sentences(text)]
    print('\n'.join(bad) or f'{len(pages)} pages')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
