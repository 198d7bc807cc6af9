#include "sets/combinations/slice_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/orthonormal_rows.h"
#include "math/sums.h"
#include "sets/combinations/append_rows.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Of unit vectors: what is left of one that follows from others, and of one that nearly does.
constexpr double nothing = 1e-9;
constexpr double hardly_anything = 1e-6;

/// A proved share of a length that computing may take.
constexpr double safely = 1 - 1e-9;

/// The rows that are there, and the next, which is taken into them.
void orthogonalise(const SliceRows& there, Vector& q, double& right) {
  const std::size_t n = q.size();
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t k = 0; k < there.right.size(); ++k) {
      const auto other = std::span(there.rows).subspan(k * n, n);
      const double along = math::dot(other, q);
      math::add(q, -along, other);
      right -= along * there.right[k];
    }
  }
}

/// sum_k weights_k q_k.
Vector mixed(const Vector& rows, std::span<const double> weights, std::size_t n) {
  Vector q(n, 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    math::add(q, weights[k], std::span(rows).subspan(k * n, n));
  }
  return q;
}

/// An orthonormal basis of the same rows that begins with the direction of g.
Vector turned_towards(const SliceRows& rows, std::size_t n) {
  const std::size_t m = rows.right.size();
  Vector turn(m * m, 0.0);
  std::copy(rows.right.begin(), rows.right.end(), turn.begin());
  math::orthonormalise_rows(turn, m);
  Vector turned;
  for (std::size_t i = 0; i < m; ++i) {
    const Vector q = mixed(rows.rows, std::span(turn).subspan(i * m, m), n);
    turned.insert(turned.end(), q.begin(), q.end());
  }
  return turned;
}

}  // namespace

SliceRows independent_rows(const Set& set, std::span<const double> matrix,
                           std::span<const double> right) {
  const std::size_t n = set.dimension();
  const Vector& p = set.centre();
  SliceRows result;
  for (std::size_t i = 0; i < right.size(); ++i) {
    Vector q(matrix.begin() + static_cast<std::ptrdiff_t>(i * n),
             matrix.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
    const std::string name = "row " + std::to_string(i) + " of the slice";
    const double size = math::norm(q);
    base::require(size > 0, name + " is zero: leave it out");
    for (double& number : q) number /= size;
    double left = right[i] / size - math::dot(q, p);
    constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();
    const double off = membership_tolerance * set.outer_radius() +
                       roundings * (std::abs(right[i] / size) + math::norm(p));
    set.flatten(q);
    orthogonalise(result, q, left);
    const double length = math::norm(q);
    if (length <= nothing) {
      base::require(std::abs(left) <= off,
                    "the slice is empty: row " + std::to_string(i) + " has the same value at all " +
                        "points" + of_set(set) +
                        (result.right.empty() ? "" : " that the rows before it leave") +
                        ", and that is not " + base::number_text(right[i]));
      continue;
    }
    base::require(length >= hardly_anything,
                  name + " follows from the rows before it, or from the hull" + of_set(set) +
                      ", but for rounding: leave it out, or change it by more");
    for (double& number : q) number /= length;
    double again = 0;  // what the division has made larger
    orthogonalise(result, q, again);
    left = left / length + again;
    const double unit = math::norm(q);
    for (double& number : q) number /= unit;
    result.rows.insert(result.rows.end(), q.begin(), q.end());
    result.right.push_back(left / unit);
  }
  return result;
}

SliceFrame find_frame(const SetPtr& set, const SliceRows& rows) {
  const std::size_t n = set->dimension();
  const Vector& p = set->centre();
  const double r = set->inner_radius();
  const double R = set->outer_radius();
  const double away = math::norm(rows.right);
  SliceFrame frame{.set = set, .rows = rows.rows, .base = p, .depth = r * safely};
  base::require(away <= R, "no point" + of_set(*set) + " has A x = b: the slice is empty");
  frame.length = std::min(set->diameter(), 2 * std::sqrt((R - away) * (R + away)));
  if (away > nothing * r) {
    const Vector turned = turned_towards(rows, n);
    Vector towards(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(n));
    const SliceFrame through_centre{
        .set = set,
        .rows = Vector(turned.begin() + static_cast<std::ptrdiff_t>(n), turned.end()),
        .base = p,
        .depth = r * safely,
        .length = set->diameter()};
    for (double& number : towards) number = -number;
    ColumnGeneration ray(through_centre);
    const std::span<const double> last = ray.minimise(towards);
    const double reach =
        math::reduce(n, [&](std::size_t j) { return -towards[j] * (last[j] - p[j]); });
    base::require(reach + (ray.gap() + 1e-9) * set->diameter() >= away,
                  "no point" + of_set(*set) + " has A x = b: the slice is empty");
    base::require(away <= (1 - 1e-6) * reach,
                  "A x = b only touches the boundary" + of_set(*set) +
                      ", or comes within 1e-6 of doing so: the slice has no inside");
    const double share = away / reach;
    for (std::size_t j = 0; j < n; ++j) frame.base[j] = p[j] + share * (last[j] - p[j]);
    frame.depth *= 1 - share;
  }
  // Onto the rows.
  Vector off = rows.right;
  for (std::size_t i = 0; i < off.size(); ++i) {
    const auto q = frame.row(i);
    off[i] -= math::reduce(n, [&](std::size_t j) { return q[j] * (frame.base[j] - p[j]); });
  }
  math::add(frame.base, 1, mixed(frame.rows, off, n));
  return frame;
}

}  // namespace keyhole::sets
