"""A cluster of SLURM's own daemons on this machine's loopback, in a folder of its own: a controller, munge, and a slurmd a node.

Needs no root, no systemd and no control groups. What it starts is told to end when the test ends, however it does.
"""
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess
import time

PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
CONFIGURATION = """ClusterName=workbook
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SchedulerParameters=sched_interval=2,batch_sched_delay=0
SlurmdTimeout=300
KillWait=2
"""


def missing():
    """What of SLURM is not installed; empty: nothing."""
    return [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]


def free_ports(count):
    """Below those that the kernel gives to whoever asks for any, so that nobody is given one before the daemons listen."""
    found = []
    for port in random.sample(range(20_000, 32_000), 1000):
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("no free ports")


def until(what, holds, seconds=300):
    """Waits for others; the limit only ends a test that hangs."""
    end = time.monotonic() + seconds
    while not (found := holds()):
        if time.monotonic() > end:
            raise AssertionError(f"still not: {what}")
        time.sleep(0.1)
    return found


def kill(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def of_process(process, name):
    try:
        return pathlib.Path(f"/proc/{process}/{name}").read_text()
    except OSError:
        return ""


def comm_of(process):
    return of_process(process, "comm").strip()


def parent_of(process):
    """None where it is gone."""
    fields = of_process(process, "stat").rpartition(")")[2].split()
    return int(fields[1]) if fields else None


class Cluster:
    """`partitions`: nodes by name of the partition, the first being the default. `blind`: nodes that do not see that folder."""

    def __init__(self, folder, partitions, blind=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.nodes = sorted({node for nodes in partitions.values() for node in nodes})
        controller, *ports = free_ports(1 + len(self.nodes))
        text = CONFIGURATION.format(controller=controller, folder=self.folder, user=pwd.getpwuid(os.getuid()).pw_name)
        for node, port in zip(self.nodes, ports):
            (self.folder / f"spool-{node}").mkdir()
            text += f"NodeName={node} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=4096\n"
        for number, (name, nodes) in enumerate(partitions.items()):
            text += f"PartitionName={name} Nodes={','.join(nodes)} Default={'NO' if number else 'YES'} MaxTime=INFINITE State=UP\n"
        (self.folder / "state").mkdir()
        (self.folder / "slurm.conf").write_text(text)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(64))
        key.chmod(0o400)
        self.environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = {}
        try:
            self.start("munged", "munged", "--foreground", "--force", *(f"--{what}={self.folder}/munge.{end}" for what, end in (
                ("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))))
            until("munge answers", (self.folder / "munge.socket").exists)
            self.start("slurmctld", "slurmctld", "-D")
            for node in self.nodes:
                hidden = ("bwrap", "--die-with-parent", "--dev-bind", "/", "/", "--tmpfs", str(blind[node])) if node in (blind or {}) else ()
                self.start(node, *hidden, "slurmd", "-D", "-N", node)
            until("all nodes are there", lambda: self.states() == {node: "idle" for node in self.nodes})
        except BaseException:
            self.stop()
            raise

    def start(self, name, *command):
        with open(self.folder / f"{name}.said", "w") as said:
            self.daemons[name] = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command], env=self.environment, stdout=said, stderr=said)

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, text=True, capture_output=True).stdout

    def states(self):
        return dict(line.split() for line in self.ask("sinfo", "-h", "-N", "-o", "%N %T").splitlines())

    def queue(self):
        """What waits and runs: (job, state, node) of each task."""
        return [tuple(line.split("|")) for line in self.ask("squeue", "-h", "-r", "-o", "%i|%T|%N").splitlines()]

    def processes(self, *words):
        """Process ids of all that was started with this cluster's configuration, and has these words in its environment."""
        wanted = {f"SLURM_CONF={self.folder}/slurm.conf".encode(), *(word.encode() for word in words)}
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if wanted <= set((folder / "environ").read_bytes().split(b"\0")):
                    found.append(int(folder.name))
            except OSError:
                pass
        return found

    def tasks(self, node):
        """Process ids of what runs there for jobs."""
        return self.processes(f"SLURMD_NODENAME={node}", "SLURM_ARRAY_TASK_MIN=0")

    def fail(self, node):
        """Everything of the node dies at once, and the controller learns of it."""
        daemon = self.daemons.pop(node)
        daemon.kill()
        daemon.wait()
        tasks = self.tasks(node)
        kill([step for step in map(parent_of, tasks) if step and comm_of(step) == "slurmstepd"])
        kill(tasks)
        self.ask("scontrol", "update", f"nodename={node}", "state=down", "reason=died")

    def stop(self):
        if "slurmctld" in self.daemons:
            self.ask("scancel", "-u", pwd.getpwuid(os.getuid()).pw_name)
            try:
                until("the queue is empty", lambda: not self.queue(), 30)
            except AssertionError:
                pass
        for daemon in reversed(self.daemons.values()):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        kill(self.processes())  # what was left behind
