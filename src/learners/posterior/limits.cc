#include "learners/posterior/limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "math/dense.h"
#include "math/elementary.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

/// The normal quantile of p from 0.5 to 1, within 4.5e-4 (Abramowitz, Stegun 1964, 26.2.23).
double normal_quantile(double p) {
  const double t = std::sqrt(-2 * math::log(1 - p));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

using Chosen = PosteriorConstants;

/// The largest s from 0 to 1, within 2^-20, up to which f is at most 0; 0 if it is nowhere.
template <class F>
double largest_within(F f) {
  double low = 0;
  double high = 1;
  for (int k = 0; k < 20; ++k) {
    const double s = (low + high) / 2;
    (f(s) > 0 ? high : low) = s;
  }
  return low;
}

/// to = from + s (to - from)
void go_part(std::span<const double> from, double s, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] + s * (to[i] - from[i]);
}

}  // namespace

void require_sound(const std::vector<Limit>& limits) {
  for (const Limit& limit : limits) {
    const double bound = limit.most.value_or(limit.least.value_or(0));
    if (limit.most.has_value() == limit.least.has_value() || !(std::abs(bound) <= largest_number)) {
      throw InvalidArgument("a limit has one number, the most or the least that is allowed");
    }
    if (!(limit.each >= 0.5 && limit.each <= 1 - 1e-9)) {
      throw InvalidArgument(
          "a limit is kept in each round with a probability from 0.5 to 1 - 1e-9, not " +
          base::number_text(limit.each));
    }
  }
}

void Misfit::take(std::span<const double> z, std::span<const double> psi, double residual) {
  const auto is_near = [](std::span<const double> one, std::span<const double> other) {
    double squares = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      squares += (one[i] - other[i]) * (one[i] - other[i]);
    }
    return squares <= Chosen::same_place * Chosen::same_place * static_cast<double>(one.size());
  };
  if (is_near(z, z_) && is_near(psi, psi_)) {
    count_ += 1;
    const double off = residual * before_ - mean_;
    mean_ += off / count_;
    squares_ += off * (residual * before_ - mean_);
  }
  before_ = residual;
  std::copy(z.begin(), z.end(), z_.begin());
  std::copy(psi.begin(), psi.end(), psi_.begin());
}

double Misfit::squared() const {
  if (count_ < 2) return 0;
  return std::max(0.0, mean_ - std::sqrt(squares_) / count_);
}

void Misfit::state(Archive& archive) {
  for (double* number : {&count_, &mean_, &squares_, &before_}) archive.field(*number);
  archive.field(z_);
  archive.field(psi_);
}

Metric::Metric(const Frame& frame, const Contexts& contexts, const Limit& given)
    : limit(given),
      sign(given.most ? 1 : -1),
      bound(given.most ? *given.most : *given.least),
      kappa(normal_quantile(given.each)),
      life(frame, 1, contexts),
      misfit(frame.size(), contexts.size()) {
  life.begin(0, 1);
}

/// mean + kappa sd + what the ledger says - limit, on the way from one point to another: along it
/// every feature is quadratic, so three points of it say all.
class Limits::Way {
  /// A quadratic function on [0, 1], by what it is at 0, 1/2 and 1.
  struct Parabola {
    Parabola(double at_0, double at_half, double at_1)
        : c0(at_0), c2(2 * (at_1 - 2 * at_half + at_0)), c1(at_1 - at_0 - c2) {}
    [[nodiscard]] double operator()(double s) const { return c0 + s * (c1 + s * c2); }
    double c0;
    double c2;
    double c1;
  };

 public:
  Way(Metric& metric, std::span<const double> psi, std::span<const double> from,
      std::span<const double> to, std::span<const double> here, std::span<double> z,
      std::span<double> reduced)
      : Way(metric, measured(metric, psi, from, to, here, z, reduced), reduced) {}

