// Whether a point is in a convex set, with a certificate, by nothing but minimising linear
// functions.

#pragma once

#include <span>
#include <vector>

#include "keyhole/set.h"
#include "sets/nearest_point.h"
#include "sets/polar_descent.h"

namespace keyhole::sets {

/// Decides with one of two certificates. A direction g separates z from K: <g, z> exceeds <g, v>
/// for all v in K by more than the tolerance. Or a point x of K, a convex combination of vertices,
/// is so near that the hull of x and of the inner ball of K holds z but for the tolerance.
///
/// Two searches take turns: Wolfe's for the nearest point, which ends on a polytope after finitely
/// many steps, and the descent of the support function, which is fast where K is curved.
///
/// One a thread.
class Separation {
 public:
  /// By an oracle of the set.
  explicit Separation(const Set& set);
  /// By `minimise` for that set.
  Separation(const Set& set, const NearestPoint::Minimise& minimise);

  /// Whether z is in K, or nearer to it than `tolerance` and the rounding of coordinates as large
  /// as those of p. Rounding can prevent both certificates: then points up to 2.5e-9 D away count
  /// as near.
  [[nodiscard]] bool is_within(std::span<const double> z, double tolerance);

 private:
  enum class Verdict { unknown, inside, outside };

  /// Projects z onto the hull of K. Whether that is near.
  [[nodiscard]] bool is_near_the_hull(std::span<const double> z);
  [[nodiscard]] Verdict descend();
  [[nodiscard]] Verdict approach();
  /// Whether the hull of p + reach_ and of the inner ball holds z but for the tolerance.
  [[nodiscard]] bool is_reached() const;

  const Set& set_;
  NearestPoint::Minimise minimise_;
  NearestPoint nearest_;
  PolarDescent descent_;
  double tolerance_ = 0;
  bool descends_ = false;
  bool approaches_ = false;
  std::vector<double> z_;          // within the hull
  std::vector<double> s_;          // z - p
  std::vector<double> reach_;      // x - p
  std::vector<double> direction_;  // to minimise
};

}  // namespace keyhole::sets
