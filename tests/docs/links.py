#!/usr/bin/env python3
"""usage: links.py <folder of the project>

Fails if a link of a page leads nowhere: to a file that is not there, or to a heading that its page
does not have. Every page of docs must stand in the navigation of the site (mkdocs.yml), and every
page of the navigation must be there. Links to other hosts are not followed.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

LINK = re.compile(r'!?\[[^\]]*\]\(([^()\s]+)\)|<(?:img|a)\b[^>]*?(?:src|href)="([^"]+)"')
# Made by `make docs`, and not in the repository.
MADE = ('build/',)
# Made by `make pages`; docs/sets/README.md leads to them. Made by `make site`.
NOT_IN_THE_NAVIGATION = re.compile(r'docs/sets/(?!README)')
WRITTEN_BY_THE_SITE = ('docs/commands.md',)


def without_code(text):
    text = re.sub(r'^(```|~~~).*?^\1', '', text, flags=re.M | re.S)
    return re.sub(r'`[^`\n]*`', '`', text)


def anchors(text):
    """The names of the headings, as GitHub and the site make them."""
    text = re.sub(r'^(```|~~~).*?^\1', '', text, flags=re.M | re.S)
    names = set()
    for heading in re.findall(r'^#+ (.*)$', text, re.M):
        words = re.sub(r'[^\w\- ]', '', re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading).lower())
        names.add(words.strip().replace(' ', '-'))
    return names


def broken_links(root, page):
    text = (root / page).read_text()
    for match in LINK.finditer(without_code(text)):
        link = match[1] or match[2]
        if re.match(r'[a-z]+:', link):
            continue
        path, _, anchor = link.partition('#')
        path = path.partition('?')[0]
        target = ((root / page).parent / path).resolve() if path else root / page
        if path and not target.exists():
            if not str(target.relative_to(root)).startswith(MADE):
                yield f'{page}: {link}: there is no such file'
        elif anchor and target.suffix == '.md' and anchor not in anchors(target.read_text()):
            yield f'{page}: {link}: the page has no such heading'


def navigation_errors(root, pages):
    config = root / 'mkdocs.yml'
    listed = set(re.findall(r'[\w./-]+\.md', config.read_text())) if config.exists() else set()
    for page in sorted(listed - set(pages) - set(WRITTEN_BY_THE_SITE)):
        yield f'mkdocs.yml: {page}: there is no such page'
    for page in pages:
        if page.startswith('docs/') and page not in listed:
            if not NOT_IN_THE_NAVIGATION.match(page):
                yield f'{page}: does not stand in the navigation of mkdocs.yml'


def pages_of(root):
    tracked = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard', '*.md'], cwd=root,
                             capture_output=True, text=True, check=False).stdout.split()
    found = tracked or [str(path.relative_to(root)) for folder in ('.', 'docs', 'docs/learners',
                                                                 'docs/tutorials', 'docs/sets',
                                                                 'examples')
                        for path in (root / folder).glob('*.md')]
    return [page for page in found if (root / page).exists()]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        (root / 'docs').mkdir()
        (root / 'docs/a.md').write_text('# One `b` thing\n[x](a.md?k=v#one-b-thing) `[y](no.md)`\n')
        (root / 'mkdocs.yml').write_text('nav: [docs/a.md]\n')
        assert not errors(root)
        (root / 'docs/b.md').write_text('[x](c.md)\n[y](a.md#two)\n[z](#here)\n')
        assert len(errors(root)) == 4, errors(root)
        (root / 'mkdocs.yml').write_text('nav: [docs/a.md, docs/b.md, docs/d.md]\n')
        assert len(errors(root)) == 4, errors(root)


def errors(root):
    pages = pages_of(root)
    return [error for page in pages for error in broken_links(root, page)] + list(
        navigation_errors(root, pages))


def main():
    self_test()
    root = pathlib.Path(sys.argv[1]).resolve()
    found = errors(root)
    print('\n'.join(found) or f'{len(pages_of(root))} pages')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
