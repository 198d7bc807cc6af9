#include "learners/posterior/models.h"

#include <cmath>
#include <utility>

#include "learners/posterior/constants.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

using Chosen = PosteriorConstants;

/// How many losses a model learns from before the level is watched: until then what is far from the
/// start may be far from the model.
double young(const Model& model) {
  const auto d = static_cast<double>(model.size());
  return d * std::sqrt(d);
}

/// The first number times so many steps.
double after_steps(double first, double step, std::size_t steps) {
  for (std::size_t k = 0; k < steps; ++k) first *= step;
  return first;
}

}  // namespace

double Candidate::expected() const { return math::dot(mean(), phi); }

Candidate::Way Candidate::way() {
  const std::size_t curved = model.of_curvature();
  return {model.by_slopes(phi), math::dot(mean().subspan(curved), std::span(phi).subspan(curved)),
          std::sqrt(posterior().variance_from(curved, phi))};
}

void Candidate::state(Archive& archive) {
  model.state(archive);
  residuals.state(archive);
  velocity.state(archive);
}

Strand::Strand(const Frame& frame, const Motion& of_losses, const Contexts& contexts)
    : motion(of_losses), few(frame, Curvatures::few, of_losses.rate, contexts) {
  if (most_curvatures(frame) == Curvatures::all) {
    all.emplace(frame, Curvatures::all, of_losses.rate, contexts);
  }
}

void Strand::begin(double noise, double reach, std::uint64_t count) {
  for (Candidate* one : {&few, all ? &*all : nullptr}) {
    if (one == nullptr) continue;
    one->model.begin(noise, reach);
    one->residuals.begin(count, noise, young(few.model));
    one->velocity.begin();
  }
  better = {};
  all_is_fitted = 0;
  tide = tide_variance = 0;
}

void Strand::begin_from(const Strand& still, const Residuals& known) {
  const Motion own = motion;
  *this = still;
  motion = own;
  const auto count = static_cast<double>(known.count());
  for (Candidate* one : {&few, all ? &*all : nullptr}) {
    if (one == nullptr) continue;
    one->velocity = Velocity(motion.rate);
    one->residuals = known;
    if (motion.memory > 0) {
      one->model.forget(std::min(1.0, motion.memory / count));
    } else {
      one->model.keep(Chosen::kept);
    }
  }
  tide = tide_variance = remembered = 0;
}

void Strand::note(std::span<const double> z, const Psi& psi, Origin origin) {
  for (Candidate* one : {&few, all ? &*all : nullptr}) {
    if (one == nullptr) continue;
    one->model.write_features(z, psi.values, one->phi);
    if (origin != Origin::taught) one->model.note(one->phi);
  }
}

void Strand::learn_first(double value, double noise) {
  few.posterior().learn(few.phi, 1 / noise, value - few.expected());
  if (all) all->model.add(all->phi, 1 / noise, value);
}

std::pair<double, double> Strand::take(Candidate& by, std::span<const double> z, const Psi& psi,
                                       double value, std::span<const double> here, Origin origin,
                                       double count) {
  const bool second = &by != &few;
  const double moved = second ? tide : 0;
  const double expected = by.expected() + moved;
  // The curvature may be another one elsewhere.
  const double bend = Chosen::bend * by.model.bend(z, here);
  double elsewhere = bend * bend;
  if (!psi.variances.empty()) elsewhere += by.model.unknown(z, psi);
  const double h = by.posterior().variance(by.phi) + elsewhere + (second ? tide_variance : 0);
  const double noise = by.residuals.noise() / count;
  const double error = origin == Origin::taught
                           ? by.residuals.take_timeless(value - expected, h, count)
                           : by.residuals.take(value - expected, h, origin == Origin::play, count);
  if (&by == &best()) {
    said = {by.mean()[0] + moved, expected,         noise + h,
            by.residuals.away(),  expected + error, by.residuals.jumped() > 0};
  }
  return {error, 1 / (by.residuals.noise() / count + elsewhere)};
}

