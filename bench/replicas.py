#!/usr/bin/env python3
"""usage: replicas.py BENCH_POSTGRES [SECONDS]

How many steps of studies a second replicas over one PostgreSQL make: measured with 1 and 2
replicas on this machine, simulated with those, and with many on machines of their own. The
simulation takes from the measurements what a statement and each step in it cost the processors of
the server and of a replica, and how long a statement waits for the disk. It takes no rate from the
rows with many threads: those are what it is compared with. The machine must do nothing else.
"""

import heapq
import itertools
import os
import subprocess
import sys
from dataclasses import dataclass

LARGEST_BATCH = 256  # of src/studies/journals/postgres/batches.cc


@dataclass
class Costs:
    """Seconds: of a processor, but for `wait`."""
    server_statement: float
    server_step: float
    replica_statement: float
    replica_step: float
    wait: float   # of a statement: the disk, and the way there and back
    bytes: float  # of the server's log, a step


def table(bench, seconds):
    """What bench_postgres prints: a dictionary a row, by (replicas, threads, studies)."""
    text = subprocess.run([bench, seconds], check=True, text=True, stdout=subprocess.PIPE).stdout
    lines = [[cell.strip() for cell in line.strip('|\n').split('|')] for line in text.splitlines()]
    rows = [dict(zip(lines[0], line)) for line in lines[2:]]
    return {tuple(int(row[key]) for key in ('replicas', 'threads', 'studies')): row for row in rows}


def line(one, many, batch):
    """The costs of a statement and of a step, if a statement with one step costs `one`, and each
    step of one with `batch` costs `many`."""
    step = max((many * batch - one) / (batch - 1), 0)
    return max(one - step, 0), step


def costs_of(rows):
    alone, full = rows[1, 1, 1], rows[1, 32, 32]

    def micros(row, name):
        return float(row[name].split()[0]) * 1e-6
    batch = float(full['steps a statement'])
    server = line(micros(alone, 'server a step'), micros(full, 'server a step'), batch)
    replica = line(micros(alone, 'replica a step'), micros(full, 'replica a step'), batch)
    busy = micros(alone, 'server a step') + micros(alone, 'replica a step')
    return Costs(*server, *replica, max(1 / float(alone['steps/s']) - busy, 0),
                 float(full['log bytes a step']))


class Machine:
    """Processors; who comes first is served first."""

    def __init__(self, processors):
        self.free = [0.0] * processors
        self.used = 0.0

    def run(self, now, seconds):
        """When it is done."""
        done = max(now, self.free[0]) + seconds
        heapq.heapreplace(self.free, done)
        self.used += seconds
        return done


def simulated(costs, replicas, threads, server, machines, way=0.0, seconds=1.0):
    """Steps a second, and steps a statement, of replicas on machines, each with threads that have a
    study of their own, over a server on its machine, `way` seconds of network there and back. A
    replica has one statement under way; what comes meanwhile goes with the next one. Commits share
    the disk."""
    events = []
    order = itertools.count()
    waiting = [0] * replicas
    busy = [False] * replicas
    steps = statements = 0

    def at(time, what, replica, count=1):
        heapq.heappush(events, (time, next(order), what, replica, count))

    for replica in range(replicas):
        for _ in range(threads):
            at(0.0, 'ready', replica)
    while events[0][0] < seconds:
        now, _, what, replica, count = heapq.heappop(events)
        machine = machines[replica]
        if what == 'done':  # a statement: its threads make their next steps
            busy[replica] = False
            steps += count
            statements += 1
            for _ in range(count):
                at(machine.run(now, costs.replica_step), 'ready', replica)
        elif what == 'ready':
            waiting[replica] += 1
        elif what == 'sent':
            work = costs.server_statement + count * costs.server_step
            at(server.run(now, work) + costs.wait + way, 'done', replica, count)
        if waiting[replica] > 0 and not busy[replica]:
            busy[replica] = True
            batch = min(waiting[replica], LARGEST_BATCH)
            waiting[replica] -= batch
            at(machine.run(now, costs.replica_statement), 'sent', replica, batch)
    return steps / seconds, steps / max(statements, 1)


def main():
    rows = table(os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else '3')
    costs = costs_of(rows)
    print(f'a statement: {1e6 * costs.server_statement:.0f} us of the server, '
          f'{1e6 * costs.replica_statement:.0f} us of the replica, {1e6 * costs.wait:.0f} us of '
          f'waiting;\neach step in it: {1e6 * costs.server_step:.0f} us of the server, '
          f'{1e6 * costs.replica_step:.0f} us of the replica, {costs.bytes:.0f} bytes of log')
    print('\non this machine\nreplicas  threads of each  simulated steps/s  measured steps/s')
    for replicas, threads, studies in ((1, 1, 1), (1, 32, 32), (2, 32, 64)):
        machine = Machine(os.cpu_count())
        rate, _ = simulated(costs, replicas, threads, machine, [machine] * replicas)
        measured = float(rows[replicas, threads, studies]['steps/s'])
        print(f'{replicas:8}  {threads:15}  {rate:17.0f}  {measured:16.0f}')
    print('\neach replica on 2 processors of its own with 256 threads, 0.2 ms of network\n'
          'replicas  processors of the server  simulated steps/s  steps a statement  server busy')
    for processors in (2, 8):
        for replicas in (1, 2, 4, 8, 16):
            server = Machine(processors)
            rate, batch = simulated(costs, replicas, 256, server,
                                    [Machine(2) for _ in range(replicas)], way=2e-4)
            print(f'{replicas:8}  {processors:24}  {rate:17.0f}  {batch:17.1f}  '
                  f'{min(server.used / processors, 1):10.0%}')
    print(f'\n100000 steps a second take {1e5 * costs.server_step:.1f} processors of the server '
          f'for the steps alone,\n{1e5 * costs.replica_step:.1f} of the replicas, and '
          f'{1e5 * costs.bytes / 1e6:.0f} MB of log a second')


if __name__ == '__main__':
    main()
