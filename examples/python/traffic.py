"""Reserves capacity for traffic that was measured, by what is known at the time: traffic.py FILE.csv

FILE has a row for every five minutes: a column `time`, then what went between each pair of places
in them, in units of 100 bytes. What is reserved costs 1 for each Gb/s, and what does not fit 4.
"""

import csv
import sys

import keyhole as kh

with open(sys.argv[1], newline="") as file:
    rows = list(csv.reader(file))
traffic = [sum(map(float, row[1:])) * 800 / 300 / 1e9 for row in rows[1:]]  # in Gb/s
most = 2 * sum(traffic) / len(traffic)
today = 0.9 * most


def cost(reserved, wanted):
    return reserved + 4 * max(0, wanted - reserved)


def mean(costs):
    return sum(costs) / len(costs)


def learned(contexts, known):
    """The mean cost of all rounds, with what it cost to learn; `known` is what is known in one."""
    space = kh.Space(reserved=kh.number(0, most), contexts=contexts)
    learner = kh.Learner(space, kh.learners.posterior(start=[today]), seed=7)
    costs = []
    for t in range(1, len(traffic)):
        play = learner.ask(**known(t))
        costs.append(cost(play.values["reserved"], traffic[t]))
        learner.tell(play, costs[-1])
    return mean(costs)


def fixed(reserved):
    return mean([cost(reserved, wanted) for wanted in traffic[1:]])


print(f"today                        {fixed(today):.3f}")
print(f"the best that never changes  {min(fixed(most * k / 1000) for k in range(1001)):.3f}")
print(f"nothing is known             {learned({}, lambda t: {}):.3f}")
print("the hour is known            "
      f"{learned({'hour': kh.cyclic(24)}, lambda t: {'hour': t / 12 % 24}):.3f}")
print("the traffic before is known  "
      f"{learned({'before': kh.number(0, most)}, lambda t: {'before': traffic[t - 1]}):.3f}")
print(f"all is known                 {mean(traffic[1:]):.3f}")
