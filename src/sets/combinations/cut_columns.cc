#include "sets/combinations/cut_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.h"
#include "math/sums.h"
#include "sets/combinations/column_generation.h"
#include "sets/proof.h"

namespace keyhole::sets {
namespace {

/// Of columns that the master of so many rows keeps, besides its first.
std::size_t room_for_points(std::size_t rows) { return 4 * rows + 20; }

// As for slices (sets/combinations/column_generation.cc).
constexpr double alike = 1e-15;
constexpr std::size_t most_misses_of_a_climb = 3;

/// So many rounds without any progress are enough, and so many for an answer with a proof. At a
/// degenerate answer, which is there at once where rows and set are alike in all directions, each
/// row takes some points before the bound rises: with 40 alone a ball within 20 equal bounds stops
/// at a gap of 3e-2.
constexpr std::size_t most_idle_rounds = 40;
std::size_t most_idle_with_proof(std::size_t rows) { return most_idle_rounds + 10 * rows; }

}  // namespace

double CutFrame::above(std::size_t i, std::span<const double> x) const {
  const double* const a = row(i).data();
  return math::reduce(x.size(), [&](std::size_t j) { return a[j] * (x[j] - base[j]); }) - slacks[i];
}

CutColumns::CutColumns(const CutFrame& frame)
    : frame_(frame),
      oracle_(frame.set->oracle()),
      master_(frame.count(), room_for_points(frame.count())),
      descent_(frame.count() + 1, PolarDescent::ScaleOf::last_step),
      rounding_(4 * std::numeric_limits<double>::epsilon() *
                (1 + math::norm(frame.base) / frame.length)),
      works_(frame.count()),
      points_((frame.count() + room_for_points(frame.count())) * frame.base.size()),
      above_((frame.count() + room_for_points(frame.count())) * frame.count()),
      costs_(frame.count() + room_for_points(frame.count())),
      direction_(frame.base.size()),
      point_(frame.base.size()),
      of_rows_(frame.count()),
      first_of_rows_(frame.count()),
      best_point_(frame.base.size()),
      best_prices_(frame.count()) {
  descent_.reserve();
  working_.reserve(frame.count());
  depths_.reserve(frame.count());
  kept_.reserve(frame.count() + 1);
  column_.reserve(frame.count() + 1);
  prices_.reserve(frame.count());
}

void CutColumns::look(std::span<const double> c) {
  const auto term = [&](std::size_t j) { return c[j] * (point_[j] - frame_.base[j]); };
  cost_ = math::reduce(point_.size(), term) / frame_.length;
  for (std::size_t i = 0; i < of_rows_.size(); ++i) {
    of_rows_[i] = frame_.above(i, point_) / frame_.length;
  }
}

bool CutColumns::ask(std::span<const double> c, std::span<const double> y) {
  ++calls_;
  std::copy(c.begin(), c.end(), direction_.begin());
  for (std::size_t i = 0; i < y.size(); ++i) {
    math::add(direction_, -y[i], frame_.row(working_[i]));
  }
  oracle_->minimise(direction_).write_to(point_);
  look(c);
  column_[0] = -cost_;
  for (std::size_t i = 0; i < y.size(); ++i) column_[i + 1] = of_rows_[working_[i]];
  const auto a = std::span(column_).subspan(1);
  const double bound = cost_ - math::dot(y, a);
  const bool rises = bound > lower_ && *std::max_element(y.begin(), y.end()) <= 0;
  if (rises) {
    lower_ = bound;
    std::fill(best_prices_.begin(), best_prices_.end(), 0.0);
    for (std::size_t i = 0; i < y.size(); ++i) best_prices_[working_[i]] = y[i];
  }
  const std::size_t place = master_.add(a, cost_);
  places_ = std::max(places_, place + 1);
  keep_at(place);
  master_.solve();
  take_answer();
  return rises;
}

void CutColumns::keep_at(std::size_t place) {
  std::copy(point_.begin(), point_.end(), point_at(place).begin());
  std::copy(of_rows_.begin(), of_rows_.end(), above_at(place).begin());
  costs_[place] = cost_;
}

std::span<const double> CutColumns::minimise(std::span<const double> c) {
  calls_ = 1;
  oracle_->minimise(c).write_to(point_);
  go_on(c, ColumnGeneration::enough, most_idle_with_proof(frame_.count()));
  require_proof("the oracle of a cut from an answer", gap(), ColumnGeneration::promised);
  return best_point_;
}

std::span<const double> CutColumns::approach(std::span<const double> c, std::span<const double> v,
                                             double enough) {
  calls_ = 0;
  std::copy(v.begin(), v.end(), point_.begin());
  go_on(c, enough, most_idle_rounds);
  return best_point_;
}

void CutColumns::go_on(std::span<const double> c, double enough, std::size_t idle_rounds) {
  upper_ = 0;
  best_point_ = frame_.base;
  std::fill(best_prices_.begin(), best_prices_.end(), 0.0);
  std::fill(works_.begin(), works_.end(), static_cast<unsigned char>(0));
  working_.clear();
  look(c);
  lower_ = first_cost_ = cost_;
  first_of_rows_ = of_rows_;
  for (std::size_t i = 0; i < of_rows_.size(); ++i) {
    if (!(of_rows_[i] > rounding_)) continue;
    working_.push_back(i);
    works_[i] = 1;
  }
  if (working_.empty()) {
    upper_ = lower_;
    best_point_ = point_;
    return;
  }
  keep_at(0);
  places_ = 1;
  bool descends = begin();
  const std::size_t most_calls = 1000 + 100 * frame_.count();
  std::size_t misses = 0;
  std::size_t idle = 0;
  while (gap() > enough && calls_ < most_calls && idle < idle_rounds) {
    const double before = mixed_cost() - lower_;
    if (descends) {
      misses = ask(c, descent_.direction().subspan(1)) ? 0 : misses + 1;
      descends = descent_.learn(column_) && misses < most_misses_of_a_climb;
    } else {
      for (std::size_t i = 0; i < prices_.size(); ++i) {
        prices_[i] = 0.5 * (best_prices_[working_[i]] + std::min(master_.prices()[i], 0.0));
      }
      ask(c, prices_);
    }
    if (gap() > enough) {
      for (std::size_t i = 0; i < prices_.size(); ++i) {
        prices_[i] = std::min(master_.prices()[i], 0.0);
      }
      ask(c, prices_);
    }
    idle = mixed_cost() - lower_ < before ? 0 : idle + 1;
    if (gap() > enough && enlarge()) {
      descends = begin();
      misses = idle = 0;
    }
  }
}

bool CutColumns::begin() {
  const std::size_t rows = working_.size();
  depths_.resize(rows);
  prices_.resize(rows);
  column_.assign(rows + 1, 0.0);
  column_[0] = 1;
  descent_.start(column_);
  for (std::size_t i = 0; i < rows; ++i) depths_[i] = frame_.slacks[working_[i]] / frame_.length;
  master_.start_below(depths_);
  for (std::size_t place = 0; place < places_; ++place) {
    for (std::size_t i = 0; i < rows; ++i) column_[i + 1] = above_at(place)[working_[i]];
    (void)master_.add(std::span(column_).subspan(1), costs_[place]);
  }
  master_.solve();
  take_answer();
  column_[0] = -first_cost_;
  for (std::size_t i = 0; i < rows; ++i) column_[i + 1] = first_of_rows_[working_[i]];
  return descent_.learn(column_);
}

bool CutColumns::enlarge() {
  const double cost = mixed_cost();
  const std::size_t before = working_.size();
  for (std::size_t i = 0; i < works_.size(); ++i) {
    if (works_[i] != 0) continue;
    const double share = share_back(i, mixed_above(i));
    if (!(share > 0) || !(-cost * share > cost - lower_)) continue;
    working_.push_back(i);
    works_[i] = 1;
  }
  if (working_.size() == before) return false;
  // With more rows the master has room for fewer points.
  if (places_ > room_for_points(works_.size())) keep_basis();
  return true;
}

void CutColumns::keep_basis() {
  kept_.clear();
  const std::size_t first = master_.basis().size();
  for (const std::size_t j : master_.basis()) {
    if (j >= first) kept_.push_back(j - first);
  }
  std::sort(kept_.begin(), kept_.end());
  places_ = 0;
  for (const std::size_t place : kept_) {
    if (place != places_) {
      std::copy_n(point_at(place).begin(), point_.size(), point_at(places_).begin());
      std::copy_n(above_at(place).begin(), of_rows_.size(), above_at(places_).begin());
      costs_[places_] = costs_[place];
    }
    ++places_;
  }
}

double CutColumns::mixed_cost() const {
  const std::size_t first = master_.basis().size();
  return math::reduce(first, [&](std::size_t k) {
    const std::size_t j = master_.basis()[k];
    return j < first ? 0.0 : master_.weights()[k] * costs_[j - first];
  });
}

double CutColumns::mixed_above(std::size_t i) const {
  const std::size_t first = master_.basis().size();
  return math::reduce(first, [&](std::size_t k) {
    const std::size_t j = master_.basis()[k];
    if (j == 0) return -master_.weights()[k] * frame_.slacks[i] / frame_.length;
    return j < first ? 0.0 : master_.weights()[k] * above_[(j - first) * frame_.count() + i];
  });
}

double CutColumns::share_back(std::size_t i, double above) const {
  return above > rounding_ ? above / (above + frame_.slacks[i] / frame_.length) : 0;
}

void CutColumns::take_answer() {
  double share = 0;
  for (std::size_t i = 0; i < works_.size(); ++i) {
    share = std::max(share, share_back(i, mixed_above(i)));
  }
  const double value = mixed_cost() * (1 - share);
  if (!(value <= upper_ + alike)) return;
  upper_ = value;
  std::fill(best_point_.begin(), best_point_.end(), 0.0);
  const std::size_t first = master_.basis().size();
  double at_base = share;
  for (std::size_t k = 0; k < first; ++k) {
    const std::size_t j = master_.basis()[k];
    const double weight = (1 - share) * master_.weights()[k];
    if (!(weight > 0)) continue;
    if (j == 0) at_base += weight;
    if (j >= first) math::add(best_point_, weight, point_at(j - first));
  }
  if (at_base > 0) math::add(best_point_, at_base, frame_.base);
  oracle_->settle(best_point_);
}

}  // namespace keyhole::sets
