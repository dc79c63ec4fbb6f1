"""The same seed and number of runs: the same corpus and the same findings, twice."""
import hashlib
import json
import pathlib
import subprocess
import tempfile

import peers
import suite


def tree(folder):
    """Digest of the names and contents of all files of a folder."""
    state = hashlib.sha256()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file():
            state.update(str(path.relative_to(folder)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return state.hexdigest()


def once(program, seed, runs):
    with tempfile.TemporaryDirectory(prefix="perfidy-bench-") as scratch:
        seeds, out = pathlib.Path(scratch) / "seeds", pathlib.Path(scratch) / "out"
        seeds.mkdir()
        (seeds / "one").write_bytes(b"a")
        argv = [suite.BUILD / "bin/perfidy", "run", program, "seeds", "--time", "0", "--runs", str(runs),
                "--seed", str(seed), "--quiet", "--out", "out"]
        done = subprocess.run(argv, cwd=scratch, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise RuntimeError("perfidy run ended with %d: %s" % (done.returncode, done.stderr[-500:]))
        found = json.loads((out / "findings.json").read_text())
        return tree(out / "corpus"), json.dumps(found["findings"], sort_keys=True), len(found["findings"])


def measure(targets, seeds, runs, log):
    """One row per target and seed: did corpus and findings repeat?"""
    rows = []
    for target in targets:
        for seed in seeds:
            first, second = (once(peers.build_ours(target), seed, runs) for _ in range(2))
            rows.append({"target": target, "seed": seed, "runs": runs, "findings": first[2],
                         "same_corpus": first[0] == second[0], "same_findings": first[1] == second[1]})
            log("determinism: %s" % rows[-1])
    return rows
