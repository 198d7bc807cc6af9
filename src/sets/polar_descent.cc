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

/// One that needs more has met a kink, whose slopes tell nothing of where it is.
constexpr std::size_t smooth_looks = 3;

/// From so many pairs on a matrix costs less, 3 n^2 a step instead of 4 n for each of them.
std::size_t most_pairs(std::size_t n) { return std::max<std::size_t>(100, 3 * n / 4); }

}  // namespace

PolarDescent::PolarDescent(std::size_t n, ScaleOf scale_of)
    : n_(n),
      scale_of_(scale_of),
      along_(n),
      base_(n),
      trial_(n),
      gradient_(n),
      tried_(n),
      way_(n) {}

void PolarDescent::reserve() {
  const std::size_t pairs = most_pairs(n_);
  steps_.reserve(pairs * n_);
  changes_.reserve(pairs * n_);
  products_.reserve(pairs);
  shares_.reserve(pairs);
  inverse_.reserve(n_ * n_);
  image_.reserve(n_);
}

void PolarDescent::start(std::span<const double> s) {
  const double length = math::norm(s);
  n_ = s.size();
  for (auto* const numbers : {&along_, &base_, &trial_, &gradient_, &tried_, &way_}) {
    numbers->resize(n_);
  }
  for (std::size_t i = 0; i < n_; ++i) along_[i] = s[i] / length;
  trial_ = along_;
  steps_.clear();
  changes_.clear();
  products_.clear();
  started_ = false;
  folded_ = false;
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
  const double slope = math::dot(tried_, way_);
  if (!fell(value, slope)) {
    high_ = step_;
  } else if (slope < 0.7 * slope_) {
    low_ = step_;
  } else {
    remember(step_ * (slope - slope_));
    accept(reach, value);
    return slope_ < 0;
  }
  if (++looks_ > most_looks) return false;
  look(looks_ > smooth_looks ? between() : where_slope_vanishes(slope));
  return true;
}

double PolarDescent::where_slope_vanishes(double slope) const {
  const double next = slope > slope_ ? step_ * slope_ / (slope_ - slope) : 4 * step_;
  if (!(high_ > 0)) return std::clamp(next, 1.5 * step_, 10 * step_);
  const double width = high_ - low_;
  return std::clamp(next, low_ + 0.1 * width, high_ - 0.1 * width);
}

double PolarDescent::between() const { return high_ > 0 ? low_ + (high_ - low_) / 2 : 2 * step_; }

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
  if (products_.empty() && !folded_) {
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
  if (products_.size() == most_pairs(n_)) fold();
  for (std::size_t i = 0; i < n_; ++i) {
    steps_.push_back(step_ * way_[i]);
    changes_.push_back(tried_[i] - gradient_[i]);
  }
  products_.push_back(curvature);
  if (folded_) fold();
}

void PolarDescent::fold() {
  const std::size_t pairs = products_.size();
  if (!folded_) {
    inverse_.assign(n_ * n_, 0.0);
    image_.resize(n_);
    const double scale = initial_scale();
    for (std::size_t i = 0; i < n_; ++i) inverse_[i * n_ + i] = scale;
    folded_ = true;
  }
  for (std::size_t k = 0; k < pairs; ++k) update(step(k), change(k), products_[k]);
  steps_.clear();
  changes_.clear();
  products_.clear();
}

void PolarDescent::update(std::span<const double> step, std::span<const double> change,
                          double curvature) {
  for (std::size_t i = 0; i < n_; ++i) image_[i] = math::dot(row(i), change);
  const double of_step = (1 + math::dot(change, image_) / curvature) / curvature;
  for (std::size_t i = 0; i < n_; ++i) {
    math::add(row(i), of_step * step[i] - image_[i] / curvature, step);
    math::add(row(i), -step[i] / curvature, image_);
  }
}

void PolarDescent::turn() {
  for (std::size_t i = 0; i < n_; ++i) way_[i] = -gradient_[i];
  if (folded_) {
    for (std::size_t i = 0; i < n_; ++i) way_[i] = -math::dot(row(i), gradient_);
    math::add(way_, -math::dot(way_, along_), along_);
    return;
  }
  const std::size_t pairs = products_.size();
  shares_.resize(pairs);
  for (std::size_t k = pairs; k-- > 0;) {
    shares_[k] = math::dot(step(k), way_) / products_[k];
    math::add(way_, -shares_[k], change(k));
  }
  if (pairs > 0) {
    const double scale = initial_scale();
    for (double& coordinate : way_) coordinate *= scale;
  }
  for (std::size_t k = 0; k < pairs; ++k) {
    math::add(way_, shares_[k] - math::dot(change(k), way_) / products_[k], step(k));
  }
  math::add(way_, -math::dot(way_, along_), along_);
}

double PolarDescent::initial_scale() const {
  const std::size_t k = scale_of_ == ScaleOf::first_step ? 0 : products_.size() - 1;
  return products_[k] / math::squared_norm(change(k));
}

void PolarDescent::look(double step) {
  step_ = step;
  for (std::size_t i = 0; i < n_; ++i) trial_[i] = base_[i] + step * way_[i];
}

}  // namespace keyhole::sets
