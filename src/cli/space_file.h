#pragma once

#include <string>

#include "keyhole/space.h"

namespace keyhole::cli {

/// What a space file says.
struct SpaceFile {
  Space space;
  Values start;
};

/// Reads a space file (docs/spaces.md). Throws InputError, which names the file, and the line where
/// it is known.
[[nodiscard]] SpaceFile read_space_file(const std::string& path);
/// The same from the text of a file of that name.
[[nodiscard]] SpaceFile parse_space_file(const std::string& text, const std::string& name);

/// Reads a file of a setting: a value for each name, `threads = 8`, or those of the [start] of a
/// space file. Throws InputError likewise.
[[nodiscard]] Values read_setting_file(const std::string& path);

}  // namespace keyhole::cli
