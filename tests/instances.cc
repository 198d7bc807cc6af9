// Compiled once for all programs.

#include "instances/choices.h"
#include "instances/cuts.h"
#include "instances/graphs.h"
#include "instances/matroids.h"
#include "instances/norm_balls.h"
#include "instances/set_algebra.h"
#include "instances/slices.h"
#include "instances/spectral_sets.h"

namespace keyhole::tests {

std::vector<InstanceFamily> catalogue_instances() {
  std::vector<InstanceFamily> all;
  for (const auto& families :
       {norm_ball_instances(), choice_instances(), matroid_instances(), graph_instances(),
        spectral_set_instances(), set_algebra_instances(), slice_instances(), cut_instances()}) {
    all.insert(all.end(), families.begin(), families.end());
  }
  return all;
}

}  // namespace keyhole::tests
