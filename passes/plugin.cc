// Registers the pass, nothing else. Place in the pipeline: at its start, after a small clean-up of
// our own (SROA, EarlyCSE, SimplifyCFG), so that counts are the same at -O1 to -O3 and close to the
// source.
#include "passes/instrument.h"
#include "passes/llvm_compat.h"

#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace {

void addPasses(llvm::ModulePassManager &passes) {
  llvm::FunctionPassManager cleanUp;
  cleanUp.addPass(perfidy::makeSroa());
  cleanUp.addPass(llvm::EarlyCSEPass());
  cleanUp.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(cleanUp)));
  passes.addPass(perfidy::InstrumentPass());
}

} // namespace

extern "C" __attribute__((weak, visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Perfidy", "1", [](llvm::PassBuilder &builder) {
            builder.registerPipelineStartEPCallback(
                [](llvm::ModulePassManager &passes, auto &&...) { addPasses(passes); });
            builder.registerPipelineParsingCallback(
                [](llvm::StringRef name, llvm::ModulePassManager &passes, auto &&...) {
                  if (name != "perfidy")
                    return false;
                  passes.addPass(perfidy::InstrumentPass());
                  return true;
                });
          }};
}
