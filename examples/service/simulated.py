#!/usr/bin/env python3
"""A simulated system that a service tunes: simulated.py [URL] [SECONDS]

Requests come all the time. What one costs is known a while later, in any order, and for one in
twenty never. After a minute the prices change. It runs until Ctrl-C, or for some seconds.
"""

import heapq
import json
import random
import sys
import time
import urllib.request

url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8600"
end = time.time() + float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")
space = {
    "parameters": [
        {"name": "timeout", "type": "number", "from": 5, "to": 500, "scale": "log", "unit": "ms"},
        {"name": "pool", "type": "shares", "names": ["east", "west", "north"]},
    ]
}


def call(path, body):
    with urllib.request.urlopen(url + "/v1/studies" + path, json.dumps(body).encode()) as answer:
        return json.load(answer)


def cost(values, now):
    prices = [0.2, 0.9, 0.6] if now % 120 < 60 else [0.8, 0.3, 0.5]
    waiting = abs(values["timeout"] - 60) / 500
    return sum(p * s for p, s in zip(prices, values["pool"])) + waiting + random.gauss(0, 0.1)


call("", {"name": "simulated", "space": space})
begin = time.time()
late = []  # (when it is known, play, loss)
while time.time() < end:
    now = time.time()
    tells = []
    while late and late[0][0] <= now:
        _, play, loss = heapq.heappop(late)
        tells.append({"play": play, "loss": loss})
    for play in call("/simulated/steps", {"tells": tells, "asks": 2})["plays"]:
        if random.random() < 0.95:
            known = now + random.expovariate(1 / 0.3)
            heapq.heappush(late, (known, play["play"], cost(play["values"], now - begin)))
    time.sleep(0.02)
