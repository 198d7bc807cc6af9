#include "cli/parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/nearest.h"
#include "base/number_text.h"

namespace keyhole::cli {
namespace {

bool is_required(const std::string& argument) { return !argument.empty() && argument[0] != '['; }

std::string quoted(const CommandInfo& command, const Program& program) {
  return "'" + program.name + " " + command.name + "'";
}

/// The first word that fits no option and is one too many, refused with the nearest option.
[[noreturn]] void refuse(const std::string& word, const CommandInfo& command,
                         const Program& program) {
  if (!word.starts_with("-")) {
    throw UsageError("'" + word + "' is one word too many for " + quoted(command, program));
  }
  std::vector<std::string> names = {"--help"};
  for (const OptionInfo& option : command.options) names.push_back(option.name);
  const std::string name = word.substr(0, word.find('='));
  throw UsageError(quoted(command, program) + " has no option '" + name + "'" +
                   base::suggestion(name, names));
}

}  // namespace

std::optional<Arguments> parse(const CommandInfo& command, std::vector<std::string> words,
                               const Program& program) {
  CLI::App app;
  app.set_help_flag("-h,--help");
  app.allow_extras();
  Arguments arguments;
  if (!command.argument.empty()) app.add_option("argument", arguments.argument);
  for (const OptionInfo& option : command.options) {
    if (option.value.empty()) {
      app.add_flag_callback(option.name, [&] { arguments.options[option.name] = "true"; });
    } else {
      auto* added = app.add_option_function<std::string>(
          option.name, [&](const std::string& value) { arguments.options[option.name] = value; });
      if (!option.choices.empty()) added->check(CLI::IsMember(option.choices));
    }
  }
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    return {};
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  if (!app.remaining().empty()) refuse(app.remaining().front(), command, program);
  if (is_required(command.argument) && arguments.argument.empty()) {
    throw UsageError(quoted(command, program) + " needs " + command.argument);
  }
  return arguments;
}

std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  const std::optional<std::uint64_t> value = base::read_whole_number(text);
  if (!value || *value < least || *value > most) {
    throw UsageError(option + " must be a whole number from " + std::to_string(least) + " to " +
                     std::to_string(most) + ", not '" + text + "'");
  }
  return *value;
}

}  // namespace keyhole::cli
