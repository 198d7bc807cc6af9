#include "learners/wrappers/watch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace keyhole::algorithms {
namespace {

constexpr double clearly = 3;        // standard errors
constexpr double kept = 0.5;         // the share of the worth that may be lost
constexpr double rate = 0.1;         // of the average of the worth
constexpr double ordinary = 0.5;     // a loss that is so many deviations above the level is no sign
constexpr double sign = 3;           // one that is more is no more of a sign
constexpr double alarm = 12;         // the cumulative sum at which there is doubt
constexpr std::uint64_t known = 30;  // losses after which their level is known
constexpr double least = 4;          // losses of each side to compare them
constexpr double longest = 64;       // plays at the centre until doubt is dropped
constexpr double served = 0.1;       // a sample of posterior or face serves this times sqrt t plays

}  // namespace

void Watch::Side::take(double loss) {
  ++count;
  sum += loss;
  squares += loss * loss;
}

double Watch::Side::squared_error(double least_variance, double as_one) const {
  const auto n = static_cast<double>(count);
  return std::max(least_variance, squares / n - mean() * mean()) / n * as_one;
}

void Watch::Average::take(double number) {
  ++count;
  const double share = std::max(rate, 1 / static_cast<double>(count));
  const double away = number - mean;
  mean += share * away;
  variance += share * (away * away - variance);
}

double Watch::Average::error() const { return std::sqrt(variance * rate / (2 - rate)); }

double Watch::probing() const {
  if (doubt_ != 0) return 0.5;
  // It changes when k doubles, so that few sizes have to be kept for losses that come late.
  return 0.125 / std::sqrt(static_cast<double>(std::bit_floor(std::max<std::uint64_t>(k_, 1))));
}

bool Watch::take_from_learner(double loss) {
  ++losses_;
  ++k_;
  recent_ += std::max(0.05, 1 / static_cast<double>(k_)) * (loss - recent_);
  if (doubt_ != 0) {
    learner_.take(loss - before_);
    return compare();
  }
  double clip = std::numeric_limits<double>::infinity();
  if (level_.count() > known) {
    const double deviation = level_.deviation();
    const double above = std::clamp((loss - level_.mean()) / deviation, -sign, sign);
    rise_ = std::max(0.0, rise_ + above - ordinary);
    clip = 8 * deviation;
    // In a stream of shocks no more than about 2 sqrt(t) plays are spent on doubts for nothing.
    const auto spent = static_cast<double>(spent_);
    const bool raised = rise_ > alarm * alike();
    const bool at_stake = when_ == Doubts::always || most_worth_ > 0;
    if (raised && at_stake && spent * spent <= 4 * static_cast<double>(losses_)) {
      doubt_ = 1;
      ++doubts_;
      variance_ = level_.variance();
      before_ = recent_;
      learner_ = {};
      centre_ = {};
    }
    if (raised) {
      rise_ = 0;
      level_ = {};
      return false;
    }
  }
  level_.take(loss, clip);
  return false;
}

bool Watch::take_from_centre(double loss) {
  ++losses_;
  if (doubt_ != 0) {
    centre_.take(loss - before_);
    return compare();
  }
  if (k_ == 0) return false;
  worth_.take(loss - recent_);
  if (worth_.count < enough) return false;
  most_worth_ = std::max(most_worth_, worth_.mean - worth_.error());
  const bool lost = worth_.mean + clearly * worth_.error() < kept * most_worth_;
  return lost && most_worth_ > 0 && begin_anew();
}

double Watch::alike() const {
  if (when_ == Doubts::always) return 1;
  return std::max(1.0, served * std::sqrt(static_cast<double>(k_)));
}

bool Watch::compare() {
  const double run = alike();
  if (static_cast<double>(learner_.count) < least * run ||
      static_cast<double>(centre_.count) < least) {
    return false;
  }
  const double worth = centre_.mean() - learner_.mean();
  const double error =
      std::sqrt(learner_.squared_error(variance_, run) + centre_.squared_error(variance_, 1));
  if (worth + clearly * error < kept * most_worth_) return begin_anew();
  const double most = std::max(longest, 2 * least * run);
  if (worth - clearly * error > kept * most_worth_ || static_cast<double>(centre_.count) >= most) {
    doubt_ = 0;
    spent_ += centre_.count;
  }
  return false;
}

bool Watch::begin_anew() {
  Watch fresh(when_);
  fresh.losses_ = losses_;
  fresh.spent_ = spent_;
  fresh.doubts_ = doubts_;
  fresh.restarts_ = restarts_ + 1;
  *this = fresh;
  return true;
}

void Watch::state(Archive& archive) {
  for (std::uint64_t* count : {&losses_, &spent_, &doubts_, &restarts_, &k_, &worth_.count,
                               &learner_.count, &centre_.count}) {
    archive.field(*count);
  }
  for (double* number :
       {&recent_, &rise_, &worth_.mean, &worth_.variance, &most_worth_, &variance_, &before_,
        &learner_.sum, &learner_.squares, &centre_.sum, &centre_.squares}) {
    archive.field(*number);
  }
  archive.field(doubt_);
  level_.state(archive);
}

}  // namespace keyhole::algorithms
