#include "sets/polar_descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {
namespace {

/// A line search that needs more looks has met rounding.
constexpr std::size_t most_looks = 40;

/// So often a vertex may be the answer to two directions that follow each other.
constexpr std::size_t most_repeats = 8;

}  // namespace

PolarDescent::PolarDescent(std::size_t n)
    : n_(n), along_(n), base_(n), trial_(n), gradient_(n), tried_(n), way_(n) {}

void PolarDescent::reserve(std::size_t pairs) {
  most_pairs_ = pairs;
  steps_.reserve(pairs * n_);
  changes_.reserve(pairs * n_);
  products_.reserve(pairs);
  shares_.reserve(pairs);
}

void PolarDescent::start(std::span<const double> s) {
  const double length = math::norm(s);
  for (std::size_t i = 0; i < n_; ++i) along_[i] = s[i] / length;
  trial_ = along_;
  steps_.clear();
  changes_.clear();
  products_.clear();
  repeats_ = 0;
  started_ = false;
}

bool PolarDescent::learn(std::span<const double> reach) {
  const double ahead = math::dot(reach, along_);
  for (std::size_t i = 0; i < n_; ++i) tried_[i] = reach[i] - ahead * along_[i];
  const double value = math::dot(reach, trial_);
  if (!started_) {
    started_ = true;
    accept(reach, value);
    return slope_ < 0;
  }
  if (tried_ == gradient_ && ++repeats_ > most_repeats) return false;
  const double slope = math::dot(tried_, way_);
  if (!fell(value, slope)) {
    high_ = step_;
  } else if (slope < 0.7 * slope_) {
    low_ = step_;
  } else {
    remember(step_ * (slope - slope_));
    accept(reach, value);
    return slope_ < 0 && products_.size() < most_pairs_;
  }
  if (++looks_ > most_looks) return false;
  // Where the slope would vanish if it changed evenly, well within what is possible.
  double next = slope > slope_ ? step_ * slope_ / (slope_ - slope) : 4 * step_;
  if (high_ > 0) {
    const double width = high_ - low_;
    next = std::clamp(next, low_ + 0.1 * width, high_ - 0.1 * width);
  } else {
    next = std::clamp(next, 1.5 * step_, 10 * step_);
  }
  look(next);
  return true;
}

bool PolarDescent::fell(double value, double slope) const {
  if (value <= value_ + 1e-4 * step_ * slope_) return true;
  // The values are alike to rounding: the slopes tell (Hager, Zhang 2005).
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * std::abs(value_);
  return value <= value_ + rounding && slope <= -0.8 * slope_;
}

void PolarDescent::accept(std::span<const double> reach, double value) {
  base_ = trial_;
  gradient_ = tried_;
  value_ = value;
  turn();
  if (products_.empty()) {
    const double length = math::norm(reach);
    for (double& coordinate : way_) coordinate /= length;
  }
  slope_ = math::dot(gradient_, way_);
  low_ = 0;
  high_ = 0;
  looks_ = 0;
  look(1);
}

void PolarDescent::remember(double curvature) {
  products_.push_back(curvature);
  for (std::size_t i = 0; i < n_; ++i) {
    steps_.push_back(step_ * way_[i]);
    changes_.push_back(tried_[i] - gradient_[i]);
  }
}

void PolarDescent::turn() {
  for (std::size_t i = 0; i < n_; ++i) way_[i] = -gradient_[i];
  const std::size_t pairs = products_.size();
  shares_.resize(pairs);
  const auto step = [&](std::size_t k) { return std::span(steps_).subspan(k * n_, n_); };
  const auto change = [&](std::size_t k) { return std::span(changes_).subspan(k * n_, n_); };
  for (std::size_t k = pairs; k-- > 0;) {
    shares_[k] = math::dot(step(k), way_) / products_[k];
    math::add(way_, -shares_[k], change(k));
  }
  if (pairs > 0) {
    const double scale = products_.back() / math::squared_norm(change(pairs - 1));
    for (double& coordinate : way_) coordinate *= scale;
  }
  for (std::size_t k = 0; k < pairs; ++k) {
    math::add(way_, shares_[k] - math::dot(change(k), way_) / products_[k], step(k));
  }
  math::add(way_, -math::dot(way_, along_), along_);
}

void PolarDescent::look(double step) {
  step_ = step;
  for (std::size_t i = 0; i < n_; ++i) trial_[i] = base_[i] + step * way_[i];
}

}  // namespace keyhole::sets
