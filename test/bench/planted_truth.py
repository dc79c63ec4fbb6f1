"""What is planted in test/programs/planted: read from the comments of the programs, with a slow and a
benign input of any size for each fault.

  // SEED "text"                      a trivial input, as a JSON string
  // PLANTED BUG_X kind=K function=F|G exponent=E
  ... // GUILTY_X                     behind the guilty lines: the loop, or the statement in it

-DBUG_X switches a fault on; a build without any is the correct twin of all. `exponent` is that of the
slow inputs' cost over size: a number, "N+" (at least N) or "exponential"."""
import json
import re
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "programs" / "planted"


class Bug:
    def __init__(self, program, name, facts):
        self.program, self.name = program, name
        self.kind = facts["kind"]
        self.functions = facts["function"].split("|")
        self.exponent = facts["exponent"]
        mark = "// GUILTY_" + name[len("BUG_"):]
        lines = program.source.split("\n")
        self.lines = [i + 1 for i, line in enumerate(lines) if line.rstrip().endswith(mark)]
        assert self.lines, "%s: %s is not marked" % (program.name, name)

    @property
    def id(self):
        return self.program.name + "/" + self.name


class Program:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.source = path.read_text()
        self.seed = json.loads(re.search(r'^// SEED (".*")$', self.source, re.M).group(1)).encode()
        self.bugs = []
        for name, rest in re.findall(r"^// PLANTED (BUG_\w+) (.*)$", self.source, re.M):
            self.bugs.append(Bug(self, name, dict(pair.split("=") for pair in rest.split())))


def programs():
    paths = sorted(p for p in PROGRAMS.iterdir() if p.suffix in (".c", ".cc"))
    return [Program(path) for path in paths]


def keys(count, letters="abcdefghijklmnopqrstuvwxyz", width=3):
    """Distinct words of equal length."""
    for i in range(count):
        word = ""
        for _ in range(width):
            word = letters[i % len(letters)] + word
            i //= len(letters)
        yield word


def fill(pump):
    return lambda n: (pump * (n // len(pump) + 1))[:n]


def phases(*pumps):
    """The pumps one after the other, each repeated until its share of the size is used."""
    return lambda n: "".join(p * (n // len(pumps) // len(p)) for p in pumps)


def words(form, letters="abcdefghijklmnopqrstuvwxyz", width=3):
    length = len(form % ("x" * width))
    return lambda n: "".join(form % w for w in keys(n // length, letters, width))


def same_sums(n):
    """Distinct lines whose bytes add up to the same."""
    digits = ([i % 26, i // 26 % 26, i // 676 % 26] for i in range(n // 7))
    return "".join("".join(chr(97 + d) + chr(122 - d) for d in word) + "\n" for word in digits)


def noise(n):
    """Letters without repetitions worth a match: a linear congruential generator."""
    state, text = 1, ""
    for _ in range(n):
        state = (state * 1103515245 + 12345) % 2**31
        text += chr(97 + (state >> 16) % 26)
    return text


# An input of about n bytes that is slow; text in Latin-1.
SLOW = {
    "arena/BUG_FIT": phases("a", "+b"),
    "arena/BUG_BEFORE": phases("a", "-"),
    "arena/BUG_TOTAL": fill("a"),
    "csv/BUG_FIELD": fill(","),
    "csv/BUG_QUOTE": fill('",'),
    "csv/BUG_STRCAT": fill(","),
    "diff/BUG_HASH": same_sums,
    "diff/BUG_LINE": lambda n: "=" + "a\n" * (n // 2),
    "diff/BUG_SYNC": lambda n: "=" + "a\n" * (n // 2),
    "expression/BUG_RETRY": lambda n: "(" * (n - 2) + "1x",
    "expression/BUG_DEPTH": fill("1+"),
    "expression/BUG_TWICE": fill("1+"),
    "graph/BUG_MEMO": fill("d"),
    "graph/BUG_QUEUED": fill("a"),
    "graph/BUG_COPY": fill("a"),
    "ini/BUG_TRIM": lambda n: "a" * (n - 3) + "=1\n",
    "ini/BUG_JOIN": fill("a"),
    "ini/BUG_LOOKUP": words("%s=\n"),
    "json/BUG_PATH": fill("["),
    "json/BUG_ESCAPE": lambda n: '"' + "\\a" * (n // 2),
    "json/BUG_RECOVER": fill("x"),
    "lexer/BUG_LINE": fill("@"),
    "lexer/BUG_INTERN": words("%s "),
    "lexer/BUG_REST": fill("+"),
    "lru/BUG_FIND": words("%s", "".join(map(chr, range(33, 126))), 2),
    "lru/BUG_EVICT": fill("a"),
    "lru/BUG_HASH": words("%s", "".join(map(chr, range(33, 126))), 2),
    "lz/BUG_CHAIN": fill("ab"),
    "lz/BUG_RUN": fill("a"),
    "lz/BUG_WINDOW": noise,
    "markdown/BUG_EMPHASIS": phases("*", "~"),
    "markdown/BUG_LINK": fill("["),
    "markdown/BUG_QUOTE": phases(">", "\n"),
    "matcher/BUG_BACKTRACK": lambda n: "*a*b\n" + "a" * (n - 5),
    "matcher/BUG_REPEAT": words("a%s\n"),
    "scheduler/BUG_TICK": phases("z", "."),
    "scheduler/BUG_SORT": fill("!"),
    "scheduler/BUG_CANCEL": phases("z", "x"),
    "strbuf/BUG_GROW": fill("."),
    "strbuf/BUG_PREPEND": fill("^"),
    "strbuf/BUG_LENGTH": fill("#"),
    "symtab/BUG_LOOKUP": phases("A", "b"),
    "symtab/BUG_ENTER": phases("A", "{"),
    "symtab/BUG_LEAVE": phases("A", "{}"),
    "template/BUG_RESTART": fill("{{"),
    "template/BUG_SHADOW": phases("a:;", "{{a"),
    "template/BUG_INDENT": fill("{{"),
    "urlpath/BUG_PARENT": phases("/a", "/.."),
    "urlpath/BUG_SLASH": fill("/"),
    "urlpath/BUG_DECODE": lambda n: "%" + "25" * (n // 2),
    "xml/BUG_ENTITY": fill("&"),
    "xml/BUG_CLOSE": phases("<a", "</b"),
    "xml/BUG_ATTRIBUTE": lambda n: "<a" + " a" * (n // 2),
}

# Inputs that no fault of the program makes slow.
BENIGN = {
    "arena": ["a-", "b+"],
    "csv": ["a,b\n", "abcdefg\n"],
    "diff": ["a\n", "  \n"],
    "expression": ["1", ")2"],
    "graph": [".", ".a"],
    "ini": ["a=1\n", ";\n"],
    "json": ["1,", "[2],", '"ab",'],
    "lexer": ["ab;\n", "a"],
    "lru": ["a", "ab"],
    "lz": ["a", "abcab d"],
    "markdown": ["ab\n", "*a/\n"],
    "matcher": ["a\n", "ab\n"],
    "scheduler": ["a.", "!?"],
    "strbuf": ["-", ".-"],
    "symtab": ["{Aa}", "{}"],
    "template": ["ab\n", "b "],
    "urlpath": ["/a", "a"],
    "xml": ["<a></a>", "ab"],
}


def sized(text, size):
    """Exactly `size` bytes."""
    return (text + text[-1:] * size)[:size].encode("latin-1")


def slow_input(bug, size):
    return sized(SLOW[bug.id](size), size)


def benign_inputs(program, size):
    return [sized(fill(pump)(size), size) for pump in BENIGN[program.name]]
