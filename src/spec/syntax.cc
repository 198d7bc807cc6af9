#include "spec/syntax.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/list_text.h"
#include "base/number_text.h"
#include "base/quoted.h"
#include "base/shortened.h"

namespace keyhole::spec {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_word_character(char c) {
  return is_letter(c) || is_digit(c) || c == '.' || c == '+' || c == '-' || c == '/';
}

/// Not the first byte of a character of UTF-8.
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t column(std::string_view text, std::size_t offset) {
  const auto begin = text.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return 1 + static_cast<std::size_t>(
                 std::count_if(begin, end, [](char c) { return !is_continuation(c); }));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    if (text.size() > longest) {
      fail_here("a spec of " + std::to_string(text.size()) + " bytes is longer than " +
                std::to_string(longest));
    }
  }

  Node whole() {
    skip_spaces();
    Node node = value();
    skip_spaces();
    if (position_ < text_.size()) unexpected("");
    return node;
  }

 private:
  [[noreturn]] void fail_here(const std::string& message) const { fail(text_, message); }

  [[nodiscard]] std::string here() const { return at(position_); }
  [[nodiscard]] std::string at(std::size_t offset) const {
    return " at column " + std::to_string(column(text_, offset));
  }

  /// `expected` is what should be there.
  [[noreturn]] void unexpected(const std::string& expected) const {
    const std::string wish = expected.empty() ? "" : ": " + expected + " is expected";
    if (position_ == text_.size()) fail_here("the text ends too early" + wish);
    std::size_t end = position_ + 1;  // a whole character
    while (end < text_.size() && is_continuation(text_[end])) ++end;
    const std::string_view character = text_.substr(position_, end - position_);
    fail_here("unexpected '" + std::string(character) + "'" + here() + wish);
  }

  [[nodiscard]] bool next_is(char c) const {
    return position_ < text_.size() && text_[position_] == c;
  }

  void skip_spaces() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  }

  Node value() {
    if (next_is('"')) return quoted();
    if (next_is('[')) {
      Node list{.kind = Node::Kind::list, .offset = position_};
      list.arguments = arguments(']', false);
      return list;
    }
    Node node = word();
    const std::size_t end = position_;
    skip_spaces();
    if (!next_is('(')) {
      position_ = end;
      return node;
    }
    if (node.kind == Node::Kind::number || !is_name(node.text)) unexpected("");
    node.kind = Node::Kind::call;
    node.arguments = arguments(')', true);
    return node;
  }

  Node word() {
    const std::size_t begin = position_;
    while (position_ < text_.size() && is_word_character(text_[position_])) ++position_;
    if (position_ == begin) unexpected("a value");
    Node node{.offset = begin, .text = std::string(text_.substr(begin, position_ - begin))};
    read_number(node);
    return node;
  }

  /// Makes the word a number if it is one.
  void read_number(Node& node) const {
    const bool has_sign = node.text.front() == '-' || node.text.front() == '+';
    std::string_view unsigned_text = node.text;
    if (has_sign) unsigned_text.remove_prefix(1);
    if (unsigned_text.empty()) return;
    const bool is_numeric =
        is_digit(unsigned_text.front()) || unsigned_text.front() == '.' || unsigned_text == "inf";
    if (!is_numeric) return;
    const auto number = base::leading_number(unsigned_text);
    if (!number || number->length != unsigned_text.size()) return;
    if (!number->in_range) {
      fail_here("the number " + base::shortened(node.text) + at(node.offset) +
                " is beyond double precision");
    }
    node.kind = Node::Kind::number;
    node.number = node.text.front() == '-' ? -number->value : number->value;
  }

  Node quoted() {
    Node node{.kind = Node::Kind::quoted, .offset = position_};
    for (++position_; position_ < text_.size(); ++position_) {
      const char c = text_[position_];
      if (c == '"') {
        ++position_;
        return node;
      }
      node.text.push_back(c == '\\' ? escaped() : c);
    }
    fail_here("the quoted text" + at(node.offset) + " is not closed");
  }

  /// Of a backslash and a letter; stops at the letter.
  char escaped() {
    const char* const known = R"(: \" \\ \n \t and \r are known)";
    if (position_ + 1 == text_.size()) fail_here("unfinished escape" + here() + known);
    ++position_;
    for (const auto& [letter, meaning] : base::escapes) {
      if (text_[position_] == letter) return meaning;
    }
    --position_;
    fail_here("unknown escape" + here() + known);
  }

  /// "[" or "(", what is inside, and the closing one.
  std::vector<Node> arguments(char closing, bool keys) {
    const std::size_t opening = position_;
    if (++depth_ > deepest) {
      fail_here("nested deeper than " + std::to_string(deepest) + here());
    }
    ++position_;
    std::vector<Node> result;
    skip_spaces();
    if (!next_is(closing)) {
      while (true) {
        result.push_back(argument(keys));
        skip_spaces();
        if (!next_is(',')) break;
        ++position_;
        skip_spaces();
      }
    }
    if (position_ == text_.size()) {
      fail_here(std::string("the '") + text_[opening] + "'" + at(opening) + " is not closed");
    }
    if (!next_is(closing)) unexpected(std::string("',' or '") + closing + "'");
    ++position_;
    --depth_;
    return result;
  }

  Node argument(bool keys) {
    const std::size_t begin = position_;
    Node result = value();
    result.argument_offset = begin;
    skip_spaces();
    if (!keys || !next_is('=')) return result;
    if (result.kind != Node::Kind::word || !is_name(result.text)) unexpected("");
    ++position_;
    skip_spaces();
    Node with_key = value();
    with_key.key = std::move(result.text);
    with_key.argument_offset = begin;
    return with_key;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
};

