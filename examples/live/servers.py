"""usage: servers.py SYSTEMS SPEED...

HTTP servers on this machine: as many systems as SYSTEMS says, each with a server for each speed.
The ports are printed as JSON, a list a system. A line of speeds on standard input changes those of
all systems. The end of standard input ends the servers.

A server has one worker. `GET /1.3` is 1.3 units of work, and SPEED is units a second. The worker
sleeps for that time, so that many servers need little of the machine. Whoever comes while PLACES
wait is refused (503).
"""

import asyncio
import functools
import json
import selectors
import sys

PLACES = 20


class Server:
    """A worker and its queue."""

    def __init__(self, speed):
        self.speed = speed
        self.waiting = 0
        self.free_at = 0.0

    def accept(self, work, answer):
        if self.waiting >= PLACES:
            answer("503 Busy")
            return
        loop = asyncio.get_running_loop()
        self.waiting += 1
        self.free_at = max(loop.time(), self.free_at) + work / self.speed

        def done():
            self.waiting -= 1
            answer("200 OK")
        loop.call_at(self.free_at, done)


class Connection(asyncio.Protocol):
    """Requests one after the other, as haproxy sends them."""

    def __init__(self, server):
        self.server = server
        self.head = b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.head += data
        if self.head.endswith(b"\r\n\r\n"):
            work = float(self.head.split(b" ", 2)[1][1:])
            self.head = b""
            self.server.accept(work, self.answer)

    def answer(self, status):
        self.transport.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())


async def main(systems, speeds):
    loop = asyncio.get_running_loop()
    servers = [[Server(speed) for speed in speeds] for _ in range(systems)]
    ports = []
    for system in servers:
        listeners = [await loop.create_server(functools.partial(Connection, server), "127.0.0.1", 0)
                     for server in system]
        ports.append([listener.sockets[0].getsockname()[1] for listener in listeners])
    print(json.dumps(ports), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        for system in servers:
            for server, speed in zip(system, line.split()):
                server.speed = float(speed)


# select() sleeps to the microsecond, epoll to the millisecond, which is a fifth of a request here.
with asyncio.Runner(
        loop_factory=lambda: asyncio.SelectorEventLoop(selectors.SelectSelector())) as runner:
    runner.run(main(int(sys.argv[1]), [float(speed) for speed in sys.argv[2:]]))