void Strand::learn(std::span<const double> z, const Psi& psi, double value,
                   std::span<const double> here, Origin origin, double count) {
  const bool second = better.is_second();
  const bool timed = origin != Origin::taught;
  const double q = timed ? motion.rate * few.residuals.noise() + few.residuals.jumped() : 0;
  if (q > 0) few.model.wander(q, few.velocity.get());
  const double expected = few.expected();
  const double swing = timed ? few.residuals.swing() : 0;
  const auto [error, precision] = take(few, z, psi, value, here, origin, count);
  few.posterior().learn_latest(few.phi, precision, error);
  if (timed) few.velocity.take(error, count);
  if (few.residuals.widened()) few.model.keep(Chosen::kept);
  if (!all) return;
  if (all_is_fitted == 0) {
    if (q > 0) all->model.wander(q, all->velocity.get());
    all->model.add(all->phi, precision, expected + error);
    all->residuals = few.residuals;
    all->velocity = few.velocity;
    if (few.residuals.widened()) all->model.keep(Chosen::kept);
    return;
  }
  const double noise = all->residuals.noise();
  const double by = timed ? motion.rate * noise + all->residuals.jumped() : 0;
  if (by > 0) {
    all->model.wander(by, all->velocity.get());
    tide += all->velocity.get();
    tide_variance += by;
  }
  const double of_all = all->expected() + tide;
  const double own_swing = timed ? all->residuals.swing() : 0;
  const auto [own_error, own_precision] = take(*all, z, psi, value, here, origin, count);
  all->model.add(all->phi, second ? own_precision : precision,
                 second ? of_all + own_error : expected + error);
  const double gain = tide_variance / (tide_variance + noise / count);
  tide += gain * own_error;
  tide_variance *= 1 - gain;
  if (timed) all->velocity.take(own_error, count);
  if (all->residuals.widened()) {
    all->model.keep(Chosen::kept);
    tide = tide_variance = 0;
  }
  better.take(value - swing - expected, value - own_swing - of_all, noise / count);
}

void Strand::fade(std::span<const double> here) {
  remembered += 1;
  if (remembered < Chosen::forgotten * motion.memory) return;
  const auto count = static_cast<double>(few.residuals.count());
  const double share = 1 - remembered / motion.memory;
  few.model.forget(share);
  if (all) all->model.forget(share);
  tide = tide_variance = 0;  // now the model knows it
  const bool local = count >= Chosen::early * static_cast<double>(few.model.size());
  refit(static_cast<std::uint64_t>(std::min(count, motion.memory)), local ? remembered / count : 0,
        here);
  remembered = 0;
}

void Strand::refit(std::uint64_t count, double growth, std::span<const double> here) {
  few.model.refit(few.residuals.noise(), count, growth, here);
  if (!all) return;
  const auto coefficients = static_cast<double>(all->model.size());
  if (static_cast<double>(count) < Chosen::pairs_losses * coefficients) return;
  all->model.refit(all->residuals.noise(), count, growth, here);
  tide = tide_variance = 0;
  all_is_fitted = 1;
}

void Strand::state(Archive& archive) {
  if (motion.memory > 0) archive.field(remembered);
  few.state(archive);
  if (!all) return;
  all->state(archive);
  better.state(archive);
  archive.field(all_is_fitted);
  archive.field(tide);
  archive.field(tide_variance);
}

void LevelFilter::take(double residual, double h, bool fresh, double count) {
  const double noise = residuals.noise();
  variance += rate * noise + residuals.jumped();
  offset += velocity.get();
  const double error = residuals.take(residual - offset, h + variance, fresh, count);
  const double gain = variance / (variance + noise / count);
  offset += gain * error;
  variance *= 1 - gain;
  velocity.take(error, count);
}

void LevelFilter::state(Archive& archive) {
  residuals.state(archive);
  velocity.state(archive);
  archive.field(offset);
  archive.field(variance);
}

Models::Models(const Frame& frame, const Contexts& contexts) {
  for (std::size_t k = 0; k < strands; ++k) {
    const auto coefficients = static_cast<double>(Model::dimension(frame, contexts));
    strands_.emplace_back(frame, motion_of(k, coefficients), contexts);
    if (const double rate = strands_[k].motion.rate; rate > 0) filters_.emplace_back(rate);
  }
}

Motion Models::motion_of(std::size_t k, double dimension) {
  if (k == 0) return {};
  if (k <= rates) {
    return {.rate = after_steps(Chosen::slowest_rate, Chosen::rate_step, k - 1)};
  }
  return {.memory =
              after_steps(Chosen::shortest_memory * dimension, Chosen::memory_step, k - rates - 1)};
}

double Models::merit(std::size_t k, const Residuals& residuals) {
  const double steps = k <= rates ? static_cast<double>(k) : 1;
  return residuals.evidence() - Chosen::rate_proof * steps;
}

