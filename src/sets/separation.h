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
/// Three searches take turns. Wolfe's for the nearest point ends on a polytope after finitely many
/// steps. The descent of the support function finds the normal of the face that the ray from p
/// through z meets; all that it sees is offered to the first. Where the normal is about known, the
/// face itself is searched, whether flat or curved: vertices are asked for by the normal, tilted
/// towards z from the nearest point so far, by as little as brings that nearer.
///
/// One a thread.
class Separation {
 public:
  /// By an oracle of the set.
  explicit Separation(const Set& set);
  /// By `minimise` for that set.
  Separation(const Set& set, const NearestPoint::Minimise& minimise);

  Separation(const Separation&) = delete;
  Separation& operator=(const Separation&) = delete;

  /// Whether z is in K, or nearer to it than `tolerance` and the rounding of coordinates as large
  /// as those of p. Rounding, and the limit of calls, can prevent both certificates: then z counts
  /// as near if a point of K is found within 2.5e-9 D of it.
  [[nodiscard]] bool is_within(std::span<const double> z, double tolerance);

  /// How often one answer asks the oracle, but for a last few calls.
  [[nodiscard]] static std::size_t most_calls(std::size_t n) { return 4000 + 160 * n; }
  /// How often the last one did.
  [[nodiscard]] std::size_t calls() const { return calls_; }

 private:
  enum class Verdict { unknown, inside, outside };

  /// Projects z onto the hull of K. Whether that is near.
  [[nodiscard]] bool is_near_the_hull(std::span<const double> z);
  [[nodiscard]] Verdict search();
  [[nodiscard]] Verdict descend();
  /// A step of Wolfe's; whether it can make another.
  [[nodiscard]] Verdict approach(bool& goes_on);
  /// Whether the descent has slowed down so much that its normal is about known.
  [[nodiscard]] bool is_level();
  [[nodiscard]] Verdict search_face();
  /// Asks for the vertex that lies farthest along g, and offers it to the nearest point.
  [[nodiscard]] Verdict ask(std::span<const double> g);
  /// Whether the nearest point and the inner ball hold z.
  [[nodiscard]] Verdict look();
  /// Whether the hull of p + reach_ and of the inner ball holds z but for the tolerance.
  [[nodiscard]] bool is_reached() const;

  const Set& set_;
  NearestPoint::Minimise minimise_;
  NearestPoint nearest_;
  PolarDescent descent_;
  double tolerance_ = 0;
  std::size_t calls_ = 0;
  bool descends_ = false;
  bool nearer_ = false;            // by the last vertex
  double level_ = 0;               // of the descent when it was last looked at
  std::size_t next_look_ = 0;      // in calls
  std::vector<double> z_;          // within the hull
  std::vector<double> s_;          // z - p
  std::vector<double> reach_;      // x - p
  std::vector<double> direction_;  // to minimise
  std::vector<double> tilted_;
  std::vector<double> vertex_;
};

}  // namespace keyhole::sets
