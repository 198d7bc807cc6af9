#include <algorithm>

#include "base/number_text.h"
#include "base/quoted.h"
#include "experiment/config.h"

namespace keyhole::experiment {
namespace {

std::string named_text(const Named& named) {
  return "name = " + base::quoted(named.name) + ", spec = " + base::quoted(named.spec);
}

std::string problem_text(const PosedProblem& problem) {
  std::string text = named_text(problem);
  if (problem.delay != 0) text += ", delay = " + std::to_string(problem.delay);
  if (problem.arrivals != ArrivalTimes::spread) {
    text += std::string(", arrivals = ") +
            base::quoted(arrival_names[static_cast<std::size_t>(problem.arrivals)].first);
  }
  if (problem.missing != 0) text += ", missing = " + base::number_text(problem.missing);
  if (problem.max_step) text += ", max_step = " + base::number_text(*problem.max_step);
  if (problem.rounds != 0) text += ", rounds = " + std::to_string(problem.rounds);
  if (problem.normalise) text += ", normalise = " + base::number_text(*problem.normalise);
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
  std::string checkpoints;
  for (const std::uint64_t round : experiment.checkpoints) {
    checkpoints += (checkpoints.empty() ? "" : ", ") + std::to_string(round);
  }
  return (experiment.title.empty() ? "" : "title = " + base::quoted(experiment.title) + "\n") +
         "rounds = " + std::to_string(experiment.rounds) +
         "\nrepeats = " + std::to_string(experiment.repeats) +
         "\nseed = " + std::to_string(experiment.seed) +
         (checkpoints.empty() ? "" : "\ncheckpoints = [" + checkpoints + "]") +
         (experiment.slowest ? "\nslowest = " + base::number_text(*experiment.slowest) : "") +
         "\ncontrols = " + (experiment.controls ? "true" : "false") + "\n" +
         list_text("problems", experiment.problems, problem_text) +
         list_text("learners", experiment.learners, named_text);
}

Experiment quick_look(Experiment experiment) {
  constexpr std::uint64_t most_rounds = 4096;
  experiment.rounds = std::min(experiment.rounds, most_rounds);
  experiment.repeats = std::min<std::uint64_t>(experiment.repeats, 2);
  auto& marks = experiment.checkpoints;
  std::erase_if(marks, [&](std::uint64_t mark) { return mark > experiment.rounds; });
  experiment.text = print_config(experiment);
  return experiment;
}

}  // namespace keyhole::experiment
