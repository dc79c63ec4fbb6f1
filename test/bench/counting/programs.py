"""The programs of the counting benchmark: where their sources come from and how they are built.

Sources are Debian's, fetched by tools/dev/fetch-source into a cache; nothing of them is in this
repository, only the small drivers beside this file.
"""

import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


@dataclass
class Program:
    """One program: Debian source package, what of it is compiled, how, and the files to make."""

    name: str
    package: str
    sources: list  # glob patterns relative to the source
    includes: list = field(default_factory=lambda: ["."])
    flags: list = field(default_factory=list)
    without: list = field(default_factory=list)  # file names left out
    files: dict = field(default_factory=dict)  # made in the include folder of the build
    copies: dict = field(default_factory=dict)  # the same, copied from the source
    libraries: list = field(default_factory=list)
    prepare: list = field(default_factory=list)  # commands run once in the source folder
    cxx: bool = False
    large: bool = False  # left out by --quick

    def fetch(self, cache: Path) -> Path:
        """The folder with the source, fetched and prepared once."""
        folder = cache / self.package
        done = cache / f"{self.package}.ready"
        if done.exists():
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        script = str(ROOT / "tools/dev/fetch-source")
        subprocess.run([script, self.package, str(folder)], check=True, stdout=subprocess.DEVNULL)
        for command in self.prepare:
            subprocess.run(command, shell=True, cwd=folder, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        done.touch()
        return folder

    def inputs(self, source: Path) -> list:
        """The source files, in a fixed order, without the driver."""
        found = [f for pattern in self.sources for f in sorted(source.glob(pattern))]
        return [f for f in found if f.name not in self.without]

    def made_inputs(self, made: Path) -> list:
        """Made files that are compiled themselves."""
        return [made / name for name in self.files if name.endswith(".c")]

    def driver(self) -> Path:
        return HERE / (self.name + (".cc" if self.cxx else ".c"))

    def arguments(self, source: Path, made: Path) -> list:
        """Compiler arguments of every file; writes the made files."""
        made.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            (made / name).write_text(text)
        for name, origin in self.copies.items():
            shutil.copyfile(source / origin, made / name)
        folders = [str(made)] + [str(source / i) for i in self.includes]
        return [f"-I{folder}" for folder in folders] + self.flags + ["-w"]


_PCRE2_WITHOUT = ["pcre2_jit_test.c", "pcre2_dftables.c", "pcre2demo.c", "pcre2grep.c", "pcre2test.c",
                  "pcre2posix.c", "pcre2posix_test.c", "pcre2_printint.c", "pcre2_fuzzsupport.c",
                  "pcre2_jit_match.c", "pcre2_jit_misc.c", "pcre2_ucptables.c"]

PROGRAMS = [
    Program("bzip2", "bzip2", ["*.c"], without=["bzip2.c", "bzip2recover.c", "dlltest.c", "mk251.c",
                                                "spewG.c", "unzcrash.c"]),
    Program("zlib", "zlib", ["*.c"]),
    Program("lua", "lua5.4", ["src/*.c"], includes=["src"], without=["lua.c", "luac.c"],
            # else counts follow from addresses and the clock
            flags=["-Dluai_makeseed(L)=42", "-DSTRCACHE_N=1", "-DSTRCACHE_M=2"],
            libraries=["-lm"]),
    Program("expat", "expat", ["expat/lib/*.c"], includes=["expat/lib"],
            flags=["-DXML_DEV_URANDOM", "-DXML_NS", "-DXML_DTD", "-DXML_CONTEXT_BYTES=1024"],
            without=["xmltok_impl.c", "xmltok_ns.c"], files={"expat_config.h": "#define BYTEORDER 1234\n"}),
    Program("cmark", "cmark", ["src/*.c"], includes=["src"], without=["main.c"],
            files={"config.h": "#define HAVE_STDBOOL_H\n#include <stdbool.h>\n#define HAVE___BUILTIN_EXPECT\n"
                               "#define CMARK_ATTRIBUTE(list) __attribute__ (list)\n#define CMARK_INLINE inline\n",
                   "cmark_export.h": "#define CMARK_EXPORT\n#define CMARK_NO_EXPORT\n",
                   "cmark_version.h": "#define CMARK_VERSION 1\n#define CMARK_VERSION_STRING \"0\"\n"}),
    Program("pcre2", "pcre2", ["src/pcre2*.c"], includes=["src"], without=_PCRE2_WITHOUT,
            flags=["-DHAVE_CONFIG_H", "-DPCRE2_CODE_UNIT_WIDTH=8", "-DPCRE2_STATIC", "-DSUPPORT_UNICODE"],
            copies={"config.h": "src/config.h.generic", "pcre2.h": "src/pcre2.h.generic",
                    "pcre2_chartables.c": "src/pcre2_chartables.c.dist"},
            files={"chartables.c": "#include \"pcre2_chartables.c\"\n"}),
    Program("jsoncpp", "libjsoncpp", ["src/lib_json/*.cpp"], includes=["include"], cxx=True),
    Program("tinyxml2", "tinyxml2", ["tinyxml2.cpp"], cxx=True),
    Program("eigen", "eigen3", [], cxx=True),
    Program("sqlite3", "sqlite3", ["sqlite3.c"], libraries=["-lm", "-lpthread", "-ldl"],
            prepare=["./configure --disable-shared", "make sqlite3.c"], large=True),
]
