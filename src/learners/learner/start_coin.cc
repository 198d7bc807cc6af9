#include "learners/learner/start_coin.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace keyhole::algorithms {

void AnytimeGain::take(bool at_start, double worth, double above) {
  ++(at_start ? at_start_ : elsewhere_);
  const double away = worth - mean_;
  mean_ += away / static_cast<double>(at_start_ + elsewhere_);
  squares_ += away * (worth - mean_);
  if (!at_start) spread_ += above * above;
}

double AnytimeGain::error(double share) const {
  // The interval is tightest about play 2,000.
  constexpr double alpha = 0.05;
  constexpr double tuned = 2000;
  const double twice_log = -2 * math::log(alpha);
  const double rho2 = (twice_log + math::log(1 + twice_log)) / tuned;
  const auto n = static_cast<double>(at_start_ + elsewhere_);
  // Rare losses are seen last where the fewest plays are made. So the start is taken to spread no
  // less than the rest.
  const double elsewhere = std::max(1.0, static_cast<double>(elsewhere_));
  const double variance = std::max(squares_ / n, spread_ / elsewhere / (share * (1 - share)));
  const double above = n * rho2 + 1;
  return std::sqrt(2 * variance * above / (n * n * rho2) * math::log(std::sqrt(above) / alpha));
}

void AnytimeGain::state(Archive& archive) {
  archive.field(at_start_);
  archive.field(elsewhere_);
  for (double* number : {&mean_, &squares_, &spread_}) archive.field(*number);
}

void StartCoin::take(PlayId s, bool at_start, double loss) {
  if (s <= since_) return;
  // The level follows the latest 50 losses, which adds a hundredth to the variance.
  constexpr double memory = 50;
  const double gain = gain_.is_known() ? gain_.mean() : 0;
  const double above = loss - level_;
  count_ += 1;
  level_ += (above - (at_start ? gain : 0)) / std::min(count_, memory);
  if (count_ == 1) return;  // nothing was known before
  const double more = above - (1 - share_) * gain;
  const double worth = at_start ? more / share_ : -more / (1 - share_);
  for (AnytimeGain* mean : {&gain_, &latest_}) mean->take(at_start, worth, above);

  const auto is_beyond_0 = [&](const AnytimeGain& mean) {
    return mean.is_known() && std::abs(mean.mean()) > mean.error(share_);
  };
  const bool proven = is_beyond_0(gain_) && gain_.mean() > 0;
  if (proven != (proven_ > 0)) proven_ = proven ? s : 0;
  if (is_beyond_0(latest_)) {
    const bool worse = latest_.mean() < 0;
    if (worse != (worse_ > 0)) worse_ = worse ? s : 0;
    latest_ = {};
  }
}

Proof StartCoin::proof() const {
  Proof proof{.share = share_, .proven = proven_, .worse = worse_};
  if (!gain_.is_known()) return proof;
  proof.gain = gain_.mean();
  proof.error = gain_.error(share_);
  return proof;
}

void StartCoin::state(Archive& archive) {
  archive.field(share_);
  archive.field(since_);
  archive.field(start_);
  archive.field(count_);
  archive.field(level_);
  gain_.state(archive);
  latest_.state(archive);
  archive.field(proven_);
  archive.field(worse_);
  if (!(share_ > 0 && share_ <= 0.5)) throw StateError("the state's proof is not sound");
}

}  // namespace keyhole::algorithms