  /// At that share of the way.
  [[nodiscard]] double operator()(double s) const {
    const double bend = bend_(s);
    double variance = bend * bend + misfit_;
    const std::array<double, 3> powers = {1, s, s * s};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) variance += powers[i] * powers[j] * gram_[i][j];
    }
    return mean_(s) + kappa_ * std::sqrt(std::max(0.0, variance)) + margin_;
  }

 private:
  struct Measured {
    std::array<double, 3> mean;
    std::array<double, 3> bend;
  };
  static Measured measured(Metric& metric, std::span<const double> psi,
                           std::span<const double> from, std::span<const double> to,
                           std::span<const double> here, std::span<double> z,
                           std::span<double> reduced) {
    Candidate& by = metric.life.best();
    const std::size_t d = by.model.size();
    Measured at{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < z.size(); ++k) {
        z[k] = from[k] + 0.5 * static_cast<double>(i) * (to[k] - from[k]);
      }
      by.model.write_features(z, psi, by.phi);
      at.mean[i] = by.expected() - metric.most();
      at.bend[i] = Chosen::bend * by.model.bend(z, here);
      static_cast<void>(by.posterior().variance(by.phi));
      const std::span<const double> latest = by.posterior().reduced();
      std::copy(latest.begin(), latest.end(), reduced.begin() + static_cast<std::ptrdiff_t>(i * d));
    }
    return at;
  }

  Way(const Metric& metric, const Measured& at, std::span<double> reduced)
      : mean_(at.mean[0], at.mean[1], at.mean[2]),
        bend_(at.bend[0], at.bend[1], at.bend[2]),
        kappa_(metric.kappa),
        margin_(metric.recent / (Chosen::paid_back * metric.life.unit)),
        misfit_(metric.misfit.squared()) {
    // The coefficients of 1, s, s^2 in place of what is at 0, 1/2, 1.
    const std::size_t d = metric.life.best().model.size();
    for (std::size_t i = 0; i < d; ++i) {
      const Parabola along(reduced[i], reduced[d + i], reduced[2 * d + i]);
      reduced[d + i] = along.c1;
      reduced[2 * d + i] = along.c2;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        gram_[i][j] = gram_[j][i] = math::dot(reduced.subspan(i * d, d), reduced.subspan(j * d, d));
      }
    }
  }

  Parabola mean_;
  Parabola bend_;
  double kappa_;
  double margin_;
  double misfit_;
  std::array<std::array<double, 3>, 3> gram_{};
};

Limits::Limits(const Frame& frame, const Contexts& contexts, const std::vector<Limit>& limits,
               Minimise minimise)
    : m_(frame.size()),
      minimise_(std::move(minimise)),
      most_(limits.size()),
      lambda_(limits.size()),
      over_(limits.size()),
      anchor_(m_),
      inside_(m_),
      outside_(m_),
      between_(m_),
      here_(m_) {
  for (const Limit& limit : limits) metrics_.emplace_back(frame, contexts, limit);
  if (metrics_.empty()) return;
  layout_.emplace(frame, most_curvatures(frame));
  for (std::vector<double>* theta : {&loss_, &sum_, &phi_}) theta->resize(layout_->size());
  means_.resize(layout_->size() * limits.size());
  room_.resize(3 * metrics_[0].life.models.most_coefficients());
}

bool Limits::exploring_only() const {
  return std::any_of(metrics_.begin(), metrics_.end(), [](const Metric& metric) {
    return !metric.is_modelled() && !metric.never_varies();
  });
}

bool Limits::learn(std::size_t j, std::span<const double> z, const Life::Told& told,
                   const Psi& psi) {
  Metric& metric = metrics_[j];
  Life::Told signed_told = told;
  signed_told.loss *= metric.sign;
  const double above = signed_told.loss - metric.sign * metric.bound;
  const bool is_played = told.origin != Origin::taught;
  if (metric.told.count() == 0) metric.first = told.loss;
  metric.varies = metric.varies || told.loss != metric.first;
  if (is_played) {
    metric.told.take(told.loss);
    metric.over.take(above > 0 ? 1 : 0);
  }
  metric.life.learn(z, signed_told, psi);
  if (!metric.life.knows_unit()) return false;
  const double residual =
      metric.life.in_unit(signed_told.loss) - metric.life.models.said().expected;
  if (!metric.life.exploring_only()) metric.misfit.take(z, psi.values, residual);
  if (is_played) {
    const double noise = metric.life.unit * std::sqrt(metric.life.models.noise());
    metric.overspent += above;
    metric.recent = std::max(0.0, metric.recent * (1 - 1 / Chosen::ledger_memory) + above -
                                      Chosen::ledger_allows * noise);
  }
  return std::exchange(metric.life.best_due, 0) != 0;
}

void Limits::go_to(std::span<const double> psi) {
  for (std::size_t j = 0; j < size(); ++j) {
    Metric& metric = metrics_[j];
    most_[j] = metric.most();
    if (metric.limit.over_all) {
      const auto count = static_cast<double>(metric.life.since);
      most_[j] -= std::max(0.0, metric.overspent) /
                  (metric.life.unit * (Chosen::overspent_rounds + Chosen::overspent_share * count));
    }
    Candidate& by = metric.life.best();
    by.model.write_in(*layout_, by.mean_at(psi),
                      std::span(means_).subspan(j * layout_->size(), layout_->size()));
  }
}

