#include "sets/nearest_point.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {
namespace {

/// Distances up to this share of the diameter are roundings.
constexpr double nothing = 1e-13;

}  // namespace

NearestPoint::NearestPoint(std::size_t n, double diameter, Minimise minimise)
    : n_(n),
      diameter_(diameter),
      minimise_(std::move(minimise)),
      z_(n),
      away_(n),
      vertex_(n),
      tilted_(n) {
  points_.reserve((n + 2) * n);
  weights_.reserve(n + 2);
  basis_.reserve((n + 1) * n);
  triangle_.reserve((n + 1) * (n + 2) / 2);
  below_.resize(n + 1);
  wanted_.reserve(n + 2);
}

NearestPoint::NearestPoint(const Set& set)
    : NearestPoint(set.dimension(), set.diameter(),
                   [oracle = std::shared_ptr<Oracle>(set.oracle())](
                       std::span<const double> direction, std::span<double> v) {
                     oracle->minimise(direction).write_to(v);
                   }) {}

bool NearestPoint::find(std::span<const double> z, std::span<double> nearest) {
  start(z);
  bool proved = false;
  std::size_t stalled = 0;
  for (std::size_t k = 0; k < most_steps(); ++k) {
    const double distance = math::norm(away_);
    const double left = gap();
    proved = left <= 1e-10 * diameter_ * std::max(diameter_, distance);
    if (std::min(distance, left / distance) <= nothing * diameter_) break;
    // Far from K a step can bring x to its place and still shorten x - z by rounding only.
    if (!step() && ++stalled > n_) break;
  }
  for (std::size_t i = 0; i < n_; ++i) nearest[i] = z_[i] + away_[i];
  return proved;
}

bool NearestPoint::is_within(std::span<const double> z, double tolerance) {
  start(z);
  for (std::size_t k = 0; k < most_steps(); ++k) {
    const double distance = math::norm(away_);
    if (distance <= tolerance) return true;
    // All of K lies at least distance - gap / distance beyond z along x - z.
    if (distance - gap() / distance > tolerance) return false;
    if (!step()) break;
  }
  return math::norm(away_) <= std::max(tolerance, 2.5e-9 * diameter_);
}

void NearestPoint::start(std::span<const double> z) {
  std::copy(z.begin(), z.end(), z_.begin());
  // Any vertex, then the one farthest towards z from there.
  std::fill(away_.begin(), away_.end(), 0.0);
  away_[0] = 1;
  for (int round = 0; round < 2; ++round) {
    minimise_(away_, vertex_);
    for (std::size_t i = 0; i < n_; ++i) away_[i] = vertex_[i] - z_[i];
  }
  points_.assign(away_.begin(), away_.end());
  weights_.assign(1, 1.0);
  basis_.clear();
  triangle_.clear();
}

double NearestPoint::gap() {
  minimise_(away_, vertex_);
  for (std::size_t i = 0; i < n_; ++i) vertex_[i] -= z_[i];
  return math::reduce(n_, [&](std::size_t i) { return away_[i] * (away_[i] - vertex_[i]); });
}

bool NearestPoint::step() {
  if (approach()) return true;
  for (double tilt = 1e-8; tilt < 0.1; tilt *= 10) {
    const double length = math::norm(away_);
    for (std::size_t i = 0; i < n_; ++i) tilted_[i] = vertex_[i] - away_[i];
    const double aside = math::norm(tilted_);
    if (aside == 0) return false;  // x is that vertex
    const double scale = tilt * length / aside;
    for (std::size_t i = 0; i < n_; ++i) tilted_[i] = away_[i] + scale * tilted_[i];
    minimise_(tilted_, vertex_);
    for (std::size_t i = 0; i < n_; ++i) vertex_[i] -= z_[i];
    if (approach()) return true;
  }
  return false;
}

bool NearestPoint::offer(std::span<const double> v) {
  for (std::size_t i = 0; i < n_; ++i) vertex_[i] = v[i] - z_[i];
  if (!(math::dot(away_, vertex_) < 0)) return false;
  const double before = math::norm(away_);
  (void)approach();
  return math::norm(away_) < 0.999 * before;
}

bool NearestPoint::approach() {
  const double before = math::squared_norm(away_);
  if (!join()) return false;
  while (true) {
    affine_minimiser();
    // As far towards it as all weights stay positive.
    double share = 1;
    std::size_t first = count();
    for (std::size_t k = 0; k < count(); ++k) {
      if (wanted_[k] > 0) continue;
      const double possible = weights_[k] > 0 ? weights_[k] / (weights_[k] - wanted_[k]) : 0;
      if (first < count() && possible >= share) continue;
      share = possible;
      first = k;
    }
    for (std::size_t k = 0; k < count(); ++k) {
      weights_[k] = (1 - share) * weights_[k] + share * wanted_[k];
    }
    if (first == count()) break;
    leave(first);
  }
  combine();
  return math::squared_norm(away_) < (1 - 1e-12) * before;
}

