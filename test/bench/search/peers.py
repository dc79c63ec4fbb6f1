"""The search under test and those it is compared with: how to build a target for each, how to run it
on one trivial seed at a fixed largest size, and where it leaves its inputs.

Published tools are taken as they are (AFL++ and libFuzzer from Debian; PerfFuzz and SlowFuzz from their
repositories, ported to LLVM 14 where they no longer compile). Checkouts that are already there can be
named by PERFIDY_BENCH_PERFFUZZ and PERFIDY_BENCH_SLOWFUZZ."""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import typing

import suite
from suite import CACHE, CLANG, HERE, ROOT, built, digest, source

LIBFUZZER = ["-len_control=0", "-reload=0", "-timeout=120", "-rss_limit_mb=4096", "-detect_leaks=0",
             "-print_final_stats=1"]
AFL_ENVIRONMENT = {"AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1", "AFL_SKIP_CPUFREQ": "1",
                   "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_SKIP_BIN_CHECK": "1"}


@dataclasses.dataclass
class Peer:
    about: str
    build: typing.Callable      # target -> program
    command: typing.Callable    # program, size, seed, seconds, folder (with seeds/ in it) -> argv
    outputs: list               # folders or files with inputs, relative to folder
    environment: dict = dataclasses.field(default_factory=dict)


def libfuzzer_command(program, size, seed, seconds, folder, *more):
    return [program, folder / "corpus", folder / "seeds", "-seed=%d" % seed, "-max_len=%d" % size,
            "-artifact_prefix=%s/" % folder, *LIBFUZZER, *more]


def build_ours(target):
    return built(target + ".ours", digest(source(target), suite.ours_key()),
                 [[suite.wrapper(), "-O2", "-g", "-fsanitize=fuzzer", source(target), "-o", "{out}"]])


def ours_command(program, size, seed, seconds, folder, *more):
    return libfuzzer_command(program, size, seed, seconds, folder, "--perfidy_size=%d" % size,
                             "--perfidy_keep=%s" % (folder / "kept"), *more)


def build_libfuzzer(target):
    return built(target + ".libfuzzer", digest(source(target), CLANG),
                 [[CLANG, "-O2", "-g", "-fsanitize=fuzzer", source(target), "-o", "{out}"]])


def build_with_runtime(name, main, coverage, link):
    """Builds of a target that is counted, with a main file of ours in place of our search."""
    def build(target):
        compile_target = [suite.wrapper(), "-O2", "-g", *coverage, "-c", source(target), "-o", "{tmp}/t.o"]
        compile_main = [CLANG, "-O2", "-std=c++17", "-I", ROOT, "-c", HERE / main, "-o", "{tmp}/m.o"]
        join = [CLANG, *link, "{tmp}/m.o", "{tmp}/t.o", suite.runtime_archive(), "-o", "{out}"]
        return built("%s.%s" % (target, name), digest(source(target), HERE / main, suite.ours_key()),
                     [compile_target, compile_main, join])
    return build


def climber_command(program, size, seed, seconds, folder, *more):
    return [program, size, seconds, seed, folder / "best", folder / "seeds/seed"]


def build_afl(target):
    return built(target + ".afl", digest(source(target), "afl-clang-fast++"),
                 [["afl-clang-fast++", "-O2", "-g", "-fsanitize=fuzzer", source(target), "-o", "{out}"]])


def afl_command(program, size, seed, seconds, folder, *more):
    return ["afl-fuzz", "-i", folder / "seeds", "-o", folder / "afl", "-G", size, "-t", "60000", "-s", seed, "--",
            program]


def checkout(name, address):
    """A source tree under the cache, from PERFIDY_BENCH_<NAME> or by git."""
    place = CACHE / "sources" / name
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        given = os.environ.get("PERFIDY_BENCH_" + name.upper(), address)
        done = subprocess.run(["git", "clone", "-q", given, place], capture_output=True, text=True,
                              env=dict(os.environ, GIT_TERMINAL_PROMPT="0"))
        if done.returncode:
            raise RuntimeError("%s: cannot clone %s" % (name, given))
    return place


def shell(folder, *commands):
    for command in commands:
        done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(" ".join(map(str, command)) + "\n" + done.stderr[-1000:])


def perffuzz_pass(text):
    """Its pass with the types that LLVM 14 wants at loads and address computations."""
    types = {"AFLPrevLoc": "Int32Ty", "AFLMapPtr": "PointerType::get(Int8Ty, 0)",
             "AFLPerfPtr": "PointerType::get(Int32Ty, 0)", "MapPtrIdx": "Int8Ty", "PerfBranchPtr": "Int32Ty",
             "PerfPtr": "Int32Ty", "AFLPrevLocDesc": "CharPtrTy"}
    for name, kind in types.items():
        text = text.replace("CreateLoad(%s)" % name, "CreateLoad(%s, %s)" % (kind, name))
    text = text.replace("CreateGEP(MapPtr,", "CreateGEP(Int8Ty, MapPtr,")
    text = text.replace("CreateGEP(PerfPtr,", "CreateGEP(Int32Ty, PerfPtr,")
    return text.replace('#include "llvm/IR/Module.h"', '#include "llvm/IR/Module.h"\n#include "llvm/Pass.h"')


