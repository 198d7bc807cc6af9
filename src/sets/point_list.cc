#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "math/sums.h"
#include "sets/moments.h"

namespace keyhole {
namespace {

using Vector = std::vector<double>;

void require_list(const Set& set, const std::vector<Vector>& list, const Vector& weights) {
  base::require(list.size() > set.hull_dimension(),
                "a list of " + std::to_string(list.size()) + " points cannot span the hull of " +
                    set.spec() + ", of dimension " + std::to_string(set.hull_dimension()));
  for (const Vector& point : list) {
    base::require(point.size() == set.dimension() && set.contains(point),
                  "a point to explore is not in the set " + set.spec());
  }
  base::require(weights.size() == list.size(), "a list of " + std::to_string(list.size()) +
                                                   " points needs as many weights, not " +
                                                   std::to_string(weights.size()));
  for (const double weight : weights) {
    base::require(weight >= 0 && weight <= 1,
                  "the weight of a point must be from 0 to 1, not " + base::number_text(weight));
  }
  base::require(
      std::abs(math::sum(weights) - 1) <= 1e-9,
      "the weights of a list must sum to 1, not " + base::number_text(math::sum(weights)));
}

Vector equal_weights(std::size_t count) { return Vector(count, 1 / static_cast<double>(count)); }

class PointList final : public Exploration {
 public:
  PointList(const sets::Moments& of, const std::vector<Vector>& list, const Vector& weights)
      : Exploration(of.mean(), of.variance(), squared_radius(of, list),
                    {.words = 1, .normals = 0}) {
    const std::size_t n = mean().size();
    double sum = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (!(weights[k] > 0)) continue;
      sum += weights[k];
      sums_.push_back(sum);
      points_.insert(points_.end(), list[k].begin(), list[k].end());
      scores_.resize(points_.size());
      of.score(list[k], std::span(scores_).last(n));
    }
  }

  void draw(const RandomBits& bits, std::span<double> v) override { copy_row(points_, bits, v); }
  void score(const RandomBits& bits, std::span<double> w) override { copy_row(scores_, bits, w); }

 private:
  static double squared_radius(const sets::Moments& of, const std::vector<Vector>& list) {
    double largest = 0;
    for (const Vector& point : list) {
      largest = std::max(largest, math::reduce(point.size(), [&](std::size_t i) {
                           const double away = point[i] - of.mean()[i];
                           return away * away / of.variance()[i];
                         }));
    }
    return largest;
  }

  void copy_row(const Vector& rows, const RandomBits& bits, std::span<double> to) const {
    const auto above = std::upper_bound(sums_.begin(), sums_.end() - 1, bits.uniform(0));
    const auto first = (above - sums_.begin()) * static_cast<std::ptrdiff_t>(to.size());
    std::copy_n(rows.begin() + first, to.size(), to.begin());
  }

  Vector sums_;    // of the weights up to each point
  Vector points_;  // row by row
  Vector scores_;  // row by row
};

}  // namespace

std::unique_ptr<Exploration> point_list(const Set& set, const std::vector<Vector>& list,
                                        const Vector& weights) {
  const Vector given = weights.empty() ? equal_weights(list.size()) : weights;
  require_list(set, list, given);
  return std::make_unique<PointList>(sets::Moments(sets::space_of(set), list, given), list, given);
}

std::vector<double> design_weights(const Set& set, const std::vector<Vector>& list,
                                   std::size_t steps) {
  require_list(set, list, equal_weights(list.size()));
  return sets::optimal_design(sets::space_of(set), list, steps);
}

}  // namespace keyhole
