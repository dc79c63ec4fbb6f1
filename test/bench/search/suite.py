"""Suite A as data: targets, their known classes, builds of them, and what an input costs.

Builds live in a cache outside the tree ($PERFIDY_BENCH_CACHE, else ~/.cache/perfidy-bench), keyed by
everything that goes into them."""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

import worst_cases

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAMS = ROOT / "test/programs/suite_a"
BUILD = pathlib.Path(os.environ.get("PERFIDY_BUILD", ROOT / "build"))
CACHE = pathlib.Path(os.environ.get("PERFIDY_BENCH_CACHE", pathlib.Path.home() / ".cache/perfidy-bench"))
SPLIT = json.loads((HERE / "split.json").read_text())
CLANG = "clang++-14"
BATCH = 500  # files of one command line


def targets(half):
    """Names of a half ("development", "scoring") or of "all"; controls included."""
    names = SPLIT["development"] + SPLIT["scoring"] if half == "all" else SPLIT[half]
    return sorted(names)


def source(target):
    return PROGRAMS / (target + ".cc")


def classes(target):
    """The known slow classes: list of {id, functions, growth (low, high)}."""
    found = []
    for line in re.findall(r"^// CLASS (.+)$", source(target).read_text(), re.M):
        words = line.split()
        if words[0] == "none":
            continue
        values = dict(word.split("=") for word in words[1:])
        low, high = values["growth"].split("..")
        found.append({"id": words[0], "functions": values["function"].split(","),
                      "growth": (float(low), float(high))})
    return found


def digest(*parts):
    state = hashlib.sha256()
    for part in parts:
        data = pathlib.Path(part).read_bytes() if isinstance(part, pathlib.Path) else str(part).encode()
        state.update(hashlib.sha256(data).digest())
    return state.hexdigest()[:16]


def runtime_archive():
    return BUILD / "lib/perfidy/libperfidy_rt.a"


def ours_key():
    """Changes whenever the pass or the runtime do."""
    return digest(runtime_archive(), *sorted((BUILD / "lib/perfidy").glob("PerfidyPass-14*.so")))


def built(name, key, commands):
    """Path of a cached program; commands get the place of the output as {out}, of scratch as {tmp}."""
    path = CACHE / "programs" / ("%s-%s" % (name, key))
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "out"
        for command in commands:
            words = [str(word).format(out=out, tmp=scratch) for word in command]
            done = subprocess.run(words, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError("%s: %s\n%s" % (name, " ".join(words), done.stderr[-2000:]))
        staged = path.with_suffix(".%d" % os.getpid())
        staged.write_bytes(out.read_bytes())
        staged.chmod(0o755)
        staged.replace(path)
    return path


def wrapper():
    return BUILD / "bin/perfidy-clang++"


def counting_build(target):
    """Counts and nothing else: what every input is judged by."""
    return built(target + ".count", digest(source(target), ours_key()),
                 [[wrapper(), "-O2", "-g", source(target), "-o", "{out}"]])


def plain_build(target):
    """Not instrumented, with a main that runs files: for callgrind."""
    main = HERE / "replay_main.cc"
    return built(target + ".plain", digest(source(target), main, "-gdwarf-4"),
                 [[CLANG, "-O2", "-gdwarf-4", source(target), main, "-o", "{out}"]])


def costs(program, files):
    """Cost of each file by the counting build, in order. A file without one is an error: to leave it out would
    make the search that found it look worse than it is."""
    files = [str(file) for file in files]
    found = {}
    for begin in range(0, len(files), BATCH):
        # A trace each: a trace file that is there is replaced, not continued.
        with tempfile.TemporaryDirectory() as scratch:
            trace = scratch + "/trace"
            subprocess.run([BUILD / "bin/perfidy", "trace", program, *files[begin:begin + BATCH], "-o", trace],
                           check=True, capture_output=True)
            dump = subprocess.run([BUILD / "bin/perfidy", "dump", trace, "--format", "json"],
                                  check=True, capture_output=True, text=True).stdout
        for line in dump.split("\n"):
            if line.startswith('{"type":"run"'):
                run = json.loads(line)
                found[run["tags"]["file"]] = run["cost"]
    missing = [file for file in files if file not in found]
    if missing:
        raise RuntimeError("%s: no cost of %d of %d inputs, first %s" % (program, len(missing), len(files), missing[0]))
    return [found[file] for file in files]


def files_of(data, folder):
    """Writes byte strings to numbered files."""
    paths = []
    for i, content in enumerate(data):
        paths.append(pathlib.Path(folder) / ("%05d" % i))
        paths[-1].write_bytes(content)
    return paths


def instructions(program, content):
    """Instructions of one run of an uninstrumented build by callgrind, below the entry point."""
    with tempfile.TemporaryDirectory() as scratch:
        file, out = pathlib.Path(scratch) / "input", pathlib.Path(scratch) / "out"
        file.write_bytes(content)
        subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=%s" % out,
                        "--toggle-collect=LLVMFuzzerTestOneInput", program, file], check=True, capture_output=True)
        return int(re.search(r"^(?:totals|summary): (\d+)", out.read_text(), re.M).group(1))


def constructed_worst(target, size):
    """(cost, input) of the dearest constructed candidate."""
    made = worst_cases.candidates(target, size)
    with tempfile.TemporaryDirectory() as folder:
        found = costs(counting_build(target), files_of(made, folder))
    best = max(range(len(made)), key=lambda i: found[i])
    return found[best], made[best]
