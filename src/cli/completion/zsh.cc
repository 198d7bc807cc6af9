#include "base/joined.h"
#include "cli/completion/candidates.h"
#include "cli/shell_quoted.h"

namespace keyhole::cli {
namespace {

/// An item of _describe: the word and what it means.
std::string zsh_item(const std::string& word, const std::string& meaning) {
  return shell_quoted(word + ":" + meaning);
}

/// Lines that offer the candidates.
std::string zsh_offers(const Candidates& candidates, const std::string& indent,
                       const Program& program) {
  std::string text;
  const auto add = [&](const std::string& line) { text += indent + line + "\n"; };
  if (!candidates.words.empty()) add("compadd -- " + base::joined(candidates.words, " "));
  if (candidates.studies) {
    add("compadd -- ${(f)\"$(" + names_of_studies(program) + ")\"}");
  }
  if (candidates.files) {
    add(candidates.ending.empty() ? "_files" : "_files -g '*" + candidates.ending + "'");
  }
  if (candidates.directories) add("_files -/");
  return text;
}

/// Lines that offer words with what they mean.
std::string zsh_described(const std::string& what, const std::vector<std::string>& items,
                          const std::string& indent) {
  return indent + "items=(" + base::joined(items, " ") + ")\n" + indent + "_describe " + what +
         " items\n";
}

/// The body of a command: the values of its options, then its options and words.
std::string zsh_body(const CommandInfo& command, const std::string& indent,
                     const Program& program) {
  std::vector<std::string> items = {zsh_item("--help", "print the help")};
  std::string values;
  for (const OptionInfo& option : command.options) {
    items.push_back(zsh_item(option.name, option.meaning));
    if (option.value.empty()) continue;
    values += indent + "  " + option.name + ")\n" +
              zsh_offers(candidates_of(option), indent + "    ", program) + indent +
              "    return\n" + indent + "    ;;\n";
  }
  return (values.empty() ? "" : indent + "case $previous in\n" + values + indent + "esac\n") +
         zsh_described("-o option", items, indent) +
         zsh_offers(candidates_of(command, program), indent, program);
}

/// The case of the word at a place of the line, from 2 on: the program is the first.
std::string zsh_cases(const std::vector<CommandInfo>& commands, int place, const Program& program) {
  const std::string indent(static_cast<std::size_t>(place - 1) * 2, ' ');
  const std::string at = std::to_string(place);
  std::vector<std::string> items;
  std::string text;
  for (const CommandInfo& command : commands) {
    items.push_back(zsh_item(command.name, command.summary));
    text += indent + "  " + command.name + ")\n" +
            (command.commands.empty() ? zsh_body(command, indent + "    ", program)
                                      : zsh_cases(command.commands, place + 1, program)) +
            indent + "    ;;\n";
  }
  return indent + "if (( CURRENT == " + at + " )); then\n" +
         zsh_described("command", items, indent + "  ") + indent + "  return\n" + indent + "fi\n" +
         indent + "case $words[" + at + "] in\n" + text + indent + "esac\n";
}

}  // namespace

std::string zsh_completion(const Program& program) {
  const std::string& name = program.name;
  return "#compdef " + name + "\n# Completion of " + name + " for zsh, printed by '" + name +
         " completion zsh'.\n_" + name +
         "() {\n"
         "  local previous=$words[CURRENT-1]\n"
         "  local -a items\n"
         "  if [[ $PREFIX == --*=* ]]; then  # --out=DIR is one word\n"
         "    previous=${PREFIX%%=*}\n"
         "    compset -P '*='\n"
         "  fi\n" +
         zsh_cases(program.commands, 2, program) +
         "}\n"
         "# Read by the completion system it is called, and by 'source' it is made known.\n"
         "if [[ $funcstack[1] == _" +
         name + " ]]; then\n  _" + name + " \"$@\"\nelse\n  compdef _" + name + " " + name +
         "\nfi\n";
}

}  // namespace keyhole::cli
