// What an LP file is made of.

#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "spec/linear_model.h"

namespace keyhole::spec {

struct LpToken {
  enum class Kind { name, number, sense, sign, colon, other, end };
  Kind kind = Kind::end;
  std::string_view text = {};
  std::size_t line = 0;
  /// Whether nothing is before it on its line.
  bool first = true;
};

/// Cuts a text into tokens, of which two are known at a time; comments go from a backslash to the
/// end of the line. Behind the last token there is Kind::end for ever.
class LpTokens {
 public:
  /// Fails as the model does. Text and model must outlive this.
  LpTokens(std::string_view text, const LinearModel& model);

  /// The token here, and the one behind it.
  [[nodiscard]] const LpToken& here() const { return tokens_[0]; }
  [[nodiscard]] const LpToken& next() const { return tokens_[1]; }
  void skip();

 private:
  [[nodiscard]] LpToken read();
  [[nodiscard]] LpToken::Kind pass_token();

  std::string_view text_;
  const LinearModel& model_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  bool first_ = true;
  std::array<LpToken, 2> tokens_;
};

}  // namespace keyhole::spec
