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

Model::Model(const Frame& frame, Curvatures curvatures, const Contexts& contexts)
    : m_(frame.size()),
      contexts_(&contexts),
      curvatures_(curvatures),
      of_stretches_(frame.stretches().begin(),
                    has_pairs() ? frame.stretches().begin() : frame.stretches().end()),
      posterior_(first_curvature() + (has_pairs()             ? 1 + pairs(m_)
                                      : of_stretches_.empty() ? 1
                                                              : 2)),
      context_ridge_(contexts.given()),
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

void Model::write_features(std::span<const double> z, std::span<const double> psi,
                           std::span<double> phi) const {
  phi[0] = 1;
  std::copy(z.begin(), z.end(), phi.begin() + 1);
  const double square = math::squared_norm(z) / std::sqrt(static_cast<double>(m_));
  std::copy(psi.begin(), psi.end(), phi.begin() + static_cast<std::ptrdiff_t>(of_level()));
  double* of_context = phi.data() + of_slopes();
  for (std::size_t j = 0; j < contexts_->slopes(); ++j) {
    for (const double z_k : z) *of_context++ = psi[j] * z_k;
  }
  for (std::size_t j = 0; j < contexts_->slopes(); ++j) *of_context++ = psi[j] * square;
  if (has_pairs()) {
    double* pair = phi.data() + first_curvature();
    for (std::size_t j = 0; j < m_; ++j) {
      for (std::size_t k = 0; k < j; ++k) *pair++ = std::numbers::sqrt2 * z[j] * z[k];
      *pair++ = z[j] * z[j];
    }
  } else if (!of_stretches_.empty()) {
    phi[first_curvature()] =
        math::reduce(m_, [&](std::size_t k) { return of_stretches_[k] * (z[k] * z[k]); });
  }
  phi.back() = square;
}

std::span<const double> Model::at(std::span<const double> theta, std::span<const double> psi,
                                  std::span<double> room) const {
  if (contexts_->size() == 0) return theta;
  std::copy_n(theta.begin(), m_ + 1, room.begin());
  std::copy(theta.begin() + static_cast<std::ptrdiff_t>(first_curvature()), theta.end(),
            room.begin() + static_cast<std::ptrdiff_t>(m_) + 1);
  room[0] += math::dot(theta.subspan(of_level(), contexts_->size()), psi);
  const double* slope = theta.data() + of_slopes();
  double curvature = 0;
  for (std::size_t j = 0; j < contexts_->slopes(); ++j) {
    for (std::size_t k = 0; k < m_; ++k) room[1 + k] += psi[j] * *slope++;
    curvature += psi[j] * theta[of_curvature() + j];
  }
  room[size_at() - 1] += curvature;
  return room.first(size_at());
}

