#!/usr/bin/env python3
"""Tunes the weights of a real haproxy, live: live.py KEYHOLE FOLDER [--quick]

haproxy splits real HTTP traffic over four servers of unlike speed. Nobody tells Keyhole the speeds:
it sees the mean latency of each round. Halfway the fastest and the slowest server change places.
Five systems, each with servers of its own, get the same requests at the same times: equal weights,
the best static weights that a search finds, those of before the change kept after it, haproxy's
least connections, and a study of KEYHOLE (the program), which `keyhole serve` keeps on the disk.

It takes 5 minutes and ends with a table. FOLDER gets the figures (results.json) and the study. All
is on this machine, by loopback alone, and ends when this program ends. With --quick it takes some
seconds, and shows only that all of it works.
"""

import argparse
import asyncio
import collections
import concurrent.futures
import contextlib
import http.client
import json
import math
import os
import pathlib
import random
import selectors
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

SPEEDS = [480, 240, 180, 150]   # units of work a second
CHANGED = [150, 240, 180, 480]  # the same after the change
RATE = 480                      # requests a second, each of 1 unit of work in the mean
ROUND = 0.15                    # seconds with the same weights
REFUSED = 0.25                  # the latency that a refused request counts as: it is sent again
CONNECTIONS = 100               # of each system
EQUAL = [0.25] * 4
NAMES = {"equal": "equal weights", "kept": "best static weights, not changed",
         "best": "best static weights", "leastconn": "least connections", "keyhole": "Keyhole"}

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

    def __init__(self, play=None):
        self.play = play
        self.latencies = []
        self.open = 0


class Connection(asyncio.Protocol):
    """A connection to haproxy, which is kept for all requests."""

    def __init__(self, system):
        self.system = system
        self.head = b""

    def connection_made(self, transport):
        self.transport = transport
        self.system.connections.append(self)
        self.system.free.append(self)

    def send(self, request):
        self.request = request
        self.transport.write(f"GET /{request[0]:.6f} HTTP/1.1\r\nHost: live\r\n\r\n".encode())

    def data_received(self, data):
        self.head += data
        if self.head.endswith(b"\r\n\r\n"):
            is_served = b" 200 " in self.head[:16]
            self.head = b""
            self.system.end(self, self.request, is_served)

    def connection_lost(self, _):
        if self in self.system.connections:
            raise SystemExit("haproxy has closed a connection")


class System:
    """Four servers behind haproxy, whose weights somebody chooses."""

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


async def send(systems, seconds, chance):
    """Open-loop traffic, whose times are a Poisson process: the same requests for all systems."""
    loop = asyncio.get_running_loop()
    at = loop.time()
    end = at + seconds
    while (at := at + chance.expovariate(RATE)) < end:
        if at > loop.time():
            await asyncio.sleep(at - loop.time())
        work = chance.expovariate(1)
        for system in chance.sample(systems, len(systems)):
            system.request(work, at)
    await asyncio.sleep(max(0, end - loop.time()))


async def drain(systems):
    while any(system.open for system in systems):
        await asyncio.sleep(0.01)


class Study:
    """A study of a service. Its calls wait, and are made in a thread of their own."""

    def __init__(self, url):
        self.connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=30)
        self.call("POST", "", {"name": "weights", "set": "simplex(4)", "seed": 1})

    def call(self, method, path, body=None):
        self.connection.request(method, "/v1/studies" + path,
                                json.dumps(body) if body is not None else None,
                                {"Content-Type": "application/json"})
        with self.connection.getresponse() as response:
            answer = json.load(response)
        if response.status >= 400:
            raise SystemExit(f"the service: {answer}")
        return answer

    def step(self, tells, asks=1):
        """Tells rounds and asks for the next, as one unit."""
        return self.call("POST", "/weights/steps", {"tells": tells, "asks": asks})["plays"]

    def status(self):
        return self.call("GET", "/weights")


