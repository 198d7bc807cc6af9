#!/usr/bin/env python3
"""usage: scaling.py KEYHOLE KEYHOLE-MPI FILE.toml [OPTION of keyhole run]...

How an experiment scales over processes: measured with 1 and 2 ranks, simulated with those and with
many more. The simulation takes from a run of one process how long each unit took (by the times at
which its parts were written), how long it took to begin, to measure the times of rounds and to
merge. Ranks then take units in order from a counter, and share the problems whose times they
measure. Prints a table; the machine must do nothing else.
"""

import heapq
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def seconds(command, folder):
    begin = time.time()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return begin, time.time() - begin


def number(part):
    """The repeat and the problem of a part: the order in which units are taken."""
    problem, repeat = part.stem.split('-')
    return int(repeat), int(problem)


def one_process(keyhole, study, options, folder):
    """Of a run by one slice of one: seconds to prepare and to begin, of each unit, to measure the
    times of a problem, how many problems there are, and seconds to merge."""
    run = [keyhole, 'run', study, *options, '--quiet', '--out', 'one', '--threads=1']
    _, trial = seconds([*run, '--trial'], folder)
    begin, took = seconds([*run, '--slice', '1/1'], folder)
    parts = sorted((pathlib.Path(folder) / 'one/parts').glob('*.json'), key=number)
    ends = [part.stat().st_mtime for part in parts]
    units = [end - before for before, end in zip(ends, ends[1:])]
    # The first unit begins after the file was read; as long as others of its problem it takes.
    problems = sum(1 for part in parts if number(part)[0] == 0)
    first = units[problems - 1] if len(units) >= problems else ends[0] - begin
    _, merge = seconds([*run, '--merge'], folder)
    timing = (begin + took - ends[-1]) / problems
    return trial + max(ends[0] - begin - first, 0), [first, *units], timing, problems, merge


def simulated(ranks, begin, units, timing, problems, merge):
    """When the results are there, if each rank takes the next unit as soon as it can."""
    free = [begin] * min(ranks, len(units))
    for unit in units:
        heapq.heapreplace(free, free[0] + unit)
    return max(free) + timing * -(-problems // ranks) + merge


def main():
    keyhole, keyhole_mpi, study = (os.path.abspath(word) for word in sys.argv[1:4])
    options = sys.argv[4:]
    os.environ['OMPI_ALLOW_RUN_AS_ROOT'] = os.environ['OMPI_ALLOW_RUN_AS_ROOT_CONFIRM'] = '1'
    with tempfile.TemporaryDirectory(prefix='keyhole-scaling-') as folder:
        begin, units, timing, problems, merge = one_process(keyhole, study, options, folder)
        work = sum(units)
        print(f'{len(units)} units, {work:.2f} s of work, the longest {max(units):.2f} s; '
              f'to begin {begin:.2f} s,\nto measure times {timing * problems:.2f} s, '
              f'to merge {merge:.2f} s')
        print('ranks  simulated s  measured s  speed-up  share of the processors')
        alone = None
        for ranks in (1, 2):
            _, took = seconds(['mpirun', '--oversubscribe', '-n', str(ranks), keyhole_mpi, 'run',
                               study, *options, '--quiet', '--out', f'mpi{ranks}'], folder)
            alone = alone or took
            expected = simulated(ranks, begin, units, timing, problems, merge)
            print(f'{ranks:5}  {expected:11.2f}  {took:10.2f}  '
                  f'{alone / took:8.2f}  {alone / took / ranks:.2f}')
        rest = (timing, problems, merge)
        one = simulated(1, begin, units, *rest)
        for ranks in (4, 16, 64, 256, 1024):
            took = simulated(ranks, begin, units, *rest)
            share = one / took / ranks
            print(f'{ranks:5}  {took:11.2f}           -  {one / took:8.1f}  {share:.2f}')
        for repeats in (10, 100):
            took, many = (simulated(count, begin, units * repeats, timing, problems,
                                    merge * repeats) for count in (1, 1024))
            print(f'with {repeats} times the repeats, 1024 ranks: {many:.2f} s, speed-up '
                  f'{took / many:.0f}, {took / many / 1024:.2f} of the processors')


if __name__ == '__main__':
    main()
