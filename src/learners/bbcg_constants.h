#pragma once

#include <cstdint>

#include "keyhole/algorithms.h"
#include "keyhole/set.h"

namespace keyhole::algorithms {

/// What bounds the regret with these options.
inline const char* theorem_of(const BbcgOptions& options) {
  if (options.strong_convexity) {
    return "after Kretzu, Garber 2021, Theorem 2 (docs/learners/bbcg.md), if losses are strongly "
           "convex";
  }
  const bool overridden = options.eta || options.epsilon;
  return overridden ? "Garber, Kretzu 2020, Lemma 6" : "Garber, Kretzu 2020, Theorem 1";
}

/// The sizes of bbcg for one horizon T, and what its theorems say of them. F_m is
/// eta (g_1 + ... + g_{m-1}) . x and, of both versions, w_m ||x - x_1||^2 + <a linear term, x>.
class BbcgConstants {
 public:
  BbcgConstants(const Set& set, const BbcgOptions& options, std::uint64_t horizon);

  /// How far plays are from the iterate.
  [[nodiscard]] double delta() const noexcept { return delta_; }
  /// The length of a block.
  [[nodiscard]] std::uint64_t L() const noexcept { return L_; }
  /// The factor of the sum of gradients in F_m.
  [[nodiscard]] double eta() const noexcept { return eta_; }
  /// L alpha: the factor of 1/2 ||x - x_{i-1}||^2 in F_m; 0 without strong convexity.
  [[nodiscard]] double block_curvature() const noexcept { return length() * alpha_; }
  /// w_m: F_m is 2 w_m-smooth and 2 w_m-strongly convex.
  [[nodiscard]] double weight(std::uint64_t m) const noexcept;
  /// epsilon_m: the tolerance of the leader x_m.
  [[nodiscard]] double epsilon(std::uint64_t m) const noexcept;
  /// More linear minimisations than the leader x_m can ever take.
  [[nodiscard]] int most_calls(std::uint64_t m) const noexcept;

  /// The bound on the expected regret after T rounds; G must be given.
  [[nodiscard]] double regret_bound() const;
  /// The bound on the expected number of linear minimisations in T rounds; G must be given.
  [[nodiscard]] double expected_calls() const;

 private:
  [[nodiscard]] double default_c() const;
  [[nodiscard]] double length() const noexcept { return static_cast<double>(L_); }
  [[nodiscard]] double blocks() const noexcept;
  [[nodiscard]] double convex_bound() const;
  [[nodiscard]] double strongly_convex_bound() const;
  [[nodiscard]] double block_norm() const;
  [[nodiscard]] double leader_error(std::uint64_t m) const;

  // What is given.
  double n_;
  double M_;
  double G_;  // NaN if not given
  double r_;
  double R_;
  double D_;
  double T_;
  double alpha_;  // 0 without strong convexity
  double fixed_epsilon_;
  // What follows.
  double delta_ = 0;
  double eta_ = 1;
  double T_0_ = 0;
  std::uint64_t L_ = 1;
};

}  // namespace keyhole::algorithms
