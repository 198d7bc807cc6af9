#include "cli/parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <limits>
#include <sstream>

#include "base/joined.h"
#include "base/nearest.h"
#include "base/number_text.h"

namespace keyhole::cli {
namespace {

/// What a command takes besides its options, as its entry of the table has it.
struct Places {
  explicit Places(const std::string& argument) {
    std::istringstream in(argument);
    for (std::string word; in >> word;) {
      if (word == "--") {
        in >> rest;
      } else {
        many = word.ends_with("...");
        words.push_back(word);
      }
    }
  }

  std::vector<std::string> words;
  bool many = false;  // whether more may stand in the last place
  std::string rest;   // what stands for the words after "--"; empty if it takes none
};

/// Whether a word is no option though it may begin with '-': '-' alone, and numbers below zero.
bool is_plain(const std::string& word) {
  return !word.starts_with("-") || word == "-" || base::read_number(word);
}

/// The first word that fits no option and is one too many, refused with the nearest option.
[[noreturn]] void refuse(const std::string& word, const CommandInfo& command,
                         const std::string& called, const Places& places) {
  if (is_plain(word)) {
    throw UsageError("'" + word + "' is one word too many for '" + called + "'" +
                     (places.rest.empty() ? "" : ": write -- before the command"));
  }
  std::vector<std::string> names = {"--help"};
  for (const OptionInfo& option : command.options) names.push_back(option.name);
  const std::string name = word.substr(0, word.find('='));
  throw UsageError("'" + called + "' has no option '" + name + "'" + base::suggestion(name, names));
}

void require_choice(const OptionInfo& option, const std::string& value) {
  const auto& choices = option.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  throw UsageError(option.name + " must be one of " + base::joined(choices) + ", not '" + value +
                   "'" + base::suggestion(value, choices));
}

}  // namespace

std::optional<Arguments> parse(const CommandInfo& command, const std::vector<std::string>& words,
                               const std::string& called) {
  CLI::App app;
  app.set_help_flag("-h,--help");
  app.allow_extras();
  Arguments arguments;
  for (const OptionInfo& option : command.options) {
    if (option.value.empty()) {
      app.add_flag_callback(option.name, [&] { arguments.options[option.name] = "true"; });
    } else if (option.value.ends_with("...")) {
      app.add_option(option.name, arguments.lists[option.name])->allow_extra_args(false);
    } else {
      app.add_option_function<std::string>(option.name, [&](const std::string& value) {
        require_choice(option, value);
        arguments.options[option.name] = value;
      });
    }
  }
  const auto mark = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> reversed(std::make_reverse_iterator(mark), words.rend());  // for CLI11
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return {};
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string message = error.what();  // "--out: 1 required ..."
    throw UsageError(message.substr(0, message.find(':')) + " needs a value");
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  const Places places(command.argument);
  for (const std::string& word : app.remaining()) {
    if (!is_plain(word) || (arguments.words.size() == places.words.size() && !places.many)) {
      refuse(word, command, called, places);
    }
    arguments.words.push_back(word);
  }
  if (mark != words.end()) {
    auto& behind = places.rest.empty() ? arguments.words : arguments.rest;
    behind.insert(behind.end(), mark + 1, words.end());
  }
  if (arguments.words.size() > places.words.size() && !places.many) {
    throw UsageError("'" + arguments.words[places.words.size()] + "' is one word too many for '" +
                     called + "'");
  }
  const std::size_t given = arguments.words.size();
  if (given < places.words.size() && !places.words[given].starts_with("[")) {
    throw UsageError("'" + called + "' needs " + places.words[given]);
  }
  if (!places.rest.empty() && arguments.rest.empty()) {
    throw UsageError("'" + called + "' needs -- " + places.rest);
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

double positive_number(const std::string& option, const std::string& text) {
  const std::optional<double> value = base::read_number(text);
  if (!value || !(*value > 0) || *value == std::numeric_limits<double>::infinity()) {
    throw UsageError(option + " must be a number above 0, not '" + text + "'");
  }
  return *value;
}

double seconds(const std::string& option, const std::string& text) {
  const std::optional<double> value = base::read_number(text);
  if (!value || !(*value >= 0) || *value == std::numeric_limits<double>::infinity()) {
    throw UsageError(option + " must be a number of seconds, 0 or more, not '" + text + "'");
  }
  return *value;
}

}  // namespace keyhole::cli
