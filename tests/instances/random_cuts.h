#pragma once

// Cuts as tests/instances/random_slices.h has slices.

#include <algorithm>
#include <cmath>
#include <string>

#include "instances/cuts.h"
#include "instances/random_slices.h"
#include "sets/combinations/cut.h"

namespace keyhole::tests {

struct RandomCut {
  SetPtr set;
  SlicingRows rows;
  SetPtr cut;
};

/// Half of the cuts are deep, the others leave little of the set.
inline RandomCut random_cut(const InstanceFamily& kind, Random& random) {
  const SetPtr set = kind.draw(random.integer(2, random.integer(0, 7) == 0 ? 24 : 10), random).set;
  const double share = random.integer(0, 1) == 0 ? random.uniform(0, 0.7)
                                                 : 1 - std::pow(10, random.uniform(-3, -0.5));
  const SlicingRows by =
      random_cuts_at(share, set, random.integer(1, random.integer(0, 3) == 0 ? 40 : 8), random);
  return {set, by, sets::cut_by_columns(set, by.matrix, by.right)};
}

inline std::string fault_of_cut(const RandomCut& of, Random& random) {
  const auto& [set, rows, cut] = of;
  if (cut == set) return "";
  const sets::CutFrame frame = sets::find_cut(set, rows.matrix, rows.right);
  return fault_of_answers<sets::CutColumns>(set, rows, frame, cut, random);
}

}  // namespace keyhole::tests
