#include "learners/face/hull.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

// Memory: 400 points where there are up to 10^4 coordinates, or as many as are sparse enough.
constexpr std::size_t numbers = std::size_t{1} << 22U;
constexpr std::size_t least_dense = 16;  // points that there is room for in any case
constexpr std::size_t hashes = std::size_t{1} << 14U;
constexpr double rounding = 1e-9;  // squared distances of equal points, as a share
constexpr double ridge = 1e-6;     // of Q, and its least pivot

std::size_t room_for(std::size_t points, std::size_t n) {
  return std::min(points * n, std::max(numbers, least_dense * n));
}

}  // namespace

Hull::Hull(std::span<const double> start, std::span<const double> variance, std::size_t most)
    : start_(start),
      variance_(variance),
      most_(most),
      room_(room_for(most, start.size())),
      base_(start.size()),
      seen_(hashes),
      products_(most * most),
      factor_(most * (most + 1) / 2),
      weighted_(start.size()),
      solved_(most) {
  ends_.reserve(most);
  places_.reserve(room_);
  values_.reserve(room_);
}

bool Hull::add(std::span<const double> v) {
  const std::size_t j = size();
  if (j == most_ || !append(v)) return false;
  const std::uint64_t hash = hash_of_latest();
  std::uint64_t& seen = seen_[hash % hashes];
  if (seen == hash || !measure(j)) {
    remove_latest();
    return false;
  }
  seen = hash;
  factorise(j);
  return true;
}

void Hull::keep(std::span<const std::size_t> points) {
  std::size_t to = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::size_t j = points[k];
    const std::size_t from = begin_of(j);
    const std::size_t count = ends_[j] - from;
    std::copy_n(places_.begin() + static_cast<std::ptrdiff_t>(from), count,
                places_.begin() + static_cast<std::ptrdiff_t>(to));
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(from), count,
                values_.begin() + static_cast<std::ptrdiff_t>(to));
    to += count;
    for (std::size_t i = 0; i < points.size(); ++i) {
      products_[k * most_ + i] = products_[j * most_ + points[i]];
    }
    ends_[k] = to;  // points[k] >= k, and what begins there was read
  }
  ends_.resize(points.size());
  places_.resize(to);
  values_.resize(to);
  for (std::size_t k = 0; k < points.size(); ++k) factorise(k);
}

double Hull::new_share(std::size_t j) const {
  const double square = products_[j * most_ + j];
  const double inside = math::squared_norm({factor(j), j});
  return std::max(square - inside, 0.01 * square) / square;
}

double Hull::own_share(std::size_t j) {
  const std::span<double> x = std::span(solved_).first(size());
  std::fill(x.begin(), x.end(), 0.0);
  x[j] = 1;
  forward(j, x);
  return 1 / (math::squared_norm(x.subspan(j)) * products_[j * most_ + j]);
}

void Hull::write_nearest(std::size_t j, std::span<double> beta) const {
  std::copy_n(factor(j), j, beta.begin());
  backward(beta.first(j));
}

void Hull::solve(std::span<double> x) const {
  forward(0, x);
  backward(x);
}

void Hull::write_products(std::span<const double> slope, std::span<double> of) const {
  const double base = math::dot(slope, base_);
  for (std::size_t j = 0; j < size(); ++j) of[j] = base + product(slope, j);
}

double Hull::product(std::span<const double> slope, std::size_t j) const {
  const std::size_t from = begin_of(j);
  const std::size_t count = ends_[j] - from;
  const double* const value = values_.data() + from;
  const std::uint32_t* const place = places_.data() + from;
  if (is_dense(j)) return math::dot(slope, {value, count});
  return math::reduce(count, [&](std::size_t i) { return value[i] * slope[place[i]]; });
}

void Hull::write_move(std::span<const double> w, std::span<double> move) const {
  double sum = 0;
  for (const double weight : w) sum += weight;
  for (std::size_t i = 0; i < move.size(); ++i) move[i] = sum * base_[i];
  for (std::size_t j = 0; j < w.size(); ++j) {
    if (w[j] == 0) continue;
    const std::size_t from = begin_of(j);
    const std::size_t count = ends_[j] - from;
    if (is_dense(j)) {
      math::add(move, w[j], {values_.data() + from, count});
      continue;
    }
    for (std::size_t i = from; i < from + count; ++i) move[places_[i]] += w[j] * values_[i];
  }
}

void Hull::add_weighted(std::span<const double> a, std::span<double> slope) {
  write_move(a, weighted_);
  for (std::size_t i = 0; i < slope.size(); ++i) slope[i] += weight(i) * weighted_[i];
}

bool Hull::append(std::span<const double> v) {
  const std::size_t n = v.size();
  if (scale_ == 0) {
    for (std::size_t i = 0; i < n; ++i) base_[i] = v[i] - start_[i];
    measure_base();
    if (!(scale_ > 0)) return false;
  }
  const auto differs = [&](std::size_t i) { return v[i] - start_[i] - base_[i]; };
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += differs(i) != 0 ? 1 : 0;
  const bool dense = 2 * count > n;
  if (values_.size() + (dense ? n : count) > room_) return false;
  for (std::size_t i = 0; i < n; ++i) {
    const double by = differs(i);
    if (by == 0 && !dense) continue;
    places_.push_back(static_cast<std::uint32_t>(i));
    values_.push_back(by);
  }
  ends_.push_back(values_.size());
  return true;
}