async def tune(system, study, plays, stop):
    """Asks before each round, until it is to stop. Requests go on meanwhile, and a round is told
    when its last is back: a pause would let the queues drain, and flatter what was played. The
    plays are appended, each with its time."""
    loop = asyncio.get_running_loop()
    rounds = []

    def tells():
        """Those of the rounds that are over, which are left out from then on."""
        over = [each for each in rounds if not each.open]
        rounds[:] = [each for each in rounds if each.open]
        return [{"play": each.play["play"], "loss": 1000 * statistics.fmean(each.latencies)}
                for each in over if each.latencies]

    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        while not stop.is_set():
            [play] = await loop.run_in_executor(thread, study.step, tells())
            await system.set_weights(play["point"])
            system.round = Round(play)
            plays.append((loop.time(), play["point"]))
            await asyncio.sleep(ROUND)
            rounds.append(system.round)
    await drain([system])
    study.step(tells(), asks=0)


def square_root_rule(speeds):
    """The weights that queueing theory (M/M/1) says are best, told the speeds and the rate."""
    used = sorted(speeds, reverse=True)
    while True:
        slack = (sum(used) - RATE) / sum(math.sqrt(speed) for speed in used)
        if math.sqrt(used[-1]) >= slack:
            return [max(0, speed - math.sqrt(speed) * slack) / RATE for speed in speeds]
        used.pop()


async def search(systems, speeds, seconds, chance):
    """The best static weights: what theory says, and random ones like it. The search is told the
    speeds, as Keyhole is not. All are tried, and the best four again for longer."""
    tried = [square_root_rule(speeds), [speed / sum(speeds) for speed in speeds]]
    while len(tried) < 16:
        power = chance.uniform(0.8, 2.2)
        weights = [speed ** power * math.exp(chance.gauss(0, 0.2)) for speed in speeds]
        tried.append([weight / sum(weights) for weight in weights])
    for length in (seconds, 4 * seconds):
        means = []
        for k in range(0, len(tried), len(systems)):
            some = tried[k:k + len(systems)]
            for system, weights in zip(systems, some):
                await system.set_weights(weights)
                system.log.clear()
            await send(systems, length, chance)
            await drain(systems)
            means += [(statistics.fmean(latency for _, latency in system.log), weights)
                      for system, weights in zip(systems, some)]
        tried = [weights for _, weights in sorted(means)[:len(systems)]]
    return tried[0]


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


