#include "sets/moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {

PointSpace space_of(const Set& set) {
  return {set.dimension(), set.hull_dimension(),
          [&set](std::span<double> direction) { set.flatten(direction); },
          [&set] { return set.spec(); }};
}

PointSpace whole_space(std::size_t n) {
  return {n, n, [](std::span<double>) {}, [] { return std::string("the space"); }};
}

namespace {

/// For each coordinate 0, if at least half of the points have it there, else that of the first
/// point with a weight. Either lies within a few deviations of the mean.
std::vector<double> usual_values(const std::vector<std::vector<double>>& list,
                                 const std::vector<double>& weights) {
  const auto with_weight = std::ranges::find_if(weights, [](double weight) { return weight > 0; });
  std::vector<double> usual = list[static_cast<std::size_t>(with_weight - weights.begin())];
  std::vector<double> zeros(usual.size(), 0.0);
  for (std::size_t k = 0; k < list.size(); ++k) {
    for (std::size_t i = 0; i < usual.size(); ++i) zeros[i] += list[k][i] == 0 ? weights[k] : 0;
  }
  for (std::size_t i = 0; i < usual.size(); ++i) usual[i] = zeros[i] >= 0.5 ? 0 : usual[i];
  return usual;
}

/// entries_j += sum_k row_k[i] row_k[j] over 8 rows of n numbers, one after the other, where i is
/// the last j.
void add_eight(std::span<double> entries, const double* rows, std::size_t n) {
  constexpr std::size_t block = 4;  // as many as stay in registers
  const std::size_t last = entries.size() - 1;
  const std::size_t whole = entries.size() - entries.size() % block;
  double* __restrict const to = entries.data();
  for (std::size_t j = 0; j < whole; j += block) {
    std::array<double, block> entry;
    for (std::size_t b = 0; b < block; ++b) entry[b] = to[j + b];
    for (std::size_t k = 0; k < 8; ++k) {
      const double* const row = rows + k * n;
      for (std::size_t b = 0; b < block; ++b) entry[b] += row[last] * row[j + b];
    }
    for (std::size_t b = 0; b < block; ++b) to[j + b] = entry[b];
  }
  for (std::size_t j = whole; j <= last; ++j) {
    for (std::size_t k = 0; k < 8; ++k) to[j] += rows[k * n + last] * rows[k * n + j];
  }
}

}  // namespace

void add_gram(std::span<const double> rows, std::size_t n, double weight,
              std::span<double> matrix) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<double> entries = matrix.subspan(i * n, i + 1);
    for (std::size_t first = 0; first < rows.size(); first += n) {
      math::add(entries, weight * rows[first + i], rows.subspan(first, i + 1));
    }
  }
}

MeanAndCovariance::MeanAndCovariance(const std::vector<std::vector<double>>& list,
                                     const std::vector<double>& weights)
    : mean(list.front().size(), 0.0), covariance(mean.size() * mean.size(), 0.0) {
  for (std::size_t k = 0; k < list.size(); ++k) math::add(mean, weights[k], list[k]);
  if (!add_sparse_products(list, weights)) add_products(list, weights);
}

/// sum_k w_k (v_k - p) (v_k - p)', in the lower triangle. A few points at a time: their products go
/// to an entry one after the other, while it is at hand.
void MeanAndCovariance::add_products(const std::vector<std::vector<double>>& list,
                                     const std::vector<double>& weights) {
  constexpr std::size_t together = 8;
  const std::size_t n = mean.size();
  std::vector<double> away(together * n);
  std::size_t count = 0;
  const auto row = [&](std::size_t k) { return std::span(away).subspan(k * n, n); };
  const auto add = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      const std::span<double> entries = std::span(covariance).subspan(i * n, i + 1);
      if (count == together) {
        add_eight(entries, away.data(), n);
        continue;
      }
      for (std::size_t k = 0; k < count; ++k) {
        math::add(entries, row(k)[i], std::span<const double>(row(k)).first(i + 1));
      }
    }
    count = 0;
  };
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (!(weights[k] > 0)) continue;
    const double root = std::sqrt(weights[k]);
    const std::span<double> of_k = row(count);
    for (std::size_t i = 0; i < n; ++i) of_k[i] = root * (list[k][i] - mean[i]);
    if (++count == together) add();
  }
  add();
}

