#!/usr/bin/env python3
"""usage: refused.py <folder of the project> <keyhole> <folder>

The traffic of examples/live goes on when haproxy itself refuses requests, by a page of its own:
here while no server has a weight.
"""

import asyncio
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, f"{sys.argv[1]}/examples/live")
import traffic  # noqa: E402


async def main(keyhole, out):
    out.mkdir(parents=True, exist_ok=True)
    async with traffic.started(keyhole, out, {"only": "roundrobin"}, [1000], {}) as (systems, _, _):
        system = systems["only"]

        async def refuse():
            await asyncio.sleep(0.2)
            _, writer = await asyncio.open_unix_connection(system.haproxy)
            writer.write(b"set weight only/s0 0\n")

        refusing = asyncio.create_task(refuse())
        await traffic.send([system], 200, 1, random.Random(1), lambda: 1)
        await asyncio.wait_for(traffic.drain([system]), 60)
        await refusing
    refused = sum(latency == traffic.REFUSED for _, latency in system.log)
    assert 0 < refused < len(system.log), (refused, len(system.log))


asyncio.run(main(sys.argv[2], pathlib.Path(sys.argv[3])))
