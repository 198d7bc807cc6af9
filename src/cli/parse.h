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

/// The arguments, or nothing if help is asked for. Throws UsageError.
[[nodiscard]] std::optional<Arguments> parse(const CommandInfo& command,
                                             std::vector<std::string> words,
                                             const Program& program);

/// A whole number from `least` to `most` as the value of an option. Throws UsageError.
[[nodiscard]] std::uint64_t whole_number(const std::string& option, const std::string& text,
                                         std::uint64_t least, std::uint64_t most);

}  // namespace keyhole::cli
