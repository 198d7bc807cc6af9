#include "learners/posterior/life.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {

Life::Life(const Frame& frame, double caution, const Contexts& contexts, std::uint64_t trials)
    : models(frame, contexts),
      budget(caution, frame.size()),
      least(frame.size()),
      m_(frame.size()),
      l_(contexts.size()),
      trials_(trials),
      coefficients_(static_cast<double>(Model::dimension(frame, contexts))),
      first_z_(m_ * Chosen::first_losses),
      here_(m_, contexts),
      first_psi_(l_ * Chosen::first_losses),
      recent_(l_ * Chosen::recent_contexts) {}

void Life::begin(std::uint64_t before, PlayId from, bool moves) {
  number = before;
  first = from;
  since = 0;
  best_due = 0;
  first_reach = {};
  first_losses_ = {};
  has_counts_ = 0;
  std::fill(first_counts_.begin(), first_counts_.end(), 1.0);
  usual_count_ = 1;
  level_ = gain = width = 0;
  unit = 1;
  next_ = static_cast<double>(Chosen::first_losses);
  reach = first_reach.get();
  // The state has all of these, also where nothing reads them yet.
  for (std::vector<double>* room : {&least, &first_z_, &first_psi_, &recent_}) {
    std::fill(room->begin(), room->end(), 0.0);
  }
  here_.begin();
  contexts_seen_ = 0;
  models.begin(1, 1);
  models.expect_motion(moves);
  spread = {};
  budget.begin();
  alarm = {};
}

bool Life::learn(std::span<const double> z, const Told& told, const Psi& psi) {
  ++since;
  const auto count = static_cast<double>(since);
  const double rate = 1 / std::min(count, 20 + 0.1 * count);
  here_.take(z, psi.values, rate);
  if (l_ > 0) {
    const std::size_t at = contexts_seen_++ % Chosen::recent_contexts;
    std::copy(psi.values.begin(), psi.values.end(),
              recent_.begin() + static_cast<std::ptrdiff_t>(at * l_));
  }
  if (exploring_only() && told.origin != Origin::taught) {
    first_reach.take(math::squared_norm(z) / static_cast<double>(m_), told.loss,
                     is_bold() ? Chosen::bold_first_reach : Chosen::most_first_reach);
    reach = first_reach.get();
  }
  if (told.count != 1) has_counts_ = 1;
  // What the first play has stands for plays, if all before were taught.
  const bool is_first_play = told.play != not_played && best().model.noted()[0] == 0;
  if (has_counts_ != 0 && is_first_play) measure_counts_in(told.count);
  if (since <= Chosen::first_losses) {
    first_counts_[since - 1] = told.count;
    std::copy(z.begin(), z.end(), first_z(since - 1).begin());
    std::copy(psi.values.begin(), psi.values.end(), first_psi(since - 1).begin());
    first_losses_.take(told.play, told.loss);
    if (since == Chosen::first_losses) begin_model();
    return false;
  }
  if (!exploring_only() && budget.allows_more() && 2 * told.reach >= reach) {
    reach = std::min(1.0, 2 * reach);
  }
  const Candidate* const before = &best();
  const double wandering = models.motion().rate;
  const double value = in_unit(told.loss);
  spread.take(models.learn(z, psi, value, here_.get(), told.origin, told.count / usual_count_));
  if (&best() != before) best_due = 1;
  if (count >= next_) refit();
  count_budget();
  // Until then what is far from the start may be far from the model.
  if (count < Chosen::calm * coefficients()) {
    alarm.begin(models.said().level);
    return false;
  }
  if (told.origin == Origin::taught) return false;
  return alarm.take(models.said(), wandering, models.noise(), gain);
}

