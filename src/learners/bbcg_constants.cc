// Garber, Kretzu: "Improved Regret Bounds for Projection-free Bandit Convex Optimization", AISTATS
// 2020; Kretzu, Garber: "Revisiting Projection-free Online Learning: the Strongly Convex Case",
// AISTATS 2021. docs/learners/bbcg.md has the bounds, and the proof of the second.

#include "learners/bbcg_constants.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/elementary.h"

namespace keyhole::algorithms {

BbcgConstants::BbcgConstants(const Set& set, const BbcgOptions& options, std::uint64_t horizon)
    : n_(static_cast<double>(set.hull_dimension())),
      M_(*options.loss_bound),
      G_(options.gradient_bound.value_or(std::numeric_limits<double>::quiet_NaN())),
      r_(set.inner_radius()),
      R_(set.outer_radius()),
      D_(set.diameter()),
      T_(static_cast<double>(horizon)),
      alpha_(options.strong_convexity.value_or(0)),
      fixed_epsilon_(options.epsilon.value_or(0)) {
  const double c = options.c.value_or(default_c());
  if (alpha_ > 0) {
    delta_ = c * math::pow(T_, -1.0 / 3);
    const double T_2_3 = math::pow(T_, 2.0 / 3);
    L_ = static_cast<std::uint64_t>(std::floor(T_2_3 + 0.5));
    T_0_ = std::max(4 * T_2_3, 8 / alpha_);
  } else {
    delta_ = c * math::pow(T_, -0.25);
    L_ = static_cast<std::uint64_t>(std::floor(std::sqrt(T_) + 0.5));
    eta_ = options.eta.value_or(2 * c * R_ / (n_ * M_) * math::pow(T_, -0.75));
  }
}

double BbcgConstants::default_c() const {
  if (std::isnan(G_)) return r_ / 2;
  if (alpha_ > 0) {
    const double cube = r_ * (n_ * M_) * (n_ * M_) * (1 + math::log(T_)) / (G_ * R_ * alpha_);
    return std::min(math::pow(cube, 1.0 / 3), r_ / 2 * math::pow(T_, 1.0 / 3));
  }
  return std::min(std::sqrt(n_ * M_ * r_ / G_), r_ / 2 * math::pow(T_, 0.25));
}

double BbcgConstants::weight(std::uint64_t m) const noexcept {
  return alpha_ > 0 ? alpha_ * (static_cast<double>(m - 1) * length() + T_0_) / 2 : 1;
}

double BbcgConstants::epsilon(std::uint64_t m) const noexcept {
  if (fixed_epsilon_ > 0) return fixed_epsilon_;
  if (alpha_ == 0) return 16 * R_ * R_ / std::sqrt(T_);
  const double beta = alpha_ * (static_cast<double>(m) * length() + T_0_);
  return 16 * R_ * R_ * math::pow(beta, 1.0 / 3);
}

// With C = w D^2 a step from a gap g lowers F by min(g / 2, g^2 / (4 C)) at least. So F is within
// 4 C / i of its minimum after i steps, and the gap cannot stay above epsilon for more than another
// 16 C^2 / (i epsilon^2): epsilon is reached within 8 C / epsilon steps.
int BbcgConstants::most_calls(std::uint64_t m) const noexcept {
  return static_cast<int>(std::min(1e9, 8 * weight(m) * D_ * D_ / epsilon(m) + 4));
}

double BbcgConstants::blocks() const noexcept { return std::ceil(T_ / length()); }

// sqrt(Q), where E ||g_m||^2 <= Q = L (n M / delta)^2 + L^2 G^2: a block's estimates are
// independent of each other, for they share an iterate (Lemma 5).
double BbcgConstants::block_norm() const {
  const double of_estimate = n_ * M_ / delta_;
  return std::sqrt(length() * of_estimate * of_estimate + length() * G_ * length() * G_);
}

// ||x_m - argmin F_m|| at most.
double BbcgConstants::leader_error(std::uint64_t m) const {
  return std::sqrt(epsilon(m) / weight(m));
}

double BbcgConstants::regret_bound() const {
  return alpha_ > 0 ? strongly_convex_bound() : convex_bound();
}

// Lemma 6, for every delta <= r, eta, epsilon and L: also for the L that was rounded, and for a
// last block that is shorter. With the L = T^(1/2), delta, eta and epsilon of Theorem 1 it is
// Theorem 1, (3 c G + c R G / r + 6 G R + 4 c G^2 R / (n M) + 4 R n M / c) T^(3/4).
double BbcgConstants::convex_bound() const {
  const double of_estimate = n_ * M_ / delta_;
  const double a_round = (3 + R_ / r_) * G_ * delta_ + G_ * leader_error(1) +
                         eta_ * G_ * std::sqrt(length()) * of_estimate +
                         eta_ * of_estimate * of_estimate + 2 * eta_ * length() * G_ * G_;
  return a_round * T_ + 4 * R_ * R_ / eta_;
}

// Theorem 2 of the second paper with constants of our own: the sums of the proof are kept, so that
// they hold for the L in use.
double BbcgConstants::strongly_convex_bound() const {
  double bound = (3 + R_ / r_) * G_ * delta_ * T_ + 4 * R_ * R_ * weight(1);
  const double Q_1_2 = block_norm();
  const double product = Q_1_2 * (Q_1_2 + 2 * R_ * block_curvature());
  const auto B = static_cast<std::uint64_t>(blocks());
  for (std::uint64_t m = 1; m <= B; ++m) {
    bound += product / (2 * weight(m + 1));
    if (m == 1) continue;  // x_0 = x_1 is the leader of nothing
    bound += product / (2 * weight(m)) + length() * G_ * leader_error(m - 1);
  }
  return bound;
}

// The steps of block m are at most max(16 w R^2 / epsilon^2, 2 / epsilon) (h - epsilon) for a start
// F_m(x_{m-1}) = min F_m + h (Lemma 7), and h - epsilon <= P ||x_{m-1} - argmin F_{m-1}|| + P^2 / w
// with P the norm of the gradient at x_{m-1} of what block m - 1 adds to F. One call certifies that
// the last step was the last.
double BbcgConstants::expected_calls() const {
  const double from_curvature = 2 * R_ * block_curvature();
  const double P = eta_ * (std::sqrt(length()) * n_ * M_ / delta_ + length() * G_) + from_curvature;
  const double square_root = eta_ * block_norm() + from_curvature;
  const double mean_square = square_root * square_root;
  const auto of_block = [&](std::uint64_t m) {
    const double w = weight(m);
    const double e = epsilon(m);
    return 1 + std::max(16 * w * R_ * R_ / (e * e), 2 / e) *
                   (P * leader_error(m - 1) + mean_square / w);
  };
  if (alpha_ == 0) return blocks() * of_block(2);  // the same for each
  double calls = 0;
  const auto B = static_cast<std::uint64_t>(blocks());
  for (std::uint64_t m = 2; m <= B; ++m) calls += of_block(m);
  return calls;
}

}  // namespace keyhole::algorithms