void Hull::remove_latest() {
  const std::size_t from = begin_of(size() - 1);
  ends_.pop_back();
  places_.resize(from);
  values_.resize(from);
}

void Hull::measure_base() {
  scale_ =
      math::reduce(base_.size(), [&](std::size_t i) { return base_[i] * base_[i] / variance_[i]; });
}

bool Hull::measure(std::size_t j) {
  std::span<double> row = std::span(products_).subspan(j * most_, j + 1);
  std::span<double> slope = weighted_;
  const std::span<double> w = std::span(solved_).first(j + 1);
  std::fill(w.begin(), w.end(), 0.0);
  w[j] = 1;
  write_move(w, slope);
  for (std::size_t i = 0; i < slope.size(); ++i) slope[i] *= weight(i);
  const double base = math::dot(slope, base_);
  for (std::size_t i = 0; i <= j; ++i) row[i] = base + product(slope, i);
  if (!(row[j] > 0)) return false;
  for (std::size_t i = 0; i < j; ++i) {
    const double square = products_[i * most_ + i];
    if (row[j] - 2 * row[i] + square <= rounding * square) return false;
    products_[i * most_ + j] = row[i];
  }
  return true;
}

void Hull::factorise(std::size_t j) {
  double* const row = factor(j);
  const double* const of = products_.data() + j * most_;
  for (std::size_t i = 0; i < j; ++i) {
    row[i] = (of[i] - math::dot({row, i}, {factor(i), i})) / factor(i)[i];
  }
  row[j] = std::sqrt(std::max(of[j] + ridge - math::squared_norm({row, j}), ridge * of[j]));
}

void Hull::forward(std::size_t from, std::span<double> x) const {
  for (std::size_t i = from; i < x.size(); ++i) {
    const double* const row = factor(i);
    x[i] = (x[i] - math::dot({row + from, i - from}, x.subspan(from, i - from))) / row[i];
  }
}

void Hull::backward(std::span<double> x) const {
  for (std::size_t i = x.size(); i-- > 0;) {
    const double* const row = factor(i);
    x[i] /= row[i];
    math::add(x.first(i), -x[i], {row, i});
  }
}

std::uint64_t Hull::hash_of_latest() const {
  std::uint64_t hash = 0x9E3779B97F4A7C15;
  const auto take = [&](std::uint64_t bits) {
    hash = (hash ^ bits) * 0xBF58476D1CE4E5B9;
    hash ^= hash >> 29U;
  };
  for (std::size_t i = begin_of(size() - 1); i < values_.size(); ++i) {
    if (values_[i] == 0) continue;
    take(places_[i]);
    take(std::bit_cast<std::uint64_t>(values_[i]));
  }
  return hash | 1U;  // 0 is none
}

void Hull::state(Archive& archive) {
  std::uint64_t count = size();
  std::uint64_t known = 0;
  for (const std::uint64_t hash : seen_) known += hash != 0 ? 1 : 0;
  archive.field(count);
  archive.field(known);
  if (count > most_ || known > hashes) throw StateError("the state has too many points");
  if (known > 0) archive.field(base_);
  if (archive.reading()) {
    scale_ = 0;
    if (known > 0) measure_base();
    ends_.clear();
    places_.clear();
    values_.clear();
    std::fill(seen_.begin(), seen_.end(), 0U);
  }
  for (std::size_t k = 0, at = 0; k < known; ++k, ++at) {
    while (!archive.reading() && seen_[at] == 0) ++at;
    std::uint64_t hash = archive.reading() ? 0 : seen_[at];
    archive.field(hash);
    seen_[hash % hashes] = hash;
  }
  for (std::size_t j = 0; j < count; ++j) {
    std::uint64_t entries = archive.reading() ? 0 : ends_[j] - begin_of(j);
    archive.field(entries);
    if (archive.reading()) {
      if (entries > base_.size() || values_.size() + entries > room_) {
        throw StateError("a point of the state has " + std::to_string(entries) + " numbers");
      }
      places_.resize(values_.size() + entries);
      values_.resize(places_.size());
      ends_.push_back(places_.size());
    }
    const bool dense = is_dense(j);
    for (std::size_t i = begin_of(j); i < ends_[j]; ++i) {
      std::uint64_t place = dense ? i - begin_of(j) : places_[i];
      if (!dense) archive.field(place);
      if (place >= base_.size()) throw StateError("a point of the state has no such coordinate");
      places_[i] = static_cast<std::uint32_t>(place);
      archive.field(values_[i]);
    }
  }
  if (!archive.reading()) return;
  for (std::size_t j = 0; j < count; ++j) {
    if (!measure(j)) throw StateError("two points of the state are the same");
    factorise(j);
  }
}

}  // namespace keyhole::algorithms
