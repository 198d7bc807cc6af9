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

/// The largest <d, x> - <d - sum y_i a_i, v> - sum y_i s_i, over ||d|| and the diameter, that a
/// point v of the set leaves open: no x of the cut is below the least of that, whatever y <= 0 is.
/// y are the prices that column generation ends with, and one answer of the set that is cut
/// decides.
inline double unproved_share_of_cut(const SetPtr& set, const sets::CutFrame& frame, const Vector& d,
                                    const Vector& x) {
  Vector c = d;
  for (int pass = 0; pass < 2; ++pass) set->flatten(c);  // twice, against rounding
  const double length = std::sqrt(inner(c, c));
  sets::CutColumns columns(frame);
  if (length > 0) (void)columns.minimise(combine(1 / length, c, 0, c));
  Vector turned = d;
  double moved = 0;
  for (std::size_t i = 0; i < frame.count(); ++i) {
    const double price = length * columns.prices()[i];
    if (price > 0) return std::numeric_limits<double>::infinity();
    turned = combine(1, turned, -price, frame.row(i));
    moved += price * frame.slacks[i];
  }
  Vector v(x.size());
  set->oracle()->minimise(turned).write_to(v);
  const double open = inner(d, combine(1, x, -1, frame.base)) -
                      inner(turned, combine(1, v, -1, frame.base)) - moved;
  return open / (std::sqrt(inner(d, d)) * frame.length);
}

/// What is wrong with answers of a cut and with plays there; empty if nothing.
inline std::string fault_of_cut(const RandomCut& of, Random& random) {
  const auto& [set, rows, cut] = of;
  if (cut == set) return "";
  const sets::CutFrame frame = sets::find_cut(set, rows.matrix, rows.right);
  return fault_of_answers(cut, rows, random, [&](const Vector& d, const Vector& x) {
    return unproved_share_of_cut(set, frame, d, x);
  });
}

}  // namespace keyhole::tests
