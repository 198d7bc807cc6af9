#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keyhole::cli {

/// The last line that is not blank of a text that comes in pieces, without blanks around it.
class LastLine {
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
  [[nodiscard]] std::string get() {
    end_line();
    return last_;
  }

 private:
  static constexpr std::size_t longest = 1000;  // no number takes more

  void end_line() {
    constexpr const char* blanks = " \t\r";
    const std::size_t first = line_.find_first_not_of(blanks);
    if (first != std::string::npos) {
      last_ = line_.substr(first, line_.find_last_not_of(blanks) + 1 - first);
    }
    line_.clear();
  }

  std::string line_;
  std::string last_;
};

}  // namespace keyhole::cli
