#!/usr/bin/python3
"""parameters.py BUILD_DIR: programs that draw named parameters, end to end with small budgets.

The planted counterparts of test/programs/libraries are found, explained by exactly their parameters and
blamed on the marked line; the endless one is a stopped class and leaves the search enough runs. Of a target
whose cost is a matter of chance the report says so, and which call it is."""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
from library_truth import LIBRARIES, Truth, judge, study  # noqa: E402


def problems_of(build, name, folder):
    program = LIBRARIES / ("planted_%s.cc" % name)
    truth, target, out = Truth(program), folder / name, folder / (name + "-out")
    subprocess.run([build / "bin/perfidy-clang++", "-O2", "-g", "-fsanitize=fuzzer", program, "-o", target], check=True)
    findings, status, words = study(build, target, out, ["--runs", "8000", "--time", "0"])
    if status != 1:
        return ["exit code %d: %s" % (status, words)]
    facts = judge(truth, findings)
    problems = []
    if not facts["found"] or facts["order"] != 0 or facts["rank"] != 1 or not facts["line"]:
        problems.append("not the first finding at the marked line: %s" % [f["message"] for f in findings])
    if facts["kind"] != truth.kind:
        problems.append("kind %s instead of %s" % (facts["kind"], truth.kind))
    if facts["precision"] != 1 or facts["recall"] != 1:
        problems.append("slow when '%s' instead of %s" % (facts["rule"], sorted(truth.parameters)))
    if facts["held_out"] < 0.9:
        problems.append("%.2f on vectors never seen" % facts["held_out"])
    runs = json.loads((out / "stats.json").read_text())["runs"]
    if runs < 7000:
        problems.append("only %d runs" % runs)
    return problems


def problems_of_chance(build, folder):
    program, target, out = LIBRARIES / "planted_chance.cc", folder / "chance", folder / "chance-out"
    subprocess.run([build / "bin/perfidy-clang++", "-O2", "-g", "-fsanitize=fuzzer", program, "-o", target], check=True)
    study(build, target, out, ["--runs", "3000", "--time", "0"])
    notes = json.loads((out / "findings.json").read_text())["notes"]
    line = Truth(program).lines[0]
    wanted = "the call of rand at planted_chance.cc:%d in (anonymous namespace)::restarts makes it so" % line
    return [] if any(wanted in note for note in notes) else ["no note of rand: %s" % notes]


def main():
    build, bad = pathlib.Path(sys.argv[1]).resolve(), 0
    with tempfile.TemporaryDirectory() as scratch:
        for name in ["tolerance", "rejection", "batches"]:
            problems = problems_of(build, name, pathlib.Path(scratch))
            print("%s: %s" % (name, "; ".join(problems) or "as expected"), flush=True)
            bad += bool(problems)
        problems = problems_of_chance(build, pathlib.Path(scratch))
        print("chance: %s" % ("; ".join(problems) or "as expected"), flush=True)
        bad += bool(problems)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
