// What the user wrote after a command, checked against its entry of the table.

#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace keyhole::cli {

/// Words that make no sense after a command.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The arguments of a command that is called by these words, "keyhole run", or nothing if help is
/// asked for. Throws UsageError.
[[nodiscard]] std::optional<Arguments> parse(const CommandInfo& command,
                                             const std::vector<std::string>& words,
                                             const std::string& called);

/// A whole number from `least` to `most` as the value of an option. Throws UsageError.
[[nodiscard]] std::uint64_t whole_number(const std::string& option, const std::string& text,
                                         std::uint64_t least, std::uint64_t most);

/// A number above 0 as the value of an option. Throws UsageError.
[[nodiscard]] double positive_number(const std::string& option, const std::string& text);

/// A number of seconds, 0 or more, as the value of an option. Throws UsageError.
[[nodiscard]] double seconds(const std::string& option, const std::string& text);

}  // namespace keyhole::cli
