"""Real cases: a directory of them (truth.json, harness.cc, gen.py each) and how their libraries are
built from Debian's source packages (used by explain.py)."""
import json
import subprocess
import threading
from pathlib import Path

from explain_run import ROOT, compile_target, line_right, perfidy_run, plain_name, rank_of, ranked

CMARK_HEADERS = {
    "cmark_version.h": "#define CMARK_VERSION ((0 << 16) | (30 << 8) | 2)\n#define CMARK_VERSION_STRING \"0.30.2\"\n",
    "cmark_export.h": "#define CMARK_EXPORT\n",
    "config.h": "#include <stdbool.h>\n#define HAVE___BUILTIN_EXPECT\n#define CMARK_ATTRIBUTE(list) __attribute__(list)\n"
                "#define CMARK_INLINE inline\n",
}

# How a library is built: source package, files, include folders, flags, generated headers.
LIBRARIES = {
    "cmark": {"package": "cmark", "files": ["src/*.c"], "not": ["src/main.c"], "include": ["src"],
              "headers": CMARK_HEADERS},
    "expat": {"package": "expat", "files": ["expat/lib/xmlparse.c", "expat/lib/xmltok.c", "expat/lib/xmlrole.c"],
              "include": ["expat/lib"],
              "flags": ["-DXML_CONTEXT_BYTES=1024", "-DXML_NS", "-DXML_DTD", "-DXML_GE=1", "-DXML_DEV_URANDOM"],
              "headers": {"expat_config.h": "#define XML_DEV_URANDOM 1\n#define BYTEORDER 1234\n"}},
    "libyaml": {"package": "libyaml", "files": ["src/*.c"], "include": ["include", "src"],
                "flags": ["-DYAML_VERSION_MAJOR=0", "-DYAML_VERSION_MINOR=2", "-DYAML_VERSION_PATCH=5",
                          "-DYAML_VERSION_STRING=\"0.2.5\""]},
    "jsoncpp": {"package": "libjsoncpp", "files": ["src/lib_json/*.cpp"], "include": ["include", "src/lib_json"]},
}

# Case -> library. The others need versions that no Debian release has (Debian's cmark has the fix of
# cmark-inline-html already).
CASES = {
    "cmark-blank-lines": "cmark",
    "expat-partial-token": "expat",
    "jsoncpp-comment-rescan": "jsoncpp",
    "libyaml-flow-depth": "libyaml",
}
TRIVIAL_SEEDS = {"cmark": b"a\n", "expat": b"<a/>", "libyaml": b"a: b\n", "jsoncpp": b"[1]"}
fetching = threading.Lock()


class Case:
    def __init__(self, folder):
        self.folder, self.name = folder, folder.name
        self.library = CASES[folder.name]
        truth = json.loads((folder / "truth.json").read_text())
        callers = [c["function"] for c in truth.get("cost", []) if c["role"] == "caller"]
        self.functions = [plain_name(f) for f in truth["functions"] + callers]
        self.lines = {line for _, first, last in truth["lines"] for line in range(first, last + 1)}


def real_cases(folder, only=None):
    folders = [Path(folder) / name for name in CASES if only is None or name in only]
    return [Case(f) for f in folders if (f / "truth.json").exists()]


def fetch(package, sources):
    folder = sources / package
    with fetching:
        if not folder.exists():
            sources.mkdir(parents=True, exist_ok=True)
            subprocess.run([ROOT / "tools/dev/fetch-source", package, folder], check=True, capture_output=True)
    return folder


def build_case(build, case, folder, sources):
    """Compiles the library and the case's harness; the path of the target."""
    recipe = LIBRARIES[case.library]
    source = fetch(recipe["package"], sources)
    headers = folder / "include"
    headers.mkdir(parents=True)
    for name, text in recipe.get("headers", {}).items():
        (headers / name).write_text(text)
    flags = ["-I%s" % d for d in [headers, *(source / i for i in recipe["include"])]] + recipe.get("flags", [])
    files = sorted({f for pattern in recipe["files"] for f in source.glob(pattern)}
                   - {source / f for f in recipe.get("not", [])})
    objects = []
    for file in files:
        objects.append(folder / (file.stem + ".o"))
        compiler = build / "bin" / ("perfidy-clang" if file.suffix == ".c" else "perfidy-clang++")
        standard = [] if file.suffix == ".c" else ["-std=c++20"]
        subprocess.run([compiler, *standard, "-O2", "-g", "-w", "-fsanitize=fuzzer-no-link", *flags, "-c", file,
                        "-o", objects[-1]], check=True)
    target = folder / case.name
    compile_target(build, case.folder / "harness.cc", target, [*flags, "-w"], objects)
    return target


def witness_inputs(case, corpus):
    for size in [64 << i for i in range(9)]:
        for kind in ("slow", "fast"):
            data = subprocess.run(["python3", case.folder / "gen.py", kind, str(size)], check=True,
                                  capture_output=True).stdout
            (corpus / ("%06d-%s" % (size, kind))).write_bytes(data[:size].ljust(size, b" "))


def without_other_cases(case, findings, all_cases):
    """A library may have several known faults: a finding that is right about another one takes no
    place."""
    others = {f for other in all_cases if other.library == case.library and other.name != case.name
              for f in other.functions} - set(case.functions)
    return [f for f in findings if not f["regions"] or plain_name(f["regions"][0]["function"]) not in others]


def run_case(build, case, folder, sources, seconds, witness=False):
    folder.mkdir(parents=True)
    target = build_case(build, case, folder, sources)
    corpus = folder / "seeds"
    corpus.mkdir()
    if witness:
        witness_inputs(case, corpus)
        options = ["--no-fuzz"]
    else:
        (corpus / "seed").write_bytes(TRIVIAL_SEEDS[case.library])
        options = ["--time", str(seconds), "--seed", "1"]
    report, status = perfidy_run(build, target, corpus, folder / "out", options)
    findings = without_other_cases(case, report["findings"], real_cases(case.folder.parent))
    return {"id": case.name, "real": True, "exit": status, "findings": len(findings),
            "rank": rank_of(case.functions, findings), "line": line_right(findings, case.lines, case.functions),
            "wanted": "|".join(case.functions[:3]), "blamed": (ranked(findings)[0] or ["-"])[0],
            "messages": [f["message"] for f in findings[:3]],
            "held_out_errors": [f[side]["heldout_error"] for f in findings for side in ("slow", "fast")
                                if f[side].get("heldout_error") is not None]}
