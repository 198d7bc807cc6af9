#include "learners/posterior/life.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {

Life::Life(const Frame& frame, double caution)
    : models(frame),
      budget(caution, frame.size()),
      least(frame.size()),
      m_(frame.size()),
      first_z_(m_ * Chosen::first_losses),
      here_(m_) {}

void Life::begin(std::uint64_t before, PlayId from) {
  number = before;
  first = from;
  since = 0;
  best_due = 0;
  first_reach = {};
  first_losses_ = {};
  level_ = gain = width = 0;
  unit = 1;
  next_ = static_cast<double>(Chosen::first_losses);
  reach = first_reach.get();
  std::fill(least.begin(), least.end(), 0.0);
  std::fill(here_.begin(), here_.end(), 0.0);
  models.begin(1, 1);
  spread = {};
  budget.begin();
  alarm = {};
}

bool Life::learn(std::span<const double> z, const Told& told) {
  ++since;
  const auto count = static_cast<double>(since);
  const double rate = 1 / std::min(count, 20 + 0.1 * count);
  for (std::size_t k = 0; k < m_; ++k) here_[k] += rate * (z[k] - here_[k]);
  if (exploring_only() && told.origin != Origin::taught) {
    first_reach.take(math::squared_norm(z) / static_cast<double>(m_), told.loss);
    reach = first_reach.get();
  }
  if (since <= Chosen::first_losses) {
    std::copy(z.begin(), z.end(), first_z(since - 1).begin());
    first_losses_.take(told.play, told.loss);
    if (since == Chosen::first_losses) begin_model();
    return false;
  }
  if (!exploring_only() && budget.allows_more() && 2 * told.reach >= reach) {
    reach = std::min(1.0, 2 * reach);
  }
  const Candidate* const before = &best();
  const double wandering = models.rate();
  const double value = (told.loss - level_) / unit;
  spread.take(models.learn(z, value, here_, told.origin));
  if (&best() != before) best_due = 1;
  if (count >= next_) refit();
  budget.count(best().model, models.noise());
  // Until then what is far from the start may be far from the model.
  if (count < Chosen::calm * dimension()) {
    alarm.begin(models.said().level);
    return false;
  }
  if (told.origin == Origin::taught) return false;
  return alarm.take(models.said(), wandering, models.noise(), gain);
}

/// The first losses are there: their spread is the unit of all that follow.
void Life::begin_model() {
  const auto told = first_losses_.judged();
  const auto count = static_cast<double>(told.size());
  level_ = math::reduce(told.size(), [&](std::size_t i) { return told[i].loss; }) / count;
  const double variance = math::reduce(told.size(),
                                       [&](std::size_t i) {
                                         const double above = told[i].loss - level_;
                                         return above * above;
                                       }) /
                          (count - 1);
  if (!(variance > 0)) {  // they say nothing: wait for others
    since = 0;
    first_losses_ = {};
    return;
  }
  unit = std::ldexp(1.0, std::ilogb(std::sqrt(variance)));
  const double noise = variance / (unit * unit);
  double largest = 0;
  for (std::size_t i = 0; i < told.size(); ++i) {
    largest = std::max(largest, math::squared_norm(first_z(i)) / static_cast<double>(m_));
  }
  models.begin(noise, std::sqrt(largest), since);
  for (std::size_t i = 0; i < told.size(); ++i) {
    const double value = (told[i].loss - level_) / unit;
    spread.take(value);
    models.learn_first(first_z(i), value, noise,
                       told[i].play == not_played ? Origin::taught : Origin::play);
  }
}

void Life::refit() {
  const double more = std::max(1.0, Chosen::refit_spacing * dimension());
  const double next = std::max(next_ + more, Chosen::refit * next_);
  const bool local = static_cast<double>(since) >= Chosen::early * dimension();
  models.refit(since, local ? next / next_ - 1 : 0, here_);
  next_ = next;
  best_due = 1;
}

void Life::state(Archive& archive) {
  for (std::uint64_t* count : {&number, &first, &since}) archive.field(*count);
  archive.field(best_due);
  for (double* value : {&level_, &unit, &next_, &reach, &gain, &width}) archive.field(*value);
  for (std::vector<double>* vector : {&least, &here_, &first_z_}) archive.field(*vector);
  const auto list = [&](auto&... parts) { (parts.state(archive), ...); };
  list(models, first_reach, first_losses_, spread, budget, alarm);
}

void Life::read_before_7(Archive& archive) {
  archive.field(best_due);
  for (double* value : {&level_, &unit, &next_, &reach, &gain, &width}) archive.field(*value);
  for (std::vector<double>* vector : {&least, &here_, &first_z_}) archive.field(*vector);
  models.read_before_7(archive);
  first_reach.state(archive);
  first_losses_.state(archive);
  models.read_residuals_before_7(archive);
  spread.state(archive);
  budget.state(archive);
  // Whether plays were worth it: two flags, two counts, twelve numbers.
  std::array<std::uint8_t, 2> flags{};
  std::array<std::uint64_t, 2> counts{};
  std::array<double, 12> numbers{};
  for (std::uint8_t& flag : flags) archive.field(flag);
  for (std::uint64_t& count : counts) archive.field(count);
  for (double& number_of_it : numbers) archive.field(number_of_it);
}

}  // namespace keyhole::algorithms