def perffuzz():
    place = checkout("perffuzz", "https://github.com/carolemieux/perffuzz.git")
    if not (place / "driver.o").exists():
        mode = place / "llvm_mode"
        (mode / "pass14.cc").write_text(perffuzz_pass((mode / "afl-llvm-pass.so.cc").read_text()))
        flags = subprocess.run(["/usr/lib/llvm-14/bin/llvm-config", "--cxxflags"], capture_output=True, text=True,
                               check=True).stdout.split()
        shell(place, ["make", "afl-fuzz", "AFL_NO_X86=1"],
              [CLANG, *flags, "-w", "-fno-rtti", "-fpic", "-shared", '-DVERSION="2.52b"', "llvm_mode/pass14.cc", "-o",
               "pass.so"],
              ["clang-14", "-O3", "-w", '-DVERSION="2.52b"', "-c", "llvm_mode/afl-llvm-rt.o.c", "-o", "runtime.o"],
              [CLANG, "-O2", "-c", HERE / "perffuzz_driver.cc", "-o", "driver.o"])
    return place


def build_perffuzz(target):
    place = perffuzz()
    compile_target = [CLANG, "-O2", "-g", "-flegacy-pass-manager", "-Xclang", "-load", "-Xclang", place / "pass.so",
                      "-c", source(target), "-o", "{tmp}/t.o"]
    return built(target + ".perffuzz", digest(source(target), HERE / "perffuzz_driver.cc"),
                 [compile_target, [CLANG, "{tmp}/t.o", place / "driver.o", place / "runtime.o", "-o", "{out}"]])


def perffuzz_command(program, size, seed, seconds, folder, *more):
    return [perffuzz() / "afl-fuzz", "-p", "-d", "-i", folder / "seeds", "-o", folder / "afl", "-N", size,
            "-t", "10000", program]


def slowfuzz():
    place = checkout("slowfuzz", "https://github.com/nettrino/slowfuzz.git") / "Fuzzer"
    if not (place / "libSlowFuzz.a").exists():
        names = sorted(path.name for path in place.glob("Fuzzer*.cpp"))
        shell(place, [CLANG, "-c", "-O2", "-mpopcnt", "-std=c++11", "-w", *names],
              [CLANG, "-c", "-O2", HERE / "slowfuzz_interface.cc", "-o", "Interface.o"],
              ["ar", "rcs", "libSlowFuzz.a", *[re.sub("cpp$", "o", name) for name in names]])
    return place / "libSlowFuzz.a"


def build_slowfuzz(target):
    archive = slowfuzz()
    compile_target = [CLANG, "-O2", "-g", "-fsanitize-coverage=edge,trace-pc-guard", "-c", source(target), "-o",
                      "{tmp}/t.o"]
    return built(target + ".slowfuzz", digest(source(target), HERE / "slowfuzz_interface.cc"),
                 [compile_target, [CLANG, "{tmp}/t.o", archive.with_name("Interface.o"), archive, "-lpthread",
                                   "-rdynamic", "-o", "{out}"]])


def slowfuzz_command(program, size, seed, seconds, folder, *more):
    return [program, folder / "corpus", folder / "seeds", "-seed=%d" % seed, "-max_len=%d" % size,
            "-artifact_prefix=%s/" % folder, "-death_mode=3", "-detect_leaks=0", "-timeout=120", "-rss_limit_mb=4096",
            "-reload=0"]


AFL_OUTPUTS = ["afl/default/queue", "afl/default/hangs", "afl/queue", "afl/hangs", "afl/crashes", "afl/default/crashes"]
PEERS = {
    "perfidy": Peer("this search", build_ours, ours_command, ["corpus", "kept"]),
    "climber": Peer("(1+1) hill climber on total cost, ties accepted, in process",
                    build_with_runtime("climber", "climber_main.cc", [], []), climber_command, ["best"]),
    "libfuzzer": Peer("libFuzzer of LLVM 14", build_libfuzzer, libfuzzer_command, ["corpus"]),
    "libfuzzer_cost": Peer("libFuzzer with total cost in extra counters, 64 steps per octave",
                           build_with_runtime("libfuzzer_cost", "cost_counters.cc", ["-fsanitize=fuzzer-no-link"],
                                              ["-fsanitize=fuzzer"]), libfuzzer_command, ["corpus"]),
    "afl++": Peer("AFL++ of Debian, persistent mode", build_afl, afl_command, AFL_OUTPUTS, AFL_ENVIRONMENT),
    "perffuzz": Peer("PerfFuzz, pass ported to LLVM 14, persistent mode", build_perffuzz, perffuzz_command,
                     AFL_OUTPUTS, AFL_ENVIRONMENT),
    "slowfuzz": Peer("SlowFuzz, hybrid mode, built with LLVM 14", build_slowfuzz, slowfuzz_command, ["corpus"]),
}


def available(names):
    """{peer: why not, or ""}: whether each can be built here, tried on one small target."""
    found = {}
    for name in names:
        try:
            if name == "afl++" and not shutil.which("afl-fuzz"):
                raise RuntimeError("afl-fuzz is not installed")
            PEERS[name].build("insertion_sort")
            found[name] = ""
        except (RuntimeError, OSError, subprocess.CalledProcessError) as problem:
            found[name] = str(problem).strip().split("\n")[0]
    return found
