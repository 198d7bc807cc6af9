#include "cli/colour.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>

namespace keyhole::cli {
namespace {

std::string painted(const std::string& text, Colour colour) {
  return "\x1b[" + std::to_string(static_cast<int>(colour)) + "m" + text + "\x1b[0m";
}

/// The part in the colour of its mark, if it is one.
std::string painted_part(const std::string& part, const Marks& marks) {
  for (const auto& [word, colour] : marks) {
    if (word == part) return painted(part, colour);
  }
  return part;
}

}  // namespace

bool shows_colours(experiment::Stream stream) {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  return variable("NO_COLOR").empty() && variable("TERM") != "dumb" &&
         experiment::terminal_size(stream).has_value();
}

std::string coloured(const std::string& text, Colour colour, experiment::Stream stream) {
  return shows_colours(stream) ? painted(text, colour) : text;
}

std::string marked(const std::string& lines, const Marks& marks) {
  if (!shows_colours(experiment::Stream::output)) return lines;
  std::string text;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line); text += "\n") {
    const std::size_t first = std::min(line.find(": "), line.size());
    text += painted_part(line.substr(0, first), marks);
    if (first == line.size()) continue;
    const std::size_t begin = first + 2;
    const std::size_t end = std::min(line.find(": ", begin), line.size());
    text += ": " + painted_part(line.substr(begin, end - begin), marks) + line.substr(end);
  }
  return text;
}

void complain(const Program& program, const std::string& message) {
  // As one text: stderr has no buffer, and others may write in between.
  std::cerr << coloured(program.name + ":", Colour::red, experiment::Stream::error) + " " +
                   message + "\n";
}

void warn(const Program& program, const std::string& message) {
  std::cerr << program.name + ": " +
                   coloured("warning:", Colour::yellow, experiment::Stream::error) + " " + message +
                   "\n";
}

}  // namespace keyhole::cli
