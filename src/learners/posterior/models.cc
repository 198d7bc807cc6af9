#include "learners/posterior/models.h"

#include "learners/posterior/constants.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

using Chosen = PosteriorConstants;

}  // namespace

double Candidate::expected() const { return math::dot(mean(), phi); }

Models::Models(const Frame& frame) : few_(frame, Curvatures::few) {
  // In one dimension both are the same.
  if (frame.size() > 1 && frame.size() <= Chosen::pairs_dimensions) {
    all_.emplace(frame, Curvatures::all);
  }
}

Candidate& Models::to_sample(double uniform) {
  return all_is_fitted_ != 0 && uniform < better_.share_of_second() ? *all_ : few_;
}

void Models::begin(double noise, double reach) {
  few_.model.begin(noise, reach);
  if (all_) all_->model.begin(noise, reach);
  better_ = {};
  all_is_fitted_ = 0;
}

void Models::note(std::span<const double> z, Origin origin) {
  few_.model.write_features(z, few_.phi);
  if (origin == Origin::play) few_.model.note(few_.phi);
  if (!all_) return;
  all_->model.write_features(z, all_->phi);
  if (origin == Origin::play) all_->model.note(all_->phi);
}

void Models::learn_first(std::span<const double> z, double value, double noise, Origin origin) {
  note(z, origin);
  few_.posterior().learn(few_.phi, 1 / noise, value - few_.expected());
  if (all_) all_->model.add(all_->phi, 1 / noise, value);
}

double Models::learn(std::span<const double> z, double value, std::span<const double> here,
                     Residuals& residuals, Origin origin) {
  note(z, origin);
  Candidate& best = better();
  const double of_few = few_.expected();
  const double expected = best.expected();
  const double variance = best.posterior().variance(best.phi);
  // The curvature may be another one elsewhere.
  const double bend = Chosen::bend * best.model.bend(z, here);
  const double elsewhere = bend * bend;
  const double usual = origin == Origin::play ? value - residuals.swing() : value;
  const double noise = residuals.noise();
  const double above = value - expected;
  const double learned =
      expected + (origin == Origin::play ? residuals.take(above, variance + elsewhere)
                                         : residuals.take_timeless(above, variance + elsewhere));
  const double precision = 1 / (residuals.noise() + elsewhere);
  if (&best == &few_) {
    few_.posterior().learn_latest(few_.phi, precision, learned - expected);
  } else {
    few_.posterior().learn(few_.phi, precision, learned - of_few);
  }
  if (!all_) return learned;
  all_->model.add(all_->phi, precision, learned);
  if (all_is_fitted_ != 0) better_.take(usual - of_few, usual - all_->expected(), noise);
  return learned;
}

void Models::refit(double noise, std::uint64_t count, double growth, std::span<const double> here) {
  few_.model.refit(noise, count, growth, here);
  if (!all_) return;
  const auto coefficients = static_cast<double>(all_->model.size());
  if (static_cast<double>(count) < Chosen::pairs_losses * coefficients) return;
  all_->model.refit(noise, count, growth, here);
  all_is_fitted_ = 1;
}

void Models::state(Archive& archive) {
  few_.model.state(archive);
  if (!all_) return;
  all_->model.state(archive);
  better_.state(archive);
  archive.field(all_is_fitted_);
}

}  // namespace keyhole::algorithms
