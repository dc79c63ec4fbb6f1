// Registers the passes and their options, nothing else.
//
// -mllvm -perfidy-place=stable (default): at the start of the pipeline, after a clean-up of our
// own, so that counts are the same at -O1 to -O3 and close to the source. =late: at its end, which
// costs least and counts what the machine will do; counts then depend on level and compiler
// version.
#include "passes/early.h"
#include "passes/instrument.h"
#include "passes/llvm_compat.h"

#include "llvm/Support/CommandLine.h"

namespace {

enum class Place { Stable, Late };

llvm::cl::opt<Place>
    place("perfidy-place",
          llvm::cl::desc("Where in the optimiser blocks are counted"),
          llvm::cl::init(Place::Stable),
          llvm::cl::values(clEnumValN(Place::Stable, "stable", "start: same counts at -O1 to -O3"),
                           clEnumValN(Place::Late, "late", "end: the cheapest")));

llvm::cl::opt<bool> perBlock("perfidy-per-block",
                             llvm::cl::desc("One counter for each block, without inference"));

llvm::cl::opt<bool> inlining("perfidy-inline",
                             llvm::cl::desc("Inline small functions before counting (stable)"),
                             llvm::cl::init(true));

perfidy::InstrumentOptions commandLine() {
  perfidy::InstrumentOptions options;
  options.perBlock = perBlock;
  return options;
}

void atStart(llvm::ModulePassManager &passes) {
  if (place != Place::Stable)
    return;
  perfidy::addEarlyPasses(passes, inlining);
  passes.addPass(perfidy::InstrumentPass(commandLine()));
}

void atEnd(llvm::ModulePassManager &passes) {
  if (place != Place::Late)
    return;
  perfidy::InstrumentOptions options = commandLine();
  options.optimisedLater = false;
  passes.addPass(perfidy::InstrumentPass(options));
}

} // namespace

extern "C" __attribute__((weak, visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Perfidy", "1", [](llvm::PassBuilder &builder) {
            builder.registerPipelineStartEPCallback(
                [](llvm::ModulePassManager &passes, auto &&...) { atStart(passes); });
            builder.registerOptimizerLastEPCallback(
                [](llvm::ModulePassManager &passes, auto &&...) { atEnd(passes); });
            builder.registerPipelineParsingCallback(
                [](llvm::StringRef name, llvm::ModulePassManager &passes, auto &&...) {
                  if (name != "perfidy" && name != "perfidy-per-block")
                    return false;
                  perfidy::InstrumentOptions options = commandLine();
                  options.perBlock |= name == "perfidy-per-block";
                  passes.addPass(perfidy::InstrumentPass(options));
                  return true;
                });
          }};
}