Life::Gain Life::believed_gain(std::span<const double> psi, std::span<const double> z) {
  const auto promised_by = [&](Candidate& by) {
    by.model.write_features(z, psi, by.phi);
    return by.mean_at(psi)[0] - by.expected();
  };
  const double believed = promised_by(best());
  Candidate& finest = models.finest();
  const double promised = promised_by(finest);
  const Model& model = finest.model;
  const auto by_curvature = [&](std::span<const double> phi) {
    const std::size_t curved = model.of_curvature();
    return math::dot(finest.mean().subspan(curved), phi.subspan(curved));
  };
  const double bend = by_curvature(finest.phi);
  const std::span<const double> noted = model.noted();
  const double spent = model.by_slopes(noted) + by_curvature(noted);
  const double unpaid = noted[0] > 0 ? std::max(0.0, promised + spent / noted[0]) : 0;
  model.clear_level(finest.phi);
  double variance = finest.posterior().variance(finest.phi);
  if (l_ > 0) variance = std::max(variance, width * width);  // that is of many contexts
  const Gain start = above_model_at_start(finest, bend);
  for (const double error :
       {(promised - believed) / 2, start.error, Chosen::valley * bend, unpaid}) {
    variance += error * error;
  }
  // That of the least points is an average over contexts.
  const bool is_least = std::equal(z.begin(), z.end(), least.begin());
  const double by_best = is_least ? gain : believed;
  return {by_best + (promised - believed) + start.mean, std::sqrt(variance)};
}

Life::Gain Life::believed_cost(const Place& at, const std::optional<Place>& other) {
  const auto expected_by = [&](Candidate& by) {
    by.model.write_features(at.z, at.psi, by.phi);
    if (other) {
      std::vector<double> phi(by.phi.size());
      by.model.write_features(other->z, other->psi, phi);
      math::add(by.phi, -1, phi);
    }
    return by.expected();
  };
  const double believed = expected_by(best());
  Candidate& finest = models.finest();
  const double mean = expected_by(finest);
  const std::size_t curved = finest.model.of_curvature();
  const double bend =
      math::dot(finest.mean().subspan(curved), std::span(finest.phi).subspan(curved));
  double variance = finest.posterior().variance(finest.phi);
  for (const double error : {(mean - believed) / 2, other ? bend : 0}) variance += error * error;
  return {mean, std::sqrt(variance)};
}

/// How far the start lies above what a model says: nothing before the first losses are looked at,
/// up to what curvature adds on the way to the least point and among the first plays, for what is
/// smaller than these was not seen. The first losses are off by this, by what another curvature
/// adds there, and by noise: a regression with two coefficients. Where the level moves they say
/// nothing.
Life::Gain Life::above_model_at_start(Candidate& by, double bend) {
  const Motion& motion = models.motion();
  const double noise = models.noise();
  if (motion.rate > 0 || motion.memory > 0 || !(noise > 0)) return {0, std::abs(bend)};
  const double price = Chosen::first_bend * by.model.price_of_reach();
  const auto told = first_losses_.judged();
  const auto bent = [&](std::size_t i) {
    return price * math::squared_norm(first_z(i)) / static_cast<double>(m_);
  };
  const double among = math::reduce(told.size(), bent) / static_cast<double>(told.size());
  const double variance = bend * bend + among * among;
  if (!(variance > 0)) return {};
  // The precisions of both, but for the 1 of the other curvature, what they have in common, and the
  // sums of what is off.
  double of_start = 1 / variance;
  double of_curvature = 0;
  double common = 0;
  double off = 0;
  double bent_off = 0;
  for (std::size_t i = 0; i < told.size(); ++i) {
    by.model.write_features(first_z(i), first_psi(i), by.phi);
    const double precision = first_counts_[i] / (usual_count_ * noise);
    const double residual = precision * (in_unit(told[i].loss) - by.expected());
    of_start += precision;
    of_curvature += precision * bent(i) * bent(i);
    common += precision * bent(i);
    off += residual;
    bent_off += residual * bent(i);
  }
  const double determinant = of_start + std::max(0.0, of_start * of_curvature - common * common);
  return {((1 + of_curvature) * off - common * bent_off) / determinant,
          std::sqrt((1 + of_curvature) / determinant)};
}

