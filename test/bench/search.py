#!/usr/bin/python3
"""The search, judged: tools/dev/bench search [--quick] [--half development|scoring|all] [--parts ...].

shares       the dearest input found at fixed sizes, against peers, as a share of the known worst case
recall       known slow classes of Suite A found by perfidy run, false ones, silence on the controls
ablation     shares and recall without parts of the search
libraries    published slow classes of real libraries found from trivial seeds
determinism  the same seed and number of runs give the same corpus and findings

Prints a table per part and writes bench-out/search.json; its "summary" has the figures of the bars.
--quick takes fewer targets, seeds and seconds and stays within ten minutes on two idle cores."""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "search"))
import determinism  # noqa: E402
import libraries  # noqa: E402
import peers  # noqa: E402
import recall  # noqa: E402
import shares  # noqa: E402
import suite  # noqa: E402
import worst_cases  # noqa: E402

PARTS = ["shares", "recall", "ablation", "libraries", "determinism"]
QUICK = {"targets": "insertion_sort,boyer_moore,word_frequency,weak_hash,string_concat,control_token_count",
         "peers": "perfidy,climber,libfuzzer,libfuzzer_cost,afl++", "seeds": 1, "seconds": 3, "jobs": 2,
         "sizes": "64,256", "recall_seconds": 15, "library_seconds": 60, "libraries": "cmark",
         "determinism_runs": 20000}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default="bench-out/search.json")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--half", default="all", choices=["development", "scoring", "all"])
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--targets", help="only these, with commas between")
    parser.add_argument("--sizes", default="64,256,1024")
    parser.add_argument("--seeds", type=int, default=5, help="how many")
    parser.add_argument("--seconds", type=float, default=20, help="CPU seconds of each search for shares")
    parser.add_argument("--recall-seconds", type=int, default=120, help="seconds of each perfidy run")
    parser.add_argument("--libraries", help="only these, with commas between")
    parser.add_argument("--library-seconds", type=int, default=600, help="seconds of search at most")
    parser.add_argument("--determinism-runs", type=int, default=100000)
    parser.add_argument("--peers", default=",".join(peers.PEERS), help="which searches, with commas between")
    parser.add_argument("--jobs", type=int, default=1, help="searches at a time")
    parser.add_argument("--fresh", action="store_true", help="run again what is in the cache")
    if "--quick" in sys.argv:
        parser.set_defaults(**QUICK)
    options = parser.parse_args()
    options.sizes = [int(size) for size in options.sizes.split(",")]
    options.seeds = list(range(1, options.seeds + 1))
    options.parts, options.peers = options.parts.split(","), options.peers.split(",")
    options.libraries = options.libraries.split(",") if options.libraries else libraries.names(options.half)
    wrong = (set(options.parts) - set(RUN)) | (set(options.peers) - set(peers.PEERS)) | (
        set(options.libraries) - set(libraries.SPECS))
    if wrong:
        parser.error("unknown: %s" % ", ".join(sorted(wrong)))
    return options


def log(text):
    print(text, file=sys.stderr, flush=True)


def chosen(options):
    names = options.targets.split(",") if options.targets else suite.targets(options.half)
    unknown = set(names) - set(suite.targets("all"))
    if unknown:
        sys.exit("search: no such targets in Suite A: %s" % ", ".join(sorted(unknown)))
    return names


def shares_part(options, report):
    missing = {name: why for name, why in peers.available(options.peers).items() if why}
    for name, why in missing.items():
        log("%s left out: %s" % (name, why))
    names = [name for name in options.peers if name not in missing]
    targets = [target for target in chosen(options) if target in worst_cases.TARGETS]
    rows = shares.table(options, names, targets, log)
    print("\nShare of the known worst case, mean of %d seeds, %g CPU seconds each" % (
        len(options.seeds), options.seconds))
    shares.print_table(rows, names, options.sizes)
    figures = shares.summary(rows, names, options.sizes)
    report["summary"].update({key: figures[key] for key in ("worst_case_share", "vs_best_peer")})
    judged = shares.by_callgrind(rows, names, targets[:4], min(options.sizes, key=lambda size: abs(size - 256)))
    print("\nInstructions by callgrind, share of the known worst case")
    for target, counts in judged.items():
        print("%-22s " % target + " ".join("%s %.3f" % (name, counts[name] / counts["known"]) for name in names))
    print("\n" + json.dumps(figures, indent=1))
    for sizes in rows.values():
        for row in sizes.values():
            row["best"] = {name: cost for name, (cost, _) in row["best"].items()}
    report["shares"] = {"rows": rows, "figures": figures, "left_out": missing, "callgrind": judged,
                        "peers": {name: peers.PEERS[name].about for name in names}}


def recall_part(options, report):
    rows = recall.measure(chosen(options), options.seeds, options.recall_seconds, options.jobs, log)
    print("\nKnown slow classes found by perfidy run in %d s" % options.recall_seconds)
    recall.print_table(rows)
    figures = recall.figures(rows)
    print(json.dumps(figures))
    report["summary"].update({key: figures[key] for key in ("recall", "false_classes")})
    report["recall"] = {"rows": rows, "figures": figures}


def ablation_part(options, report):
    """Half of the recall's time: with all of it nothing may be missing."""
    targets = [target for target in chosen(options) if suite.classes(target)]
    seeds, seconds = options.seeds[:2], max(options.recall_seconds // 2, 5)
    found = {}
    print("\nWhat each part of the search brings: recall in %d s, %d seeds; mean share of the worst case" % (
        seconds, len(seeds)))
    for name, flags in recall.PARTS_OFF.items():
        figures = recall.figures(recall.measure(targets, seeds, seconds, options.jobs, log, flags))
        parts = [shares.result(target, "perfidy", 256, seed, options.seconds, flags)["cost"] /
                 shares.known_worst(target, 256)[0] for target in targets for seed in seeds]
        found[name] = dict(figures, share=shares.geometric(parts))
        print("%-16s recall %.3f  false %d  share %.3f" % (name, figures["recall"], figures["false_classes"],
                                                           found[name]["share"]))
    report["ablation"] = found


def libraries_part(options, report):
    rows = libraries.measure(options.libraries, options.seeds, options.library_seconds, options.jobs, log)
    print("\nPublished slow classes of real libraries, from a trivial seed")
    libraries.print_table(rows)
    report["summary"]["real_found"] = libraries.figures(rows)
    report["libraries"] = rows


def determinism_part(options, report):
    targets = chosen(options)[:4]
    rows = determinism.measure(targets, options.seeds[:2], options.determinism_runs, log)
    same = sum(row["same_corpus"] and row["same_findings"] for row in rows)
    print("\nSame seed and runs, same corpus and findings: %d of %d" % (same, len(rows)))
    report["summary"]["deterministic"] = "%d of %d" % (same, len(rows))
    report["determinism"] = rows


RUN = {"shares": shares_part, "recall": recall_part, "ablation": ablation_part, "libraries": libraries_part,
       "determinism": determinism_part}


def main():
    options = arguments()
    report = {"half": options.half, "summary": {}}
    for part in options.parts:
        RUN[part](options, report)
    path = pathlib.Path(options.out)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=1) + "\n")
    print("written: %s" % path)


if __name__ == "__main__":
    main()
