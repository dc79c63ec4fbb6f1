"""Builds a program, runs `perfidy run` on it and reads what it found (used by explain.py)."""
import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def compile_target(build, source, target, flags=(), objects=()):
    """Compiles one source file, and links it with objects, as a fuzz target."""
    plain_c = source.suffix == ".c"
    compiler = build / "bin" / ("perfidy-clang" if plain_c else "perfidy-clang++")
    standard = [] if plain_c else ["-std=c++20"]
    subprocess.run([compiler, *standard, "-O2", "-g", "-fsanitize=fuzzer", *flags, source, *objects, "-o", target],
                   check=True)


def perfidy_run(build, target, corpus, out, options):
    """The findings of one `perfidy run`, and its exit code."""
    run = subprocess.run([build / "bin/perfidy", "run", target, corpus, "--quiet", "--out", out, *options],
                         capture_output=True, text=True)
    report = Path(out) / "findings.json"
    if not report.exists():
        return {"findings": [], "stats": {}, "error": run.stderr[-500:]}, run.returncode
    return json.loads(report.read_text()), run.returncode


def plain_name(function):
    """"a::B::f(int)" -> "f"."""
    name = re.sub(r"\(anonymous namespace\)", "", function)
    return name.split("(")[0].split("<")[0].split("::")[-1]


def ranked(findings):
    """Functions in the order in which they are blamed. A reader sees the findings one after the other
    (the function each is named after), and the regions of the first; a function is as high as in the
    better of the two lists."""
    def distinct(regions):
        names = []
        for region in regions:
            name = plain_name(region["function"])
            if name not in names:
                names.append(name)
        return names
    headlines = distinct(f["regions"][0] for f in findings if f["regions"])
    first = distinct(findings[0]["regions"]) if findings else []
    return headlines, first


def rank_of(functions, findings):
    """1 for the best; 0 when none of the functions is blamed."""
    places = [names.index(f) + 1 for names in ranked(findings) for f in functions if f in names]
    return min(places, default=0)


def line_right(findings, lines, functions):
    """Whether the first region is the marked loop or statement."""
    if not findings or not findings[0]["regions"]:
        return False
    region = findings[0]["regions"][0]
    if region["line"] in lines:
        return True
    # A loop that spans a marked line is right only if it is not the whole function.
    return (plain_name(region["function"]) in functions and region["kind"] == "loop"
            and any(region["line"] <= line <= region["end_line"] for line in lines))


def exponent_error(truth, slow):
    """Distance of the reported exponent from the true one; None where the truth is no number or the
    growth is not polynomial."""
    if truth == "exponential":
        return 0.0 if slow["model"] == "2^n" or slow["exponent"] > 4 else 9.0
    if truth.endswith("+"):
        return 0.0 if slow["exponent"] >= float(truth[:-1]) - 0.1 else float(truth[:-1]) - slow["exponent"]
    return abs(float(truth) - slow["exponent"])
