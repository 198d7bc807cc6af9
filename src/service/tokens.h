// Who may do what. A file of tokens has a line for each: the SHA-256 of the token, the tenant, what
// it allows, when it ends, what it is called, and how the names of its studies begin if it is not
// for all. The token itself is nowhere.
//
//   9f86d081884c7d65...  acme  play   never                 ci
//   60303ae22b998861...  acme  admin  2027-01-31T00:00:00Z  60303ae2  prod-

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time_text.h"

namespace keyhole::service {

using Time = std::chrono::sys_seconds;

/// What a token allows; each includes those before it.
enum class Scope : std::uint8_t {
  /// What needs no token.
  none,
  /// To look.
  read,
  /// To ask and tell.
  play,
  /// To create, pause and delete studies.
  admin,
};

/// "read", "play" or "admin"; nothing for another word.
[[nodiscard]] std::optional<Scope> scope_of(std::string_view word);
[[nodiscard]] std::string scope_text(Scope scope);

/// What a token stands for.
struct Grant {
  std::string tenant = {};
  Scope scope = Scope::none;
  /// When it ends; never if not given.
  std::optional<Time> until = {};
  /// What it is called; the first eight digits of its digest if it was given no name.
  std::string name = {};
  /// How the names of the studies begin that it is for; empty for all of the tenant.
  std::string prefix = {};

  [[nodiscard]] bool is_for(std::string_view study) const { return study.starts_with(prefix); }
};

/// The tokens of a service.
class Tokens {
 public:
  /// Of the text of a file. Throws InputError, which names the line.
  explicit Tokens(std::string_view text = "");

  /// What a token stands for; nothing if it is unknown or has ended. Takes as long for every token.
  [[nodiscard]] std::optional<Grant> find(std::string_view token, Time now) const;
  /// What the tokens stand for, in the order of the file.
  [[nodiscard]] std::vector<Grant> grants() const;

 private:
  struct Entry {
    std::string digest;
    Grant grant;
  };
  std::vector<Entry> entries_;
};

/// A new token: "kh_" and 256 random bits.
[[nodiscard]] std::string new_token();

/// The line of a token in the file, with its end of line. Throws InvalidArgument for a tenant that
/// cannot be the name of a folder, and for such a name or beginning.
[[nodiscard]] std::string token_line(const std::string& token, const Grant& grant);

/// The text of a file with a line more. Throws InvalidArgument if a token has its name, and
/// InputError if the text is none of tokens.
[[nodiscard]] std::string with_token(std::string text, const std::string& line);
/// The text of a file without the token of a name. Throws InvalidArgument if there is none.
[[nodiscard]] std::string without_token(const std::string& text, const std::string& name);

using base::time_text;

}  // namespace keyhole::service