std::string print_arguments(const std::vector<Node>& arguments) {
  std::string result;
  for (const Node& argument : arguments) {
    if (!result.empty()) result += ", ";
    if (!argument.key.empty()) result += argument.key + "=";
    result += print(argument);
  }
  return result;
}

}  // namespace

bool is_name(std::string_view word) {
  return !word.empty() && is_letter(word.front()) &&
         std::all_of(word.begin(), word.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

Node parse(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_space)) {
    throw SpecError("an empty text is no spec: give a name, such as ball(10)");
  }
  Node node = Parser(text).whole();
  if (node.kind != Node::Kind::call && node.kind != Node::Kind::word) {
    fail(text, "a name is expected, such as ball(10)");
  }
  return node;
}

Node parse_value(std::string_view text) { return Parser(text).whole(); }

std::string print(const Node& node) {
  switch (node.kind) {
    case Node::Kind::number:
      return base::number_text(node.number);
    case Node::Kind::word:
      return node.text;
    case Node::Kind::quoted:
      return base::quoted(node.text);
    case Node::Kind::list:
      return "[" + print_arguments(node.arguments) + "]";
    case Node::Kind::call:
      return node.text + "(" + print_arguments(node.arguments) + ")";
    case Node::Kind::array:
      return base::array_text(*node.array);
  }
  return "";  // not reached
}

void fail(std::string_view text, const std::string& message) {
  constexpr std::size_t shown = 80;
  std::size_t end = std::min(text.size(), shown);
  while (end < text.size() && end > 0 && is_continuation(text[end])) --end;
  std::string line(text.substr(0, end));
  line += (end < text.size() ? "...: " : ": ") + message;
  std::string printed;
  const std::string_view letters = line;
  for (std::size_t k = 0; k < line.size();) {
    const std::size_t length = base::length_of_letter(letters.substr(k));
    printed += length > 0 ? line.substr(k, length) : is_space(line[k]) ? " " : "?";
    k += std::max(length, std::size_t{1});
  }
  throw SpecError(printed);
}

std::string place(std::string_view text, std::size_t offset) {
  const std::size_t where = column(text, offset);
  return where == 1 ? "" : " at column " + std::to_string(where);
}

}  // namespace keyhole::spec
