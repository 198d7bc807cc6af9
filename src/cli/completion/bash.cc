#include "base/joined.h"
#include "cli/completion/candidates.h"

namespace keyhole::cli {
namespace {

/// What prints the candidates that begin with the word.
std::string bash_generators(const Candidates& candidates, const Program& program) {
  std::string text;
  const auto add = [&](const std::string& what) {
    text += (text.empty() ? "" : "; ") + ("compgen " + what + " -- \"$word\"");
  };
  if (!candidates.words.empty()) add("-W '" + base::joined(candidates.words, " ") + "'");
  if (candidates.studies) add("-W \"$(" + names_of_studies(program) + ")\"");
  if (candidates.files) {
    add(candidates.ending.empty() ? "-f" : "-f -X '!*" + candidates.ending + "'");
  }
  if (candidates.directories || !candidates.ending.empty()) add("-d");
  return text;
}

std::string bash_reply(const Candidates& candidates, const Program& program) {
  return "COMPREPLY=($(" + bash_generators(candidates, program) + "))";
}

/// The body of a command: the values of its options, then its options and words.
std::string bash_body(const CommandInfo& command, const std::string& indent,
                      const Program& program) {
  Candidates all = candidates_of(command, program);
  std::vector<std::string> words = {"--help"};
  std::string values;
  for (const OptionInfo& option : command.options) {
    words.push_back(option.name);
    if (option.value.empty()) continue;
    values += indent + "  " + option.name + ") " + bash_reply(candidates_of(option), program) +
              "; return ;;\n";
  }
  words.insert(words.end(), all.words.begin(), all.words.end());
  all.words = words;
  return (values.empty() ? "" : indent + "case $previous in\n" + values + indent + "esac\n") +
         indent + bash_reply(all, program) + "\n";
}

/// The case of the word at a place of the line, from 1 on.
std::string bash_cases(const std::vector<CommandInfo>& commands, int place,
                       const Program& program) {
  const std::string indent(static_cast<std::size_t>(place) * 2, ' ');
  const std::string at = std::to_string(place);
  Candidates names;
  std::string text;
  for (const CommandInfo& command : commands) {
    names.words.push_back(command.name);
    text += indent + "  " + command.name + ")\n" +
            (command.commands.empty() ? bash_body(command, indent + "    ", program)
                                      : bash_cases(command.commands, place + 1, program)) +
            indent + "    ;;\n";
  }
  names.words.emplace_back("--help");
  if (place == 1) names.words.emplace_back("--version");
  return indent + "if [ \"$COMP_CWORD\" = " + at + " ]; then\n" + indent + "  " +
         bash_reply(names, program) + "\n" + indent + "  return\n" + indent + "fi\n" + indent +
         "case ${COMP_WORDS[" + at + "]} in\n" + text + indent + "esac\n";
}

}  // namespace

std::string bash_completion(const Program& program) {
  const std::string& name = program.name;
  return "# Completion of " + name + " for bash, printed by '" + name + " completion bash'.\n_" +
         name +
         "() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  if [ \"$previous\" = = ]; then  # --out=DIR is three words\n"
         "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  elif [ \"$word\" = = ]; then\n"
         "    word=\n"
         "  fi\n" +
         bash_cases(program.commands, 1, program) + "}\ncomplete -o filenames -F _" + name + " " +
         name + "\n";
}

}  // namespace keyhole::cli
