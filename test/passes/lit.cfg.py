# lit configuration of the pass tests. Run once per LLVM version:
#   lit.py -sv --param version=14 --param plugin=PerfidyPass-14.so --param output=DIR test/passes
# Input files use typed pointers, which LLVM 14 needs and later versions read as `ptr`; checks match
# both with {{(ptr|i8\*)}} and never depend on numbers of unnamed values.
import lit.formats

version = lit_config.params["version"]

config.name = "passes-" + version
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".ll"]
config.test_exec_root = lit_config.params["output"]
# `verify` after our pass: an invalid module is an error even in a build without assertions.
opt = "opt-" + version + " -load-pass-plugin=" + lit_config.params["plugin"]
config.substitutions.append(("%perfidy", opt + " -passes=perfidy,verify -S"))
config.substitutions.append(("%perblock", opt + " -passes=perfidy-per-block,verify -S"))
config.substitutions.append(("%opt", opt + " -S"))
config.substitutions.append(("%FileCheck", "FileCheck-" + version))
config.environment["LC_ALL"] = "C"
