#include "learners/posterior/model.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "learners/posterior/constants.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

using Chosen = PosteriorConstants;
using Vector = std::vector<double>;

/// How many pairs of n things there are, each with itself too.
std::size_t pairs(std::size_t n) { return n * (n + 1) / 2; }

}  // namespace

Model::Model(const Frame& frame, Curvatures curvatures)
    : m_(frame.size()),
      curvatures_(curvatures),
      of_stretches_(frame.stretches().begin(),
                    has_pairs() ? frame.stretches().begin() : frame.stretches().end()),
      posterior_(m_ + (has_pairs()             ? 2 + pairs(m_)
                       : of_stretches_.empty() ? 2
                                               : 3)),
      ridge_(size()),
      noted_(size()),
      kept_{std::vector<double>(has_pairs() ? pairs(size()) : 0),
            std::vector<double>(has_pairs() ? size() : 0)},
      u_(size()),
      Gu_(size()) {
  const double length = math::norm(of_stretches_);
  for (double& stretch : of_stretches_) stretch /= length;
  static_cast<void>(sums());  // so that this thread has room
}

Model::Sums& Model::sums() {
  if (has_pairs()) return kept_;
  thread_local Sums room;
  room.G.resize(pairs(size()));
  room.b.resize(size());
  return room;
}

void Model::write_features(std::span<const double> z, std::span<double> phi) const {
  phi[0] = 1;
  std::copy(z.begin(), z.end(), phi.begin() + 1);
  if (has_pairs()) {
    double* pair = phi.data() + first_curvature();
    for (std::size_t j = 0; j < m_; ++j) {
      for (std::size_t k = 0; k < j; ++k) *pair++ = std::numbers::sqrt2 * z[j] * z[k];
      *pair++ = z[j] * z[j];
    }
  } else if (!of_stretches_.empty()) {
    phi[m_ + 1] = math::reduce(m_, [&](std::size_t k) { return of_stretches_[k] * (z[k] * z[k]); });
  }
  phi.back() = math::squared_norm(z) / std::sqrt(static_cast<double>(m_));
}

void Model::write_curvatures(std::span<const double> theta, std::span<double> c) const {
  const double same = theta.back() / std::sqrt(static_cast<double>(m_));
  for (std::size_t k = 0; k < m_; ++k) {
    c[k] = of_stretches_.empty() ? same : same + theta[m_ + 1] * of_stretches_[k];
  }
}

void Model::write_matrix(std::span<const double> theta, std::span<double> C) const {
  const double same = theta.back() / std::sqrt(static_cast<double>(m_));
  const double* pair = theta.data() + first_curvature();
  for (std::size_t j = 0; j < m_; ++j) {
    for (std::size_t k = 0; k < j; ++k)
      C[j * m_ + k] = C[k * m_ + j] = *pair++ / std::numbers::sqrt2;
    C[j * m_ + j] = *pair++ + same;
  }
}

std::size_t Model::prior_of(std::size_t i) const {
  return has_pairs() ? (i + 1 == size() ? 1 : 0) : i - first_curvature();
}
std::size_t Model::first_of(std::size_t prior) const {
  return prior == 0 ? first_curvature() : prior < priors() ? size() - 1 : size();
}

double Model::price_of_reach() const {
  const std::span<const double> mean = posterior_.mean();
  if (has_pairs()) {  // the trace of C
    double trace = mean.back() * std::sqrt(static_cast<double>(m_));
    for (std::size_t k = 0; k < m_; ++k) trace += mean[first_curvature() + pairs(k + 1) - 1];
    return trace;
  }
  const double same = mean.back() * std::sqrt(static_cast<double>(m_));
  return of_stretches_.empty() ? same : same + mean[m_ + 1] * math::sum(of_stretches_);
}

