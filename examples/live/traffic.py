"""What live.py and limits.py share: traffic through a real haproxy to the servers of servers.py,
weights that are set while it goes on, and studies that `keyhole serve` keeps on the disk.
"""

import argparse
import asyncio
import collections
import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

REFUSED = 0.25     # the latency that a refused request counts as: it is sent again
CONNECTIONS = 100  # of each system

CONFIGURATION = """global
  nbthread 1
  stats socket {socket} mode 600 level admin
defaults
  mode http
  http-reuse always
  timeout connect 2s
  timeout client 10m
  timeout server 10m
"""
SYSTEM = """listen {name}
  bind fd@{listener}
  balance {balance}
"""


class Round:
    """What is measured of a play: the requests that were sent while its weights were set."""

    def __init__(self, play=None, at=0.0):
        self.play = play
        self.at = at
        self.latencies = []
        self.open = 0


class Connection(asyncio.Protocol):
    """A connection to haproxy, which is kept for all requests."""

    def __init__(self, system):
        self.system = system
        self.answer = b""

    def connection_made(self, transport):
        self.transport = transport
        self.system.connections.append(self)
        self.system.free.append(self)

    def send(self, request):
        self.request = request
        self.transport.write(f"GET /{request[0]:.6f} HTTP/1.1\r\nHost: live\r\n\r\n".encode())

    def data_received(self, data):
        self.answer += data
        head, blank, body = self.answer.partition(b"\r\n\r\n")
        # haproxy refuses with a page of its own while it takes no server for usable.
        if blank and len(body) == int(re.search(rb"(?i)content-length: (\d+)", head)[1]):
            self.answer = b""
            self.system.end(self, self.request, b" 200 " in head[:16])

    def connection_lost(self, _):
        if self in self.system.connections:
            raise SystemExit("haproxy has closed a connection")


class System:
    """Servers behind haproxy, whose weights somebody chooses."""

    def __init__(self, name, port, haproxy):
        self.name, self.port, self.haproxy = name, port, haproxy
        self.connections = []               # until the system ends
        self.free = []                      # those of them without a request
        self.waiting = collections.deque()  # requests without one
        self.open = 0                       # how many requests are not answered
        self.log = []                       # when each request was due, and its latency
        self.round = Round()

    async def connect(self):
        """Opens all connections, so that none has to be opened while it is measured."""
        loop = asyncio.get_running_loop()
        for _ in range(CONNECTIONS):
            await loop.create_connection(lambda: Connection(self), "127.0.0.1", self.port)

    async def set_weights(self, weights):
        commands = "; ".join(f"set weight {self.name}/s{k} {round(256 * weight / max(weights))}"
                             for k, weight in enumerate(weights))
        reader, writer = await asyncio.open_unix_connection(self.haproxy)
        writer.write(commands.encode() + b"\n")
        answer = (await reader.read()).strip()
        writer.close()
        if answer:
            raise SystemExit(f"haproxy: {answer.decode()}")

    def request(self, work, at):
        """Sends a request that is due at a time."""
        request = work, at, asyncio.get_running_loop().time(), self.round
        self.open += 1
        self.round.open += 1
        if self.free:
            self.free.pop().send(request)
        else:
            self.waiting.append(request)

    def end(self, connection, request, is_served):
        _, at, begin, measured = request
        latency = asyncio.get_running_loop().time() - begin if is_served else REFUSED
        self.open -= 1
        self.log.append((at, latency))
        measured.open -= 1
        measured.latencies.append(latency)
        if self.waiting:
            connection.send(self.waiting.popleft())
        else:
            self.free.append(connection)


async def send(systems, rate, seconds, chance, work_of_request):
    """Open-loop traffic, whose times are a Poisson process of a rate: the same requests for all
    systems."""
    loop = asyncio.get_running_loop()
    at = loop.time()
    end = at + seconds
    while (at := at + chance.expovariate(rate)) < end:
        if at > loop.time():
            await asyncio.sleep(at - loop.time())
        work = work_of_request()
        for system in chance.sample(systems, len(systems)):
            system.request(work, at)
    await asyncio.sleep(max(0, end - loop.time()))


async def drain(systems):
    while any(system.open for system in systems):
        await asyncio.sleep(0.01)


class Study:
    """A study of a service. Its calls wait, and are made in a thread of their own."""

    def __init__(self, url, name):
        self.connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=30)
        self.name = name

    def call(self, method, path="", body=None):
        self.connection.request(method, f"/v1/studies/{self.name}{path}",
                                json.dumps(body) if body is not None else None,
                                {"Content-Type": "application/json"})
        with self.connection.getresponse() as response:
            answer = json.load(response)
        if response.status >= 400:
            raise SystemExit(f"the service: {answer}")
        return answer

    def step(self, tells, asks=1):
        """Tells rounds and asks for the next, as one unit."""
        return self.call("POST", "/steps", {"tells": tells, "asks": asks})["plays"]

    def status(self):
        return self.call("GET")


