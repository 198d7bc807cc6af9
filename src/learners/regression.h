#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/archive.h"

namespace keyhole::algorithms {

/// Bayesian linear regression: what d coefficients theta may be, after
///
///   value_t = <theta, phi_t> + noise of precision w_t,  theta ~ N(0, diag(ridge)^-1) before
///
/// is N(mean, A^-1) with A = diag(ridge) + sum w_t phi_t phi_t'. A is kept as L L'. A value costs
/// 2 d^2 operations. After construction nothing allocates.
class Regression {
 public:
  explicit Regression(std::size_t d);

  /// d, the number of coefficients.
  [[nodiscard]] std::size_t size() const noexcept { return mean_.size(); }
  /// The mean of theta.
  [[nodiscard]] std::span<const double> mean() const noexcept { return mean_; }

  /// Room for so many coefficients: up to there nothing that follows allocates.
  void reserve(std::size_t d);
  /// One coefficient more, the last, of which the prior alone is known.
  void append(double ridge);
  /// So many coefficients; begin(), close() or a state says what is known of them.
  void resize(std::size_t d);

  /// Forgets all values.
  void begin(std::span<const double> ridge);

  /// The variance of <theta, phi>.
  [[nodiscard]] double variance(std::span<const double> phi);
  /// The same for a phi that is 0 before index `from`.
  [[nodiscard]] double variance_from(std::size_t from, std::span<const double> phi);
  /// L^-1 phi, for that phi; its squared length is the variance.
  [[nodiscard]] std::span<const double> reduced() const noexcept { return reduced_; }
  /// Learns a value of that precision which is `error` above <mean, phi>, for the phi whose
  /// variance() was asked last.
  void learn_latest(std::span<const double> phi, double precision, double error);
  /// The same for any phi.
  void learn(std::span<const double> phi, double precision, double error);
  /// The first coefficient has moved by about `drift`: its variance grows by q. With A e the first
  /// column of A, A -= q A e e'A / (1 + q A_00), and A e is L_00 times the first column of L.
  void wander(double q, double drift);
  /// Keeps that share of what is known of the first coefficients; what is known of the others is
  /// kept. With A = (B C'; C D) it becomes (share B, share C'; share C, D - (1 - share) C B^-1 C'):
  /// the columns of L there times the root of the share.
  void forget(std::size_t coefficients, double share);
  /// theta = mean + L'^-1 xi: a sample, if xi is standard normal. The last coefficient depends on
  /// the last xi alone, the others are drawn given those behind them.
  void sample(std::span<const double> xi, std::span<double> theta) const;

  /// To change the prior, or to forget some of what was learned: writes what the values alone say,
  /// the sums G of w_t phi_t phi_t' (the lower triangle, packed row by row) and b of w_t value_t
  /// phi_t, for the ridge in use.
  void open(std::span<const double> ridge, std::span<double> G, std::span<double> b) const;
  /// Takes them back, with another ridge.
  void close(std::span<const double> ridge, std::span<const double> G, std::span<const double> b);

  /// The fields of a state.
  void state(Archive& archive);

 private:
  /// Column k of L from its diagonal on.
  [[nodiscard]] double* column(std::size_t k) { return factor_.data() + first(k); }
  [[nodiscard]] const double* column(std::size_t k) const { return factor_.data() + first(k); }
  [[nodiscard]] std::size_t first(std::size_t k) const { return k * size() - k * (k - 1) / 2; }
  /// x = L^-1 x for an x that is 0 before `from`.
  void forward(std::size_t from, std::span<double> x) const;
  /// x = L'^-1 x.
  void backward(std::span<double> x) const;

  std::vector<double> mean_;
  std::vector<double> factor_;  // L, column by column
  // Workspace.
  std::vector<double> reduced_;  // L^-1 phi of the latest variance()
  std::vector<double> gain_;
};

}  // namespace keyhole::algorithms