bool NearestPoint::join() {
  if (count() > n_) return false;
  points_.insert(points_.end(), vertex_.begin(), vertex_.end());
  weights_.push_back(0);
  if (orthonormalise(count() - 1)) return true;
  points_.resize(points_.size() - n_);
  weights_.pop_back();
  return false;
}

void NearestPoint::leave(std::size_t k) {
  const auto first = points_.begin() + static_cast<std::ptrdiff_t>(k * n_);
  points_.erase(first, first + static_cast<std::ptrdiff_t>(n_));
  weights_.erase(weights_.begin() + static_cast<std::ptrdiff_t>(k));
  const double sum = math::sum(weights_);
  for (double& weight : weights_) weight /= sum;
  if (count() > 0) remove_difference(k);
}

void NearestPoint::remove_difference(std::size_t k) {
  const std::size_t rank = count() - 1;  // of those that are left
  if (k == 0) {  // the second point is now the first, which all others are less
    for (std::size_t j = 1; j <= rank; ++j) triangle(j, 0) -= triangle(0, 0);
  }
  const std::size_t gone = k == 0 ? 0 : k - 1;
  for (std::size_t j = gone; j < rank; ++j) {
    for (std::size_t l = 0; l <= j; ++l) triangle(j, l) = triangle(j + 1, l);
    below_[j] = triangle(j + 1, j + 1);
  }
  // Turns of two rows of the basis make those entries 0 (Givens).
  const auto turn = [](double& first, double& second, double cosine, double sine) {
    const double turned = cosine * first + sine * second;
    second = cosine * second - sine * first;
    first = turned;
  };
  for (std::size_t j = gone; j < rank; ++j) {
    const double length = std::sqrt(triangle(j, j) * triangle(j, j) + below_[j] * below_[j]);
    const double cosine = triangle(j, j) / length;
    const double sine = below_[j] / length;
    triangle(j, j) = length;
    for (std::size_t i = j + 1; i < rank; ++i) {
      turn(triangle(i, j), triangle(i, j + 1), cosine, sine);
    }
    for (std::size_t i = 0; i < n_; ++i) turn(basis(j)[i], basis(j + 1)[i], cosine, sine);
  }
  basis_.resize(rank * n_);
  triangle_.resize(rank * (rank + 1) / 2);
}

bool NearestPoint::orthonormalise(std::size_t k) {
  const std::size_t rank = k - 1;
  basis_.resize((rank + 1) * n_);
  triangle_.resize((rank + 1) * (rank + 2) / 2);
  const std::span<double> q = basis(rank);
  for (std::size_t i = 0; i < n_; ++i) q[i] = point(k)[i] - point(0)[i];
  for (std::size_t l = 0; l <= rank; ++l) triangle(rank, l) = 0;
  for (int pass = 0; pass < 2; ++pass) {  // twice is enough
    for (std::size_t l = 0; l < rank; ++l) {
      const double along = math::dot(q, basis(l));
      triangle(rank, l) += along;
      math::add(q, -along, basis(l));
    }
  }
  const double length = math::norm(q);
  if (!(length > nothing * diameter_)) {
    basis_.resize(rank * n_);
    triangle_.resize(rank * (rank + 1) / 2);
    return false;
  }
  triangle(rank, rank) = length;
  for (double& coordinate : q) coordinate /= length;
  return true;
}

void NearestPoint::affine_minimiser() {
  const std::size_t rank = count() - 1;
  wanted_.resize(count());
  for (std::size_t l = 0; l < rank; ++l) wanted_[l + 1] = -math::dot(basis(l), point(0));
  double sum = 0;
  for (std::size_t l = rank; l-- > 0;) {
    wanted_[l + 1] /= triangle(l, l);
    sum += wanted_[l + 1];
    if (l == 0) break;
    math::add(std::span(wanted_).subspan(1, l), -wanted_[l + 1], std::span(&triangle(l, 0), l));
  }
  wanted_[0] = 1 - sum;
}

void NearestPoint::combine() {
  std::fill(away_.begin(), away_.end(), 0.0);
  for (std::size_t k = 0; k < count(); ++k) math::add(away_, weights_[k], point(k));
  // Orthogonal to the face of the vertices by more digits than the sum has: it is a small
  // difference of large numbers where z is near K.
  for (std::size_t k = 0; k + 1 < count(); ++k) {
    math::add(away_, -math::dot(away_, basis(k)), basis(k));
  }
}

}  // namespace keyhole::sets
