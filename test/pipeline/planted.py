#!/usr/bin/python3
"""planted.py BUILD_DIR PROGRAM.cc [--seeds 1,2,...]: one planted program end to end.

The program says in a comment what must be found:
  // EXPECT finding function=NAME kind=KIND mark=WORD slow=WORD runs=N   (the marked line is the guilty one)
  // EXPECT none runs=N
Compiles it with the wrapper, searches from a trivial seed with a fixed number of executions (so that
the test does not depend on the machine's speed) and compares the first finding."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def expectation(source):
    match = re.search(r"// EXPECT (\w+)(.*)", source)
    wanted = dict(pair.split("=") for pair in match.group(2).split())
    if "mark" in wanted:
        lines = source.split("\n")
        marked = [i + 1 for i, line in enumerate(lines) if line.rstrip().endswith("// " + wanted["mark"])]
        assert len(marked) == 1, "the guilty line must be marked once"
        wanted["line"] = marked[0]
    return match.group(1), wanted


GROWTH = {
    "quadratic": lambda slow: 1.7 <= slow["exponent"] <= 2.3,
    "superlinear": lambda slow: slow["exponent"] >= 1.25,
    "exponential": lambda slow: slow["model"] == "2^n" or slow["exponent"] > 5,
}


def check(kind, wanted, status, findings):
    found = findings["findings"]
    if kind == "none":
        return [] if status == 0 and not found else ["a finding where none must be: %s" % [f["message"] for f in found]]
    if status != 1 or not found:
        return ["no finding (exit code %d)" % status]
    problems = []
    region, slow = found[0]["regions"][0], found[0]["slow"]
    if region["function"].split("::")[-1] != wanted["function"]:
        problems.append("function %s instead of %s" % (region["function"], wanted["function"]))
    if region["kind"] != wanted["kind"]:
        problems.append("kind %s instead of %s" % (region["kind"], wanted["kind"]))
    if region["line"] != wanted["line"]:
        problems.append("line %d instead of %d" % (region["line"], wanted["line"]))
    if not GROWTH[wanted["slow"]](slow):
        problems.append("growth %s (n^%.2f) instead of %s" % (slow["model"], slow["exponent"], wanted["slow"]))
    if not found[0]["pair"]["confirmed"]:
        problems.append("the input pair was not confirmed")
    total = sum(share["share"] for share in found[0]["shares"])
    if abs(total - 1) > 1e-6:
        problems.append("shares add up to %f" % total)
    return problems


def main():
    build, program = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    options = dict(zip(sys.argv[3::2], sys.argv[4::2]))
    kind, wanted = expectation(program.read_text())
    bad = 0
    for seed in options.get("--seeds", "1").split(","):
        with tempfile.TemporaryDirectory() as folder:
            target = pathlib.Path(folder) / program.stem
            subprocess.run([build / "bin/perfidy-clang++", "-O2", "-g", "-fsanitize=fuzzer", program, "-o", target],
                           check=True)
            seeds = pathlib.Path(folder) / "seeds"
            seeds.mkdir()
            (seeds / "one").write_bytes(b"a")
            run = subprocess.run([build / "bin/perfidy", "run", target, seeds, "--runs", wanted["runs"],
                                  "--time", "0", "--seed", seed, "--quiet", "--out", folder + "/out"],
                                 capture_output=True, text=True)
            report = pathlib.Path(folder) / "out/findings.json"
            problems = (check(kind, wanted, run.returncode, json.loads(report.read_text())) if report.exists()
                        else ["no findings.json, exit code %d: %s" % (run.returncode, run.stderr[-500:])])
            print("%s seed %s: %s" % (program.stem, seed, "; ".join(problems) or "as expected"))
            bad += bool(problems)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
