// Who may do what. A file of tokens has a line for each: the SHA-256 of the token, the tenant, what
// it allows and when it ends. The token itself is nowhere.
//
//   9f86d081884c7d65...  acme  play   never
//   60303ae22b998861...  acme  admin  2027-01-31T00:00:00Z

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
};

/// The tokens of a service.
class Tokens {
 public:
  /// Of the text of a file. Throws InputError, which names the line.
  explicit Tokens(std::string_view text = "");

  /// What a token stands for; nothing if it is unknown or has ended. Takes as long for every token.
  [[nodiscard]] std::optional<Grant> find(std::string_view token, Time now) const;

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
/// cannot be the name of a folder.
[[nodiscard]] std::string token_line(const std::string& token, const Grant& grant);

/// "2027-01-31T00:00:00Z".
[[nodiscard]] std::string time_text(Time time);

}  // namespace keyhole::service
