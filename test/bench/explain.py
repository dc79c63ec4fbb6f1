#!/usr/bin/python3
"""The localisation benchmark: do the reports name the function and the line that are at fault?

  tools/dev/bench explain [--quick] [--half development|scoring|all] [--seconds N] [--only PROGRAM,...]
                          [--witness] [--cases DIR] [--sources DIR] [--jobs N] [--keep DIR]

Planted faults (test/programs/planted) are searched for end to end from one trivial seed, two minutes
each. The halves are stated in explain_halves.json; the explainer's rules were chosen on the development
half. --witness leaves the search out and hands over a slow input of each size instead: what then goes
wrong is the explainer's fault alone. Real cases are described in the directory --cases (or
$PERFIDY_CASES); their sources are fetched into --sources (or $PERFIDY_SOURCES)."""
import argparse
import concurrent.futures
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from explain_cases import real_cases, run_case
from explain_run import ROOT, compile_target, exponent_error, line_right, perfidy_run, rank_of, ranked
from planted_truth import benign_inputs, programs, slow_input
from tree_speed import tree_speed

HALVES = json.loads((Path(__file__).resolve().parent / "explain_halves.json").read_text())
QUICK_SECONDS, SECONDS = 20, 120


def witness_corpus(bug, program, folder):
    """Slow and benign inputs at doubling sizes; small ones for growth that explodes."""
    explodes = bug and bug.exponent == "exponential"
    sizes = [8, 10, 12, 14, 16, 18, 20, 22, 24] if explodes else [16 << i for i in range(8)]
    for size in sizes:
        inputs = benign_inputs(program, size) + ([slow_input(bug, size)] if bug else [])
        for i, data in enumerate(inputs):
            (folder / ("%06d-%d" % (size, i))).write_bytes(data)


def run_planted(build, program, bug, folder, seconds, witness):
    """One build of one program, end to end. Facts for the table."""
    folder.mkdir(parents=True)
    target, corpus = folder / program.name, folder / "seeds"
    corpus.mkdir()
    compile_target(build, program.path, target, ["-D" + bug.name] if bug else [])
    if witness:
        witness_corpus(bug, program, corpus)
        options = ["--no-fuzz"]
    else:
        (corpus / "seed").write_bytes(program.seed)
        options = ["--time", str(seconds), "--seed", "1"]
    report, status = perfidy_run(build, target, corpus, folder / "out", options)
    findings = report["findings"]
    facts = {"id": bug.id if bug else program.name + "/twin", "findings": len(findings), "exit": status,
             "held_out_errors": held_out_errors(report), "messages": [f["message"] for f in findings[:3]]}
    if bug:
        facts["rank"] = rank_of(bug.functions, findings)
        facts["line"] = line_right(findings, bug.lines, bug.functions)
        facts["wanted"] = "|".join(bug.functions)
        facts["blamed"] = (ranked(findings)[0] or ["-"])[0]
        if facts["rank"] == 1:
            facts["exponent_error"] = exponent_error(bug.exponent, findings[0]["slow"])
    return facts


def held_out_errors(report):
    """Relative errors on held-out rungs: the curves of the findings."""
    curves = [f[side] for f in report["findings"] for side in ("slow", "fast")]
    return [c["heldout_error"] for c in curves if c.get("heldout_error") is not None]


def share(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def summarize(results):
    planted = [r for r in results if "rank" in r and not r.get("real")]
    real = [r for r in results if r.get("real")]
    twins = [r for r in results if "rank" not in r]
    errors = [e for r in results for e in r["held_out_errors"]]
    exponents = [r["exponent_error"] for r in planted if r.get("exponent_error") is not None]
    return {
        "planted": len(planted),
        "planted_top1": share(r["rank"] == 1 for r in planted),
        "planted_top3": share(1 <= r["rank"] <= 3 for r in planted),
        "planted_line_top1": share(r["line"] for r in planted),
        "planted_found": share(r["findings"] > 0 for r in planted),
        "exponent_within_0.1": share(e <= 0.1 for e in exponents),
        "twins": len(twins),
        "twins_silent": share(r["findings"] == 0 for r in twins),
        "real_top1": share(r["rank"] == 1 for r in real),
        "real_top3": share(1 <= r["rank"] <= 3 for r in real),
        "triage_top3": share(r["triage_rank"] in (1, 2, 3) for r in real if "triage_rank" in r),
        "heldout_error_median": statistics.median(errors) if errors else None,
    }


def print_line(result):
    if "rank" in result:
        exponent = result.get("exponent_error")
        print("%-28s rank %d  line %-5s wanted %-30s blamed %-24s %s" % (
            result["id"], result["rank"], "right" if result["line"] else "wrong", result["wanted"],
            result["blamed"], "" if exponent is None else "exponent off by %.2f" % exponent))
    else:
        print("%-28s %s" % (result["id"], "silent" if not result["findings"] else "FALSE: " + result["messages"][0]))
    sys.stdout.flush()


def jobs_of(options):
    """(function, arguments) of every run that was asked for."""
    half = set(HALVES["development"] if options.half == "development" else
               HALVES["scoring"] if options.half == "scoring" else HALVES["development"] + HALVES["scoring"])
    only = set(options.only.split(",")) if options.only else None
    for program in programs():
        if only is not None and program.name not in only or only is None and program.name not in half:
            continue
        for bug in [None, *program.bugs]:
            name = bug.id if bug else program.name
            if not options.quick or name in HALVES["quick"]["bugs"] + HALVES["quick"]["twins"]:
                yield run_planted, (options.build, program, bug, options.work / name.replace("/", "_"),
                                    options.seconds, options.witness)
    if options.cases and not options.only:
        for case in real_cases(options.cases, HALVES["quick"]["cases"] if options.quick else None):
            yield run_case, (options.build, case, options.work / case.name, options.sources, options.seconds,
                            options.witness)


def parse():
    parser = argparse.ArgumentParser(description="localisation benchmark")
    parser.add_argument("--out", default="bench-out/explain.json")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--half", choices=["development", "scoring", "all"], default="scoring")
    parser.add_argument("--only", help="programs, comma separated")
    parser.add_argument("--seconds", type=int, help="of search per run")
    parser.add_argument("--witness", action="store_true", help="no search: slow inputs are given")
    parser.add_argument("--cases", default=os.environ.get("PERFIDY_CASES"))
    parser.add_argument("--sources", default=os.environ.get("PERFIDY_SOURCES"))
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--keep", help="leave the outputs of the runs here")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.seconds = options.seconds or (QUICK_SECONDS if options.quick else SECONDS)
    return options


def run_all(options):
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(function, *arguments) for function, arguments in jobs_of(options)]
        for future in futures:
            results.append(future.result())
            print_line(results[-1])
    return results


def main():
    options = parse()
    with tempfile.TemporaryDirectory() as scratch:
        options.work = Path(options.keep or scratch).resolve()
        options.sources = Path(options.sources or Path(scratch) / "sources").resolve()
        results = run_all(options)
        summary = summarize(results)
        # Timed last, when nothing else of ours runs.
        summary["tree_vs_sklearn_speed"] = tree_speed(options.build, quick=options.quick) if not options.only else None
    print("\n" + "\n".join("%-24s %s" % (k, v if not isinstance(v, float) else "%.3f" % v) for k, v in summary.items()))
    facts = {"half": options.half, "seconds": options.seconds, "quick": options.quick, "witness": options.witness}
    Path(options.out).parent.mkdir(parents=True, exist_ok=True)
    Path(options.out).write_text(json.dumps({**facts, "summary": summary, "runs": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
