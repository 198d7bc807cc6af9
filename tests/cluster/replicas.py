#!/usr/bin/env python3
"""usage: replicas.py KEYHOLE docs/cluster.md

Replicas of the service over one private PostgreSQL behind a proxy, by the commands of the page.
Workers play through the proxy while a replica is killed, and is started again: all that was
acknowledged is stored, or one more a worker. (The ports of the page are replaced by free ones.)
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
from check import blocks  # noqa: E402
from private_postgres import PrivatePostgres  # noqa: E402
from private_slurm import free_port  # noqa: E402


class Worker(threading.Thread):
    """Asks and tells by its name. After a failure it asks, and learns from the play that it is
    given whether its tell was taken."""

    def __init__(self, url, study, name, stop):
        super().__init__()
        self.url, self.name, self.stop = f'{url}/{study}', name, stop
        self.told = self.failures = 0

    def sent(self, path, body):
        """What is answered; None if the replica is lost."""
        body['worker'] = self.name
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(),
                                         {'Content-Type': 'application/json'})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)['plays'][0]
        except (urllib.error.URLError, OSError):
            self.failures += 1
            time.sleep(0.02)
            return None

    def asked(self):
        while True:
            if play := self.sent('/asks', {}):
                return play

    def run(self):
        play = self.asked()
        while not self.stop.is_set():
            tell = {'play': play['play'], 'loss': play['point'][0]}
            following = self.sent('/steps', {'tells': [tell]}) or self.asked()
            self.told += following['play'] != play['play']
            play = following


class Shell:
    """Runs scripts that leave processes behind, and ends those."""

    def __init__(self, folder):
        self.folder = folder
        self.groups = []

    def run(self, script):
        with open(self.folder / 'log', 'a') as log:
            shell = subprocess.Popen(['bash', '-e', '-c', script], cwd=self.folder, stdout=log,
                                     stderr=log, start_new_session=True)
        self.groups.append(shell.pid)
        if shell.wait() != 0:
            raise SystemExit(f'{script}\nfailed:\n{(self.folder / "log").read_text()}')

    def kill_replica(self, port):
        option = f'--listen=127.0.0.1:{port}'.encode()
        for process in pathlib.Path('/proc').glob('[0-9]*'):
            try:
                words = (process / 'cmdline').read_bytes().split(b'\0')
                is_ours = os.getpgid(int(process.name)) in self.groups
            except (OSError, ProcessLookupError):
                continue  # it has ended
            if is_ours and option in words:
                os.kill(int(process.name), signal.SIGKILL)
                return
        raise SystemExit(f'no replica listens at {port}')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for group in self.groups:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass


def wait_until(done, what):
    end = time.monotonic() + 300
    while not done():
        if time.monotonic() > end:
            raise SystemExit(f'waited in vain: {what}')
        time.sleep(0.02)


def play_through_deaths(url, shell, start_again, ports):
    """Workers play while the first replica is killed and started again, and then the second is
    killed."""
    stop = threading.Event()
    workers = [Worker(url, study, f'w{k}', stop) for k in range(2) for study in ('split', 'other')]
    for worker in workers:
        worker.start()

    def play(rounds):
        goals = [worker.told + rounds for worker in workers]
        wait_until(lambda: all(worker.told >= goal for worker, goal in zip(workers, goals)),
                   f'{rounds} steps of each worker')
    play(20)
    shell.kill_replica(ports[1])
    play(20)
    shell.run(start_again)
    play(20)
    shell.kill_replica(ports[2])
    play(20)
    stop.set()
    for worker in workers:
        worker.join()
    return workers


def main():
    keyhole, page_file = map(pathlib.Path, sys.argv[1:])
    page = page_file.read_text()
    ports = [free_port() for _ in range(3)]
    for k, port in enumerate(ports):
        page = page.replace(f':{8600 + k}', f':{port}')
    commands = dict(blocks(page))
    with tempfile.TemporaryDirectory(prefix='keyhole-replicas-') as name:
        os.chmod(name, 0o755)
        folder = pathlib.Path(name)
        (folder / 'bin').mkdir()
        (folder / 'bin/keyhole').symlink_to(keyhole)
        os.environ['PATH'] = f'{folder}/bin:{os.environ["PATH"]}'
        configuration = re.search(r'^```haproxy\n(.*?)^```$', page, re.DOTALL | re.MULTILINE)[1]
        (folder / 'haproxy.cfg').write_text(configuration)
        with PrivatePostgres(folder / 'postgres'), Shell(folder) as shell:
            shell.run(commands['replicas'])
            answers = subprocess.run(['bash', '-e', '-c', commands['proxied']], text=True,
                                     stdout=subprocess.PIPE, check=True).stdout
            print(answers)
            if '"play":2' not in answers or '"point"' not in answers.splitlines()[-1]:
                raise SystemExit('the study was not played through the proxy')
            url = f'http://127.0.0.1:{ports[0]}/v1/studies'
            other = {'name': 'other', 'set': 'simplex(3)'}
            urllib.request.urlopen(url, json.dumps(other).encode()).close()
            os.environ['KEYHOLE_STORE'] = 'postgresql:///studies'
            start_again = next(line for line in commands['replicas'].splitlines()
                               if f':{ports[1]}' in line)
            workers = play_through_deaths(url, shell, start_again, ports)
            failures = 0
            for study, before in (('split', 1), ('other', 0)):
                some = [worker for worker in workers if worker.url == f'{url}/{study}']
                told = sum(worker.told for worker in some) + before
                with urllib.request.urlopen(f'{url}/{study}') as answer:
                    stored = json.load(answer)['told']
                print(f'{study}: {told} acknowledged, {stored} stored')
                failures += not told <= stored <= told + len(some)
            print(f'{sum(worker.failures for worker in workers)} calls failed meanwhile')
            return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
