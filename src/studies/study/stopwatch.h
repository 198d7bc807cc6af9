#pragma once

#include <chrono>

namespace keyhole::studies {

/// Adds the time that it lives to a sum.
class Stopwatch {
 public:
  using Seconds = std::chrono::duration<double>;

  explicit Stopwatch(Seconds& sum) : sum_(sum) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { sum_ += std::chrono::steady_clock::now() - begin_; }

 private:
  Seconds& sum_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace keyhole::studies
