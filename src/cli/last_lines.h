#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace keyhole::cli {

/// The last lines that are not blank of a text that comes in pieces, without blanks around them.
class LastLines {
 public:
  void add(std::string_view piece) {
    for (const char c : piece) {
      if (c == '\n') {
        end_line();
      } else if (line_.size() < longest) {
        line_.push_back(c);
      }
    }
  }
  /// At most 1000.
  [[nodiscard]] std::vector<std::string> get() {
    end_line();
    drop_early();
    return std::move(lines_);
  }

 private:
  static constexpr std::size_t longest = 1000;  // no number takes more
  static constexpr std::ptrdiff_t most = 1000;

  void end_line() {
    constexpr const char* blanks = " \t\r";
    const std::size_t first = line_.find_first_not_of(blanks);
    if (first != std::string::npos) {
      lines_.push_back(line_.substr(first, line_.find_last_not_of(blanks) + 1 - first));
      if (lines_.size() == 2 * most) drop_early();
    }
    line_.clear();
  }

  void drop_early() {
    if (lines_.size() > most) lines_.erase(lines_.begin(), lines_.end() - most);
  }

  std::string line_;
  std::vector<std::string> lines_;
};

}  // namespace keyhole::cli
