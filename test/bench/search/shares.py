"""Worst-case part: the dearest input of at most 64, 256, 1024 bytes that each search leaves behind
after the same CPU time, as a share of the known worst case."""
import concurrent.futures
import json
import math
import pathlib
import random
import shutil
import tempfile

import budget
import peers
import suite

POLISH_SECONDS = 4
MEASURE = 2  # raised when results measured before no longer count


def known_worst(target, size):
    """(cost, input): the constructed worst case, from where the climber may still go up: what is constructed
    neglects low-order terms that count at 64 bytes. Cached."""
    climber = peers.PEERS["climber"].build(target)
    worst_cases = suite.HERE / "worst_cases.py"
    path = suite.CACHE / "worst" / ("%s-%d-%s" % (target, size, suite.digest(climber, worst_cases)))
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            start = pathlib.Path(scratch) / "start"
            start.write_bytes(suite.constructed_worst(target, size)[1])
            budget.run([climber, size, POLISH_SECONDS, 1, path, start], POLISH_SECONDS + 60)
    return suite.costs(suite.counting_build(target), [path])[0], path.read_bytes()


def inputs_left(peer, folder, size):
    found = []
    for name in peer.outputs:
        path = folder / name
        found += sorted(path.iterdir()) if path.is_dir() else [path] if path.exists() else []
    return [path for path in found if path.is_file() and path.stat().st_size <= size]


def best_left(target, peer, folder, size):
    """(cost, bytes) of the dearest input a search left; the seed counts as well."""
    files = inputs_left(peer, folder, size) + [folder / "seeds/seed"]
    costs = suite.costs(suite.counting_build(target), files)
    best = max(range(len(files)), key=lambda i: costs[i])
    return costs[best], files[best].read_bytes()


def run_one(target, name, size, seed, seconds, flags=()):
    """One search from one random input of the full size. {cost, input, cpu, inputs}."""
    peer = peers.PEERS[name]
    with tempfile.TemporaryDirectory(prefix="perfidy-bench-") as scratch:
        folder = pathlib.Path(scratch)
        for made in "corpus", "seeds", "kept":
            (folder / made).mkdir()
        (folder / "seeds/seed").write_bytes(random.Random("%s %d" % (target, seed)).randbytes(size))
        command = peer.command(peer.build(target), size, seed, seconds, folder, *flags)
        # The climber watches its own time, to write its best at the end.
        grace = 30 if name == "climber" else 0
        used = budget.run(command, seconds + grace, peer.environment, folder, folder / "log")
        cost, content = best_left(target, peer, folder, size)
        count = len(inputs_left(peer, folder, size))
        if count == 0:
            shutil.copy(folder / "log", suite.CACHE / ("failed-%s-%s.log" % (target, name)))
    return {"cost": cost, "input": content, "cpu": used, "inputs": count}


def result(target, name, size, seed, seconds, flags=(), fresh=False):
    """As run_one, kept in the cache under everything it depends on but the machine."""
    program = peers.PEERS[name].build(target)
    key = suite.digest(MEASURE, program.name, size, seed, seconds, *flags)
    path = suite.CACHE / "results" / ("%s-%s-%d-%s.json" % (target, name, size, key))
    if fresh or not path.exists():
        found = run_one(target, name, size, seed, seconds, flags)
        found["input"] = found["input"].hex()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found))
    return json.loads(path.read_text())


def table(options, names, targets, log):
    """Runs everything; {target: {size: {"known": cost, "found": {peer: [cost per seed]}}}}. The known worst case
    is raised to the dearest input that any search found."""
    cells = [(target, size) for target in targets for size in options.sizes]
    jobs = [(*cell, name, seed) for cell in cells for name in names for seed in options.seeds]
    rows = {target: {size: {"found": {}, "best": {}} for size in options.sizes} for target in targets}

    def one(job):
        target, size, name, seed = job
        return job, result(target, name, size, seed, options.seconds, fresh=options.fresh)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (target, size), (cost, _) in zip(cells, pool.map(lambda cell: known_worst(*cell), cells)):
            rows[target][size]["known"] = cost
        log("known worst cases: %d" % len(cells))
        for done, (job, found) in enumerate(pool.map(one, jobs)):
            target, size, name, _ = job
            row = rows[target][size]
            row["found"].setdefault(name, []).append(found["cost"])
            row["best"][name] = max(row["best"].get(name, (0, "")), (found["cost"], found["input"]))
            log("%d of %d: %s %d %s %.3f" % (done + 1, len(jobs), target, size, name, found["cost"] / row["known"]))
    for sizes in rows.values():
        for row in sizes.values():
            row["constructed"] = row["known"]
            row["known"] = max([row["known"]] + [cost for costs in row["found"].values() for cost in costs])
    return rows


def mean_share(row, name):
    costs = row["found"].get(name, [])
    return sum(costs) / len(costs) / row["known"] if costs else None


def geometric(values):
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else None


def summary(rows, names, sizes):
    """Figures of the bars: per size the least and the geometric mean of our shares, and the worst ratio to the
    best peer at the same target and size."""
    cells = [(target, size, rows[target][size]) for target in rows for size in sizes]
    rivals = [name for name in names if name != "perfidy"]
    against = [(mean_share(row, "perfidy") / max(mean_share(row, name) for name in rivals), target, size)
               for target, size, row in cells if rivals and "perfidy" in row["found"]]
    found = {"worst_case_share": {}, "worst_case_share_least": {}, "geometric_mean": {}}
    for size in sizes:
        ours = [(mean_share(row, "perfidy"), target) for target, s, row in cells if s == size and
                "perfidy" in row["found"]]
        found["worst_case_share"][str(size)] = geometric([share for share, _ in ours])
        found["worst_case_share_least"][str(size)] = min(ours) if ours else None
    for name in names:
        found["geometric_mean"][name] = geometric([mean_share(row, name) for _, _, row in cells])
    found["vs_best_peer"] = min(against)[0] if against else None
    found["vs_best_peer_at"] = min(against)[1:] if against else None
    found["below_best_peer"] = [[target, size, round(ratio, 4)] for ratio, target, size in sorted(against) if
                                ratio < 0.99]
    return found


def print_table(rows, names, sizes):
    print("%-22s %5s %12s " % ("share of known worst", "size", "known") + " ".join("%9s" % name[:9] for name in names))
    for target in rows:
        for size in sizes:
            row = rows[target][size]
            shares = [mean_share(row, name) for name in names]
            print("%-22s %5d %12d " % (target, size, row["known"]) + " ".join(
                "%9s" % ("-" if share is None else "%.3f" % share) for share in shares))


def by_callgrind(rows, names, targets, size):
    """{target: {search: instructions of its dearest input}}, with "known" for the constructed worst case."""
    found = {}
    for target in targets:
        program = suite.plain_build(target)
        best = rows[target][size]["best"]
        found[target] = {name: suite.instructions(program, bytes.fromhex(best[name][1]))
                         for name in names if name in best}
        found[target]["known"] = suite.instructions(program, known_worst(target, size)[1])
    return found
