// What the program says on stderr, and colours for terminals that show them.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "experiment/terminal.h"

namespace keyhole::cli {

enum class Colour { red = 31, green = 32, yellow = 33 };

/// Whether a stream is a terminal that is to show colours: not if NO_COLOR is set to anything, and
/// not if TERM is 'dumb'.
[[nodiscard]] bool shows_colours(experiment::Stream stream);

/// The text in a colour where the stream shows colours, and as it is elsewhere.
[[nodiscard]] std::string coloured(const std::string& text, Colour colour,
                                   experiment::Stream stream);

/// A word and the colour that it has in the output.
using Marks = std::vector<std::pair<std::string, Colour>>;

/// Lines of the output such as 'name: ok' or 'FAILED: text', with these words coloured where they
/// are the first or the second part of a line before ": ".
[[nodiscard]] std::string marked(const std::string& lines, const Marks& marks);

/// Says on stderr what went wrong.
void complain(const Program& program, const std::string& message);

/// Says on stderr what the user should know.
void warn(const Program& program, const std::string& message);

}  // namespace keyhole::cli
