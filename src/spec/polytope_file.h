// Polytopes that are written down in files.

#pragma once

#include <string>

#include "keyhole/set.h"

namespace keyhole::spec {

/// The polytope of an MPS, LP or CSV file (by its ending, .mps, .lp or .csv). `name` is what the
/// spec calls the file, `path` how it is opened; `sha256` is empty or the digest that it must have.
/// Throws InputError.
[[nodiscard]] SetPtr polytope_of_file(const std::string& name, const std::string& path,
                                      const std::string& sha256);

/// The same of the text of such a file. `path` stands in messages, and its ending counts.
[[nodiscard]] SetPtr polytope_of_text(const std::string& name, const std::string& path,
                                      const std::string& text);

}  // namespace keyhole::spec
