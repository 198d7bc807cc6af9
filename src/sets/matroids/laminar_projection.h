// The nearest point of {0 <= x <= 1, x(A) <= limit for the sets A of a laminar family}.

#pragma once

#include <span>
#include <vector>

#include "sets/matroids/laminar_matroid.h"

namespace keyhole::sets {

/// With a multiplier for each set the nearest point to z is x_i = clamp(z_i - theta_i, 0, 1), and
/// theta_i is the largest threshold mu_A of the sets A with i: mu_A is where the sum over A of
/// clamp(z_i - max(mu, theta_i), 0, 1) is the limit, theta_i being that of the sets inside A. For
/// independent sets only positive thresholds count; the bases fill the last set to its rank, by
/// negative ones too. So the sets are done from the inside out, each by bisection between
/// the places where its sum bends (Hochbaum 1994 for allocations under nested limits). O(m log m)
/// for a set of m elements.
///
/// One a thread; allocates at construction only.
class LaminarProjection {
 public:
  LaminarProjection(const LaminarMatroid& matroid, bool bases);

  /// The two may be the same.
  void operator()(std::span<const double> z, std::span<double> nearest);

 private:
  /// theta = base - offset, where the base is some z_j and the offset in [0, 1]: so z_i - theta
  /// loses no digits however far away z is.
  struct Threshold {
    double base = 0;
    double offset = 0;
    bool active = false;
  };

  [[nodiscard]] double inside(std::size_t i, double z) const;
  [[nodiscard]] double value(std::size_t i, double z, double mu) const;
  void limit(const LaminarSet& set, std::span<const double> z);

  const LaminarMatroid& matroid_;
  bool bases_;
  std::vector<Threshold> thresholds_;
  std::vector<double> places_;
};

}  // namespace keyhole::sets