double Model::bend(std::span<const double> z, std::span<const double> here) const {
  if (has_pairs()) {
    const std::span<const double> mean = posterior_.mean();
    const double* pair = mean.data() + first_curvature();
    double sum = 0;
    double squares = 0;
    for (std::size_t j = 0; j < m_; ++j) {
      const double away = z[j] - here[j];
      for (std::size_t k = 0; k < j; ++k) {
        sum += std::numbers::sqrt2 * *pair++ * away * (z[k] - here[k]);
      }
      sum += *pair++ * away * away;
      squares += away * away;
    }
    return sum + mean.back() / std::sqrt(static_cast<double>(m_)) * squares;
  }
  const double same = posterior_.mean().back() / std::sqrt(static_cast<double>(m_));
  const double other = of_stretches_.empty() ? 0 : posterior_.mean()[m_ + 1];
  return math::reduce(m_, [&](std::size_t k) {
    const double away = z[k] - here[k];
    return (other == 0 ? same : same + other * of_stretches_[k]) * (away * away);
  });
}

void Model::begin(double noise, double reach) {
  const double unit = std::min(1.0, reach / Chosen::most_first_reach);
  slope_ridge_ = unit * unit / noise;
  curvature_unit_ = (unit * unit) * (unit * unit);
  curvature_ridge_ = {};
  if (has_pairs()) curvature_ridge_[0] = curvature_unit_ / noise;
  reliable_share_ = 0;
  write_ridge(noise);
  posterior_.begin(ridge_);
  for (std::vector<double>* numbers : {&noted_, &kept_.G, &kept_.b}) {
    std::fill(numbers->begin(), numbers->end(), 0.0);
  }
}

void Model::add(std::span<const double> phi, double precision, double value) {
  double* row = kept_.G.data();
  for (std::size_t i = 0; i < size(); ++i) {
    const double share = precision * phi[i];
    kept_.b[i] += share * value;
    for (std::size_t j = 0; j <= i; ++j) row[j] += share * phi[j];
    row += i + 1;
  }
}

void Model::wander(double q, double drift) {
  if (!has_pairs()) {
    posterior_.wander(q, drift);
    return;
  }
  const double share = q / (1 + q * kept_.G[0]);
  for (std::size_t i = 0; i < size(); ++i) u_[i] = kept_.G[pairs(i)];
  const double level = kept_.b[0];
  double* row = kept_.G.data();
  for (std::size_t i = 0; i < size(); ++i) {
    kept_.b[i] += u_[i] * drift * (1 - share * u_[0]) - share * u_[i] * level;
    for (std::size_t j = 0; j <= i; ++j) row[j] -= share * u_[i] * u_[j];
    row += i + 1;
  }
}

void Model::keep(double share) {
  auto& [G, b] = sums();
  if (!has_pairs()) posterior_.open(ridge_, G, b);
  for (double& entry : G) entry *= share;
  for (double& entry : b) entry *= share;
  posterior_.close(ridge_, G, b);
}

void Model::forget(double share) {
  auto& [G, b] = sums();
  if (has_pairs()) posterior_.close(ridge_, G, b);
  posterior_.forget(first_curvature(), share);
  // The prior is not forgotten.
  std::copy(ridge_.begin(), ridge_.end(), u_.begin());
  for (std::size_t i = 0; i < first_curvature(); ++i) u_[i] *= share;
  posterior_.open(u_, G, b);
  posterior_.close(ridge_, G, b);
  for (double& sum : noted_) sum *= share;
}

void Model::note(std::span<const double> phi) { math::add(noted_, 1, phi); }

void Model::write_ridge(double noise) {
  const double least = Chosen::curvature_ridge * curvature_unit_ / noise;
  for (std::size_t i = 0; i < size(); ++i) {
    const double own = i == 0                  ? Chosen::level_ridge / noise
                       : i < first_curvature() ? slope_ridge_
                                               : std::max(least, curvature_ridge_[prior_of(i)]);
    ridge_[i] = own + Chosen::least_ridge / noise;
  }
}