def start_haproxy(processes, ports, folder):
    """The systems, by name."""
    path = shutil.which("haproxy", path=os.environ["PATH"] + ":/usr/sbin")
    if not path:
        raise SystemExit("haproxy is not there; scripts/setup live installs it")
    place = str(folder / "haproxy.sock")
    text = CONFIGURATION.format(socket=place)
    listeners, systems = [], {}
    for name, servers in zip(NAMES, ports):
        listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        listeners.append(listener)
        text += SYSTEM.format(name=name, listener=listener.fileno(),
                              balance="leastconn" if name == "leastconn" else "roundrobin")
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
async def started(keyhole, out):
    """The systems, the address of a service, and what sets the speeds of all servers."""
    with tempfile.TemporaryDirectory(prefix="keyhole-live-") as name, Processes() as processes:
        servers = processes.start(
            [sys.executable, pathlib.Path(__file__).with_name("servers.py"), str(len(NAMES)),
             *map(str, SPEEDS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        ports = json.loads(servers.stdout.readline())
        systems = start_haproxy(processes, ports, pathlib.Path(name))
        shutil.rmtree(out / "studies", ignore_errors=True)
        service = processes.start([keyhole, "serve", f"--store={out / 'studies'}",
                                   "--listen=127.0.0.1:0"], stdout=subprocess.PIPE)
        url = service.stdout.readline().split()[-1]
        for system in systems.values():
            await system.connect()

        def set_speeds(speeds):
            servers.stdin.write(" ".join(map(str, speeds)) + "\n")
            servers.stdin.flush()

        print(f"Four servers behind haproxy, {RATE} requests a second. A server works at one "
              f"request\nat a time, and refuses whoever comes while 20 wait, which counts as "
              f"{1000 * REFUSED:.0f} ms.\nWatch the study at {url}", flush=True)
        try:
            yield systems, url, set_speeds
        finally:
            for system in systems.values():
                system.connections.clear()


async def race(systems, study, change, weights, seconds, chance):
    """The figures of a race over two phases of so many seconds."""
    loop = asyncio.get_running_loop()
    for system in systems.values():
        system.log.clear()
    for name, chosen in (("equal", EQUAL), ("kept", weights[0]), ("best", weights[0])):
        await systems[name].set_weights(chosen)
    plays = []
    begin = loop.time()
    stop = asyncio.Event()
    everybody = list(systems.values())
    async with asyncio.TaskGroup() as group:
        group.create_task(tune(systems["keyhole"], study, plays, stop))
        await send(everybody, seconds, chance)
        change()
        await systems["best"].set_weights(weights[1])
        await send(everybody, seconds, chance)
        stop.set()
    await drain(everybody)
    return {"seconds": seconds, "weights": weights,
            "logs": {name: [(at - begin, latency) for at, latency in system.log]
                     for name, system in systems.items()},
            "plays": [(at - begin, point) for at, point in plays]}


def summary(raced, status):
    """What is said of a race; the windows are a hundredth of it."""
    seconds = raced["seconds"]
    window = 2 * seconds / 100

    def means_of(log):
        sums = [[0, 0.0] for _ in range(100)]
        for at, latency in log:
            place = sums[min(99, int(at / window))]
            place[0] += 1
            place[1] += 1000 * latency
        return [total / max(1, count) for count, total in sums]

    windows = {name: means_of(log) for name, log in raced["logs"].items()}
    thirds = {"before": (34, 50), "changed": (50, 66), "after": (84, 100)}

    def distance(a, b):
        return sum(abs(x - y) for x, y in zip(a, b))

    # Whether a play was back at the start, which is equal weights.
    back = [(at, distance(point, EQUAL) < distance(point, raced["weights"][at > seconds]))
            for at, point in raced["plays"]]
    result = {"seconds": seconds, "weights": raced["weights"], "windows": windows,
              "told": status["told"], "restarts": status["restarts"],
              "requests": len(raced["logs"]["equal"]), "mean": {}, "ratio": {}, "back": {}}
    for phase, (first, last) in thirds.items():
        result["mean"][phase] = {name: statistics.fmean(means[first:last])
                                 for name, means in windows.items()}
        ratio = result["mean"][phase]["keyhole"] / result["mean"][phase]["best"]
        off = [mine - ratio * best for mine, best in
               zip(windows["keyhole"][first:last], windows["best"][first:last])]
        error = statistics.stdev(off) / math.sqrt(len(off)) / result["mean"][phase]["best"]
        result["ratio"][phase] = ratio, error
        result["back"][phase] = statistics.fmean(
            [was for at, was in back if first * window <= at < last * window] or [0])
    return result


def table(result):
    mean, ratio, back = result["mean"], result["ratio"], result["back"]
    third = f"{result['seconds'] / 3:.2g} s"
    yield f"{'mean latency, ms':34}{'before':>12}{'just after':>12}{'after':>12}"
    for name, label in NAMES.items():
        yield f"{label:34}" + "".join(f"{mean[phase][name]:12.2f}" for phase in mean)
    yield f"{'Keyhole / best static weights':34}" + "".join(
        f"{value:12.2f}" for value, _ in ratio.values())
    yield f"{'  its standard error':34}" + "".join(f"{error:12.2f}" for _, error in ratio.values())
    yield f"{'plays nearer to equal weights':34}" + "".join(
        f"{share:12.0%}" for share in back.values())
    yield (f"before: the last {third} before the change; just after: the first {third} after it; "
           f"after: the last {third}.")


async def run(keyhole, out, quick):
    seconds, tried = (1, 0.05) if quick else (120, 2)
    chance = random.Random()
    async with started(keyhole, out) as (systems, url, set_speeds):
        study = Study(url)
        free = [system for name, system in systems.items() if name != "leastconn"]
        weights = []
        for speeds in (CHANGED, SPEEDS):
            set_speeds(speeds)
            weights.insert(0, await search(free, speeds, tried, chance))
            print(f"Best static weights for speeds {speeds}, by a search: "
                  f"{', '.join(f'{weight:.3f}' for weight in weights[0])}", flush=True)
        print(f"Now all systems get the same traffic for {2 * seconds} s. After {seconds} s the "
              f"fastest\nand the slowest server change places.", flush=True)
        raced = await race(systems, study, lambda: set_speeds(CHANGED), weights, seconds, chance)
        return summary(raced, study.status())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
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
    print("\n".join(table(result)))
    print(f"{result['requests']} requests a system. Keyhole was told {result['told']} rounds. "
          f"Restarts: {result['restarts']}.")


if __name__ == "__main__":
    main()
