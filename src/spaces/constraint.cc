#include "spaces/constraint.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/number_text.h"
#include "base/require.h"

namespace keyhole::spaces {
namespace {

/// Reads a text from left to right.
class Reader {
 public:
  Reader(std::string_view text, const CoordinateOf& coordinate_of)
      : text_(text), coordinate_of_(coordinate_of) {}

  Constraint read() {
    add_side(1);
    const std::string_view relation = read_relation();
    add_side(-1);
    if (position_ < text_.size()) fail("there is something behind its end");
    if (relation == ">=") {
      for (auto& [coordinate, coefficient] : constraint_.terms) coefficient = -coefficient;
      constraint_.right = -constraint_.right;
    }
    constraint_.equality = relation == "=";
    const bool constant = std::all_of(constraint_.terms.begin(), constraint_.terms.end(),
                                      [](const auto& term) { return term.second == 0; });
    if (constant) fail("no parameter is left in it");
    return std::move(constraint_);
  }

 private:
  /// A sum of terms, which is added to the left side times a factor.
  void add_side(double factor) {
    double sign = accept("-") ? -1 : 1;
    do {
      add_term(sign * factor);
      sign = here() == '-' ? -1 : 1;
    } while (accept("+") || accept("-"));
  }

  /// A number, a name, or the product of both in any order.
  void add_term(double factor) {
    std::optional<double> number = accept_number();
    std::optional<std::string_view> name;
    if (!number) {
      name = accept_name();
      if (!name) fail("a number or a parameter is missing");
      if (accept("*")) {
        number = accept_number();
        if (!number) fail("a number is missing: the product of two parameters is not linear");
      }
    } else if (accept("*")) {
      name = accept_name();
      if (!name) fail("a parameter is missing");
    }
    const double value = factor * number.value_or(1);
    if (!base::is_moderate(value)) fail("a number is too large");
    if (name) {
      add(coordinate(*name), value);
    } else {
      constraint_.right -= value;
    }
  }

  void add(std::size_t coordinate, double coefficient) {
    auto& terms = constraint_.terms;
    const auto same = std::find_if(terms.begin(), terms.end(),
                                   [&](const auto& term) { return term.first == coordinate; });
    if (same == terms.end()) {
      terms.emplace_back(coordinate, coefficient);
    } else {
      same->second += coefficient;
    }
  }

  std::size_t coordinate(std::string_view name) {
    try {
      return coordinate_of_(name);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument("the constraint '" + std::string(text_) + "': " + error.what());
    }
  }

  std::string_view read_relation() {
    if (accept("<=")) return "<=";
    if (accept(">=")) return ">=";
    if (accept("==") || accept("=")) return "=";
    fail("expected <=, >= or =");
  }

  std::optional<double> accept_number() {
    skip_blanks();
    const char c = here();
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.') return {};
    const auto number = base::leading_number(text_.substr(position_));
    if (!number || !number->in_range) fail("this is no number");
    position_ += number->length;
    skip_blanks();
    return number->value;
  }

  std::optional<std::string_view> accept_name() {
    skip_blanks();
    const std::size_t begin = position_;
    const auto belongs = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    while (position_ < text_.size() && belongs(text_[position_])) ++position_;
    if (position_ == begin) return {};
    const std::string_view name = text_.substr(begin, position_ - begin);
    skip_blanks();
    return name;
  }

  bool accept(std::string_view sign) {
    skip_blanks();
    if (!text_.substr(position_).starts_with(sign)) return false;
    position_ += sign.size();
    skip_blanks();
    return true;
  }

  [[nodiscard]] char here() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  void skip_blanks() {
    while (here() == ' ' || here() == '\t') ++position_;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw InvalidArgument("the constraint '" + std::string(text_) +
                          "' cannot be read at character " + std::to_string(position_ + 1) + ": " +
                          why);
  }

  std::string_view text_;
  const CoordinateOf& coordinate_of_;
  std::size_t position_ = 0;
  Constraint constraint_;
};

}  // namespace

Constraint read_constraint(std::string_view text, const CoordinateOf& coordinate_of) {
  return Reader(text, coordinate_of).read();
}

}  // namespace keyhole::spaces
