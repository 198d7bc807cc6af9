#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/parameter_free/change_test.h"
#include "learners/parameter_free/constants.h"
#include "math/dense.h"

namespace keyhole::algorithms {

/// What the blocks have told since the latest change of the losses.
struct GradientSums {
  explicit GradientSums(std::size_t n) : S(n), sum_since(n), X(n) {}

  /// Adds a block, the m-th: its estimate g, ||g||_*^2, and x - p of its plays, `length` of them.
  void add(std::span<const double> g, double of_g, std::span<const double> x,
           std::span<const double> p, double length) {
    math::add(S, 1, g);
    q += of_g;
    for (std::size_t i = 0; i < X.size(); ++i) X[i] += length * (x[i] - p[i]);
    losses += length;
  }

  /// Takes what the change test says of block m: after a change the sums start again where the
  /// change began, which is when last nothing was suspected.
  void judge(ChangeTest::Verdict verdict, std::span<const double> g, double of_g, std::uint64_t m) {
    if (verdict == ChangeTest::Verdict::nothing) {
      std::fill(sum_since.begin(), sum_since.end(), 0.0);
      q_since = 0;
      m_since = m;
      return;
    }
    math::add(sum_since, 1, g);
    q_since += of_g;
    if (verdict == ChangeTest::Verdict::suspicion) return;
    S = sum_since;
    q = q_since;
    m_0 = m_since;
    std::fill(X.begin(), X.end(), 0.0);
    losses = 0;
    ++restarts;
  }

  /// The blocks since the latest restart, at the m-th.
  [[nodiscard]] double blocks(std::uint64_t m) const { return static_cast<double>(m - m_0); }

  /// theta = (1 - (1 + 2/sqrt m) q / ||S||_*^2)_+: how far a sum with those squares stands out from
  /// its noise.
  [[nodiscard]] double standing_out(double squares, std::uint64_t m) const {
    const double noise = (1 + ParameterFreeConstants::shrinkage / std::sqrt(blocks(m))) * q;
    return squares > 0 ? std::max(0.0, 1 - noise / squares) : 0;
  }

  /// Forgets everything.
  void clear() {
    for (auto* sum : {&S, &sum_since, &X}) std::fill(sum->begin(), sum->end(), 0.0);
    for (double* sum : {&q, &q_since, &losses}) *sum = 0;
    for (std::uint64_t* count : {&m_0, &m_since, &restarts}) *count = 0;
  }

  std::vector<double> S;          // the sum of the g
  std::vector<double> sum_since;  // the sum since the last time no change was suspected
  std::vector<double> X;          // the sum of x - p over the losses
  double q = 0;                   // the sums of ||g||_*^2, likewise
  double q_since = 0;
  double losses = 0;      // the losses of X
  std::uint64_t m_0 = 0;  // the number of blocks is counted from here: 0, then the latest restart
  std::uint64_t m_since = 0;  // where a restart would count from
  std::uint64_t restarts = 0;
};

}  // namespace keyhole::algorithms
