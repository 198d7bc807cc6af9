"""A PostgreSQL of Debian's packages in a folder of its own, started and stopped by a test."""

import os
import pathlib
import pwd
import subprocess
import time


class PrivatePostgres:
    """Within `with`, $PGHOST and $PGUSER name it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.server = None
        # Not for root: PostgreSQL refuses it.
        user = pwd.getpwnam('postgres') if os.geteuid() == 0 else None
        self.user = {'user': user.pw_uid, 'group': user.pw_gid, 'extra_groups': []} if user else {}

    def __enter__(self):
        self.folder.mkdir(mode=0o755)
        if self.user:
            os.chown(self.folder, self.user['user'], self.user['group'])
        data = self.folder / 'data'
        self.run('initdb', '--no-sync', '--auth=trust', '--username=keyhole', f'--pgdata={data}')
        self.server = self.start('postgres', '-D', data, '-k', self.folder, '-c',
                                 'listen_addresses=', '-c', 'fsync=off')
        os.environ.update(PGHOST=str(self.folder), PGUSER='keyhole')
        end = time.monotonic() + 300
        while subprocess.run([self.program('pg_isready')], stdout=subprocess.DEVNULL).returncode:
            if time.monotonic() > end or self.server.poll() is not None:
                log = (self.folder / 'log').read_text(errors='replace')
                self.__exit__()
                raise SystemExit(f'the private PostgreSQL does not start:\n{log[-2000:]}')
            time.sleep(0.05)
        return self

    @staticmethod
    def program(name):
        """That of the newest version that is installed."""
        found = sorted(pathlib.Path('/usr/lib/postgresql').glob(f'*/bin/{name}'))
        if not found:
            raise SystemExit('there is no PostgreSQL: scripts/setup test installs it')
        return found[-1]

    def start(self, name, *options):
        with open(self.folder / 'log', 'ab') as log:
            return subprocess.Popen([self.program(name), *options], cwd='/', stdout=log, stderr=log,
                                    start_new_session=True, **self.user)

    def run(self, name, *options):
        if self.start(name, *options).wait() != 0:
            raise SystemExit(f'{name}: {(self.folder / "log").read_text(errors="replace")}')

    def __exit__(self, *_):
        self.server.send_signal(3)  # SIGQUIT: at once
        self.server.wait()
