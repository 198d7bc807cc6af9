#!/usr/bin/env python3
"""usage: set_blocks.py check <folder of the project>
       set_blocks.py examples <folder of the project> <file.cc>

`check` fails unless the comment of every factory of a set (include/keyhole, namespace sets) has the
block of BLOCK, each item once and in this order, and an example. `examples` writes one program of
all examples: each is run, what it says of `inside` and of what throws is checked, and so is what
the block says of the projection and of flatness.
"""

import pathlib
import re
import sys

BLOCK = ['Set', 'Oracle', 'Geometry', 'Projection', 'Cost', 'Refuses']
FACTORY = re.compile(r'\[\[nodiscard\]\] SetPtr (\w+)\(')
ITEM = re.compile(r'- (\w+): (.*)')
THROWS = re.compile(r'// (.*) throws InvalidArgument')


def factories(header):
    """The names of the factories with the lines of the comment before their first declaration."""
    found = {}
    in_sets = False
    comment = []
    for line in header.splitlines():
        if line.startswith(('namespace sets {', '}  // namespace sets')):
            in_sets = line.startswith('namespace')
        match = FACTORY.match(line)
        if in_sets and match:
            found.setdefault(match[1], comment)
        comment = comment + [line[4:]] if line.startswith('///') else []
    return found


def items(comment):
    """The items of the block: a list of names and texts."""
    result = []
    for line in comment:
        match = ITEM.match(line)
        if match and match[1] in BLOCK:
            result.append([match[1], match[2]])
        elif result and line.startswith('  '):
            result[-1][1] += ' ' + line.strip()
        elif result:
            break
    return result


def example(comment):
    """The lines between @code and @endcode, or none."""
    if '@code' not in comment or '@endcode' not in comment:
        return []
    return comment[comment.index('@code') + 1:comment.index('@endcode')]


def errors_of(name, comment):
    names = [item for item, _ in items(comment)]
    if names != BLOCK:
        yield f'{name}: the comment has {", ".join(names) or "no block"}, not {", ".join(BLOCK)}'
    code = example(comment)
    for what, pattern in (('makes the set', r'const auto set = keyhole::'),
                          ('asks whether a point is inside', r'const bool inside = .*// true$'),
                          ('says what throws', THROWS.pattern + '$')):
        if not any(re.match(pattern, line) for line in code):
            yield f'{name}: no line of the example {what} ({pattern})'
    if not any(f'keyhole::{name}(' in line for line in code):
        yield f'{name}: the example does not call it'


def test_of(name, comment):
    """A test that runs the example, and holds the block against the set that it makes."""
    text = dict(items(comment))
    lines = [f'TEST(SetExamples, {name}) {{']
    lines += [f'  {line}' for line in example(comment)]
    lines += ['  EXPECT_TRUE(inside);']
    for match in filter(None, map(THROWS.match, example(comment))):
        lines.append(f'  EXPECT_THROW(static_cast<void>({match[1]}), keyhole::InvalidArgument);')
    projects = 'false' if text['Projection'].startswith('none') else 'true'
    lines.append(f'  EXPECT_EQ(set->can_project(), {projects}) << "Projection";')
    if not re.search(r'\bflat if\b', text['Geometry']):
        flat = 'true' if re.search(r'\bflat\b', text['Geometry']) else 'false'
        lines.append(f'  EXPECT_EQ(set->hull_dimension() < set->dimension(), {flat}) << "flat";')
    lines.append('}')
    if 'KEYHOLE_WITH_LEMON' in text['Refuses']:
        lines = ['#ifdef KEYHOLE_WITH_LEMON', *lines, '#endif']
    return lines


def self_test():
    good = ('namespace sets {\n/// Some.\n///\n/// - Set: {x}.\n/// - Oracle: v,\n///   sparse.\n'
            '/// - Geometry: p; flat.\n/// - Projection: none.\n/// - Cost: O(n).\n'
            '/// - Refuses: n = 0.\n///\n/// @code\n/// const auto set = keyhole::some(1);\n'
            '/// const bool inside = set->contains(x);  // true\n'
            '/// // keyhole::some(0) throws InvalidArgument\n/// @endcode\n'
            '[[nodiscard]] SetPtr some(int n);\n/// The same.\n[[nodiscard]] SetPtr some();\n'
            '}  // namespace sets\n[[nodiscard]] SetPtr other();\n')

    def wrong(header):
        return [error for found in factories(header).items() for error in errors_of(*found)]

    assert list(factories(good)) == ['some'] and not wrong(good), wrong(good)
    assert dict(items(factories(good)['some']))['Oracle'] == 'v, sparse.'
    assert len(wrong(good.replace('- Cost', '- Price'))) == 1
    assert len(wrong(good.replace('- Cost', '- Set'))) == 1
    assert len(wrong(good.replace('  // true', ''))) == 1
    assert len(wrong(good.replace('keyhole::some', 'keyhole::another'))) == 1
    assert len(wrong(good.replace('@code', ''))) == 4
    test = '\n'.join(test_of('some', factories(good)['some']))
    assert 'EXPECT_THROW(static_cast<void>(keyhole::some(0))' in test
    assert 'can_project(), false' in test and 'dimension(), true' in test


def main():
    self_test()
    root = pathlib.Path(sys.argv[2])
    found = {}
    for header in sorted((root / 'include/keyhole').glob('*.h')):
        found |= factories(header.read_text())
    errors = [error for name, comment in found.items() for error in errors_of(name, comment)]
    if errors or not found:
        print('\n'.join(errors) or 'no factory was found')
        return 1
    if sys.argv[1] == 'examples':
        lines = ['#include <gtest/gtest.h>', '#include <keyhole/keyhole.h>', '#include <vector>']
        for name, comment in found.items():
            lines += ['', *test_of(name, comment)]
        pathlib.Path(sys.argv[3]).write_text('\n'.join(lines) + '\n')
    print(f'{len(found)} factories')
    return 0


if __name__ == '__main__':
    sys.exit(main())
