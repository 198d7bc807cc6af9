#!/usr/bin/env python3
"""usage: scaling.py KEYHOLE KEYHOLE-MPI FILE.toml [OPTION of keyhole run]...

How an experiment scales over processes: measured with 1 and 2 ranks, simulated with those and with
many more. The simulation takes from a run of one process how long each unit took (by the times at
which its parts were written), how long it took to begin, to find out who is too slow (`slowest`),
to measure the times of rounds and to merge. Ranks then share the problems that they try, and take
units in order from a counter, then problems whose times they measure. Prints a table; the machine
must do nothing else.
"""

import heapq
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Costs:
    """Seconds of a run by one process."""
    begin: float   # by each process, before all else
    trial: float   # of a problem: who is too slow for it
    units: list    # each of them, in order
    timing: float  # of a problem: the times of its rounds
    problems: int  # how many there are
    merge: float


def seconds(command, folder):
    """When it began and how long it took."""
    begin = time.time()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return begin, time.time() - begin


def processor_seconds():
    """Of all programs that were run. A rank that waits for others uses its processor too."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def number(part):
    """The repeat and the problem of a part: the order in which units are taken."""
    problem, repeat = part.stem.split('-')
    return int(repeat), int(problem)


def one_process(keyhole, study, options, folder):
    """Of a run by one slice of one."""
    run = [keyhole, 'run', study, *options, '--quiet', '--out', 'one', '--threads=1']
    _, trial = seconds([*run, '--trial'], folder)
    _, ready = seconds([*run, '--trial'], folder)  # all is known
    begin, took = seconds([*run, '--slice', '1/1'], folder)
    parts = sorted((pathlib.Path(folder) / 'one/parts').glob('*.json'), key=number)
    ends = [part.stat().st_mtime for part in parts]
    units = [end - before for before, end in zip(ends, ends[1:])]
    # The first unit begins after the file was read; as long as others of its problem it takes.
    problems = sum(1 for part in parts if number(part)[0] == 0)
    first = units[problems - 1] if len(units) >= problems else ends[0] - begin
    _, merge = seconds([*run, '--merge'], folder)
    return Costs(ready + max(ends[0] - begin - first, 0), (trial - ready) / problems,
                 [first, *units], (begin + took - ends[-1]) / problems, problems, merge)


def simulated(ranks, costs, repeats=1):
    """When the results are there, if each rank takes the next problem or unit as soon as it can;
    with so many times the units."""
    share = -(-costs.problems // ranks)
    work = costs.units * repeats + [costs.timing] * costs.problems
    free = [costs.begin + costs.trial * share] * min(ranks, len(work))
    for unit in work:
        heapq.heapreplace(free, free[0] + unit)
    return max(free) + costs.merge * repeats


def main():
    keyhole, keyhole_mpi, study = (os.path.abspath(word) for word in sys.argv[1:4])
    options = sys.argv[4:]
    os.environ['OMPI_ALLOW_RUN_AS_ROOT'] = os.environ['OMPI_ALLOW_RUN_AS_ROOT_CONFIRM'] = '1'
    with tempfile.TemporaryDirectory(prefix='keyhole-scaling-') as folder:
        costs = one_process(keyhole, study, options, folder)
        print(f'{len(costs.units)} units, {sum(costs.units):.2f} s of work, the longest '
              f'{max(costs.units):.2f} s; to begin {costs.begin:.2f} s,\n'
              f'to find out who is too slow {costs.trial * costs.problems:.2f} s, to measure times '
              f'{costs.timing * costs.problems:.2f} s, to merge {costs.merge:.2f} s')
        print('ranks  simulated s  measured s  processor s  speed-up  share of the processors')
        alone = None
        for ranks in (1, 2):
            before = processor_seconds()
            _, took = seconds(['mpirun', '--oversubscribe', '-n', str(ranks), keyhole_mpi, 'run',
                               study, *options, '--quiet', '--out', f'mpi{ranks}'], folder)
            alone = alone or took
            expected = simulated(ranks, costs)
            used = processor_seconds() - before
            print(f'{ranks:5}  {expected:11.2f}  {took:10.2f}  {used:11.2f}  '
                  f'{alone / took:8.2f}  {alone / took / ranks:.2f}', flush=True)
        one = simulated(1, costs)
        for ranks in (4, 16, 64, 256, 1024):
            took = simulated(ranks, costs)
            share = one / took / ranks
            print(f'{ranks:5}  {took:11.2f}           -            -  {one / took:8.1f}  '
                  f'{share:.2f}')
        for repeats in (10, 100):
            took, many = (simulated(count, costs, repeats) for count in (1, 1024))
            print(f'with {repeats} times the repeats, 1024 ranks: {many:.2f} s, speed-up '
                  f'{took / many:.0f}, {took / many / 1024:.2f} of the processors')


if __name__ == '__main__':
    main()
