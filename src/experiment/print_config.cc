#include "experiment/config.h"
#include "math/number_text.h"

namespace keyhole::experiment {
namespace {

/// A TOML string.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string named_text(const Named& named) {
  return "name = " + quoted(named.name) + ", spec = " + quoted(named.spec);
}

std::string problem_text(const PosedProblem& problem) {
  std::string text = named_text(problem);
  if (problem.delay != 0) text += ", delay = " + std::to_string(problem.delay);
  if (problem.missing != 0) text += ", missing = " + math::number_text(problem.missing);
  return text;
}

template <class Entry, class Text>
std::string list_text(const std::string& key, const std::vector<Entry>& list, Text text_of) {
  std::string text = key + " = [\n";
  for (const Entry& entry : list) text += "  {" + text_of(entry) + "},\n";
  return text + "]\n";
}

}  // namespace

std::string print_config(const Experiment& experiment) {
  return "rounds = " + std::to_string(experiment.rounds) +
         "\nrepeats = " + std::to_string(experiment.repeats) +
         "\nseed = " + std::to_string(experiment.seed) +
         "\ncontrols = " + (experiment.controls ? "true" : "false") + "\n" +
         list_text("problems", experiment.problems, problem_text) +
         list_text("learners", experiment.learners, named_text);
}

}  // namespace keyhole::experiment
