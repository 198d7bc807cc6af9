#pragma once

#include <cstdint>
#include <optional>

namespace keyhole::experiment {

/// t with P(|X| <= t) = 0.95 for X of Student's distribution with that many degrees of freedom, at
/// least 1; to 1e-10. (0.975 is the quantile: 12.706 for 1, 4.303 for 2, 1.960 in the limit.)
[[nodiscard]] double student_t_95(std::uint64_t degrees);

/// The mean of some numbers, and where the mean that they scatter about lies with 95 % confidence:
/// mean -+ t s / sqrt(k), s^2 the sample variance.
struct Interval {
  /// The mean.
  double mean = 0;
  /// Half the width of the interval; none for a single number.
  std::optional<double> half_width = {};
};

/// Mean and variance of numbers that come one by one, by Welford's recurrence
/// m_k = m_{k-1} + (x - m_{k-1}) / k, S_k = S_{k-1} + (x - m_{k-1}) (x - m_k): the same numbers in
/// the same order give the same digits.
class Moments {
 public:
  /// Takes one more number.
  void add(double x);
  /// How many there were.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// The mean and its interval, for t = student_t_95(count() - 1) (unused for one number).
  [[nodiscard]] Interval interval(double t) const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of the squared distances from the mean
};

/// The quotient of the means of two numbers x and y that come in pairs, r = mean x / mean y, by the
/// delta method: its interval is r -+ t s / (sqrt(k) |mean y|), s^2 the sample variance of x - r y.
/// Pairs that rise and fall together make it narrow: exactly 0 wide for x = y.
class QuotientMoments {
 public:
  /// Takes one more pair.
  void add(double x, double y);
  /// How many there were.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// The quotient and its interval, for t = student_t_95(count - 1). The mean of y must not be 0.
  [[nodiscard]] Interval interval(double t) const;

 private:
  std::uint64_t count_ = 0;
  double mean_x_ = 0;
  double mean_y_ = 0;
  // Sums of products of the distances from the means, by Welford's recurrence.
  double xx_ = 0;
  double xy_ = 0;
  double yy_ = 0;
};

}  // namespace keyhole::experiment
