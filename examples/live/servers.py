"""usage: servers.py SYSTEMS SERVER...

HTTP servers on this machine: as many systems as SYSTEMS says, each with all of the servers. The
ports are printed as JSON, a list a system. The end of standard input ends the servers. They sleep
instead of working, so that many of them need little of the machine. `GET /1.3` is 1.3 units of
work.

SERVER is a speed, 480, in units a second: there is one worker and a queue. Whoever comes while
PLACES wait is refused (503). A line of speeds on standard input changes those of all systems.

Or it is 0.04x300: all requests are worked at together. A unit takes 0.04 s if nothing else is there
and longer the more there is, so that it is 300 a second at most. Whoever would have to wait for
more than CROWDED times as long is refused.
"""

import asyncio
import functools
import json
import selectors
import sys

PLACES = 20
CROWDED = 6


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


class SharedServer:
    """A machine at which requests are in each other's way."""

    def __init__(self, seconds, most):
        self.seconds = seconds
        self.at_once = seconds * most
        self.working = 0

    def accept(self, work, answer):
        slower = 1 + self.working / self.at_once
        if slower > CROWDED:
            answer("503 Busy")
            return
        self.working += 1

        def done():
            self.working -= 1
            answer("200 OK")
        asyncio.get_running_loop().call_later(work * self.seconds * slower, done)


def server_of(text):
    seconds, shared, most = text.partition("x")
    return SharedServer(float(seconds), float(most)) if shared else Server(float(text))


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


async def main(systems, texts):
    loop = asyncio.get_running_loop()
    servers = [[server_of(text) for text in texts] for _ in range(systems)]
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
    runner.run(main(int(sys.argv[1]), sys.argv[2:]))
