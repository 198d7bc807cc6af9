#include "experiment/measures/hindsight.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "keyhole/hindsight.h"
#include "math/sums.h"

namespace keyhole::experiment {
namespace {

constexpr double precision = 1e-6;

/// A total loss that can be interrupted: looking back can take longer than playing.
class Interruptible final : public TotalLoss {
 public:
  Interruptible(std::unique_ptr<TotalLoss> total, const std::atomic<bool>& stop)
      : total_(std::move(total)), stop_(stop) {}

  void add() override { total_->add(); }
  [[nodiscard]] double value(std::span<const double> x) const override {
    check();
    return total_->value(x);
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    check();
    total_->gradient(x, gradient);
  }
  bool guess(std::span<double> x) const override {
    check();
    return total_->guess(x);
  }
  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    check();
    return total_->line_minimum(x, d, longest);
  }

 private:
  void check() const {
    if (stop_.load(std::memory_order_relaxed)) throw Stopped();
  }

  std::unique_ptr<TotalLoss> total_;
  const std::atomic<bool>& stop_;
};

}  // namespace

Hindsight::Hindsight(Problem& problem, const std::atomic<bool>& stop)
    : problem_(problem), stop_(stop), oracle_(problem.set().oracle()) {
  begin_segment();
}

void Hindsight::begin_segment() {
  rounds_ = 0;
  total_ = std::make_unique<Interruptible>(problem_.total(), stop_);
  magnitude_ = 0;
  best_.clear();
  least_ = 0;
}

void Hindsight::add() {
  if (rounds_ == problem_.segment()) {
    settled_ = best();
    begin_segment();
  }
  ++rounds_;
  total_->add();
  magnitude_ += std::abs(problem_.value(problem_.set().centre()));
  least_.reset();
}

double Hindsight::best() {
  if (!least_) {
    const double scale = std::max(magnitude_, gap_at_centre());
    FixedPoint found =
        best_fixed_point(problem_.set(), *total_, {.tolerance = precision * scale, .start = best_});
    best_ = std::move(found.point);
    if (scale > 0) largest_gap_ = std::max(largest_gap_, found.gap / scale);
    least_ = found.value;
  }
  return settled_ + *least_;
}

/// max over v of <gradient F(p), p - v>, which is no less than F(p) - min F.
double Hindsight::gap_at_centre() {
  const std::vector<double>& p = problem_.set().centre();
  std::vector<double> gradient(p.size());
  total_->gradient(p, gradient);
  return math::dot(gradient, p) - oracle_->minimise(gradient).dot(gradient);
}

}  // namespace keyhole::experiment
