"""What the programs of test/programs/libraries say must be found, and whether it was.

Each program states it in its first comment, as words NAME=VALUE anywhere in it:
  EXPECT kind=KIND function=NAME[,NAME...] rule=PARAMETER[,PARAMETER...]
and for those that drive a library of Debian's, where that comes from ("-": it is installed):
  LIBRARY package=PACKAGE [sources=GLOB[,GLOB...]] [include=FOLDER] [deb=yes]
The guilty line is marked // GUILTY where the program is ours; in a library only the function is named.
A finding is right when one of the functions is among its first three regions. Precision and recall are
those of the parameters that its rule names."""
import json
import pathlib
import re
import subprocess

LIBRARIES = pathlib.Path(__file__).resolve().parent.parent / "programs" / "libraries"


class Truth:
    def __init__(self, program):
        text = pathlib.Path(program).read_text()
        head = re.match(r"(?://.*\n)+", text).group(0)
        fields = dict(re.findall(r"\b(\w+)=(\S+)", head))
        self.program = pathlib.Path(program)
        self.package, self.deb = fields.get("package"), fields.get("deb") == "yes"
        self.sources = fields["sources"].split(",") if "sources" in fields else []
        self.include = fields.get("include")
        self.name = pathlib.Path(program).stem
        self.kind = fields.get("kind")
        self.functions = fields["function"].split(",")
        self.parameters = set(fields["rule"].split(","))
        lines = text.split("\n")
        self.lines = [i + 1 for i, line in enumerate(lines) if line.rstrip().endswith("// GUILTY")]


def rule_parameters(rule):
    """Names of the parameters in "kernel = linear and C > 31 or depth = 0"."""
    return {re.split(r" (?:=|>|<=|is not) ", part)[0] for part in re.split(r" and | or ", rule)} if rule else set()


def is_function(region, wanted):
    return any(re.search(r"(^|::|\b)%s\b" % re.escape(name), region["function"]) for name in wanted)


def judge(truth, findings):
    """The best finding for the truth: dict with found, rank, line, kind, rule, precision, recall, held_out."""
    best = {"found": False, "line": False, "kind": None, "rule": "", "precision": 0.0, "recall": 0.0, "held_out": -1,
            "ratio": 0, "order": -1}
    for order, finding in enumerate(findings):
        ranks = [i + 1 for i, region in enumerate(finding["regions"][:3]) if is_function(region, truth.functions)]
        if not ranks:
            continue
        named = rule_parameters(finding.get("rule", ""))
        right = len(named & truth.parameters)
        facts = {"found": True, "rank": ranks[0], "line": finding["regions"][0]["line"] in truth.lines,
                 "kind": finding["kind"], "rule": finding.get("rule", ""),
                 "precision": right / len(named) if named else 0.0, "recall": right / len(truth.parameters),
                 "held_out": finding["validation"]["held_out_classes"],
                 "random_split": finding["validation"]["random_split"], "ratio": finding["gap"]["ratio"], "order": order}
        if not best["found"] or facts["precision"] + facts["recall"] > best["precision"] + best["recall"]:
            best = facts
    return best


def study(build, target, out, options):
    """Runs perfidy on the target; returns its findings ([] when there is no report) and the exit code."""
    command = [str(build / "bin/perfidy"), "run", str(target), "--quiet", "--out", str(out)] + options
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    report = pathlib.Path(out) / "findings.json"
    if not report.exists():
        return [], run.returncode, run.stderr[-800:]
    return json.loads(report.read_text())["findings"], run.returncode, run.stderr[-800:]
