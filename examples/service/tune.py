#!/usr/bin/env python3
"""Splits a budget over three channels by a service: tune.py [URL]"""

import json
import sys
import urllib.request

studies = (sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8600") + "/v1/studies"


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(studies + path, data) as answer:
        return json.load(answer)


call("", {"name": "split", "set": "simplex(3)"})
play = call("/split/asks", {"worker": "w1"})["plays"][0]
for _ in range(200):
    cost = sum(price * share for price, share in zip([0.2, 0.9, 0.6], play["point"]))
    tell = {"play": play["play"], "loss": cost}
    play = call("/split/steps", {"tells": [tell], "worker": "w1"})["plays"][0]
print(call("/split/recommendation")["point"])
