#!/usr/bin/python3
"""suite_a.py SOURCE_DIR BUILD_DIR: what the targets of Suite A say about themselves holds.

For each one with a known worst case: the constructed input is dearer than 200 random ones at 64, 256
and 1024 bytes, grows between 1024 and 4096 bytes as its dearest class says, and its work is still there
in a plain optimised build. Costs do not depend on the order of the runs. Every target is in one half of
the split, and says its classes."""
import math
import os
import pathlib
import random
import sys
import tempfile

os.environ["PERFIDY_BUILD"] = sys.argv[2]
sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "test/bench/search"))
import suite  # noqa: E402
import worst_cases  # noqa: E402


def growth_problem(target, at_1024):
    known = suite.classes(target)
    if not known:
        return []
    exponent = math.log(suite.constructed_worst(target, 4096)[0] / at_1024) / math.log(4)
    if any(one["growth"][0] <= exponent <= one["growth"][1] for one in known):
        return []
    return ["%s: the worst case grows as n^%.2f" % (target, exponent)]


def order_problem(target):
    """What a run costs must not depend on the runs before it in the same process."""
    inputs = [random.Random(i).randbytes(64) for i in range(3)]
    with tempfile.TemporaryDirectory() as folder:
        files = suite.files_of(inputs, folder)
        forward = suite.costs(suite.counting_build(target), files)
        backward = suite.costs(suite.counting_build(target), files[::-1])
    return [] if forward == backward[::-1] else ["%s: costs depend on the order of the runs" % target]


def optimized_away(target):
    """Other fuzzers see the target without our counters: its work must still be there. The instructions of the
    worst case grow with it."""
    worst = [suite.constructed_worst(target, size) for size in (256, 1024)]
    counts = [suite.instructions(suite.plain_build(target), content) for _, content in worst]
    counted, executed = worst[1][0] / worst[0][0], counts[1] / counts[0]
    if executed >= counted / 2:
        return []
    return ["%s: cost grows %.1f times, instructions %.1f times" % (target, counted, executed)]


def batches_problem():
    """More files than one command line takes: each has its cost, the first ones too."""
    target, size = "insertion_sort", 64
    worst, content = suite.constructed_worst(target, size)
    with tempfile.TemporaryDirectory() as folder:
        files = suite.files_of([content] + [bytes(size)] * (suite.BATCH + 5), folder)
        found = suite.costs(suite.counting_build(target), files)
    return [] if len(found) == len(files) and max(found) == found[0] == worst else ["costs of many files are wrong"]


def check(target):
    problems = order_problem(target)
    generator = random.Random(target)
    for size in (64, 256, 1024):
        worst = suite.constructed_worst(target, size)[0]
        with tempfile.TemporaryDirectory() as folder:
            files = suite.files_of([generator.randbytes(size) for _ in range(200)], folder)
            best = max(suite.costs(suite.counting_build(target), files))
        if best > worst:
            problems.append("%s: a random input of %d bytes is dearer: %d > %d" % (target, size, best, worst))
    return problems + growth_problem(target, worst) + optimized_away(target)


def main():
    there = {path.stem for path in suite.PROGRAMS.glob("*.cc")}
    problems = batches_problem()
    if there != set(suite.targets("all")) or len(suite.targets("all")) != len(there):
        problems.append("the split and the folder differ: %s" % sorted(there ^ set(suite.targets("all"))))
    for target in sorted(there):
        if "// CLASS " not in suite.source(target).read_text():
            problems.append(target + ": says nothing of its classes")
        if target.startswith("control_") and suite.classes(target):
            problems.append(target + ": a negative control with a class")
    for target in sorted(there):
        problems += check(target) if target in worst_cases.TARGETS else order_problem(target)
    print("\n".join(problems) or "%d targets are as they say" % len(there))
    sys.exit(bool(problems))


with tempfile.TemporaryDirectory() as cache:
    suite.CACHE = pathlib.Path(cache)
    main()
