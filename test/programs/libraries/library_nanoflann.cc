// nanoflann: a k-d tree over points whose coordinates are spread over many orders of magnitude. The
// box is cut in the middle, which separates only the few largest points, so the tree becomes nearly
// as deep as there are points (related: jlblancoc/nanoflann issue 248, deep trees).
//
// LIBRARY package=libnanoflann-dev deb=yes include=usr/include
// EXPECT kind=differential function=divideTree,planeSplit,middleSplit_,computeMinMax rule=tail
#include <perfidy_data.h>

#include <nanoflann.hpp>
#include <vector>

namespace {

struct Cloud {
  std::vector<double> points;
  size_t dimensions;
  size_t kdtree_get_point_count() const { return points.size() / dimensions; }
  double kdtree_get_pt(size_t i, size_t d) const { return points[i * dimensions + d]; }
  template <class Box> bool kdtree_get_bbox(Box &) const { return false; }
};

using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud>;

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *, size_t) {
  const size_t count = perfidy_scale("points", 256, 64, 4096);
  Cloud cloud;
  cloud.dimensions = static_cast<size_t>(perfidy_param_integer("dimensions", 2, 1, 4));
  const size_t leaf = static_cast<size_t>(perfidy_param_integer("leaf_size", 10, 1, 50));
  const size_t neighbours = static_cast<size_t>(perfidy_param_integer("neighbours", 3, 1, 20));
  perfidy_data knobs = perfidy_data_knobs();
  cloud.points.resize(count * cloud.dimensions);
  perfidy_data_fill(&knobs, cloud.points.data(), nullptr, count, cloud.dimensions, 1);
  Tree tree(
      static_cast<int>(cloud.dimensions), cloud, nanoflann::KDTreeSingleIndexAdaptorParams(leaf));
  tree.buildIndex();
  std::vector<uint32_t> index(neighbours);
  std::vector<double> distance(neighbours);
  for (size_t query = 0; query < 8; ++query)
    tree.knnSearch(
        &cloud.points[query * cloud.dimensions], neighbours, index.data(), distance.data());
  return 0;
}
