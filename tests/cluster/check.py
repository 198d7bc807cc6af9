#!/usr/bin/env python3
"""usage: check.py KEYHOLE KEYHOLE-MPI docs/cluster.md

Runs the same experiment by one process, by threads, by slices, by machines without a common disk, by
mpirun and by a Slurm array, each killed once and continued: all must leave the same curves.csv, byte
for byte. The commands are those of the page, in order; `ssh` and `rsync` stand for other machines by
folders; replicas.py runs those for the service. (So "every command of the page is executed".)
"""

import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.dont_write_bytecode = True
from private_slurm import PrivateSlurm  # noqa: E402

SSH = """#!/bin/sh
# A machine is a folder next to this program.
cd "$(dirname "$0")/../machines/$1" && shift && exec sh -c "$*"
"""
RSYNC = """#!/bin/sh
# rsync -a FROM TO, where HOST:PATH is a path on a machine.
shift
here=$(dirname "$0")/../machines
place() { case $1 in *:*) echo "$here/${1%%:*}/${1#*:}" ;; *) echo "$1" ;; esac; }
for last; do :; done
to=$(place "$last")
while [ $# -gt 1 ]; do
  mkdir -p "$to" && cp -r "$(place "$1")" "$to" || exit
  shift
done
"""

TRIED = """rounds = 30000
repeats = 2
slowest = 60
problems = ["tracking(ball(10))", "quadratic(n=10, rows=10)", "linear(simplex(5))"]
learners = ["anytime(projection_free)", "anytime(fkm)", "ogd"]
"""


def blocks(page):
    """The commands of the page: (the word after 'sh', text of the block)."""
    return re.findall(r'^```sh ([a-z_]+)\n(.*?)^```$', page, re.DOTALL | re.MULTILINE)