void Model::refit(double noise, std::uint64_t count, double growth, std::span<const double> here) {
  auto& [G, b] = sums();
  if (!has_pairs()) posterior_.open(ridge_, G, b);
  write_ridge(noise);
  posterior_.close(ridge_, G, b);
  const double root = std::sqrt(static_cast<double>(count));
  const Evidence slopes = evidence(1, first_curvature());
  slope_ridge_ =
      followed(slopes, slope_ridge_, std::max(1.0, Chosen::most_slope_ridge * root) / noise);
  if (growth > 0) {
    for (std::size_t prior = 0; prior < priors(); ++prior) {
      const std::size_t first = first_of(prior);
      curvature_ridge_[prior] = followed(evidence(first, first_of(prior + 1)), ridge_[first],
                                         Chosen::most_curvature_ridge * root / noise);
    }
  }
  const double by_chance = slopes.determined + std::sqrt(2 * std::max(slopes.determined, 0.0));
  reliable_share_ = slopes.signal > 0 ? std::clamp(1 - by_chance / slopes.signal, 0.0, 1.0) : 0;
  write_ridge(noise);
  posterior_.close(ridge_, G, b);
  if (growth > 0 && !has_pairs()) loosen_curvature(growth, here);
}

double Model::followed(const Evidence& found, double ridge, double most) {
  const double wanted = found.squares > 0 ? std::max(found.determined, 1e-9) / found.squares : most;
  return std::min(most,
                  std::clamp(wanted, ridge / Chosen::ridge_change, ridge * Chosen::ridge_change));
}

Model::Evidence Model::evidence(std::size_t begin, std::size_t end) {
  Evidence found;
  for (std::size_t i = begin; i < end; ++i) {
    std::fill(u_.begin(), u_.end(), 0.0);
    u_[i] = 1;
    const double variance = posterior_.variance_from(i, u_);
    const double theta = posterior_.mean()[i];
    found.determined += 1 - ridge_[i] * variance;
    found.squares += theta * theta;
    found.signal += theta * theta / variance;
  }
  return found;
}

/// G^-1 += tau^2 u u', where G is what the losses say without the prior and u has the coefficients
/// of |z - here|^2 / sqrt m: G -= c Gu (Gu)', c = tau^2 / (1 + tau^2 u'Gu), with b so that the mean
/// stays.
void Model::loosen_curvature(double growth, std::span<const double> here) {
  const std::size_t d = size();
  Vector& G = sums().G;
  Vector& b = sums().b;
  std::fill(u_.begin(), u_.end(), 0.0);
  u_[d - 1] = 1;
  const double variance = posterior_.variance_from(d - 1, u_);
  const double squared_tau = variance * growth;
  const double root = std::sqrt(static_cast<double>(m_));
  for (std::size_t k = 0; k < m_; ++k) u_[k + 1] = -2 * here[k] / root;
  u_[0] = math::squared_norm(here) / root;
  for (std::size_t i = 0; i < d; ++i) {
    Gu_[i] = math::reduce(
        d, [&](std::size_t j) { return G[j <= i ? pairs(i) + j : pairs(j) + i] * u_[j]; });
  }
  const double c = squared_tau / (1 + squared_tau * math::dot(u_, Gu_));
  const double of_mean = math::dot(Gu_, posterior_.mean());
  for (std::size_t i = 0; i < d; ++i) {
    b[i] -= c * Gu_[i] * of_mean;
    for (std::size_t j = 0; j <= i; ++j) G[pairs(i) + j] -= c * Gu_[i] * Gu_[j];
  }
  posterior_.close(ridge_, G, b);
}

void Model::state(Archive& archive) {
  posterior_.state(archive);
  for (double* number : {&slope_ridge_, &curvature_unit_, &reliable_share_}) archive.field(*number);
  archive.field(curvature_ridge_);
  archive.field(ridge_);
  archive.field(noted_);
  if (!has_pairs()) return;
  archive.field(kept_.G);
  archive.field(kept_.b);
}

}  // namespace keyhole::algorithms
