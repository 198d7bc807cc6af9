#include "pages/shadow.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace keyhole::pages {
namespace {

/// What is left of the direction within the hull and across the basis, of length 1; empty if
/// little is.
Vector next_of_basis(const Set& set, const std::vector<Vector>& basis, Vector direction) {
  const double before = norm(direction);
  set.flatten(direction);
  for (int pass = 0; pass < 2; ++pass) {
    for (const Vector& b : basis) {
      const double along = dot(b, direction);
      for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= along * b[i];
    }
  }
  const double length = norm(direction);
  if (!(length > 1e-3 * before)) return {};
  for (double& d : direction) d /= length;
  return direction;
}

/// The axes, flattened, the last one first: it is to point upwards in the picture.
std::vector<Vector> basis_of_axes(const Set& set) {
  std::vector<Vector> basis;
  const std::size_t n = set.dimension();
  for (std::size_t k = n; k-- > 0 && basis.size() < set.hull_dimension();) {
    Vector axis(n, 0.0);
    axis[k] = 1;
    Vector b = next_of_basis(set, basis, std::move(axis));
    if (!b.empty()) basis.push_back(std::move(b));
  }
  std::reverse(basis.begin(), basis.end());
  return basis;
}

/// A plane in which no two axes look alike: the k-th points at the angle pi k / n, of flat sets
/// 2 pi k / n, as for a simplex, its length varying a little.
std::vector<Vector> generic_plane(const Set& set) {
  std::vector<Vector> basis;
  const std::size_t n = set.dimension();
  for (const double phase : {0.0, -std::numbers::pi / 2}) {
    Vector direction(n);
    for (std::size_t k = 0; k < n; ++k) {
      const double turn = static_cast<double>(k) / static_cast<double>(n);
      const double angle = (set.hull_dimension() < n ? 2 : 1) * std::numbers::pi * turn + 0.2;
      direction[k] = std::cos(angle + phase) * (1 + 0.2 * turn * turn);
    }
    Vector b = next_of_basis(set, basis, std::move(direction));
    if (!b.empty()) basis.push_back(std::move(b));
  }
  if (basis.size() == 2) return basis;
  basis = basis_of_axes(set);
  return {basis[0], basis[1]};
}

}  // namespace

double dot(std::span<const double> x, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

double norm(std::span<const double> x) { return std::sqrt(dot(x, x)); }

Shadow::Shadow(const Set& set)
    : set_(set),
      oracle_(set.oracle()),
      basis_(set.hull_dimension() <= 3 ? basis_of_axes(set) : generic_plane(set)) {}

Vector Shadow::of_direction(std::span<const double> x) const {
  Vector shadow;
  for (const Vector& b : basis_) shadow.push_back(dot(b, x));
  return shadow;
}

Vector Shadow::of(std::span<const double> x) const {
  Vector offset(x.begin(), x.end());
  for (std::size_t i = 0; i < offset.size(); ++i) offset[i] -= set_.centre()[i];
  return of_direction(offset);
}

bool Shadow::contains(std::span<const double> shadow) const {
  Vector x = set_.centre();
  for (std::size_t k = 0; k < basis_.size(); ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += shadow[k] * basis_[k][i];
  }
  oracle_->settle(x);
  return set_.contains(x);
}

Vector Shadow::farthest_in_full(Vector direction) {
  for (double& d : direction) d = -d;
  Vector x(set_.dimension());
  oracle_->minimise(direction).write_to(x);
  return x;
}

Vector Shadow::farthest(std::span<const double> direction) {
  Vector full(set_.dimension(), 0.0);
  for (std::size_t k = 0; k < basis_.size(); ++k) {
    for (std::size_t i = 0; i < full.size(); ++i) full[i] += direction[k] * basis_[k][i];
  }
  return of(farthest_in_full(std::move(full)));
}

}  // namespace keyhole::pages