class Check:
    def __init__(self, folder, study):
        self.folder = pathlib.Path(folder)
        (self.folder / 'study.toml').write_text(study)
        self.failures = 0

    def shell(self, script, check=True):
        done = subprocess.run(['bash', '-e', '-c', script], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if check and done.returncode != 0:
            raise SystemExit(f'{script}\nfailed ({done.returncode}):\n{done.stdout}')
        return done.stdout

    def killed(self, script, directory, files='parts'):
        """Starts the script, and kills all of it when the first part, or other file, is there."""
        child = subprocess.Popen(['bash', '-c', script], cwd=self.folder, start_new_session=True,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.until(lambda: self.parts(directory, files) > 0 or child.poll() is not None, script)
        if child.poll() is not None:
            raise SystemExit(f'{script}\nended before it could be killed: make it longer')
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        left = self.parts(directory, files)
        print(f'killed after {left} {files}: {script.strip().splitlines()[-1]}')

    def parts(self, directory, files='parts'):
        return len(list((self.folder / directory).glob(f'{files}/*.json')))

    @staticmethod
    def until(done, what, seconds=300):
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise SystemExit(f'waited in vain: {what}')
            time.sleep(0.002)

    def compare(self, directory, alone='study.results'):
        whole = (self.folder / alone / 'curves.csv').read_bytes()
        same = (self.folder / directory / 'curves.csv').read_bytes() == whole
        print(f'{directory}: {"the same" if same else "OTHER"} curves')
        self.failures += not same


class Watched:
    """A command that shows progress on a terminal, and what it has shown."""

    def __init__(self, folder, command):
        self.terminal, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack('HHHH', 25, 80, 0, 0))
        os.set_blocking(self.terminal, False)
        self.process = subprocess.Popen(['bash', '-c', f'exec {command}'], cwd=folder, stderr=end)
        os.close(end)
        self.text = ''

    def percents(self):
        """In order, each once; none is 0."""
        try:
            while more := os.read(self.terminal, 4096):
                self.text += more.decode()
        except OSError:  # nothing at the moment, or the end
            pass
        found = [int(word) for word in re.findall(r'(\d+) %', self.text)]
        return [one for one, before in zip(found, [None, *found]) if one != before] or [0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


def by_slurm(check, script):
    """The script of the page; the first time its tasks are killed and never come back."""
    def no_jobs():
        return subprocess.run(['squeue', '-h'], capture_output=True, text=True).stdout == ''
    print(check.shell(script), end='')
    check.until(lambda: check.parts('slurm.results') >= 1, 'a first part by Slurm')
    # A task that is killed by force, and all that have not begun.
    subprocess.run(['scancel', '--signal=KILL', '--full', '--state=RUNNING', '--name=study'],
                   check=True)
    subprocess.run(['scancel', '--name=study'], check=True)
    check.until(no_jobs, 'the end of the killed jobs')
    left = check.parts('slurm.results')
    print(f'killed after {left} parts: Slurm')
    if (check.folder / 'slurm.results/curves.csv').exists():
        raise SystemExit('Slurm was done before it could be killed: make the experiment longer')
    print(check.shell(script), end='')
    check.until(lambda: (check.folder / 'slurm.results/summary.json').exists() or no_jobs(),
                'the results by Slurm')
    check.until(no_jobs, 'the end of the jobs')
    log = check.folder / 'study.merge.log'
    if not (check.folder / 'slurm.results/curves.csv').exists():
        raise SystemExit(f'Slurm left no curves: {log.read_text() if log.exists() else ""}')


def main():
    keyhole, keyhole_mpi, page_file = map(pathlib.Path, sys.argv[1:])
    page = page_file.read_text()
    commands = dict(blocks(page))
    study = re.search(r'^```toml\n(.*?)^```$', page, re.DOTALL | re.MULTILINE)[1]
    with tempfile.TemporaryDirectory(prefix='keyhole-cluster-') as folder:
        os.chmod(folder, 0o755)
        check = Check(folder, study)
        stand_ins = check.folder / 'bin'
        stand_ins.mkdir()
        for name, text in (('ssh', SSH), ('rsync', RSYNC)):
            (stand_ins / name).write_text(text)
            (stand_ins / name).chmod(0o755)
        (stand_ins / 'keyhole').symlink_to(keyhole)
        (stand_ins / 'keyhole-mpi').symlink_to(keyhole_mpi)
        os.environ['PATH'] = f'{stand_ins}:{os.environ["PATH"]}'
        os.environ['OMPI_ALLOW_RUN_AS_ROOT'] = os.environ['OMPI_ALLOW_RUN_AS_ROOT_CONFIRM'] = '1'
        for name in ('node1', 'node2'):
            (check.folder / 'machines' / name).mkdir(parents=True)

        check.shell(commands['alone'])
        check.killed('keyhole run study.toml --out one.results --threads=1', 'one.results')
        check.shell('keyhole run study.toml --out one.results --threads=1')
        check.compare('one.results')
        check.killed('keyhole run study.toml --out threads.results --threads=3', 'threads.results')
        check.shell('keyhole run study.toml --out threads.results --threads=3')
        check.compare('threads.results')

        slices = commands['slices']
        check.killed('keyhole run study.toml --out slices.results --slice 1/3', 'slices.results')
        missing = check.shell('keyhole run study.toml --out slices.results --merge', check=False)
        if 'Run these slices again: 1/3, 2/3, 3/3' not in missing:
            raise SystemExit(f'the missing slices are not named:\n{missing}')
        with Watched(check.folder, 'keyhole run study.toml --out slices.results --watch') as shown:
            check.until(lambda: 0 < shown.percents()[-1] <= 33, 'what the killed slice has left')
            check.shell('keyhole run study.toml --out slices.results --slice 1/3')
            check.until(lambda: shown.percents()[-1] == 33, 'a third of the experiment')
            check.shell(slices)
            check.until(lambda: shown.process.poll() is not None, 'the end of --watch')
            if shown.process.returncode != 0 or shown.percents()[-1] != 100:
                raise SystemExit(f'--watch: {shown.process.returncode}, {shown.percents()}')
            if shown.percents() != sorted(shown.percents()):
                raise SystemExit(f'--watch went back: {shown.percents()}')
            print(f'--watch: {", ".join(map(str, shown.percents()))} %')
        check.compare('slices.results')

        check.shell(commands['ssh'])
        check.compare('study.merged')

        check.killed(commands['mpi'], 'mpi.results')
        check.until(lambda: 'running this experiment' not in
                    check.shell('keyhole run study.toml --out mpi.results --trial', check=False),
                    'the end of the killed ranks')
        check.shell(commands['mpi'])
        check.compare('mpi.results')

        # Ranks that find out together who is too slow, which is nobody, are killed meanwhile.
        (check.folder / 'tried.toml').write_text(TRIED)
        check.shell('keyhole run tried.toml')
        tried = 'mpirun --oversubscribe -n 2 keyhole-mpi run tried.toml --out tried.mpi'
        check.killed(tried, 'tried.mpi', 'trial')
        check.until(lambda: 'running this experiment' not in check.shell(tried, check=False),
                    'the end of the killed ranks')
        check.compare('tried.mpi', 'tried.results')

        with PrivateSlurm(check.folder / 'slurm'):
            by_slurm(check, commands['slurm'])
        check.compare('slurm.results')

        executed = {'alone', 'slices', 'ssh', 'mpi', 'slurm', 'replicas', 'proxied'}
        if set(commands) != executed or len(commands) != len(blocks(page)):
            raise SystemExit(f'{page_file}: blocks {sorted(commands)} instead of {sorted(executed)}')
    return 1 if check.failures else 0


if __name__ == '__main__':
    sys.exit(main())
