#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/testing.h"

namespace keyhole::testing {

using Vector = std::vector<double>;

double dot(std::span<const double> x, std::span<const double> y);
double norm(std::span<const double> x);
/// x + weight y.
Vector plus(std::span<const double> x, double weight, std::span<const double> y);
/// x - y.
Vector minus(std::span<const double> x, std::span<const double> y);
/// factor x.
Vector times(double factor, std::span<const double> x);
double distance(std::span<const double> x, std::span<const double> y);
/// Whether they are equal, bit for bit.
bool same_bits(std::span<const double> x, std::span<const double> y);

/// A set with what its checks share: an oracle, directions to try, points known to be in it.
class SetUnderTest {
 public:
  SetUnderTest(SetPtr set, SetCheckOptions options);

  [[nodiscard]] const Set& set() const { return *set_; }
  [[nodiscard]] const SetPtr& shared_set() const { return set_; }
  [[nodiscard]] const SetCheckOptions& options() const { return options_; }
  [[nodiscard]] Oracle& oracle() const { return *oracle_; }
  [[nodiscard]] std::size_t n() const { return set_->dimension(); }
  [[nodiscard]] const Vector& p() const { return set_->centre(); }
  [[nodiscard]] double r() const { return set_->inner_radius(); }
  [[nodiscard]] double R() const { return set_->outer_radius(); }
  [[nodiscard]] double D() const { return set_->diameter(); }

  /// How far a computed point may lie from where it should.
  [[nodiscard]] double rounding() const { return rounding_; }
  /// How far lengths that should be equal may differ: 1e-9 R and the rounding.
  [[nodiscard]] double tolerance() const { return membership_tolerance * R() + rounding_; }
  /// A step outwards that membership must notice: 1e-6 R, or more where rounding would hide it.
  [[nodiscard]] double nudge() const;

  /// The minimiser as a vector. Throws if the answer is malformed.
  [[nodiscard]] Vector minimise(std::span<const double> direction) const {
    return minimise(*oracle_, direction);
  }
  [[nodiscard]] Vector minimise(Oracle& oracle, std::span<const double> direction) const;
  /// argmax over K of <direction, x>.
  [[nodiscard]] Vector maximise(std::span<const double> direction) const;
  [[nodiscard]] bool contains(std::span<const double> x) const { return set_->contains(x); }
  [[nodiscard]] Vector settled(Vector x) const;
  [[nodiscard]] Vector projected(std::span<const double> point) const;
  [[nodiscard]] Vector flattened(Vector direction) const;
  /// The direction flattened and of length 1; empty if nothing but rounding is left of it.
  [[nodiscard]] Vector unit(const Vector& direction) const;

  /// Standard normal vectors: the k-th of them.
  [[nodiscard]] Vector gaussian(std::size_t k) const;
  /// Directions of every kind that an oracle can meet.
  [[nodiscard]] const std::vector<Vector>& directions() const;
  /// The directions flattened and of length 1, and the differences of some vertices.
  [[nodiscard]] const std::vector<Vector>& units() const;
  /// The vertices of the directions, as far as they are contained.
  [[nodiscard]] const std::vector<Vector>& vertices() const;
  /// Where the ray from p along u, of length 1, leaves K: the last point inside, by bisection on
  /// contains().
  [[nodiscard]] Vector last_inside(std::span<const double> u) const;
  /// The last points inside on random rays.
  [[nodiscard]] const std::vector<Vector>& boundary() const;
  /// A point that contains() accepts may be far from K where many constraints meet: each of them
  /// gives way by the tolerance. But if it breaks none by more than t = 1e-9 R, it is in K once it
  /// is moved towards p by the share t / (r + t), for p keeps a distance of r from each.
  [[nodiscard]] Vector safely_inside(std::span<const double> x) const;
  /// Convex combinations of vertices, of boundary points and of p, settled.
  [[nodiscard]] std::vector<Vector> mixtures() const;

 private:
  SetPtr set_;
  SetCheckOptions options_;
  std::unique_ptr<Oracle> oracle_;
  double rounding_;
  // Made when first needed.
  mutable std::vector<Vector> directions_;
  mutable std::vector<Vector> units_;
  mutable std::vector<Vector> vertices_;
  mutable std::vector<Vector> boundary_;
};

}  // namespace keyhole::testing
