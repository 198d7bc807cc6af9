#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/archive.h"
#include "learners/posterior/better_model.h"
#include "learners/posterior/frame.h"
#include "learners/posterior/model.h"
#include "learners/posterior/residuals.h"

namespace keyhole::algorithms {

/// Where a loss comes from.
enum class Origin : std::uint8_t {
  /// From a play: what it cost counts, and others came before it.
  play,
  /// From a point that was not played here: others paid for it, and it has no place in time.
  taught,
};

/// A model of the losses, with room for the features of a point and for a sample of it.
struct Candidate {
  Candidate(const Frame& frame, Curvatures curvatures)
      : model(frame, curvatures), phi(model.size()), theta(model.size()) {}

  /// What is known of the coefficients.
  [[nodiscard]] Regression& posterior() noexcept { return model.posterior(); }
  /// Their mean.
  [[nodiscard]] std::span<const double> mean() const { return model.posterior().mean(); }
  /// What the mean says of the point whose features are in phi.
  [[nodiscard]] double expected() const;

  Model model;
  std::vector<double> phi;
  std::vector<double> theta;
};

/// The models that posterior has of the losses. One has few curvatures. In few dimensions there is
/// a second one with all of them: it is needed where losses tie coordinates together, as |y_1 -
/// y_2| does. It learns from the same losses, and plays are made by the one that predicts better.
/// After construction nothing allocates.
class Models {
 public:
  explicit Models(const Frame& frame);

  /// The one that predicts better.
  [[nodiscard]] Candidate& better() { return better_.is_second() ? *all_ : few_; }
  [[nodiscard]] const Candidate& better() const { return better_.is_second() ? *all_ : few_; }
  /// The one to draw a sample of: the better one, but for trials of the other, by a random number
  /// from 0 to 1.
  [[nodiscard]] Candidate& to_sample(double uniform);

  /// Begins with no losses, for noise of that variance and plays that go so far.
  void begin(double noise, double reach);
  /// Learns one of the first losses, at z.
  void learn_first(std::span<const double> z, double value, double noise, Origin origin);
  /// Learns a loss at z, where the latest plays were made at `here` on the average. Returns it as
  /// it was learned: without what could be predicted of its residual, and clipped.
  double learn(std::span<const double> z, double value, std::span<const double> here,
               Residuals& residuals, Origin origin);
  /// Fits the models after so many losses: see Model::refit.
  void refit(double noise, std::uint64_t count, double growth, std::span<const double> here);

  /// The fields of a state.
  void state(Archive& archive);

 private:
  /// Writes the features of a point, and notes those of a play.
  void note(std::span<const double> z, Origin origin);

  Candidate few_;
  std::optional<Candidate> all_;
  BetterModel better_;
  std::uint8_t all_is_fitted_ = 0;
};

}  // namespace keyhole::algorithms