/// The same as sum_k w_k u_k u_k' - (p - c) (p - c)' with u = v - c, for a c that makes most
/// coordinates of u zero; false if there is none, or if there are few coordinates.
bool MeanAndCovariance::add_sparse_products(const std::vector<std::vector<double>>& list,
                                            const std::vector<double>& weights) {
  constexpr std::size_t many_coordinates = 100;
  const std::size_t n = mean.size();
  if (n <= many_coordinates) return false;
  const std::vector<double> c = usual_values(list, weights);
  std::vector<std::size_t> places;  // of what is not zero, point by point
  std::vector<double> values;
  std::vector<std::size_t> ends;
  for (const std::vector<double>& v : list) {
    for (std::size_t i = 0; i < n; ++i) {
      if (v[i] == c[i]) continue;
      places.push_back(i);
      values.push_back(v[i] - c[i]);
    }
    ends.push_back(places.size());
    if (3 * places.size() > list.size() * n) return false;
  }
  std::size_t first = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    for (std::size_t i = first; i < ends[k]; ++i) {
      double* const entries = covariance.data() + places[i] * n;
      const double weight = weights[k] * values[i];
      for (std::size_t j = first; j <= i; ++j) entries[places[j]] += weight * values[j];
    }
    first = ends[k];
  }
  std::vector<double> away = mean;
  math::add(away, -1, c);
  for (std::size_t i = 0; i < n; ++i) {
    math::add(std::span(covariance).subspan(i * n, i + 1), -away[i], std::span(away).first(i + 1));
  }
  return true;
}

Moments::Moments(PointSpace space, MeanAndCovariance of)
    : space_(std::move(space)),
      mean_(std::move(of.mean)),
      variance_(space_.dimension, 0.0),
      factor_(std::move(of.covariance)),
      deviation_(space_.dimension) {
  const std::size_t n = space_.dimension;
  for (std::size_t i = 0; i < n; ++i) variance_[i] = factor_[i * n + i];
  add_across();
  factorise();
  const double largest = math::largest_magnitude(variance_);
  for (double& variance : variance_) variance = std::max(variance, 1e-12 * largest);
}

void Moments::score(std::span<const double> v, std::span<double> w) const {
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = v[i] - mean_[i];
  space_.flatten(w);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] /= deviation_[i];
  math::cholesky_solve(factor_, w.size(), w);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] /= deviation_[i];
  space_.flatten(w);
}

double Moments::leverage(std::span<const double> v, std::span<double> w) const {
  score(v, w);
  return math::reduce(w.size(), [&](std::size_t i) { return w[i] * (v[i] - mean_[i]); });
}

/// Sigma + c (1 - P) with P the projection onto the space: invertible if the points span it, and
/// its inverse agrees with that of Sigma there.
void Moments::add_across() {
  const std::size_t n = mean_.size();
  if (space_.hull_dimension == n) return;
  const double c = math::sum(variance_) / static_cast<double>(n);
  if (!space_.across.empty()) {
    add_gram(space_.across, n, c, factor_);
    return;
  }
  std::vector<double> axis(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(axis.begin(), axis.end(), 0.0);
    axis[j] = 1;
    space_.flatten(axis);
    for (std::size_t i = j; i < n; ++i) {
      factor_[i * n + j] += c * ((i == j ? 1.0 : 0.0) - axis[i]);
    }
  }
}

/// In units of the coordinates' own deviations, so that thin sets do not look degenerate.
void Moments::factorise() {
  const std::size_t n = mean_.size();
  for (std::size_t i = 0; i < n; ++i) deviation_[i] = std::sqrt(factor_[i * n + i]);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) factor_[i * n + j] /= deviation_[i] * deviation_[j];
  }
  bool spans = math::cholesky(factor_, n);
  for (std::size_t i = 0; i < n; ++i) spans = spans && factor_[i * n + i] > 1e-6;
  if (spans) return;
  throw InvalidArgument("the points to explore do not span the hull of " + space_.name());
}

std::vector<double> optimal_design(const PointSpace& space,
                                   const std::vector<std::vector<double>>& list,
                                   std::size_t steps) {
  std::vector<double> weights(list.size(), 1 / static_cast<double>(list.size()));
  std::vector<double> w(space.dimension);
  for (std::size_t step = 0; step < steps; ++step) {
    const Moments of(space, list, weights);
    for (std::size_t k = 0; k < list.size(); ++k) {
      weights[k] *= (1 + of.leverage(list[k], w)) / (1 + static_cast<double>(space.hull_dimension));
    }
    const double sum = math::sum(weights);
    for (double& weight : weights) weight /= sum;
  }
  // What is hardly ever drawn only makes the list longer.
  const double least = 1e-3 / static_cast<double>(list.size());
  for (double& weight : weights) weight = weight < least ? 0 : weight;
  const double sum = math::sum(weights);
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::size_t bearable_steps(std::size_t dimension, std::size_t points) {
  const auto n = static_cast<double>(dimension);
  return static_cast<std::size_t>(std::min(100.0, 5e8 / (2 * n * n * static_cast<double>(points))));
}

}  // namespace keyhole::sets
