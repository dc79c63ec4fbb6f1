"""Suite B: real libraries with published slow classes, from a trivial seed, ten minutes at most."""
import concurrent.futures
import json
import pathlib
import subprocess
import tempfile
import time

import recall
import suite

SPECS = {name: spec for name, spec in json.loads((suite.HERE / "libraries.json").read_text()).items()
         if name != "comment"}
STEPS = (30, 60, 120, 180, 210)  # seconds of search between two looks at what was found; 600 in all


def names(half):
    return sorted(name for name, spec in SPECS.items() if half in ("all", spec["half"]))


def fetched(package):
    place = suite.CACHE / "libraries" / package
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        staged = place.with_name(package + ".part")
        subprocess.run([suite.ROOT / "tools/dev/fetch-source", package, staged], check=True, capture_output=True)
        staged.replace(place)
    return place


def build(name):
    """The fuzz target of a library, with our search."""
    spec, place = SPECS[name], fetched(SPECS[name]["package"])
    harness = suite.ROOT / spec["harness"]
    files = sorted(path for pattern in spec["sources"] for path in place.glob(pattern)
                   if str(path.relative_to(place)) not in spec["exclude"])
    flags = ["-O2", "-g", "-w", "-I{tmp}", *["-I%s" % (place / folder) for folder in spec["include"]], *spec["flags"]]
    with tempfile.TemporaryDirectory() as headers:
        commands = []
        for file, text in spec["headers"].items():
            (pathlib.Path(headers) / file).write_text(text)
            commands.append(["cp", "%s/%s" % (headers, file), "{tmp}/" + file])
        objects = []
        for i, file in enumerate(files):
            compiler = suite.wrapper() if file.suffix == ".cpp" else suite.BUILD / "bin/perfidy-clang"
            objects.append("{tmp}/%d.o" % i)
            commands.append([compiler, *flags, "-fsanitize=fuzzer-no-link", "-c", file, "-o", objects[-1]])
        commands.append([suite.wrapper(), *flags, "-fsanitize=fuzzer", harness, *objects, "-o", "{out}"])
        key = suite.digest(json.dumps(spec), harness, suite.ours_key(), *files)
        return suite.built("library-" + name, key, commands)


def one(job):
    """Searches in steps, each one continuing from the corpus of the last, until all published classes are found."""
    name, seed, limit, program = job
    spec = SPECS[name]
    known = [{"id": one["id"], "functions": one["functions"]} for one in spec["classes"]]
    found, spent, others = {}, 0, []
    with tempfile.TemporaryDirectory(prefix="perfidy-bench-") as scratch:
        seeds = pathlib.Path(scratch) / "seeds"
        seeds.mkdir()
        (seeds / "one").write_text(spec["seed"])
        for step in STEPS:
            step = min(step, limit - spent)
            if step <= 0 or len(found) == len(known):
                break
            began = time.monotonic()
            right, others = recall.judge(known, recall.findings(program, seeds, scratch + "/out", step, seed))
            spent += step
            for key, finding in right.items():
                found.setdefault(key, dict(finding, search_seconds=spent, wall_seconds=time.monotonic() - began))
    return {"library": name, "seed": seed, "found": found, "others": others, "search_seconds": spent}


def measure(chosen, seeds, limit, jobs, log):
    rows = []
    work = [(name, seed, limit, build(name)) for name in chosen for seed in seeds]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for row in pool.map(one, work):
            rows.append(row)
            log("%d of %d: %s seed %d: %s" % (len(rows), len(work), row["library"], row["seed"], {
                key: "%d s, n^%.2f" % (value["search_seconds"], value["exponent"] or 0)
                for key, value in row["found"].items()}))
    return rows


def figures(rows):
    """{case: "seeds found / seeds"}."""
    found = {}
    for name in sorted({row["library"] for row in rows}):
        mine = [row for row in rows if row["library"] == name]
        for known in SPECS[name]["classes"]:
            hits = sum(known["id"] in row["found"] for row in mine)
            found["%s %s" % (name, known["id"])] = "%d/%d" % (hits, len(mine))
    return found


def print_table(rows):
    print("%-32s %7s %22s %18s %10s  %s" % ("published class", "found", "after s of search", "exponents found",
                                            "documented", "report"))
    for name in sorted({row["library"] for row in rows}):
        mine = [row for row in rows if row["library"] == name]
        for known in SPECS[name]["classes"]:
            hits = [row["found"][known["id"]] for row in mine if known["id"] in row["found"]]
            print("%-32s %7s %22s %18s %10.2f  %s" % (
                name + " " + known["id"], "%d/%d" % (len(hits), len(mine)),
                " ".join(str(hit["search_seconds"]) for hit in hits),
                " ".join("%.2f" % hit["exponent"] for hit in hits if hit["exponent"]), known["exponent"],
                known["report"]))
