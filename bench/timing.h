#pragma once

// What the programs here share: how long something takes.

#include <algorithm>
#include <ctime>
#include <utility>
#include <vector>

namespace keyhole::bench {

/// The processor time of this program, in microseconds: other programs do not count.
inline double processor_microseconds() {
  return 1e6 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The microseconds that a call of work(i), i = 0, 1, ..., takes: the median over at least 5
/// batches of the same number of calls, each of a millisecond or longer, within about a quarter of
/// a second.
template <class Work>
double median_microseconds(Work work) {
  constexpr double shortest = 1e3;
  constexpr double enough = 2.5e5;
  std::size_t batch = 1;
  std::size_t next = 0;
  const auto time_of_batch = [&] {
    const double start = processor_microseconds();
    for (std::size_t k = 0; k < batch; ++k) work(next++);
    return processor_microseconds() - start;
  };
  while (time_of_batch() < shortest) batch *= 2;
  std::vector<double> times;
  double total = 0;
  while (times.size() < 5 || total < enough) {
    const double time = time_of_batch();
    total += time;
    times.push_back(time / static_cast<double>(batch));
  }
  return median(std::move(times));
}

}  // namespace keyhole::bench
