#pragma once

// Slices that nobody has fixed: of every kind of set, by any number of rows, deep ones and ones
// that nearly touch the boundary, in directions at random and in nearly degenerate ones. Every
// answer is to be a member and proved to be the least, and so is what a learner plays there.

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "catalogue.h"
#include "instances/slices.h"
#include "sets/combinations/column_generation.h"
#include "sets/combinations/slice_rows.h"
#include "slow_set.h"

namespace keyhole::tests {

struct RandomSlice {
  SetPtr set;
  SlicingRows rows;
  SetPtr slice;
};

/// Every kind of the catalogue, and those of all_set_families(), which have no slow minimum.
inline std::vector<InstanceFamily> kinds_to_slice() {
  std::vector<InstanceFamily> all = catalogue_instances();
  for (const SetFamily& family : all_set_families()) {
    all.push_back({family.name, [draw = family.draw](std::size_t n, Random& random) {
                     return Instance{draw(n, random), nullptr};
                   }});
  }
  return all;
}

/// Of a set of at least two dimensions, by any number of rows: half of the slices are deep, the
/// others come as near to the boundary as is taken.
inline RandomSlice random_slice(const InstanceFamily& kind, Random& random) {
  std::size_t n = random.integer(2, random.integer(0, 7) == 0 ? 24 : 10);
  SetPtr set = kind.draw(n, random).set;
  while (set->hull_dimension() < 2) set = kind.draw(++n, random).set;
  const std::size_t rows = random.integer(1, std::min<std::size_t>(set->hull_dimension() - 1, 50));
  const SlicingRows by =
      random.integer(0, 1) == 0
          ? random_rows(set, rows, random)
          : random_rows_at(1 - std::pow(10, random.uniform(-6, -0.5)), set, rows, random);
  return {set, by, sets::slice_by_columns(set, by.matrix, by.right)};
}

/// Normal numbers; whole ones; or nearly degenerate: few, those of a row, or all the same, but for
/// 1e-3 to 1e-12 of noise.
inline Vector random_slice_direction(const SlicingRows& rows, Random& random) {
  const std::size_t n = rows.matrix.size() / rows.right.size();
  const std::size_t kind = random.integer(0, 5);
  Vector d = random.normals(n);
  if (kind <= 1) return d;
  for (double& number : d) number = std::round(number);
  if (d[0] == 0) d[0] = 1;
  if (kind == 2) return d;
  if (kind == 3) std::fill(d.begin() + static_cast<std::ptrdiff_t>(n / 2), d.end(), 0.0);
  if (kind == 4) {
    const std::size_t row = random.integer(0, rows.right.size() - 1);
    std::copy_n(rows.matrix.begin() + static_cast<std::ptrdiff_t>(row * n), n, d.begin());
  }
  if (kind == 5) std::fill(d.begin(), d.end(), 1.0);
  const double noise = std::pow(10, -random.uniform(3, 12));
  for (double& number : d) number += noise * random.normal();
  return d;
}

/// The largest <d, x> - <d - sum y_i a_i, v> - sum y_i s_i, over ||d|| and the length, that a point
/// v of the set leaves open: no x of a slice, where s = 0, is below the least of that, whatever y
/// is, and none of a cut, whatever y <= 0 is. y are the prices that column generation ends with,
/// and one answer of the set decides.
template <class Columns, class Frame>
double unproved_share(const SetPtr& set, const Frame& frame, const Vector& d, const Vector& x) {
  constexpr bool is_slice = std::is_same_v<Frame, sets::SliceFrame>;
  Vector c = d;
  for (int pass = 0; pass < 2; ++pass) {  // twice, against rounding
    if constexpr (is_slice) {
      frame.flatten(c);
    } else {
      set->flatten(c);
    }
  }
  const double length = std::sqrt(inner(c, c));
  Columns columns(frame);
  if (length > 0) (void)columns.minimise(combine(1 / length, c, 0, c));
  Vector turned = d;
  double moved = 0;
  for (std::size_t i = 0; i < frame.count(); ++i) {
    double price = length * columns.prices()[i];
    if constexpr (is_slice) {
      price += inner(frame.row(i), d);
    } else {
      if (price > 0) return std::numeric_limits<double>::infinity();
      moved += price * frame.slacks[i];
    }
    turned = combine(1, turned, -price, frame.row(i));
  }
  Vector v(x.size());
  set->oracle()->minimise(turned).write_to(v);
  const double open = inner(d, combine(1, x, -1, frame.base)) -
                      inner(turned, combine(1, v, -1, frame.base)) - moved;
  return open / (std::sqrt(inner(d, d)) * frame.length);
}

/// What is wrong with plays of a learner; empty if nothing.
inline std::string fault_of_plays(const SetPtr& cut, Random& random) {
  constexpr std::uint64_t rounds = 20;
  Learner learner(projection_free(cut, {.loss_bound = 1, .gradient_bound = 1, .horizon = rounds}));
  const std::size_t losses = random.integer(0, 4);
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const Play play = learner.ask();
    if (!cut->contains(play.point)) {
      return "play " + std::to_string(t) + " is outside of " + cut->spec();
    }
    learner.tell(play.id, pushing_loss(losses, t, play.point, random));
  }
  return "";
}

/// What is wrong with answers of a slice or a cut of the set by the rows, to ten directions, and
/// with plays there; empty if nothing.
template <class Columns, class Frame>
std::string fault_of_answers(const SetPtr& set, const SlicingRows& rows, const Frame& frame,
                             const SetPtr& cut, Random& random) {
  const auto oracle = cut->oracle();
  Vector x(cut->dimension());
  for (int k = 0; k < 10; ++k) {
    const Vector d = random_slice_direction(rows, random);
    oracle->minimise(d).write_to(x);
    const std::string where = " for direction " + std::to_string(k) + " of " + cut->spec();
    if (!cut->contains(x)) return "the answer is outside" + where;
    const double share = unproved_share<Columns>(set, frame, d, x);
    if (!(std::abs(share) <= sets::ColumnGeneration::promised)) {
      return "the answer is off by " + std::to_string(share * 1e10) + "e-10" + where;
    }
  }
  return fault_of_plays(cut, random);
}

inline std::string fault_of_slice(const RandomSlice& of, Random& random) {
  const auto& [set, rows, cut] = of;
  const sets::SliceFrame frame =
      sets::find_frame(set, sets::independent_rows(*set, rows.matrix, rows.right));
  return fault_of_answers<sets::ColumnGeneration>(set, rows, frame, cut, random);
}

}  // namespace keyhole::tests
