#include "runtime/trace.h"
#include "test/unit/temporary_directory.h"
#include "tools/import_series.h"

#include <cmath>
#include <gtest/gtest.h>

namespace perfidy {
namespace {

Run imported(const std::string &text) {
  const sample::TemporaryDirectory directory;
  importSeries({directory.write("log", text), directory.path("t"), "net", "", "yes"});
  return readTrace(directory.path("t")).runs.at(0);
}

const Series &series(const Run &run, const std::string &name) {
  for (const Series &one : run.series)
    if (one.name == name)
      return one;
  throw std::runtime_error("no series " + name);
}

TEST(ImportSeries, KerasCsv) {
  const perfidy::Run run =
      imported("epoch,accuracy,loss,lr,val_accuracy,val_loss\r\n0,0.5,2.25,0.01,0.4,"
               "3\r\n1,0.75,nan,0.01,,inf\r\n");
  EXPECT_EQ(run.tags.at("program"), "net");
  EXPECT_EQ(run.tags.at("clean"), "yes");
  EXPECT_EQ(run.tags.count("fault"), 0u);
  EXPECT_EQ(series(run, "base.train_score").value, (std::vector<double>{0.5, 0.75}));
  EXPECT_EQ(series(run, "base.train_score").step, (std::vector<double>{0, 1}));
  EXPECT_TRUE(std::isnan(series(run, "base.train_loss").value[1]));
  EXPECT_TRUE(std::isinf(series(run, "base.val_loss").value[1]));
  EXPECT_TRUE(std::isnan(series(run, "base.val_score").value[1]));
  EXPECT_EQ(series(run, "step.rate").value.size(), 2u);
}

TEST(ImportSeries, JsonLinesOfATorchLoop) {
  const perfidy::Run run =
      imported("{\"epoch\": 3, \"Train Loss\": 1.5, \"my_own\": 7}\n\n{\"epoch\": 4, "
               "\"Train Loss\": \"NaN\", \"my_own\": null}\n");
  EXPECT_EQ(series(run, "base.train_loss").step, (std::vector<double>{3, 4}));
  EXPECT_TRUE(std::isnan(series(run, "base.train_loss").value[1]));
  EXPECT_EQ(series(run, "my_own").value[0], 7);
}

TEST(ImportSeries, SaysWhichLineIsWrong) {
  const auto message = [](const std::string &text) {
    try {
      imported(text);
    } catch (const Error &error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(message("loss,acc\n1,2\n1\n").find("log:3: 1 fields"), std::string::npos);
  EXPECT_NE(message("loss\nmuch\n").find("log:2: 'much' is no number"), std::string::npos);
  EXPECT_NE(message("{\"loss\": 1}\n{\"loss\"\n").find("log:2"), std::string::npos);
  EXPECT_NE(message("").find("holds no epoch"), std::string::npos);
  EXPECT_THROW(importSeries({"/nonexistent", "/tmp/x", "", "", ""}), Error);
}

} // namespace
} // namespace perfidy
