#include "spec/lp_tokens.h"

#include <algorithm>
#include <string>

#include "base/number_text.h"

namespace keyhole::spec {
namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

/// Letters, digits, bytes beyond ASCII and what CPLEX allows besides.
bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_decimal(c) || (c & 0x80) != 0 ||
         std::string_view("!\"#$%&(),.;?@_`'{}~").find(c) != std::string_view::npos;
}

}  // namespace

LpTokens::LpTokens(std::string_view text, const LinearModel& model) : text_(text), model_(model) {
  tokens_[0] = read();
  tokens_[1] = read();
}

void LpTokens::skip() {
  tokens_[0] = tokens_[1];
  tokens_[1] = read();
}

LpToken LpTokens::read() {
  for (; position_ < text_.size(); ++position_) {
    const char c = text_[position_];
    if (c == '\\') position_ = std::min(text_.find('\n', position_), text_.size());
    if (position_ == text_.size()) break;
    if (text_[position_] == '\n') {
      ++line_;
      first_ = true;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      const std::size_t begin = position_;
      const LpToken::Kind kind = pass_token();
      const bool first = first_;
      first_ = false;
      return {kind, text_.substr(begin, position_ - begin), line_, first};
    }
  }
  return {.line = line_};
}

LpToken::Kind LpTokens::pass_token() {
  const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : ' '; };
  const char c = text_[position_];
  if (is_decimal(c) || (c == '.' && is_decimal(at(position_ + 1)))) {
    position_ += base::leading_number(text_.substr(position_)).value().length;
    return LpToken::Kind::number;
  }
  if (is_of_name(c)) {
    while (position_ < text_.size() && is_of_name(text_[position_])) ++position_;
    return LpToken::Kind::name;
  }
  ++position_;
  if (c == '<' || c == '>' || c == '=') {
    const char next = at(position_);
    if (next == '=' || (c == '=' && (next == '<' || next == '>'))) ++position_;
    return LpToken::Kind::sense;
  }
  if (c == '+' || c == '-') return LpToken::Kind::sign;
  if (c == ':') return LpToken::Kind::colon;
  if (std::string_view("[]/*^|").find(c) == std::string_view::npos) {
    model_.fail(line_, "a character that no LP file has, of code " +
                           std::to_string(static_cast<unsigned char>(c)));
  }
  return LpToken::Kind::other;
}

}  // namespace keyhole::spec
