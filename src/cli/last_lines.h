#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace keyhole::cli {

/// The last lines that are not blank of a text that comes in pieces, without blanks around them: as
/// many as have a million characters together. A line that is longer is cut and ends with "...", so
/// that nobody takes what is left for a number.
class LastLines {
 public:
  void add(std::string_view piece) {
    for (const char c : piece) {
      if (c == '\n') {
        end_line();
      } else if (line_.size() <= most) {
        line_.push_back(c);
      }
    }
  }
  [[nodiscard]] std::vector<std::string> get() {
    end_line();
    return {std::move_iterator(lines_.begin()), std::move_iterator(lines_.end())};
  }

 private:
  static constexpr std::size_t most = 1'000'000;
  static constexpr std::size_t shown = 60;

  void end_line() {
    constexpr const char* blanks = " \t\r";
    if (line_.size() > most) line_ = line_.substr(0, shown) + "...";
    const std::size_t first = line_.find_first_not_of(blanks);
    if (first != std::string::npos) {
      lines_.push_back(line_.substr(first, line_.find_last_not_of(blanks) + 1 - first));
      size_ += lines_.back().size();
    }
    line_.clear();
    for (; size_ > most; lines_.pop_front()) size_ -= lines_.front().size();
  }

  std::string line_;
  std::deque<std::string> lines_;
  std::size_t size_ = 0;  // of the lines together
};

}  // namespace keyhole::cli
