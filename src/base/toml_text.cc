#include "base/toml_text.h"

#include <algorithm>

namespace keyhole::base {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// Goes through a text once and stops at the first fault.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {
    if (text.substr(0, byte_order_mark.size()) == byte_order_mark) at_ = byte_order_mark.size();
  }

  std::optional<TomlFault> run() {
    while (at_ < text_.size() && !fault_) {
      const char c = text_[at_];
      if ((c == '"' || c == '\'') && may_open()) {
        take_quoted(c);
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        take_bare(c);
      }
    }
    return fault_;
  }

 private:
  /// A quote inside a bare word opens nothing.
  [[nodiscard]] bool may_open() const {
    constexpr std::string_view before = " \t\r\n=[,{.";
    return at_ == 0 || before.find(text_[at_ - 1]) != std::string_view::npos;
  }

  void take_bare(char c) {
    if (!is_ascii(c)) {
      fail(at_, "a letter beyond ASCII stands outside quotes: put the name or the text in quotes");
    }
    ++at_;
  }

  /// A text in one quote or three, or the rest of the file where the end is missing.
  void take_quoted(char quote) {
    const std::string three(3, quote);
    const bool of_lines = text_.substr(at_, 3) == three;
    const std::string end = three.substr(0, of_lines ? 3 : 1);
    at_ += end.size();
    while (at_ < text_.size() && text_.substr(at_, end.size()) != end) {
      if (text_[at_] == '\n' && !of_lines) return;
      if (text_[at_] == '\\' && quote == '"') {
        if (of_lines) need_ascii_after_blanks();
        ++at_;
      }
      ++at_;
    }
    at_ += end.size();
    // A text in three quotes may end with one or two more.
    while (of_lines && at_ < text_.size() && text_[at_] == quote) ++at_;
  }

  /// After a backslash the blanks up to the next letter do not count, and toml++ looks at that.
  void need_ascii_after_blanks() {
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at_ + 1);
    if (next < text_.size() && !is_ascii(text_[next])) {
      fail(next, "a letter beyond ASCII stands after '\\': join the lines");
    }
  }

  void fail(std::size_t at, std::string what) {
    if (fault_) return;
    const std::string_view before = text_.substr(0, at);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    fault_ = {static_cast<std::uint32_t>(lines) + 1, std::move(what)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<TomlFault> fault_;
};

}  // namespace

std::optional<TomlFault> toml_fault(std::string_view text) { return Scan(text).run(); }

}  // namespace keyhole::base
