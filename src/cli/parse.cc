#include "cli/parse.h"

#include <algorithm>
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
  const auto mark = std::find(words.begin(), words.end(), "--");
  for (const char* const help : {"--help", "-h"}) {
    if (std::find(words.begin(), mark, help) != mark) return {};
  }
  const Places places(command.argument);
  Arguments arguments;
  for (auto word = words.begin(); word != mark; ++word) {
    if (is_plain(*word)) {
      arguments.words.push_back(*word);
      if (arguments.words.size() > places.words.size() && !places.many) {
        refuse(*word, command, called, places);
      }
      continue;
    }
    const std::size_t sign = word->find('=');
    const auto option =
        std::find_if(command.options.begin(), command.options.end(),
                     [&](const OptionInfo& each) { return each.name == word->substr(0, sign); });
    if (option == command.options.end()) refuse(*word, command, called, places);
    const bool is_given = sign != std::string::npos;
    if (option->value.empty()) {
      if (is_given) throw UsageError(option->name + " takes no value");
      arguments.options[option->name] = "true";
      continue;
    }
    const bool is_next = !is_given && word + 1 != mark && is_plain(word[1]);
    if (!is_given && !is_next) throw UsageError(option->name + " needs a value");
    const std::string value = is_given ? word->substr(sign + 1) : *++word;
    if (option->value.ends_with("...")) {
      arguments.lists[option->name].push_back(value);
      continue;
    }
    require_choice(*option, value);
    if (!arguments.options.emplace(option->name, value).second) {
      throw UsageError(option->name + " is given twice");
    }
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