/// What the first counts are about: those of plays, if there are such.
void Life::find_usual_count() {
  const auto told = first_losses_.judged();
  const auto mean_of = [&](auto counts) {
    double sum = 0;
    double losses = 0;
    for (std::size_t i = 0; i < told.size(); ++i) {
      sum += counts(told[i].play) ? first_counts_[i] : 0;
      losses += counts(told[i].play) ? 1 : 0;
    }
    return sum / losses;  // NaN for none
  };
  const double of_plays = mean_of([](PlayId play) { return play != not_played; });
  measure_counts_in(of_plays > 0 ? of_plays : mean_of([](PlayId) { return true; }));
}

/// The noise is that of a loss with the usual count.
void Life::measure_counts_in(double usual) {
  const double before = usual_count_;
  usual_count_ = std::ldexp(1.0, std::ilogb(usual));
  models.scale_noise(before / usual_count_);
  budget.scale_noise(before / usual_count_);
}

/// The first losses are there: their spread is the unit of all that follow.
void Life::begin_model() {
  if (has_counts_ != 0) find_usual_count();
  const auto told = first_losses_.judged();
  const auto count = [&](std::size_t i) { return first_counts_[i] / usual_count_; };
  level_ = math::reduce(told.size(), [&](std::size_t i) { return count(i) * told[i].loss; }) /
           math::reduce(told.size(), count);
  const double variance = math::reduce(told.size(),
                                       [&](std::size_t i) {
                                         const double above = told[i].loss - level_;
                                         return count(i) * (above * above);
                                       }) /
                          static_cast<double>(told.size() - 1);
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
    models.learn_first(first_z(i), {first_psi(i), {}}, value, noise / count(i),
                       told[i].play == not_played ? Origin::taught : Origin::play);
  }
}

void Life::refit() {
  const double more = std::max(1.0, Chosen::refit_spacing * coefficients());
  const double next = std::max(next_ + more, Chosen::refit * next_);
  const bool local = is_bold() || !is_early();
  models.refit(since, local ? next / next_ - 1 : 0, here_.get());
  next_ = next;
  best_due = 1;
}

void Life::state(Archive& archive) {
  for (std::uint64_t* count : {&number, &first, &since}) archive.field(*count);
  auto flags = static_cast<std::uint8_t>(best_due + 2 * has_counts_);
  archive.field(flags);
  if (flags > 3) throw StateError("the state has a flag that is none");
  best_due = flags % 2U;
  has_counts_ = flags / 2U;
  for (double* value : {&level_, &unit, &next_, &reach, &gain, &width}) archive.field(*value);
  archive.field(least);
  here_.state(archive);
  archive.field(first_z_);
  const auto list = [&](auto&... parts) { (parts.state(archive), ...); };
  list(models, first_reach, first_losses_, spread, budget, alarm);
  state_of_counts(archive);
  if (l_ == 0) return;
  here_.state_of_contexts(archive);
  archive.field(first_psi_);
  archive.field(recent_);
  archive.field(contexts_seen_);
}

/// They have fields only where some losses do not count once.
void Life::state_of_counts(Archive& archive) {
  if (archive.reading()) {
    usual_count_ = 1;
    std::fill(first_counts_.begin(), first_counts_.end(), 1.0);
  }
  if (has_counts_ == 0) return;
  archive.field(usual_count_);
  archive.field(first_counts_);
}

void Life::read_before_7(Archive& archive) {
  has_counts_ = 0;
  state_of_counts(archive);
  archive.field(best_due);
  for (double* value : {&level_, &unit, &next_, &reach, &gain, &width}) archive.field(*value);
  archive.field(least);
  here_.state(archive);
  archive.field(first_z_);
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
