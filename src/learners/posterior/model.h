#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/archive.h"
#include "learners/contexts.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/frame.h"
#include "learners/regression.h"

namespace keyhole::algorithms {

/// Which curvatures a model of the losses has.
enum class Curvatures {
  /// One, or two where the set is stretched.
  few,
  /// Those of every pair of coordinates.
  all,
};

/// The most that a model of points with the coordinates of a frame may have: in one dimension both
/// are the same, and in many there are too many pairs.
[[nodiscard]] inline Curvatures most_curvatures(const Frame& frame) {
  const bool all = frame.size() > 1 && frame.size() <= PosteriorConstants::pairs_dimensions;
  return all ? Curvatures::all : Curvatures::few;
}

/// A model of the losses, <theta, phi(z, psi)>, and what is known of theta. With few curvatures
///
///   phi = (1, z_1, ..., z_m, of contexts, [sum mu_k z_k^2 / |mu|], |z|^2 / sqrt m)
///
/// and with all of them
///
///   phi = (1, z_1, ..., z_m, of contexts, z_1^2, sqrt 2 z_1 z_2, z_2^2, sqrt 2 z_1 z_3, ...,
///          |z|^2 / sqrt m)
///
/// with z and mu of the frame. A turn of z changes neither model, where there is no mu. Of contexts
/// are (psi_1, psi_2, ..., psi_1 z, ..., psi_k z, psi_1 |z|^2 / sqrt m, ..., psi_k |z|^2 / sqrt m):
/// they move the level, and the first k of them slopes and curvature. In one context this is a
/// model of z alone, with fewer coefficients: see at(). After construction nothing allocates.
class Model {
 public:
  explicit Model(const Frame& frame, Curvatures curvatures = Curvatures::few,
                 const Contexts& contexts = no_contexts);

  /// d, the number of coefficients.
  [[nodiscard]] std::size_t size() const noexcept { return posterior_.size(); }
  /// How many coefficients there would be with one curvature.
  [[nodiscard]] static std::size_t dimension(const Frame& frame, const Contexts& contexts) {
    return (frame.size() + 1) * (contexts.slopes() + 1) + contexts.size() + 1;
  }
  /// How many coefficients there are in one context.
  [[nodiscard]] std::size_t size_at() const noexcept { return size() - first_curvature() + m_ + 1; }
  /// The indices of the first coefficient of its kind: levels, slopes, curvatures that contexts
  /// move, and curvatures that they do not.
  [[nodiscard]] std::size_t of_level() const noexcept { return m_ + 1; }
  [[nodiscard]] std::size_t of_slopes() const noexcept { return of_level() + contexts_->size(); }
  [[nodiscard]] std::size_t of_curvature() const noexcept {
    return of_slopes() + contexts_->slopes() * m_;
  }
  [[nodiscard]] std::size_t first_curvature() const noexcept {
    return of_curvature() + contexts_->slopes();
  }
  /// What is known of theta.
  [[nodiscard]] Regression& posterior() noexcept { return posterior_; }
  [[nodiscard]] const Regression& posterior() const noexcept { return posterior_; }

  /// Whether it has the curvatures of pairs of coordinates.
  [[nodiscard]] bool has_pairs() const noexcept { return curvatures_ == Curvatures::all; }

  /// phi(z, psi).
  void write_features(std::span<const double> z, std::span<const double> psi,
                      std::span<double> phi) const;
  /// The coefficients that theta has in a context, (level, slopes, curvatures), in `room`; theta
  /// itself where there are no contexts.
  [[nodiscard]] std::span<const double> at(std::span<const double> theta,
                                           std::span<const double> psi,
                                           std::span<double> room) const;
  /// The same coefficients, of one context, as another model has them: one with all curvatures can
  /// have those of one with few.
  void write_in(const Model& other, std::span<const double> theta, std::span<double> out) const;
  /// What slopes make of features, by the mean.
  [[nodiscard]] double by_slopes(std::span<const double> phi) const;
  /// Makes features those of what a point costs above the start.
  void clear_level(std::span<double> phi) const;
  /// The part of the level that the context makes, by the mean.
  [[nodiscard]] double level_of(std::span<const double> psi) const;
  /// The variance of the loss at the point whose features these are, by the mean, that comes from
  /// what is not known of its context.
  [[nodiscard]] double unknown(std::span<const double> z, const Psi& psi) const;

