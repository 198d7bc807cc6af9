// What TOML forbids and toml++ 3.3 takes for impossible: letters beyond ASCII outside quotes lead
// it to code that it calls unreachable. Texts are looked through here first.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace keyhole::base {

/// What is wrong with a text, and in which line, counted from 1.
struct TomlFault {
  std::uint32_t line = 0;
  std::string what;
};

/// The first letter beyond ASCII that stands outside quotes and comments. It is not a parser: what
/// is wrong in another way is left to toml++.
[[nodiscard]] std::optional<TomlFault> toml_fault(std::string_view text);

}  // namespace keyhole::base
