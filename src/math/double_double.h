// Numbers with twice the digits of a double, for differences of large numbers that leave little.

#pragma once

#include <cmath>
#include <limits>

namespace keyhole::math {

// The unevaluated sum of two doubles, |low| at most half a unit in the last place of high: about
// 106 bits (Dekker, "A floating-point technique for extending the available precision", 1971). Sums
// and products of doubles are exact, by Knuth's sum and one fused operation; operations on these
// numbers are right to a few times 2^-104. The bits are the same on every machine.
class DoubleDouble {
 public:
  constexpr DoubleDouble(double value = 0) noexcept : high_(value) {}  // NOLINT: a number is one

  [[nodiscard]] explicit operator double() const noexcept { return high_; }

  friend DoubleDouble operator+(DoubleDouble a, DoubleDouble b) noexcept {
    const DoubleDouble high = exact_sum(a.high_, b.high_);
    const DoubleDouble low = exact_sum(a.low_, b.low_);
    const DoubleDouble part = ordered_sum(high.high_, high.low_ + low.high_);
    return ordered_sum(part.high_, part.low_ + low.low_);
  }
  friend DoubleDouble operator-(DoubleDouble a) noexcept { return {-a.high_, -a.low_}; }
  friend DoubleDouble operator-(DoubleDouble a, DoubleDouble b) noexcept { return a + -b; }
  friend DoubleDouble operator*(DoubleDouble a, DoubleDouble b) noexcept {
    const double high = a.high_ * b.high_;
    const double low = std::fma(a.high_, b.high_, -high);
    return ordered_sum(high, low + (a.high_ * b.low_ + a.low_ * b.high_));
  }
  // By long division, three digits of 53 bits each.
  friend DoubleDouble operator/(DoubleDouble a, DoubleDouble b) noexcept {
    const double first = a.high_ / b.high_;
    const DoubleDouble after_first = a - b * first;
    const double second = after_first.high_ / b.high_;
    const DoubleDouble after_second = after_first - b * second;
    return ordered_sum(first, second) + after_second.high_ / b.high_;
  }
  DoubleDouble& operator+=(DoubleDouble b) noexcept { return *this = *this + b; }
  DoubleDouble& operator-=(DoubleDouble b) noexcept { return *this = *this - b; }

  friend bool operator==(DoubleDouble a, DoubleDouble b) noexcept {
    return a.high_ == b.high_ && a.low_ == b.low_;
  }
  friend bool operator<(DoubleDouble a, DoubleDouble b) noexcept {
    return a.high_ < b.high_ || (a.high_ == b.high_ && a.low_ < b.low_);
  }
  friend bool operator>(DoubleDouble a, DoubleDouble b) noexcept { return b < a; }
  friend bool operator<=(DoubleDouble a, DoubleDouble b) noexcept { return !(b < a); }
  friend bool operator>=(DoubleDouble a, DoubleDouble b) noexcept { return !(a < b); }

  friend DoubleDouble abs(DoubleDouble a) noexcept { return a < 0 ? -a : a; }

 private:
  constexpr DoubleDouble(double high, double low) noexcept : high_(high), low_(low) {}

  static DoubleDouble exact_sum(double a, double b) noexcept {
    const double sum = a + b;
    const double of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
  }
  // The same for |a| >= |b|.
  static DoubleDouble ordered_sum(double a, double b) noexcept {
    const double sum = a + b;
    return {sum, b - (sum - a)};
  }

  double high_;
  double low_ = 0;
};

}  // namespace keyhole::math

template <>
struct std::numeric_limits<keyhole::math::DoubleDouble> {
  static constexpr bool is_specialized = true;
  static constexpr double epsilon() noexcept { return 0x1p-104; }
};
