"""Runs a program with its descendants until they have used so many seconds of CPU together: on a
loaded machine the clock says little."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

TICK = os.sysconf("SC_CLK_TCK")


def snapshot():
    """Parent and CPU ticks (with those of waited-for children) of every process."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            text = pathlib.Path("/proc", entry, "stat").read_text()
        except OSError:
            continue
        fields = text[text.rindex(")") + 2:].split()
        found[int(entry)] = (int(fields[1]), sum(int(field) for field in fields[11:15]))
    return found


def descendants(root, processes):
    children = {}
    for process, (parent, _) in processes.items():
        children.setdefault(parent, []).append(process)
    tree, todo = [], [root]
    while todo:
        process = todo.pop()
        tree.append(process)
        todo += children.get(process, [])
    return tree


def stop(tree):
    """Ends the processes of a tree, by their ids: children last, so that the root cannot restart them."""
    for process in tree:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def run(argv, seconds, environment=None, folder=None, log=None):
    """CPU seconds used. Ends earlier when the program does. The clock bounds it at 30 times that."""
    output = open(log, "wb") if log else subprocess.DEVNULL
    # Nothing goes on searching when the benchmark itself is ended.
    guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    process = subprocess.Popen(guard + [str(word) for word in argv], env=dict(os.environ, **(environment or {})),
                               cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
    used, deadline = 0.0, time.monotonic() + 30 * seconds + 60
    while process.poll() is None:
        processes = snapshot()
        tree = descendants(process.pid, processes)
        used = max(used, sum(processes.get(one, (0, 0))[1] for one in tree) / TICK)
        if used >= seconds or time.monotonic() > deadline:
            stop(tree)
            break
        time.sleep(min(0.2, max(0.02, (seconds - used) / 4)))
    process.wait()
    if log:
        output.close()
    return used