  /// The curvature that theta, of one context, gives to each z_k, of a model with few: it is the
  /// linear part + sum c_k z_k^2.
  void write_curvatures(std::span<const double> theta, std::span<double> c) const;
  /// The matrix of curvatures C that theta, of one context, gives, row by row: the linear part + z'
  /// C z.
  void write_matrix(std::span<const double> theta, std::span<double> C) const;

  /// What curvature adds, by the mean, where every z_k^2 is 1.
  [[nodiscard]] double price_of_reach() const;

  /// What curvature adds, by the mean, on the way from `here` to z.
  [[nodiscard]] double bend(std::span<const double> z, std::span<const double> here) const;

  /// Begins with no values, for noise of that variance and plays that go so far, as a share of the
  /// widths of nu.
  void begin(double noise, double reach);

  /// Learns a value of that precision at the next refit, of a model with all curvatures: what
  /// this costs is half of what the posterior needs to know it at once.
  void add(std::span<const double> phi, double precision, double value);

  /// The level has moved by about `drift`: its variance grows by q. Of a model with all curvatures,
  /// with g the first column of G: G -= g g' q / (1 + q G_00), and b so that the mean moves by the
  /// drift alone.
  void wander(double q, double drift);

  /// Keeps that share of what was learned of the level and the slopes, and of the plays noted.
  void forget(double share);
  /// Keeps that share of what was learned.
  void keep(double share);

  /// Notes the features of a play.
  void note(std::span<const double> phi);
  /// Their sums, over all plays since it began.
  [[nodiscard]] std::span<const double> noted() const noexcept { return noted_; }

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
  /// The same for `count` coefficients of contexts. A prior must not shrink what nothing was seen
  /// of: plays that do not vary within a context say nothing about its slopes, and if these were
  /// taken as 0 no play would ever vary.
  [[nodiscard]] static double followed_if_seen(const Evidence& found, std::size_t count,
                                               double ridge, double most);
  /// Makes the priors of contexts fit; adds what is known of their slopes.
  void follow_contexts(double root, double noise, bool curved, Evidence& slopes);
  void loosen_curvature(double growth, std::span<const double> here);

  /// What the values alone say: see Regression::open().
  struct Sums {
    std::vector<double> G;
    std::vector<double> b;
  };
  /// Those that are kept of a model with all curvatures, and else room for them, which all models
  /// that a thread uses share: there may be many, and G is as large as the posterior.
  [[nodiscard]] Sums& sums();

  /// The index of the curvatures' prior that coefficient i has.
  [[nodiscard]] std::size_t prior_of(std::size_t i) const;
  /// The first coefficient with that prior.
  [[nodiscard]] std::size_t first_of(std::size_t prior) const;
  /// How many priors the curvatures have.
  [[nodiscard]] std::size_t priors() const { return has_pairs() || !of_stretches_.empty() ? 2 : 1; }

  std::size_t m_;
  const Contexts* contexts_;
  Curvatures curvatures_;
  std::vector<double> of_stretches_;  // mu / |mu|
  Regression posterior_;
  double slope_ridge_ = 1;
  double curvature_unit_ = 1;
  std::array<double, 2> curvature_ridge_{};  // as the evidence asks
  double reliable_share_ = 0;
  // Of contexts: of levels, of the slopes of each, of curvatures.
  double level_ridge_ = 1;
  std::vector<double> context_ridge_;
  double bend_ridge_ = 1;
  std::vector<double> ridge_;
  std::vector<double> noted_;
  Sums kept_;  // of a model with all curvatures
  // Workspace.
  std::vector<double> u_;
  std::vector<double> Gu_;
};

}  // namespace keyhole::algorithms
