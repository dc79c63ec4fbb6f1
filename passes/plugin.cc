// Registers the pass, nothing else. Place in the pipeline: at its start, after a small clean-up of
// our own (SROA, EarlyCSE, SimplifyCFG), so that counts are the same at -O1 to -O3 and close to the
// source.
#include "passes/instrument.h"
#include "passes/llvm_compat.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace {

llvm::cl::opt<bool> perBlock("perfidy-per-block",
                             llvm::cl::desc("One counter for each block, without inference"));

perfidy::InstrumentOptions commandLine() {
  perfidy::InstrumentOptions options;
  options.perBlock = perBlock;
  return options;
}

void addPasses(llvm::ModulePassManager &passes) {
  llvm::FunctionPassManager cleanUp;
  cleanUp.addPass(perfidy::makeSroa());
  cleanUp.addPass(llvm::EarlyCSEPass());
  cleanUp.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(cleanUp)));
  passes.addPass(perfidy::InstrumentPass(commandLine()));
}

} // namespace

extern "C" __attribute__((weak, visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Perfidy", "1", [](llvm::PassBuilder &builder) {
            builder.registerPipelineStartEPCallback(
                [](llvm::ModulePassManager &passes, auto &&...) { addPasses(passes); });
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
