// What a span of time of a study was like, in few bytes.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace keyhole::service {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A span of time. A number is NaN if it is not known.
struct Span {
  double asks = 0;
  double tells = 0;
  /// Of the losses told: their mean, and what a tenth of them are below and above.
  double mean = unknown;
  double p10 = unknown;
  double p90 = unknown;
  /// The share of the plays that explore, and how far these go, from 0 to 1.
  double exploring = unknown;
  double reach = unknown;
};

/// A span in 16 bytes. Counts are exact up to 65,536 and else to 1 in 65,536; the mean is as exact
/// as a float; the distances of the quantiles from it, and the shares, to 1 in 250.
class Sample {
 public:
  Sample() = default;
  explicit Sample(const Span& span);
  [[nodiscard]] Span span() const;

 private:
  float mean_ = std::numeric_limits<float>::quiet_NaN();
  std::uint16_t below_ = 0;  // the upper half of a float
  std::uint16_t above_ = 0;
  std::uint32_t asks_ : 24 = 0;  // the upper three quarters of a float
  std::uint32_t exploring_ : 8 = 255;
  std::uint32_t tells_ : 24 = 0;
  std::uint32_t reach_ : 8 = 255;
};

/// The account of a span of time that goes on. Its quantiles are those of a random choice of at
/// most 64 losses.
class Tally {
 public:
  void ask(std::uint64_t plays) { asks_ += plays; }
  void tell(double loss);
  [[nodiscard]] bool empty() const { return asks_ == 0 && tells_ == 0; }
  /// What there was; `exploring` and `reach` are left to the caller.
  [[nodiscard]] Span span() const;

 private:
  std::uint64_t asks_ = 0;
  std::uint64_t tells_ = 0;
  double mean_ = 0;
  std::array<float, 64> chosen_ = {};
};

/// The value below which a share of the numbers is; NaN if there is none. Sorts them.
[[nodiscard]] double quantile(float* begin, float* end, double share);

}  // namespace keyhole::service
