#!/usr/bin/env python3
"""usage: scaling.py KEYHOLE KEYHOLE-MPI FILE.toml [OPTION of keyhole run]...

How an experiment scales over processes: measured with 1 and 2 ranks, simulated with those and with
many more. The simulation takes from a run of one process how long each unit took (by the times at
which its parts were written), how long it took to begin and to merge; ranks then take units in order
from a counter. Prints a table; the machine must do nothing else.
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
    """The problem and the repeat of a part, the repeat first: the order in which units are taken."""
    problem, repeat = part.stem.split('-')
    return int(repeat), int(problem)


def one_process(keyhole, study, options, folder):
    """Seconds to begin, of each unit, and to merge, of a run by one slice of one."""
    run = [keyhole, 'run', study, *options, '--quiet', '--out', 'one', '--threads=1']
    begin, _ = seconds([*run, '--slice', '1/1'], folder)
    parts = sorted((pathlib.Path(folder) / 'one/parts').glob('*.json'), key=number)
    ends = [part.stat().st_mtime for part in parts]
    units = [end - before for before, end in zip(ends, ends[1:])]
    # The first unit begins after the file was read; as long as others of its problem it takes.
    problems = sum(1 for part in parts if number(part)[0] == 0)
    first = units[problems - 1] if len(units) >= problems else ends[0] - begin
    _, merge = seconds([*run, '--merge'], folder)
    return max(ends[0] - begin - first, 0), [first, *units], merge


def simulated(ranks, begin, units, merge):
    """When the results are there, if each rank takes the next unit as soon as it can."""
    free = [begin] * min(ranks, len(units))
    for unit in units:
        heapq.heapreplace(free, free[0] + unit)
    return max(free) + merge


def main():
    keyhole, keyhole_mpi, study = (os.path.abspath(word) for word in sys.argv[1:4])
    options = sys.argv[4:]
    os.environ['OMPI_ALLOW_RUN_AS_ROOT'] = os.environ['OMPI_ALLOW_RUN_AS_ROOT_CONFIRM'] = '1'
    with tempfile.TemporaryDirectory(prefix='keyhole-scaling-') as folder:
        begin, units, merge = one_process(keyhole, study, options, folder)
        work = sum(units)
        print(f'{len(units)} units, {work:.2f} s of work, the longest {max(units):.2f} s; '
              f'to begin {begin:.2f} s, to merge {merge:.2f} s')
        print('ranks  simulated s  measured s  speed-up  share of the processors')
        alone = None
        for ranks in (1, 2):
            _, took = seconds(['mpirun', '--oversubscribe', '-n', str(ranks), keyhole_mpi, 'run',
                               study, *options, '--quiet', '--out', f'mpi{ranks}'], folder)
            alone = alone or took
            print(f'{ranks:5}  {simulated(ranks, begin, units, merge):11.2f}  {took:10.2f}  '
                  f'{alone / took:8.2f}  {alone / took / ranks:.2f}')
        one = simulated(1, begin, units, merge)
        for ranks in (4, 16, 64, 256, 1024):
            took = simulated(ranks, begin, units, merge)
            print(f'{ranks:5}  {took:11.2f}           -  {one / took:8.1f}  {one / took / ranks:.2f}')
        for repeats in (10, 100):
            took, many = (simulated(count, begin, units * repeats, merge * repeats)
                          for count in (1, 1024))
            print(f'with {repeats} times the repeats, 1024 ranks: {many:.2f} s, speed-up '
                  f'{took / many:.0f}, {took / many / 1024:.2f} of the processors')


if __name__ == '__main__':
    main()
