#include "sets/combinations/column_generation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.h"
#include "math/sums.h"
#include "sets/proof.h"

namespace keyhole::sets {
namespace {

/// Of columns that the master keeps, besides its first.
std::size_t room_for(std::size_t rows) { return 4 * rows + 20; }

/// Values that differ by less, in lengths, are the same but for rounding: then the later is taken.
constexpr double equal_values = 1e-15;

/// So many steps of the climb without a better bound end it.
constexpr std::size_t most_misses = 3;

/// So many rounds without any progress are enough: with 10, some slices of a group_ball stop at a
/// gap of 1e-3.
constexpr std::size_t most_idle = 40;

}  // namespace

double SliceFrame::along(std::size_t i, std::span<const double> x) const {
  const double* const q = row(i).data();
  return math::reduce(x.size(), [&](std::size_t j) { return q[j] * (x[j] - base[j]); });
}

double SliceFrame::off(std::span<const double> x) const {
  double square = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const double of_row = along(i, x);
    square += of_row * of_row;
  }
  return std::sqrt(square);
}

void SliceFrame::flatten(std::span<double> direction) const {
  set->flatten(direction);
  for (std::size_t i = 0; i < count(); ++i) {
    math::add(direction, -math::dot(row(i), direction), row(i));
  }
}

ColumnGeneration::ColumnGeneration(const SliceFrame& frame, std::size_t most_calls, double gap)
    : frame_(frame),
      most_calls_(most_calls),
      enough_(gap),
      oracle_(frame.set->oracle()),
      master_(frame.count(), room_for(frame.count())),
      descent_(frame.count() + 1, PolarDescent::ScaleOf::last_step),
      points_(room_for(frame.count()) * frame.base.size()),
      direction_(frame.base.size()),
      point_(frame.base.size()),
      best_point_(frame.base.size()),
      away_(frame.base.size()),
      column_(frame.count() + 1),
      best_prices_(frame.count()),
      middle_(frame.count()) {
  descent_.reserve();
}

bool ColumnGeneration::ask(std::span<const double> c, std::span<const double> y) {
  ++calls_;
  std::copy(c.begin(), c.end(), direction_.begin());
  for (std::size_t i = 0; i < y.size(); ++i) math::add(direction_, -y[i], frame_.row(i));
  oracle_->minimise(direction_).write_to(point_);
  for (std::size_t j = 0; j < point_.size(); ++j) {
    away_[j] = (point_[j] - frame_.base[j]) / frame_.length;
  }
  column_[0] = -math::dot(c, away_);
  for (std::size_t i = 0; i < y.size(); ++i) column_[i + 1] = math::dot(frame_.row(i), away_);
  const auto a = std::span(column_).subspan(1);
  const double bound = -column_[0] - math::dot(y, a);
  const bool rises = bound > lower_;
  if (rises) {
    lower_ = bound;
    std::copy(y.begin(), y.end(), best_prices_.begin());
  }
  const std::size_t place = master_.add(a, -column_[0]);
  const std::size_t n = point_.size();
  std::copy(point_.begin(), point_.end(), points_.begin() + static_cast<std::ptrdiff_t>(place * n));
  master_.solve();
  if (master_.value() <= upper_ + equal_values) {
    upper_ = master_.value();
    combine();
  }
  return rises;
}

std::span<const double> ColumnGeneration::minimise(std::span<const double> c) {
  calls_ = 0;
  lower_ = -std::numeric_limits<double>::infinity();
  upper_ = 0;
  best_point_ = frame_.base;
  master_.start(frame_.depth / frame_.length);
  master_.solve();
  std::fill(column_.begin(), column_.end(), 0.0);
  column_[0] = 1;
  descent_.start(column_);
  bool descends = true;
  std::size_t misses = 0;
  std::size_t idle = 0;
  while (gap() > enough_ && calls_ < most_calls_ && idle < most_idle) {
    const double before = master_.value() - lower_;
    if (descends) {
      misses = ask(c, descent_.direction().subspan(1)) ? 0 : misses + 1;
      descends = descent_.learn(column_) && misses < most_misses;
    } else {
      for (std::size_t i = 0; i < middle_.size(); ++i) {
        middle_[i] = 0.5 * (best_prices_[i] + master_.prices()[i]);
      }
      ask(c, middle_);
    }
    if (gap() > enough_) ask(c, master_.prices());
    idle = master_.value() - lower_ < before ? 0 : idle + 1;
  }
  require_proof("the oracle of a slice from an answer", gap(), std::max(promised, enough_));
  return best_point_;
}

void ColumnGeneration::combine() {
  const std::size_t n = best_point_.size();
  const std::size_t rows = frame_.count();
  double at_base = 0;
  double of_all = 0;  // of a_0, whose point is base - depth / sqrt(rows) sum_i q_i
  std::fill(best_point_.begin(), best_point_.end(), 0.0);
  const auto weights = master_.weights();
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const std::size_t j = master_.basis()[k];
    if (!(weights[k] > 0)) continue;
    if (j > rows) {
      math::add(best_point_, weights[k], std::span(points_).subspan((j - rows - 1) * n, n));
      continue;
    }
    at_base += weights[k];
    if (j == 0) {
      of_all = weights[k] * frame_.depth / std::sqrt(static_cast<double>(rows));
    } else {
      math::add(best_point_, weights[k] * frame_.depth, frame_.row(j - 1));
    }
  }
  if (at_base > 0) math::add(best_point_, at_base, frame_.base);
  if (of_all > 0) {
    for (std::size_t i = 0; i < rows; ++i) math::add(best_point_, -of_all, frame_.row(i));
  }
  return_to_rows();
  oracle_->settle(best_point_);
}

void ColumnGeneration::return_to_rows() {
  const double moved = frame_.off(best_point_);
  constexpr double roundings = 2 * std::numeric_limits<double>::epsilon();
  if (moved <= roundings * math::norm(best_point_)) return;
  for (std::size_t i = 0; i < frame_.count(); ++i) {
    math::add(best_point_, -frame_.along(i, best_point_), frame_.row(i));
  }
  const double share = moved / (moved + frame_.depth);
  for (std::size_t j = 0; j < best_point_.size(); ++j) {
    best_point_[j] += share * (frame_.base[j] - best_point_[j]);
  }
}

}  // namespace keyhole::sets
