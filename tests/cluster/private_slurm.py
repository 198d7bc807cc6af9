"""A Slurm of Debian's packages in a folder of its own: one machine, started and stopped by a test."""

import getpass
import os
import pathlib
import shutil
import socket
import subprocess
import time

CONFIGURATION = """\
ClusterName=private
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmctldPort={controller_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ReturnToService=2
SchedulerParameters=sched_interval=1
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=60 State=UP OverSubscribe=FORCE:4
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class PrivateSlurm:
    """Within `with`, $SLURM_CONF names it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.daemons = []

    def __enter__(self):
        folder = self.folder
        for name in ('', 'state', 'spool'):
            (folder / name).mkdir(mode=0o755)
        (folder / 'slurm.conf').write_text(CONFIGURATION.format(
            host=socket.gethostname().split('.')[0], user=getpass.getuser(), folder=folder,
            controller_port=free_port(), node_port=free_port(), cpus=os.cpu_count()))
        os.environ['SLURM_CONF'] = str(folder / 'slurm.conf')
        key = folder / 'munge.key'
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        try:
            self.start('munged', '--force', f'--key-file={key}', f'--socket={folder}/munge.socket',
                       f'--pid-file={folder}/munged.pid', f'--log-file={folder}/munged.log',
                       f'--seed-file={folder}/munged.seed')
            self.wait(lambda: (folder / 'munge.socket').exists(), 'munged')
            self.start('slurmctld', '-D')
            self.start('slurmd', '-D')
            self.wait(lambda: 'idle' in self.nodes(), 'slurmd')
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, program, *options):
        path = shutil.which(program, path=os.environ['PATH'] + ':/usr/sbin:/sbin')
        if path is None:
            raise SystemExit(f'{program} is missing: scripts/setup test installs it')
        foreground = ['--foreground'] if program == 'munged' else []
        log = open(self.folder / f'{program}.out', 'wb')
        self.daemons.append(subprocess.Popen([path, *foreground, *options], stdout=log, stderr=log,
                                             start_new_session=True))

    @staticmethod
    def nodes():
        return subprocess.run(['sinfo', '-h', '-o', '%t'], capture_output=True, text=True).stdout

    def wait(self, done, what):
        end = time.monotonic() + 300
        while not done():
            if time.monotonic() > end or any(one.poll() is not None for one in self.daemons):
                logs = ''.join(f'--- {log}\n{log.read_text(errors="replace")[-2000:]}'
                               for log in sorted(self.folder.glob('*.log')) +
                               sorted(self.folder.glob('*.out')))
                raise SystemExit(f'the private Slurm does not start ({what}):\n{logs}')
            time.sleep(0.1)

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