void Model::write_in(const Model& other, std::span<const double> theta,
                     std::span<double> out) const {
  if (has_pairs() == other.has_pairs()) {
    std::copy(theta.begin(), theta.end(), out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  std::copy_n(theta.begin(), m_ + 1, out.begin());
  for (std::size_t k = 0; k < of_stretches_.size(); ++k) {
    out[m_ + pairs(k + 1)] = theta[m_ + 1] * of_stretches_[k];
  }
  out.back() = theta.back();
}

double Model::by_slopes(std::span<const double> phi) const {
  const std::span<const double> mean = posterior_.mean();
  const double own = math::dot(mean.subspan(1, m_), phi.subspan(1, m_));
  const std::size_t more = of_curvature() - of_slopes();
  if (more == 0) return own;
  return own + math::dot(mean.subspan(of_slopes(), more), phi.subspan(of_slopes(), more));
}

void Model::clear_level(std::span<double> phi) const {
  phi[0] = 0;
  std::fill_n(phi.begin() + static_cast<std::ptrdiff_t>(of_level()), contexts_->size(), 0.0);
}

double Model::level_of(std::span<const double> psi) const {
  return math::dot(posterior_.mean().subspan(of_level(), contexts_->size()), psi);
}

double Model::unknown(std::span<const double> z, const Psi& psi) const {
  const std::span<const double> mean = posterior_.mean();
  const double square = math::squared_norm(z) / std::sqrt(static_cast<double>(m_));
  double sum = 0;
  for (std::size_t j = 0; j < psi.variances.size(); ++j) {
    if (psi.variances[j] == 0) continue;
    double moved = mean[of_level() + j];
    if (j < contexts_->slopes()) {
      moved +=
          math::dot(mean.subspan(of_slopes() + j * m_, m_), z) + mean[of_curvature() + j] * square;
    }
    sum += psi.variances[j] * (moved * moved);
  }
  return sum;
}

void Model::write_curvatures(std::span<const double> theta, std::span<double> c) const {
  const double same = theta.back() / std::sqrt(static_cast<double>(m_));
  for (std::size_t k = 0; k < m_; ++k) {
    c[k] = of_stretches_.empty() ? same : same + theta[m_ + 1] * of_stretches_[k];
  }
}

void Model::write_matrix(std::span<const double> theta, std::span<double> C) const {
  const double same = theta.back() / std::sqrt(static_cast<double>(m_));
  const double* pair = theta.data() + m_ + 1;
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
  return of_stretches_.empty() ? same : same + mean[first_curvature()] * math::sum(of_stretches_);
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
  const double other = of_stretches_.empty() ? 0 : posterior_.mean()[first_curvature()];
  return math::reduce(m_, [&](std::size_t k) {
    const double away = z[k] - here[k];
    return (other == 0 ? same : same + other * of_stretches_[k]) * (away * away);
  });
}

void Model::begin(double noise, double reach) {
  const double unit = std::min(1.0, reach / Chosen::most_first_reach);
  slope_ridge_ = unit * unit / noise;
  level_ridge_ = Chosen::context_level_ridge / noise;
  std::fill(context_ridge_.begin(), context_ridge_.end(), Chosen::context_ridge * slope_ridge_);
  bend_ridge_ = (unit * unit) * (unit * unit) / noise;
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
    const double own = i == 0            ? Chosen::level_ridge / noise
                       : i < of_level()  ? slope_ridge_
                       : i < of_slopes() ? level_ridge_
                       : i < of_curvature()
                           ? context_ridge_[contexts_->variable()[(i - of_slopes()) / m_]]
                       : i < first_curvature() ? bend_ridge_
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
  Evidence slopes = evidence(1, of_level());
  slope_ridge_ =
      followed(slopes, slope_ridge_, std::max(1.0, Chosen::most_slope_ridge * root) / noise);
  if (contexts_->size() > 0) follow_contexts(root, noise, growth > 0, slopes);
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

double Model::followed_if_seen(const Evidence& found, std::size_t count, double ridge,
                               double most) {
  const bool seen = found.determined >= Chosen::least_seen * static_cast<double>(count);
  return seen ? followed(found, ridge, most) : ridge;
}

void Model::follow_contexts(double root, double noise, bool curved, Evidence& slopes) {
  level_ridge_ = followed_if_seen(evidence(of_level(), of_slopes()), contexts_->size(),
                                  level_ridge_, root / noise);
  const std::span<const std::size_t> variable = contexts_->variable();
  for (std::size_t j = 0; j < variable.size();) {
    std::size_t end = j;
    while (end < variable.size() && variable[end] == variable[j]) ++end;
    const Evidence found = evidence(of_slopes() + j * m_, of_slopes() + end * m_);
    double& ridge = context_ridge_[variable[j]];
    ridge =
        followed_if_seen(found, (end - j) * m_, ridge, Chosen::most_context_ridge * root / noise);
    slopes.determined += found.determined;
    slopes.signal += found.signal;
    j = end;
  }
  if (!curved) return;
  bend_ridge_ = followed_if_seen(evidence(of_curvature(), first_curvature()), variable.size(),
                                 bend_ridge_, Chosen::most_curvature_ridge * root / noise);
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
  if (contexts_->size() > 0) {
    archive.field(level_ridge_);
    archive.field(context_ridge_);
    archive.field(bend_ridge_);
  }
  archive.field(ridge_);
  archive.field(noted_);
  if (!has_pairs()) return;
  archive.field(kept_.G);
  archive.field(kept_.b);
}

}  // namespace keyhole::algorithms
