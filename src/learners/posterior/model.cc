#include "learners/posterior/model.h"

#include <algorithm>
#include <cmath>

#include "learners/posterior/constants.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

using Chosen = PosteriorConstants;

}  // namespace

Model::Model(const Frame& frame)
    : m_(frame.size()),
      of_stretches_(frame.stretches().begin(), frame.stretches().end()),
      posterior_(m_ + (of_stretches_.empty() ? 2 : 3)),
      ridge_(size()),
      G_(size() * size()),
      b_(size()),
      u_(size()),
      Gu_(size()) {
  const double length = math::norm(of_stretches_);
  for (double& stretch : of_stretches_) stretch /= length;
}

void Model::write_features(std::span<const double> z, std::span<double> phi) const {
  phi[0] = 1;
  std::copy(z.begin(), z.end(), phi.begin() + 1);
  if (!of_stretches_.empty()) {
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

double Model::price_of_reach() const {
  const std::span<const double> mean = posterior_.mean();
  const double same = mean.back() * std::sqrt(static_cast<double>(m_));
  return of_stretches_.empty() ? same : same + mean[m_ + 1] * math::sum(of_stretches_);
}

double Model::bend(std::span<const double> z, std::span<const double> here) const {
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
  reliable_share_ = 0;
  write_ridge(noise);
  posterior_.begin(ridge_);
}

void Model::write_ridge(double noise) {
  const double least = Chosen::curvature_ridge * curvature_unit_ / noise;
  for (std::size_t i = 0; i < size(); ++i) {
    const double own = i == 0                  ? Chosen::level_ridge / noise
                       : i < first_curvature() ? slope_ridge_
                                               : std::max(least, curvature_ridge_[i - m_ - 1]);
    ridge_[i] = own + Chosen::least_ridge / noise;
  }
}

void Model::refit(double noise, std::uint64_t count, double growth, std::span<const double> here) {
  posterior_.open(ridge_, G_, b_);
  write_ridge(noise);
  posterior_.close(ridge_, G_, b_);
  const double root = std::sqrt(static_cast<double>(count));
  const Evidence slopes = evidence(1, first_curvature());
  slope_ridge_ =
      followed(slopes, slope_ridge_, std::max(1.0, Chosen::most_slope_ridge * root) / noise);
  if (growth > 0) {
    for (std::size_t i = first_curvature(); i < size(); ++i) {
      curvature_ridge_[i - m_ - 1] =
          followed(evidence(i, i + 1), ridge_[i], Chosen::most_curvature_ridge * root / noise);
    }
  }
  const double by_chance = slopes.determined + std::sqrt(2 * std::max(slopes.determined, 0.0));
  reliable_share_ = slopes.signal > 0 ? std::clamp(1 - by_chance / slopes.signal, 0.0, 1.0) : 0;
  write_ridge(noise);
  posterior_.close(ridge_, G_, b_);
  if (growth > 0) loosen_curvature(growth, here);
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
  std::fill(u_.begin(), u_.end(), 0.0);
  u_[d - 1] = 1;
  const double variance = posterior_.variance_from(d - 1, u_);
  const double squared_tau = variance * growth;
  const double root = std::sqrt(static_cast<double>(m_));
  for (std::size_t k = 0; k < m_; ++k) u_[k + 1] = -2 * here[k] / root;
  u_[0] = math::squared_norm(here) / root;
  for (std::size_t i = 0; i < d; ++i) {
    Gu_[i] = math::reduce(
        d, [&](std::size_t j) { return (j <= i ? G_[i * d + j] : G_[j * d + i]) * u_[j]; });
  }
  const double c = squared_tau / (1 + squared_tau * math::dot(u_, Gu_));
  const double of_mean = math::dot(Gu_, posterior_.mean());
  for (std::size_t i = 0; i < d; ++i) {
    b_[i] -= c * Gu_[i] * of_mean;
    for (std::size_t j = 0; j <= i; ++j) G_[i * d + j] -= c * Gu_[i] * Gu_[j];
  }
  posterior_.close(ridge_, G_, b_);
}

void Model::state(Archive& archive) {
  posterior_.state(archive);
  for (double* number : {&slope_ridge_, &curvature_unit_, &reliable_share_}) archive.field(*number);
  archive.field(curvature_ridge_);
  archive.field(ridge_);
}

}  // namespace keyhole::algorithms