double Limits::mean_of(std::size_t j, std::span<const double> z) {
  layout_->write_features(z, {}, phi_);
  return math::dot(std::span(means_).subspan(j * layout_->size(), layout_->size()), phi_);
}

double Limits::above(std::size_t j, std::span<const double> z) { return mean_of(j, z) - most_[j]; }

double Limits::excess(std::span<const double> psi, std::span<const double> z) {
  if (exploring_only()) return 0;
  go_to(psi);
  double sum = 0;
  for (std::size_t j = 0; j < size(); ++j) {
    const double over = metrics_[j].is_modelled() ? above(j, z) : 0;
    if (!(over > 0)) continue;
    Candidate& by = metrics_[j].life.best();
    by.model.write_features(z, psi, by.phi);
    sum += std::max(0.0, over - std::sqrt(by.posterior().variance(by.phi)));
  }
  return sum;
}

void Limits::minimise_sum(double of_loss, std::span<const double> of_metrics, std::span<double> z) {
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    sum_[i] = of_loss * loss_[i];
    for (std::size_t j = 0; j < size(); ++j) sum_[i] += of_metrics[j] * means_[j * sum_.size() + i];
  }
  minimise_(*layout_, sum_, z);
}

void Limits::find(const Model& model, std::span<const double> theta, std::span<const double> psi,
                  std::span<double> z) {
  model.write_in(*layout_, theta, loss_);
  go_to(psi);
  find_again(z);
}

void Limits::find_again(std::span<double> z) {
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  minimise_sum(1, lambda_, z);
  // Each multiplier changes what the others have to be.
  const int sweeps = size() > 1 ? 3 : 1;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t j = 0; j < size(); ++j) {
      if (metrics_[j].is_modelled()) bisect(j, z);
    }
  }
}

void Limits::for_each_of_front(std::size_t j, const Model& model, std::span<const double> theta,
                               std::span<const double> psi,
                               const std::function<void(std::span<const double> z)>& f) {
  model.write_in(*layout_, theta, loss_);
  go_to(psi);
  // Another bound on the metric for each point.
  most_[j] = largest_number;
  std::vector<double> z(m_);
  find_again(z);
  const double most = mean_of(j, z);
  lambda_[j] = 0;
  std::vector<double> shares(size());
  shares[j] = 1;
  std::vector<double> best(m_);
  minimise_sum(0, shares, best);
  const double least = mean_of(j, best);
  for (int k = 0; k <= Chosen::front_steps; ++k) {
    most_[j] = least + (most - least) * k / Chosen::front_steps;
    z = best;
    find_again(z);
    f(z);
  }
}

void Limits::bisect(std::size_t j, std::span<double> z) {
  const auto minimise_into = [&](double lambda, std::vector<double>& point) {
    lambda_[j] = lambda;
    minimise_sum(1, lambda_, point);
  };
  std::copy(z.begin(), z.end(), outside_.begin());
  minimise_into(0, outside_);
  if (above(j, outside_) <= 0) {
    std::copy(outside_.begin(), outside_.end(), z.begin());
    return;
  }
  const std::span<const double> mean = std::span(means_).subspan(j * layout_->size() + 1, m_);
  const double of_metric = math::norm(mean);
  const double of_loss = math::norm(std::span(loss_).subspan(1, m_));
  double low = 0;
  double high = of_metric > 0 && of_loss > 0 ? of_loss / of_metric : 1;
  std::copy(outside_.begin(), outside_.end(), inside_.begin());
  minimise_into(high, inside_);
  for (int k = 0; k < Chosen::multiplier_steps && above(j, inside_) > 0; ++k) {
    low = high;
    outside_ = inside_;
    high *= 4;
    minimise_into(high, inside_);
  }
  for (int k = 0; k < Chosen::multiplier_steps; ++k) {
    const double middle = (low + high) / 2;
    between_ = inside_;
    minimise_into(middle, between_);
    const bool over = above(j, between_) > 0;
    (over ? low : high) = middle;
    (over ? outside_ : inside_) = between_;
  }
  lambda_[j] = high;
  std::copy(outside_.begin(), outside_.end(), z.begin());
  const double share = above(j, inside_) < 0 ? largest_within([&](double s) {
    std::copy(outside_.begin(), outside_.end(), between_.begin());
    go_part(inside_, s, between_);
    return above(j, between_);
  })
                                             : 0;
  go_part(inside_, share, z);
}

void Limits::note_prices(double unit) {
  for (std::size_t j = 0; j < size(); ++j) {
    metrics_[j].price = lambda_[j] * unit / metrics_[j].life.unit;
  }
}

