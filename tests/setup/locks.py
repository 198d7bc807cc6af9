"""usage: locks.py <folder of the project>

scripts/setup waits while another apt is at work, for a time, and says so. It runs as a copy, where
nothing is installed and apt-get is made up. If there is a real apt-get, that updates lists of its
own, of no packages, once their lock is free.
"""

import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SETUP = pathlib.Path(sys.argv[1]) / "scripts/setup"
APT_GET = shutil.which("apt-get")
LOCKED = """echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt)' >&2
exit 100
"""


class Machine:
    """A machine without packages, on which `apt_get` are the lines of the command apt-get."""

    def __init__(self, folder, apt_get):
        self.folder = folder
        (folder / "scripts").mkdir()
        (folder / "bin").mkdir()
        shutil.copy(SETUP, folder / "scripts/setup")
        self.command("scripts/npm-package", "")
        self.command("bin/dpkg-query", "exit 1\n")
        self.command("bin/sudo", 'if [ "$1" = -n ]; then shift; fi\n"$@"\n')
        self.command("bin/sleep", f'echo "$1" >> {folder}/slept\nexec /bin/sleep 0.01\n')
        self.command("bin/apt-get", f'echo "$*" >> {folder}/calls\n{apt_get}')

    def command(self, name, lines):
        (self.folder / name).write_text("#!/bin/sh\n" + lines, encoding="utf-8")
        (self.folder / name).chmod(0o755)

    def setup(self):
        environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        return subprocess.Popen([self.folder / "scripts/setup", "build"], env=environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def lines(self, name):
        return (self.folder / name).read_text(encoding="utf-8").splitlines()


def check_it_waits_until_the_lock_is_free(folder):
    machine = Machine(folder, f"""case "$*" in *install*) exit 0 ;; esac
if [ "$(wc -l < {folder}/calls)" -lt 4 ]; then {LOCKED}fi
""")
    ran = machine.setup()
    said = ran.communicate()[0]
    assert ran.returncode == 0, said
    assert said.count("Waiting up to 600 s for another apt to end. Could not get lock") == 1, said
    calls = machine.lines("calls")
    assert [" update" in call for call in calls] == [True] * 4 + [False], calls
    assert all("-o DPkg::Lock::Timeout=600 " in call for call in calls), calls
    assert " install --yes --no-install-recommends " in calls[-1], calls


def check_it_does_not_wait_forever(folder):
    machine = Machine(folder, LOCKED)
    ran = machine.setup()
    said = ran.communicate()[0]
    assert ran.returncode == 1, said
    assert "E: Could not get lock /var/lib/apt/lists/lock" in said, said
    assert "The installation failed." in said, said
    assert sum(map(int, machine.lines("slept"))) == 600


def check_other_failures_are_not_repeated(folder):
    machine = Machine(folder, "echo 'E: The disk is full' >&2\nexit 100\n")
    ran = machine.setup()
    said = ran.communicate()[0]
    assert ran.returncode == 1, said
    assert "E: The disk is full" in said and "Waiting" not in said, said
    assert len(machine.lines("calls")) == 1


def check_the_words_of_the_real_one(folder):
    """The lock is let go when it is waited for."""
    lists = folder / "state/lists"
    (lists / "partial").mkdir(parents=True)
    (folder / "etc").mkdir()
    (folder / "apt.conf").write_text(f"""Dir::Etc "{folder}/etc";
Dir::State "{folder}/state";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
APT::Sandbox::User "";
""", encoding="utf-8")
    (folder / "status").touch()
    machine = Machine(folder, f"""case "$*" in *install*) exit 0 ;; esac
APT_CONFIG={folder}/apt.conf exec {APT_GET} "$@"
""")
    said = ""
    with open(lists / "lock", "w", encoding="utf-8") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        ran = machine.setup()
        for line in ran.stdout:
            said += line
            if line.startswith("Waiting"):
                fcntl.lockf(lock, fcntl.LOCK_UN)
    assert ran.wait() == 0, said
    assert f"Could not get lock {lists}/lock. It is held by process {os.getpid()}" in said, said


checks = [check_it_waits_until_the_lock_is_free, check_it_does_not_wait_forever,
          check_other_failures_are_not_repeated]
if APT_GET:
    checks.append(check_the_words_of_the_real_one)
for check in checks:
    with tempfile.TemporaryDirectory(prefix="keyhole-setup-") as made:
        check(pathlib.Path(made))
