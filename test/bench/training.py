#!/usr/bin/env python3
"""Diagnosis of training programs: makes a corpus, evaluates on it, prints every figure of the bars.

Usage: tools/dev/bench training [--quick] [--corpus DIR] [--seed N]. --quick: 12 programs, fewer runs and a
shorter evaluation (at most 10 minutes). A corpus that an earlier call left unfinished is continued.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time

# Two of each family of structure, both halves (development and scoring) alike.
QUICK = ["digits-linear", "cancer-linear", "digits-deep-tanh", "cancer-relu", "wine-tanh", "iris-relu", "spiral-tanh",
         "moons-sigmoid", "sine-deep-relu", "diabetes-relu", "patches-autoencoder", "cancer-autoencoder"]


def run(command, **options):
    print("$", " ".join(command), file=sys.stderr)
    return subprocess.run(command, check=True, text=True, **options)


def make_corpus(arguments, folder):
    command = ["build/bin/perfidy-training", "corpus", folder, "--seed", str(arguments.seed), "--jobs", "2"]
    if arguments.quick:
        command += ["--clean", "8", "--repeats", "3", "--programs", *QUICK]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.time() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def summary_of(study):
    scored = study["scored"]
    value = lambda name: round(scored[name]["value"], 4)
    return {
        "traces": study["corpus"]["traces"],
        "programs": study["corpus"]["programs"],
        "typing_row": value("typing_row"),
        "typing_heldout": value("typing_heldout"),
        "typing_heldout_clean_reference": value("typing_heldout_clean_reference"),
        "gap": value("gap"),
        "typing_operators": value("typing_operators"),
        "early_warning": round(scored["early"]["balanced_accuracy"]["value"], 4),
        "early_warning_false_alarms": round(scored["early"]["false_alarms_on_clean"], 4),
        "verdicts": {claim: study["verdicts"][claim]["verdict"] for claim in ("C1", "C2", "C3", "C4")},
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--corpus", help="folder; default: beside the results")
    parser.add_argument("--seed", type=int, default=2)
    arguments = parser.parse_args()
    kind = "quick" if arguments.quick else "full"
    folder = arguments.corpus or f"{os.path.dirname(arguments.out) or '.'}/training-{kind}-{arguments.seed}"
    wall, cpu = make_corpus(arguments, folder)
    start = time.time()
    results = arguments.out + ".study"
    command = ["build/bin/perfidy", "diagnose", "--evaluate", folder, "--json", results]
    command += ["--html", arguments.out.removesuffix(".json") + ".html"]
    run(command + (["--quick"] if arguments.quick else []))
    with open(results) as file:
        study = json.load(file)
    os.remove(results)
    report = {"summary": summary_of(study),
              "seconds": {"corpus_wall": round(wall, 1), "corpus_cpu": round(cpu, 1),
                          "evaluation_wall": round(time.time() - start, 1)},
              "quick": arguments.quick, "seed": arguments.seed, "study": study}
    with open(arguments.out, "w") as file:
        json.dump(report, file, indent=1)
    print(json.dumps({"summary": report["summary"], "seconds": report["seconds"]}, indent=1))


main()
