#pragma once

#include <chrono>
#include <thread>

namespace keyhole::studies {

/// Lets other processes append to the same log too. Who has just appended is always first again:
/// the others must read before they can try. So after a lost race, whoever appends several times in
/// a row waits for as long as the others need. Not thread-safe.
class Rivals {
 public:
  /// To be called before each append.
  void let_in() {
    if (waits_ == 0 || ++in_a_row_ < longest_row) return;
    --waits_;
    in_a_row_ = 0;
    std::this_thread::sleep_for(to_read_and_append);
  }
  /// Whether others were first not long ago.
  [[nodiscard]] bool are_around() const { return waits_ > 0; }
  /// Somebody else was first.
  void seen() {
    waits_ = most_waits;
    in_a_row_ = 0;
  }

 private:
  static constexpr int longest_row = 8;
  static constexpr int most_waits = 64;  // then they may have gone
  static constexpr std::chrono::microseconds to_read_and_append{300};

  int waits_ = 0;
  int in_a_row_ = 0;
};

}  // namespace keyhole::studies