async def tune(system, step, seconds, of_round, stop):
    """Calls `step` before each round of so many seconds, until it is to stop: with what `of_round`
    says of the rounds that are over; it answers the next play. Requests go on meanwhile, and a
    round is told when its last is back: a pause would let the queues drain, and flatter what was
    played. Returns the rounds of two requests or more: others say nothing, and are not told."""
    loop = asyncio.get_running_loop()
    rounds, untold = [], []

    def says_something(each):
        return len(each.latencies) > 1

    def tells():
        """Those of the rounds that are over, which are left out from then on."""
        over = [each for each in untold if not each.open]
        untold[:] = [each for each in untold if each.open]
        return [{"play": each.play["play"], **of_round(each)}
                for each in over if says_something(each)]

    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        while not stop.is_set():
            [play] = await loop.run_in_executor(thread, step, tells())
            await system.set_weights(play["point"])
            system.round = Round(play, loop.time())
            rounds.append(system.round)
            await asyncio.sleep(seconds)
            untold.append(system.round)
    await drain([system])
    step(tells(), asks=0)
    return [each for each in rounds if says_something(each)]


def run_before_others():
    """Lets this program and what it starts run before all others, so that the machine's other work
    is not measured. Returns whether it may."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
        return True
    except OSError:
        return False


class Processes:
    """What runs besides this program. `timeout` ends it if nobody else does."""

    def __init__(self):
        self.all = []

    def start(self, command, **options):
        process = subprocess.Popen(["timeout", "900", *command], text=True, **options)
        self.all.append(process)
        return process

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.all:
            process.terminate()
        for process in self.all:
            process.wait()


def start_haproxy(processes, balances, ports, folder):
    """The systems, by name."""
    path = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin")
    if not path:
        raise SystemExit("haproxy is not there; scripts/setup live installs it")
    place = str(folder / "haproxy.sock")
    text = CONFIGURATION.format(socket=place)
    listeners, systems = [], {}
    for (name, balance), servers in zip(balances.items(), ports):
        listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        listeners.append(listener)
        text += SYSTEM.format(name=name, listener=listener.fileno(), balance=balance)
        text += "".join(f"  server s{k} 127.0.0.1:{port} pool-max-conn 25\n"
                        for k, port in enumerate(servers))
        systems[name] = System(name, listener.getsockname()[1], place)
    (folder / "haproxy.cfg").write_text(text)
    haproxy = processes.start([path, "-db", "-q", "-f", folder / "haproxy.cfg"],
                              pass_fds=[listener.fileno() for listener in listeners])
    while not os.path.exists(place):
        if haproxy.poll() is not None:
            raise SystemExit("haproxy ended")
        time.sleep(0.01)
    return systems


@contextlib.asynccontextmanager
async def started(keyhole, out, balances, servers, studies):
    """The systems by name, each with its way to balance and all of the servers; the studies of a
    service, each made with its options; and the process of the servers."""
    store = f"--store={out / 'studies'}"
    shutil.rmtree(out / "studies", ignore_errors=True)
    for name, options in studies.items():
        subprocess.run([keyhole, "study", "create", name, *options, store], check=True)
    with tempfile.TemporaryDirectory(prefix="keyhole-live-") as name, Processes() as processes:
        program = pathlib.Path(__file__).with_name("servers.py")
        running = processes.start(
            [sys.executable, program, str(len(balances)), *map(str, servers)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        ports = json.loads(running.stdout.readline())
        systems = start_haproxy(processes, balances, ports, pathlib.Path(name))
        service = processes.start([keyhole, "serve", store, "--listen=127.0.0.1:0"],
                                  stdout=subprocess.PIPE)
        url = service.stdout.readline().split()[-1]
        for system in systems.values():
            await system.connect()
        print(f"Watch at {url}", flush=True)
        try:
            yield systems, [Study(url, name) for name in studies], running
        finally:
            for system in systems.values():
                system.connections.clear()


def main(text, run):
    """Runs `run(keyhole, folder, quick)` by the command line that a text describes, and keeps what
    it returns as results.json."""
    parser = argparse.ArgumentParser(description=text,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("keyhole", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    if not options.quick:
        print("This runs before other work of the machine (SCHED_RR)." if run_before_others() else
              "No right to run before other work of the machine: leave it alone meanwhile.")
    # select() sleeps to the microsecond, epoll to the millisecond.
    with asyncio.Runner(
            loop_factory=lambda: asyncio.SelectorEventLoop(selectors.SelectSelector())) as runner:
        work = run(options.keyhole, options.folder, options.quick)
        try:
            result = runner.run(asyncio.wait_for(work, 600))
        except KeyboardInterrupt:
            raise SystemExit("stopped") from None
    if not result["told"]:
        raise SystemExit("no round was told")
    (options.folder / "results.json").write_text(json.dumps(result) + "\n")
    return result
