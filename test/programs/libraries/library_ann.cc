// ANN: k-d trees with a choice of splitting rules. The manual says of the midpoint rule that depth
// and size of the tree can be arbitrarily large if the points are highly clustered.
//
// LIBRARY package=ann sources=src/*.cpp include=include
// EXPECT kind=differential rule=split,tail
// function=midpt_split,rkd_tree,annMaxSpread,annSpread,annPlaneSplit
#include <perfidy_data.h>

#include <ANN/ANN.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  static const char *const kSplits[] = {
      "standard", "midpoint", "fair", "sliding_midpoint", "sliding_fair"};
  const int count = static_cast<int>(perfidy_scale("points", 256, 64, 4096));
  const int dimensions = static_cast<int>(perfidy_param_integer("dimensions", 2, 1, 4));
  const uint32_t split = perfidy_param_enum("split", 0, kSplits, 5);
  const int bucket = static_cast<int>(perfidy_param_integer("bucket", 1, 1, 20));
  const double error = perfidy_param_real("error", 0, 0, 1);
  perfidy_data knobs = perfidy_data_knobs();
  ANNpointArray points = annAllocPts(count, dimensions);
  perfidy_data_fill(
      &knobs, points[0], nullptr, static_cast<size_t>(count), static_cast<size_t>(dimensions), 1);
  {
    ANNkd_tree tree(points, count, dimensions, bucket, static_cast<ANNsplitRule>(split));
    ANNidx index[2];
    ANNdist distance[2];
    for (int query = 0; query < 8; ++query)
      tree.annkSearch(points[query], 2, index, distance, error);
  }
  annDeallocPts(points);
  annClose();
  return 0;
}
