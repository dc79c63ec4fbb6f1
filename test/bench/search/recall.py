"""Class recall: are the known slow classes of Suite A found by perfidy run, and nothing else?"""
import concurrent.futures
import json
import pathlib
import subprocess
import tempfile

import peers
import suite

PARTS_OFF = {  # ablation: what is switched off -> flags of the search
    "all on": [],
    "clustering off": ["--perfidy_search_clustering=0"],
    "patterns off": ["--perfidy_search_patterns=0"],
    "climbing off": ["--perfidy_search_climb=0"],
    "feedback off": ["--perfidy_search_feedback=0"],
}


def short(function):
    """"ns::f(int)", "(anonymous namespace)::f" and "f<int>" are all f."""
    return function.replace("(anonymous namespace)::", "").split("(")[0].split("<")[0].split("::")[-1]


def findings(program, seeds, out, seconds, seed, flags=(), max_len=512):
    """The findings of one perfidy run; raises when it ends with anything but 0 and 1."""
    argv = [suite.BUILD / "bin/perfidy", "run", program, seeds, "--time", str(int(seconds)), "--seed", str(seed),
            "--max-len", str(max_len), "--quiet", "--out", out]
    argv += ["--", *flags] if flags else []
    done = subprocess.run([str(word) for word in argv], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError("perfidy run ended with %d: %s" % (done.returncode, done.stderr[-500:]))
    return json.loads((pathlib.Path(out) / "findings.json").read_text())["findings"]


def judge(known, found):
    """({class: its finding}, false findings): a finding belongs to the class that names the function of its first
    region; its growth must be the class's where both are given."""
    right, false = {}, []
    for finding in found:
        region = finding["regions"][0] if finding["regions"] else {"function": "", "line": 0}
        function, exponent = short(region["function"]), finding["slow"]["exponent"]
        match = [one for one in known if function in one["functions"]]
        described = {"function": function, "line": region["line"], "kind": finding["kind"], "exponent": exponent,
                     "ratio": finding["gap"]["ratio"]}
        if not match:
            false.append(described)
            continue
        low, high = match[0].get("growth") or (0, 99)
        described["growth_right"] = exponent is None or low - 0.1 <= exponent <= high + 0.1
        right.setdefault(match[0]["id"], described)
    return right, false


def one(job):
    target, seed, seconds, flags = job
    with tempfile.TemporaryDirectory(prefix="perfidy-bench-") as scratch:
        seeds = pathlib.Path(scratch) / "seeds"
        seeds.mkdir()
        (seeds / "one").write_bytes(b"a")
        found = findings(peers.build_ours(target), seeds, scratch + "/out", seconds, seed, flags)
    right, false = judge(suite.classes(target), found)
    return {"target": target, "seed": seed, "found": right, "false": false,
            "missed": [known["id"] for known in suite.classes(target) if known["id"] not in right]}


def measure(targets, seeds, seconds, jobs, log, flags=()):
    """One row per target and seed."""
    work = [(target, seed, seconds, list(flags)) for target in targets for seed in seeds]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for row in pool.map(one, work):
            rows.append(row)
            log("%d of %d: %s seed %d: found %s, missed %s, false %s" % (
                len(rows), len(work), row["target"], row["seed"], sorted(row["found"]), row["missed"],
                [one["function"] for one in row["false"]]))
    return rows


def figures(rows):
    found, missed = sum(len(row["found"]) for row in rows), sum(len(row["missed"]) for row in rows)
    controls = [row for row in rows if not suite.classes(row["target"])]
    return {"recall": found / (found + missed) if found + missed else None,
            "false_classes": sum(len(row["false"]) for row in rows),
            "controls_silent": "%d of %d" % (sum(not row["false"] for row in controls), len(controls)),
            "growth_wrong": sum(not one["growth_right"] for row in rows for one in row["found"].values())}


def print_table(rows):
    print("%-22s %6s %6s  %s" % ("target", "found", "seeds", "false classes, missed"))
    for target in sorted({row["target"] for row in rows}):
        mine = [row for row in rows if row["target"] == target]
        false = sorted({"%s:%d" % (one["function"], one["line"]) for row in mine for one in row["false"]})
        missed = sorted({name for row in mine for name in row["missed"]})
        print("%-22s %6d %6d  %s" % (target, sum(not row["missed"] for row in mine), len(mine),
                                     "; ".join(false + ["missed " + name for name in missed])))
