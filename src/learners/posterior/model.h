#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/archive.h"
#include "learners/posterior/frame.h"
#include "learners/posterior/regression.h"

namespace keyhole::algorithms {

/// The model of the losses: linear but for one curvature, or two where the set is stretched,
///
///   <theta, phi(z)>,  phi = (1, z_1, ..., z_m, [sum mu_k z_k^2 / |mu|], |z|^2 / sqrt m)
///
/// with z and mu of the frame, and what is known of theta. After construction nothing allocates.
class Model {
 public:
  explicit Model(const Frame& frame);

  /// d, the number of coefficients.
  [[nodiscard]] std::size_t size() const noexcept { return posterior_.size(); }
  /// The index of the first curvature.
  [[nodiscard]] std::size_t first_curvature() const noexcept { return m_ + 1; }
  /// What is known of theta.
  [[nodiscard]] Regression& posterior() noexcept { return posterior_; }
  [[nodiscard]] const Regression& posterior() const noexcept { return posterior_; }

  /// phi(z).
  void write_features(std::span<const double> z, std::span<double> phi) const;
  /// The curvature that theta gives to each z_k: the model is the linear part + sum c_k z_k^2.
  void write_curvatures(std::span<const double> theta, std::span<double> c) const;

  /// What curvature adds, by the mean, where every z_k^2 is 1.
  [[nodiscard]] double price_of_reach() const;

  /// What curvature adds, by the mean, on the way from `here` to z.
  [[nodiscard]] double bend(std::span<const double> z, std::span<const double> here) const;

  /// Begins with no values, for noise of that variance and plays that go so far, as a share of the
  /// widths of nu.
  void begin(double noise, double reach);

  /// After `count` losses with noise of that variance: makes the prior fit the slopes (MacKay:
  /// Bayesian interpolation, 1992). With a growth above 0 the same for the curvatures; and the
  /// variance of the curvature grows by that share about `here`, the mean of the latest plays,
  /// where the value and the slope stay: a loss need not have one curvature.
  void refit(double noise, std::uint64_t count, double growth, std::span<const double> here);

  /// Of the gain that the mean promises over the origin, the share that noise does not explain, as
  /// of the latest refit: from 0 to 1.
  [[nodiscard]] double reliable_share() const noexcept { return reliable_share_; }

  /// The fields of a state.
  void state(Archive& archive);

 private:
  /// The precisions of the prior.
  void write_ridge(double noise);
  /// Coefficients as they stand out from what is not known of them.
  struct Evidence {
    double determined = 0;  // how many of them the losses determine: gamma
    double squares = 0;     // sum theta_i^2
    double signal = 0;      // sum theta_i^2 / Var theta_i
  };
  [[nodiscard]] Evidence evidence(std::size_t begin, std::size_t end);
  /// The precision of the prior that this evidence asks for, from the one in use.
  [[nodiscard]] static double followed(const Evidence& found, double ridge, double most);
  void loosen_curvature(double growth, std::span<const double> here);

  std::size_t m_;
  std::vector<double> of_stretches_;  // mu / |mu|
  Regression posterior_;
  double slope_ridge_ = 1;
  double curvature_unit_ = 1;
  std::array<double, 2> curvature_ridge_{};  // as the evidence asks
  double reliable_share_ = 0;
  std::vector<double> ridge_;
  // Workspace.
  std::vector<double> G_;
  std::vector<double> b_;
  std::vector<double> u_;
  std::vector<double> Gu_;
};

}  // namespace keyhole::algorithms