Candidate& Models::to_sample(double uniform) {
  Strand& by = strands_[at_];
  return by.all_is_fitted != 0 && uniform < by.better.share_of_second() ? *by.all : by.few;
}

void Models::begin(double noise, double reach, std::uint64_t count) {
  wanders_ = 0;
  strands_[0].begin(noise, reach, count);
  for (LevelFilter& filter : filters_) filter = LevelFilter(filter.rate);
  said_ = {};
  watching_ = 0;
  at_ = 0;
}

void Models::learn_first(std::span<const double> z, const Psi& psi, double value, double noise,
                         Origin origin) {
  strands_[0].note(z, psi, origin);
  strands_[0].learn_first(value, noise);
}

double Models::learn(std::span<const double> z, const Psi& psi, double value,
                     std::span<const double> here, Origin origin, double count) {
  for (std::size_t k = 0; k < used(); ++k) {
    strands_[k].note(z, psi, origin);
    strands_[k].learn(z, psi, value, here, origin, count);
    if (strands_[k].motion.memory > 0) strands_[k].fade(here);
  }
  said_ = strands_[at_].said;
  if (wanders_ == 0 && origin != Origin::taught) watch(value, origin, count);
  at_ = 0;
  for (std::size_t k = 1; k < used(); ++k) {
    const bool is_better =
        merit(k, strands_[k].best().residuals) > merit(at_, strands_[at_].best().residuals);
    at_ = is_better ? k : at_;
  }
  return said_.learned;
}

void Models::watch(double value, Origin origin, double count) {
  const Strand& still = strands_[0];
  if (static_cast<double>(still.few.residuals.count()) < young(still.few.model)) return;
  if (watching_ == 0) {
    watching_ = 1;
    strands_[0].few.residuals.forget_evidence();
    if (still.all) strands_[0].all->residuals.forget_evidence();
    for (LevelFilter& filter : filters_) filter.begin(still.best().residuals);
    wanders_ = moves_;
  }
  const double h = std::max(0.0, said_.variance - still.best().residuals.noise() / count);
  for (LevelFilter& filter : filters_) {
    filter.take(value - said_.expected, h, origin == Origin::play, count);
  }
  const double least = merit(0, still.best().residuals);
  for (std::size_t k = 1; k <= rates && wanders_ == 0; ++k) {
    wanders_ = merit(k, filters_[k - 1].residuals) > least ? 1 : 0;
  }
  if (wanders_ != 0) begin_strands(1);
}

void Models::begin_strands(std::size_t from) {
  const Strand& still = strands_[0];
  for (std::size_t k = from; k < strands; ++k) {
    strands_[k].begin_from(still, k <= rates ? filters_[k - 1].residuals : still.best().residuals);
  }
}

void Models::scale_noise(double by) {
  for (Strand& strand : strands_) {
    strand.few.residuals.scale_noise(by);
    if (strand.all) strand.all->residuals.scale_noise(by);
  }
  for (LevelFilter& filter : filters_) filter.residuals.scale_noise(by);
}

void Models::refit(std::uint64_t count, double growth, std::span<const double> here) {
  for (std::size_t k = 0; k < used(); ++k) {
    if (strands_[k].motion.memory == 0) strands_[k].refit(count, growth, here);
  }
}

void Models::state(Archive& archive) {
  const bool before_8 = archive.revision() < 8;  // no memories
  if (!before_8) archive.field(moves_);
  archive.field(watching_);
  archive.field(wanders_);
  archive.field(at_);
  const std::size_t kept = before_8 && wanders_ != 0 ? 1 + rates : used();
  if (at_ >= kept) throw StateError("the state believes a model that it does not have");
  for (std::size_t k = 0; k < kept; ++k) strands_[k].state(archive);
  for (LevelFilter& filter : filters_) filter.state(archive);
  if (kept < used()) begin_strands(kept);
}

void Models::read_before_7(Archive& archive) {
  Strand& still = strands_[0];
  still.few.model.state(archive);
  if (!still.all) return;
  still.all->model.state(archive);
  still.better.state(archive);
  archive.field(still.all_is_fitted);
}

void Models::read_residuals_before_7(Archive& archive) {
  Strand& still = strands_[0];
  still.few.residuals.read_before_7(archive);
  if (still.all) still.all->residuals = still.few.residuals;
}

}  // namespace keyhole::algorithms
