# SPDX-License-Identifier: Apache-2.0
"""What is broken next, from the seed. Pure."""
import dataclasses

KILL, STOP, REFUSE, SILENCE, REPORTS, DISK = "kill", "stop", "refuse", "silence", "reports", "disk"
SERVER = ("etcd", "kube-apiserver")
CONTROLLERS = ("controller-1", "controller-2")
# They live from the beginning to the end, so that there is one of each whose whole life is judged.
NEVER_KILLED = ("controller-2", "node-3")
SECONDS = {KILL: (0.0, 4.0), STOP: (1.0, 9.0), REFUSE: (1.0, 9.0), SILENCE: (1.0, 9.0),
           REPORTS: (1.0, 9.0), DISK: (1.0, 6.0)}
# A server that is stopped for longer is taken for dead by some of its clients.
SERVER_SECONDS_MAX = 6.0


@dataclasses.dataclass(frozen=True)
class Fault:
    kind: str
    target: str  # whom it befalls; of a full disk: who is killed and started again meanwhile
    seconds: float

    def __str__(self):
        return f"{self.kind} {self.target} for {self.seconds:.1f} s"

    def spares_server(self):
        """Whether objects can be written meanwhile."""
        return self.target not in SERVER


def all_kinds(nodes):
    """(kind, target) of everything that may happen."""
    ours = (*CONTROLLERS, *nodes)
    mortal = [name for name in ours if name not in NEVER_KILLED]
    return ([(KILL, name) for name in (*mortal, *SERVER)] + [(STOP, name) for name in (*ours, *SERVER)] +
            [(REFUSE, name) for name in ours] + [(SILENCE, name) for name in ours] +
            [(REPORTS, name) for name in nodes] + [(DISK, name) for name in mortal])


class Faults:
    """All of them in a random order, and then again in another: even a short run has many kinds."""

    def __init__(self, nodes, random):
        self.kinds, self.random, self.left = all_kinds(nodes), random, []

    def next(self):
        if not self.left:
            self.left = self.random.sample(self.kinds, len(self.kinds))
        kind, target = self.left.pop()
        seconds = self.random.uniform(*SECONDS[kind])
        return Fault(kind, target, min(seconds, SERVER_SECONDS_MAX) if target in SERVER else seconds)