void Limits::keep_clear(std::span<const double> psi, std::span<double> z) {
  std::fill(over_.begin(), over_.end(), 0.0);
  if (exploring_only()) return;
  std::fill(anchor_.begin(), anchor_.end(), 0.0);
  for (std::size_t j = 0; j < size(); ++j) {
    Metric& metric = metrics_[j];
    if (!metric.is_modelled()) continue;
    Candidate& by = metric.life.best();
    by.model.write_features(anchor_, psi, by.phi);
    const double over = by.expected() - metric.most();
    over_[j] = over > std::sqrt(by.posterior().variance(by.phi)) ? 1 : 0;
  }
  if (start_is_over()) {
    go_to(psi);
    minimise_sum(0, over_, anchor_);
  }
  for (Metric& metric : metrics_) {
    if (metric.limit.over_all || !metric.is_modelled()) continue;
    metric.life.write_here(psi, here_);
    const Way way(metric, psi, anchor_, z, here_, between_, room_);
    if (way(1) > 0) go_part(anchor_, largest_within(way), z);
  }
}

bool Limits::start_is_over() const {
  return std::any_of(over_.begin(), over_.end(), [](double over) { return over > 0; });
}

bool Limits::start_was_over() const {
  return std::any_of(metrics_.begin(), metrics_.end(),
                     [](const Metric& metric) { return metric.start_is_over; });
}

bool Limits::start_was_over_all() const {
  return std::any_of(metrics_.begin(), metrics_.end(), [](const Metric& metric) {
    return metric.start_is_over && metric.limit.over_all;
  });
}

void Limits::note_best(std::span<const double> psi, std::span<const double> z,
                       std::span<const double> start_psi) {
  if (exploring_only()) return;
  // Finds the anchor of these names, and which limits their z = 0 is over.
  const auto look = [&](std::span<const double> at) {
    std::copy(z.begin(), z.end(), inside_.begin());
    keep_clear(at, inside_);
  };
  look(start_psi);
  for (std::size_t j = 0; j < size(); ++j) metrics_[j].start_is_over = over_[j] > 0;
  if (!std::equal(psi.begin(), psi.end(), start_psi.begin())) look(psi);
  go_to(psi);
  for (std::size_t j = 0; j < size(); ++j) {
    Metric& metric = metrics_[j];
    if (!metric.is_modelled()) continue;
    Candidate& by = metric.life.best();
    by.model.write_features(z, psi, by.phi);
    const double unit = metric.life.unit;
    const double variance = by.posterior().variance(by.phi) + metric.misfit.squared();
    metric.recommended = metric.bound + metric.sign * unit * (by.expected() - metric.most());
    metric.error = unit * std::sqrt(variance);
    metric.none_is_within = metric.start_is_over && over_[j] > 0 && above(j, anchor_) > 0;
  }
}

std::vector<LimitStatus> Limits::status() const {
  std::vector<LimitStatus> all;
  for (const Metric& metric : metrics_) {
    LimitStatus& one = all.emplace_back();
    one.start_is_over = metric.start_is_over;
    one.none_is_within = metric.none_is_within;
    if (metric.told.count() > 0) {
      one.recent = metric.told.mean();
      one.over = metric.over.mean();
    }
    if (!metric.is_modelled() && metric.never_varies()) {
      one.recommended = metric.first;
      one.error = 0;
      one.start_is_over = one.none_is_within = metric.sign * (metric.first - metric.bound) > 0;
      continue;
    }
    if (metric.error < 0) continue;
    one.recommended = metric.recommended;
    one.error = metric.error;
    if (!metric.none_is_within) one.price = metric.price;  // else it is whatever was tried last
  }
  return all;
}

void Limits::state(Archive& archive) {
  for (Metric& metric : metrics_) {
    metric.life.state(archive);
    for (double* number : {&metric.overspent, &metric.recent, &metric.price}) {
      archive.field(*number);
    }
    metric.misfit.state(archive);
    metric.told.state(archive);
    metric.over.state(archive);
    archive.field(metric.first);
    archive.field(metric.recommended);
    archive.field(metric.error);
    auto flags = static_cast<std::uint8_t>(
        (metric.start_is_over ? 1 : 0) + (metric.none_is_within ? 2 : 0) + (metric.varies ? 4 : 0));
    archive.field(flags);
    if (flags > 7) throw StateError("the state has a flag that is none");
    metric.start_is_over = flags % 2U != 0;
    metric.none_is_within = flags / 2U % 2U != 0;
    metric.varies = flags >= 4;
  }
}

}  // namespace keyhole::algorithms
