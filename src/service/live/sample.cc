#include "service/live/sample.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace keyhole::service {
namespace {

/// The nearest float, but not an infinite one.
float finite_float(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -most, most));
}

/// The upper bits of a float, rounded, without the lowest `dropped`.
std::uint32_t upper_bits(double value, int dropped) {
  const auto bits = std::bit_cast<std::uint32_t>(finite_float(value));
  const std::uint32_t half = 1U << static_cast<unsigned>(dropped - 1);
  const std::uint32_t sign = bits & 0x80000000U;
  const std::uint32_t rounded = std::min((bits & 0x7fffffffU) + half, 0x7f7fffffU);
  return (sign | rounded) >> static_cast<unsigned>(dropped);
}

double from_upper_bits(std::uint32_t bits, int dropped) {
  return std::bit_cast<float>(bits << static_cast<unsigned>(dropped));
}

constexpr std::uint32_t unknown_share = 255;

std::uint8_t share_byte(double share) {
  if (!std::isfinite(share)) return unknown_share;
  return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 250));
}

double share_of(std::uint32_t byte) { return byte == unknown_share ? unknown : byte / 250.0; }

/// A number that looks random, a pure function of k (splitmix64).
std::uint64_t mixed(std::uint64_t k) {
  k += 0x9e3779b97f4a7c15;
  k = (k ^ (k >> 30U)) * 0xbf58476d1ce4e5b9;
  k = (k ^ (k >> 27U)) * 0x94d049bb133111eb;
  return k ^ (k >> 31U);
}

}  // namespace

Sample::Sample(const Span& span)
    : asks_(upper_bits(span.asks, 8) & 0xffffffU),
      exploring_(share_byte(span.exploring)),
      tells_(upper_bits(span.tells, 8) & 0xffffffU),
      reach_(share_byte(span.reach)) {
  if (!std::isfinite(span.mean)) return;
  mean_ = finite_float(span.mean);
  below_ = static_cast<std::uint16_t>(upper_bits(span.mean - span.p10, 16));
  above_ = static_cast<std::uint16_t>(upper_bits(span.p90 - span.mean, 16));
}

Span Sample::span() const {
  const double mean = mean_;
  return {.asks = std::round(from_upper_bits(asks_, 8)),
          .tells = std::round(from_upper_bits(tells_, 8)),
          .mean = mean,
          .p10 = mean - from_upper_bits(below_, 16),
          .p90 = mean + from_upper_bits(above_, 16),
          .exploring = share_of(exploring_),
          .reach = share_of(reach_)};
}

void Tally::tell(double loss) {
  // Each loss is among the chosen with the same probability (Vitter's algorithm R).
  const std::uint64_t place = tells_ < chosen_.size() ? tells_ : mixed(tells_) % (tells_ + 1);
  if (place < chosen_.size()) chosen_[place] = finite_float(loss);
  ++tells_;
  mean_ += (loss - mean_) / static_cast<double>(tells_);
}

Span Tally::span() const {
  Span span{.asks = static_cast<double>(asks_), .tells = static_cast<double>(tells_)};
  if (tells_ == 0) return span;
  std::array<float, 64> sorted = chosen_;
  float* const end = sorted.data() + std::min<std::uint64_t>(tells_, sorted.size());
  span.mean = mean_;
  span.p10 = quantile(sorted.data(), end, 0.1);
  span.p90 = quantile(sorted.data(), end, 0.9);
  return span;
}

double quantile(float* begin, float* end, double share) {
  if (begin == end) return unknown;
  std::sort(begin, end);
  return begin[std::lround(share * static_cast<double>(end - begin - 1))];
}

}  // namespace keyhole::service
