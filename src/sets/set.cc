#include "keyhole/set.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/require.h"
#include "keyhole/polytope.h"
#include "math/sums.h"
#include "sets/explored_points.h"

namespace keyhole {
namespace {

/// X += weight left right'. The product comes first, so that an outer product that is symmetric to
/// the last bit stays so.
void add_outer(std::span<const double> left, std::span<const double> right, double weight,
               std::span<double> x) noexcept {
  const std::size_t columns = right.size();
  for (std::size_t i = 0; i < left.size(); ++i) {
    double* const row = x.data() + i * columns;
    const double of_row = left[i];
    for (std::size_t j = 0; j < columns; ++j) row[j] += weight * (of_row * right[j]);
  }
}

}  // namespace

void Vertex::add_to(std::span<double> x, double weight) const noexcept {
  for (std::size_t i = 0; i < dense.size(); ++i) x[i] += weight * dense[i];
  for (std::size_t k = 0; k < indices.size(); ++k) x[indices[k]] += weight * values[k];
  add_outer(left, right, weight, x);
}

void Vertex::write_to(std::span<double> x) const noexcept {
  if (dense.empty()) {
    std::fill(x.begin(), x.end(), 0.0);
  } else {
    std::copy(dense.begin(), dense.end(), x.begin());
  }
  for (std::size_t k = 0; k < indices.size(); ++k) x[indices[k]] += values[k];
  add_outer(left, right, 1, x);
}

double Vertex::dot(std::span<const double> direction) const noexcept {
  const double of_dense = dense.empty() ? 0.0 : math::dot(dense, direction);
  const double of_entries = math::reduce(
      indices.size(), [&](std::size_t k) { return values[k] * direction[indices[k]]; });
  const double of_outer = math::reduce(left.size(), [&](std::size_t i) {
    return left[i] * math::dot(right, direction.subspan(i * right.size(), right.size()));
  });
  return of_dense + of_entries + of_outer;
}

Set::Set(std::size_t dimension, std::size_t hull_dimension, Geometry geometry)
    : dimension_(dimension),
      hull_dimension_(hull_dimension),
      geometry_(std::move(geometry)),
      kept_exploration_(std::make_shared<sets::KeptExploration>()) {
  const auto& [p, r, R, D, R_exact, D_exact] = geometry_;
  base::require(dimension >= 1, "a set needs at least one dimension");
  base::require(hull_dimension >= 1, "a set that is a single point leaves nothing to choose");
  base::require(hull_dimension <= dimension,
                "a set's hull cannot have more dimensions than the space");
  base::require(p.size() == dimension, "the centre must have one coordinate for each dimension");
  for (const double coordinate : p) {
    base::require(base::is_moderate(coordinate),
                  "the centre must have coordinates of magnitude up to 1e50, not " +
                      base::number_text(coordinate));
  }
  base::require_positive("the inner radius of the set", r);
  base::require_positive("the outer radius of the set", R);
  base::require_positive("the diameter of the set", D);
  const double rounding = 1 + 1e-9;
  base::require(r <= R * rounding, "the inner radius " + base::number_text(r) +
                                       " is larger than the outer radius " + base::number_text(R));
  base::require(R <= D * rounding && D <= 2 * R * rounding,
                "the diameter " + base::number_text(D) + " must lie between the outer radius " +
                    base::number_text(R) + " and twice that");
  base::require(
      r >= 1e-10 * math::largest_magnitude(p),
      "the set is too thin for its distance from the origin: points of it (inner radius " +
          base::number_text(r) + ") cannot be told apart in double precision");
}

std::unique_ptr<Oracle> Set::oracle() const {
  std::unique_ptr<Oracle> oracle = make_oracle();
  if (oracle->set_ == nullptr) {  // else it is that of another set, which it keeps
    oracle->set_ = this;
    oracle->owned_ = weak_from_this().lock();
    oracle->scaled_.resize(dimension());
  }
  return oracle;
}

void Set::flatten(std::span<double> /*direction*/) const {}

std::optional<PolytopeConstraints> Set::linear_description() const { return std::nullopt; }

/// With q = p + s (c - p) in K for an s > 1, c = q / s + (1 - 1 / s) p: the ball about p, as much
/// smaller as c is nearer to q, is in K about c. A q that is a member to the slack only may be so
/// far outside: then p + (q - p) / (1 + slack / r) is in K. 1 / s is found by halving, from above.
Geometry Set::geometry_about(std::span<const double> centre) const {
  const std::vector<double>& p = geometry_.centre;
  base::require(contains(centre),
                "the centre " + base::list_text(centre, false) + " is not in " + spec());
  std::vector<double> away(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) away[i] = centre[i] - p[i];
  const double distance = math::norm(away);
  const double R = geometry_.outer_radius;
  Geometry result = geometry_;
  result.centre.assign(centre.begin(), centre.end());
  if (distance == 0) return result;
  std::vector<double> q(p.size());
  double low = std::min(1.0, distance / R);  // of 1 / s: nothing of K is farther away
  double high = 1;
  for (int halving = 0; halving < 30; ++halving) {
    const double middle = (low + high) / 2;
    for (std::size_t i = 0; i < p.size(); ++i) q[i] = p[i] + away[i] / middle;
    (contains(q) ? high : low) = middle;
  }
  const double share = high * (1 + slack() / geometry_.inner_radius);
  result.inner_radius = geometry_.inner_radius * std::max(0.0, 1 - share);
  result.outer_radius = std::min(R + distance, geometry_.diameter);
  result.outer_radius_exact = false;
  result.diameter = std::min(geometry_.diameter, 2 * result.outer_radius);
  return result;
}

std::uint64_t Set::fingerprint() const {
  const std::string text = spec();
  return base::fnv1a(std::as_bytes(std::span(text)));
}

}  // namespace keyhole
