// Waiting for what happens elsewhere.

#pragma once

#include <chrono>
#include <thread>

namespace keyhole::tests {

/// Waits until a condition holds, and says whether it does. It is looked at every few milliseconds,
/// and for minutes: only something that hangs takes so long, on a busy machine too.
template <class Condition>
bool comes_true(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace keyhole::tests
