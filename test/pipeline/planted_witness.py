#!/usr/bin/python3
"""planted_witness.py BUILD_DIR PROGRAM...: the planted faults of some programs of test/programs/planted
are what their comments say, and the explainer names them when it is given slow inputs.

With slow and benign inputs and no search, the first finding names the stated function and a marked line,
and its exponent is within 0.1 of the stated one. The correct twin gives no finding."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
from explain import run_planted  # noqa: E402
from planted_truth import programs  # noqa: E402


def problems_of(build, program, bug, folder):
    facts = run_planted(build, program, bug, folder, seconds=0, witness=True)
    if bug is None:
        return facts["messages"]
    if facts["rank"] != 1:
        return ["%s is blamed instead of %s" % (facts["blamed"], facts["wanted"])]
    if not facts["line"]:
        return ["the first line is not a marked one"]
    if facts["exponent_error"] > 0.1:
        return ["the exponent is off by %.2f" % facts["exponent_error"]]
    return []


def main():
    build, wanted = pathlib.Path(sys.argv[1]).resolve(), set(sys.argv[2:])
    chosen = [program for program in programs() if program.name in wanted]
    assert len(chosen) == len(wanted), "no such program"
    bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        for program in chosen:
            for bug in [None, *program.bugs]:
                name = bug.id if bug else program.name + "/twin"
                problems = problems_of(build, program, bug, pathlib.Path(scratch) / name.replace("/", "_"))
                print("%s: %s" % (name, "; ".join(problems) or "as expected"))
                bad += bool(problems)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
