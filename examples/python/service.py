"""Tunes a simulated service: a batch size, a timeout, a codec and the shares of three pools.

All that is seen of a configuration is what an hour with it cost, and hours differ.
"""

import math
import random
import tempfile

import keyhole as kh

SPACE = kh.Space(
    batch=kh.integer(1, 256),
    timeout=kh.number(5, 500, scale="log", unit="ms"),
    codec=kh.choice(["zstd", "lz4", "none"]),
    pool=kh.shares(["small", "large", "spot"], least=0.05),
)

# What is run today.
TODAY = {"batch": 32, "timeout": 50.0, "codec": "zstd",
         "pool": {"small": 0.4, "large": 0.4, "spot": 0.2}}

ROUNDS = 3000


def hourly_cost(batch, timeout, codec, pool):
    """The mean cost of an hour; the service itself is not so kind as to tell it."""
    waiting = 0.6 * (batch / 256 - 0.55) ** 2
    retries = 0.08 * math.log(timeout / 140) ** 2
    machines = 0.7 * pool["small"] + 0.9 * pool["large"] + 0.35 * pool["spot"]
    risk = 0.9 * pool["spot"] ** 2
    traffic = {"zstd": 0.10, "lz4": 0.04, "none": 0.25}[codec]
    return waiting + retries + machines + risk + traffic


def main():
    weather = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        study = kh.create(folder, "service", SPACE, seed=7, start=TODAY, durability="process")
        play = study.ask()
        for _ in range(ROUNDS):
            seen = hourly_cost(**play.values) + weather.gauss(0, 0.05)
            _, (play,) = study.step([(play, seen)])
        found = study.recommend_values()
        losses = study.history()["loss"][:ROUNDS]

    print(f"cost of an hour as it is run today  {hourly_cost(**TODAY):.3f}")
    print(f"mean of the first 100 hours         {losses[:100].mean():.3f}")
    print(f"mean of the last 100 hours          {losses[-100:].mean():.3f}")
    print(f"cost of an hour as recommended      {hourly_cost(**found):.3f}")
    print(f"batch    {found['batch']}")
    print(f"timeout  {found['timeout']:.0f} ms")
    print(f"codec    {found['codec']}")
    print("pool     " + ", ".join(f"{name} {share:.2f}" for name, share in found["pool"].items()))


main()
