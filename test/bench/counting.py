#!/usr/bin/env python3
"""What exact counting costs, and that it is exact: real programs, each built plain, with Perfidy in
its modes, and with what else counts blocks in clang and gcc's style; instructions by callgrind.

  tools/dev/bench counting [--quick] [--llvm N] [--only NAME,...] [--modes MODE,...]

Prints a table of ratios to the plain build (geometric means below) and leaves the whole as JSON, with
a `summary`. Exit code 1 when counts differ between the spanning tree and one counter per block.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "counting"))
from programs import PROGRAMS, ROOT  # noqa: E402

EMPTY_GUARDS = """#include <stdint.h>
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) { (void)start, (void)stop; }
void __sanitizer_cov_trace_pc_guard(uint32_t *guard) { (void)guard; }
void __sanitizer_cov_8bit_counters_init(char *start, char *stop) { (void)start, (void)stop; }
"""

# Mode: whether the wrapper compiles, and the flags on top of -O2.
MODES = {
    "plain": (False, []),
    "late": (True, ["--perfidy-place=late"]),
    "stable": (True, ["--perfidy-place=stable"]),
    "late_per_block": (True, ["--perfidy-place=late", "-mllvm", "-perfidy-per-block"]),
    "stable_per_block": (True, ["--perfidy-place=stable", "-mllvm", "-perfidy-per-block"]),
    "inline_8bit_counters": (False, ["-fsanitize-coverage=inline-8bit-counters"]),
    "trace_pc_guard": (False, ["-fsanitize-coverage=trace-pc-guard"]),
    "profile_instr_generate": (False, ["-fprofile-instr-generate"]),
    "profile_generate": (False, ["-fprofile-generate"]),
    "gcov": (False, ["--coverage"]),
}
ORACLES = [("late", "late_per_block"), ("stable", "stable_per_block")]


class Bench:
    """Builds and measures in a folder of its own."""

    def __init__(self, llvm: str, work: Path, tools: Path):
        self.llvm, self.work, self.tools, self.cache = llvm, work, tools, work / "sources"

    def compiler(self, cxx: bool, wrapped: bool) -> str:
        language = "clang++" if cxx else "clang"
        return str(self.tools / f"perfidy-{language}-{self.llvm}") if wrapped else f"{language}-{self.llvm}"

    def build(self, program, mode: str) -> dict:
        """Compiles and links one program in one mode; CPU seconds of the compiler and bytes of code."""
        wrapped, flags = MODES[mode]
        folder = self.work / program.name / mode
        folder.mkdir(parents=True, exist_ok=True)
        source = program.fetch(self.cache)
        made = self.work / program.name / "made"
        common = ["-O2", "-g1"] + flags + program.arguments(source, made)
        inputs = program.inputs(source) + program.made_inputs(made) + [program.driver()]
        before, objects = os.times(), []
        for number, path in enumerate(inputs):
            cxx = path.suffix not in (".c",)
            output = folder / f"{number}-{path.stem}.o"
            self.run([self.compiler(cxx, wrapped), *common, "-c", str(path), "-o", str(output)], folder)
            objects.append(str(output))
        after = os.times()
        if "sanitize-coverage" in " ".join(flags):
            empty = folder / "empty.c"
            empty.write_text(EMPTY_GUARDS)
            self.run([f"clang-{self.llvm}", "-O2", "-c", str(empty), "-o", str(folder / "empty.o")], folder)
            objects.append(str(folder / "empty.o"))
            flags = []
        target = folder / "target"
        self.run([self.compiler(program.cxx, wrapped), *flags, *objects, *program.libraries, "-Wl,-S",
                  "-o", str(target)],
                 folder)
        sizes = subprocess.run(["size", str(target)], capture_output=True, text=True, check=True).stdout
        return {"compile_seconds": after.children_user - before.children_user,
                "text_bytes": int(sizes.split("\n")[1].split()[0])}

    def run(self, command, folder, env=None) -> str:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                              env={**os.environ, **(env or {})}, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout + done.stderr

    def instructions(self, program, mode: str) -> int:
        folder = self.work / program.name / mode
        said = self.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "./target"], folder)
        return int(re.search(r"Collected : (\d+)", said).group(1))

    def seconds(self, program, modes, rounds: int) -> dict:
        """CPU seconds per mode, the least of several rounds run side by side."""
        best = {mode: math.inf for mode in modes}
        for _ in range(rounds):
            for mode in modes:
                before = os.times()
                self.run(["./target"], self.work / program.name / mode)
                after = os.times()
                best[mode] = min(best[mode], after.children_user - before.children_user)
        return best

    def counts(self, program, mode: str) -> list:
        """The block counts of one run: (function, block, count), without what names the build."""
        folder = self.work / program.name / mode
        trace = folder / "trace"
        trace.unlink(missing_ok=True)
        self.run(["./target"], folder, {"PERFIDY_TRACE": str(trace)})
        dump = self.run([str(self.tools / "perfidy"), "dump", str(trace)], folder)
        return sorted(line for line in dump.split("\n") if line.startswith(("  count ", "  work ")))


def geometric_mean(values) -> float:
    values = [value for value in values if value > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def measure(bench: Bench, program, modes, quick: bool) -> dict:
    row = {"modes": {}, "wrong": []}
    for mode in modes:
        entry = bench.build(program, mode)
        if not mode.endswith("per_block") or not quick:
            entry["instructions"] = bench.instructions(program, mode)
        row["modes"][mode] = entry
    for tree, naive in ORACLES:
        if tree in modes and naive in modes:
            ours, theirs = bench.counts(program, tree), bench.counts(program, naive)
            row[f"compared_{tree}"] = len(theirs)
            if ours != theirs or not ours:
                row["wrong"].append(tree)
    for mode, seconds in bench.seconds(program, modes, 2 if quick else 5).items():
        row["modes"][mode]["seconds"] = seconds
    return row


def ratios(rows: dict, what: str) -> dict:
    """By mode and program: the ratio to the plain build."""
    table = {}
    for name, row in rows.items():
        for mode, entry in row["modes"].items():
            plain = row["modes"]["plain"].get(what)
            if entry.get(what) and plain:
                table.setdefault(mode, {})[name] = entry[what] / plain
    return table


def show(title: str, table: dict, names) -> None:
    print(f"\n{title}, ratio to the plain build")
    print(f"{'':24}" + "".join(f"{name:>10}" for name in names) + f"{'mean':>10}")
    for mode, row in table.items():
        cells = "".join(f"{row[name]:10.3f}" if name in row else f"{'-':>10}" for name in names)
        print(f"{mode:24}{cells}{geometric_mean(row.values()):10.3f}")


def summary(rows: dict) -> dict:
    table = ratios(rows, "instructions")
    means = {mode: round(geometric_mean(row.values()), 4) for mode, row in table.items() if mode != "plain"}
    means["compile_seconds"] = {m: round(geometric_mean(r.values()), 3)
                                for m, r in ratios(rows, "compile_seconds").items()}
    means["text_bytes"] = {m: round(geometric_mean(r.values()), 3) for m, r in ratios(rows, "text_bytes").items()}
    means["inexact"] = [f"{name}: {mode}" for name, row in rows.items() for mode in row["wrong"]]
    means["counts_compared"] = sum(row.get("compared_stable", 0) + row.get("compared_late", 0)
                                   for row in rows.values())
    return means


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", default="bench-out/counting.json")
    parser.add_argument("--quick", action="store_true", help="at most ten minutes: without sqlite's ratios")
    parser.add_argument("--llvm", default="14")
    parser.add_argument("--only", default="")
    parser.add_argument("--modes", default="")
    parser.add_argument("--build", default=str(ROOT / "build"), help="build folder of Perfidy")
    parser.add_argument("--work", default=str(ROOT / "bench-out/counting"))
    options = parser.parse_args()
    modes = ["plain"] + [m for m in (options.modes.split(",") if options.modes else MODES) if m != "plain"]
    bench = Bench(options.llvm, Path(options.work), Path(options.build) / "bin")
    bench.cache.mkdir(parents=True, exist_ok=True)
    rows, start = {}, time.time()
    for program in PROGRAMS:
        if (options.only and program.name not in options.only.split(",")) or (options.quick and program.large):
            continue
        rows[program.name] = measure(bench, program, modes, options.quick)
        print(f"{program.name}: {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    for what in ("instructions", "seconds", "compile_seconds", "text_bytes"):
        show(what.replace("_", " "), ratios(rows, what), list(rows))
    result = {"llvm": options.llvm, "programs": rows, "summary": summary(rows)}
    print("\n" + json.dumps(result["summary"], indent=1))
    Path(options.out).write_text(json.dumps(result, indent=1) + "\n")
    return 1 if result["summary"]["inexact"] else 0


if __name__ == "__main__":
    sys.exit(main())
