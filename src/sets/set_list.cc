#include "sets/set_list.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/span.h"
#include "math/sums.h"
#include "sets/sampled_vertices.h"

namespace keyhole::sets {
namespace {

bool any_is_full(const std::vector<SetPtr>& sets) {
  return std::any_of(sets.begin(), sets.end(),
                     [](const SetPtr& set) { return set->hull_dimension() == set->dimension(); });
}

/// The axes within the hull of each set.
std::vector<double> flattened_axes(const std::vector<SetPtr>& sets) {
  const std::size_t n = sets.front()->dimension();
  base::require(n <= most_sampled_coordinates, "flat sets of " + std::to_string(n) +
                                                   " dimensions cannot be joined, only up to " +
                                                   std::to_string(most_sampled_coordinates) +
                                                   ": join them with one that is not flat");
  std::vector<double> rows(sets.size() * n * n, 0.0);
  for (std::size_t row = 0; row < sets.size() * n; ++row) {
    const std::span<double> axis = std::span(rows).subspan(row * n, n);
    axis[row % n] = 1;
    sets[row / n]->flatten(axis);
  }
  return rows;
}

}  // namespace

void require_list_of_sets(const std::string& what, const std::vector<SetPtr>& sets) {
  base::require(!sets.empty(), what + " needs at least one set");
  for (const SetPtr& set : sets) {
    base::require(set != nullptr, what + " needs sets, and one of them is missing");
    base::require(set->dimension() == sets.front()->dimension(),
                  what + " needs sets of the same dimension: " + sets.front()->spec() + " has " +
                      std::to_string(sets.front()->dimension()) + " coordinates and " +
                      set->spec() + " has " + std::to_string(set->dimension()));
  }
}

std::vector<std::unique_ptr<Oracle>> oracles_of(const std::vector<SetPtr>& sets) {
  std::vector<std::unique_ptr<Oracle>> oracles;
  for (const SetPtr& set : sets) oracles.push_back(set->oracle());
  return oracles;
}

std::string list_spec(const std::string& name, const std::vector<SetPtr>& sets) {
  std::string spec;
  for (const SetPtr& set : sets) spec += (spec.empty() ? name + "(" : ", ") + set->spec();
  return spec + ")";
}

bool is_point(std::span<const double> x, std::size_t n) {
  return x.size() == n && std::all_of(x.begin(), x.end(), base::is_moderate);
}

double distance_between(std::span<const double> x, std::span<const double> y) {
  std::vector<double> z(x.begin(), x.end());
  math::add(z, -1, y);
  return math::norm(z);
}

JointHull::JointHull(std::vector<double> rows, std::size_t n, double size)
    : basis_(math::orthonormal_basis(std::move(rows), n, 1e-9 * size)) {
  dimension_ = basis_.size() / n;
  if (dimension_ == n) basis_.clear();
}

void JointHull::flatten(std::span<double> direction) const {
  if (!basis_.empty()) math::project_onto_span(basis_, direction);
}

JointHull hull_of_sum(const std::vector<SetPtr>& sets) {
  const std::size_t n = sets.front()->dimension();
  if (any_is_full(sets)) return JointHull(n);
  return {flattened_axes(sets), n, 1};
}

JointHull hull_of_all(const std::vector<SetPtr>& sets) {
  const std::size_t n = sets.front()->dimension();
  if (any_is_full(sets)) return JointHull(n);
  // Distances count relative to the sizes of the sets.
  double size = 0;
  for (const SetPtr& set : sets) size = std::max(size, set->outer_radius());
  std::vector<double> rows = flattened_axes(sets);
  for (const SetPtr& set : sets) {
    std::vector<double> way = set->centre();
    math::add(way, -1, sets.front()->centre());
    for (double& coordinate : way) coordinate /= size;
    rows.insert(rows.end(), way.begin(), way.end());
  }
  return {std::move(rows), n, 1};
}

}  // namespace keyhole::sets
