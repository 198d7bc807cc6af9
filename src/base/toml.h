// toml++, without what makes broken files undefined behaviour: its assertions do not hold for them,
// and with NDEBUG clang assumes that they do. Without them its own errors follow.

#pragma once

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "base/toml_text.h"

namespace keyhole::base {

/// The table of a text. Throws TomlFault.
[[nodiscard]] inline toml::table toml_table(std::string_view text) {
  if (const auto fault = toml_fault(text)) throw *fault;
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw TomlFault{error.source().begin.line, std::string(error.description())};
  }
}

}  // namespace keyhole::base
