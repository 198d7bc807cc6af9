#include "experiment/extension.h"

#include <algorithm>

#include "base/number_text.h"
#include "experiment/unit.h"

namespace keyhole::experiment {
namespace {

std::string differs(const std::string& what, const std::string& there, const std::string& here) {
  return "its " + what + " is " + there + ", here it is " + here;
}

std::string seconds_text(const std::optional<double>& seconds) {
  return seconds ? base::number_text(*seconds) : "not set";
}

}  // namespace

std::string why_no_extension(const Experiment& larger, const Experiment& smaller) {
  if (larger.rounds != smaller.rounds) {
    return differs("'rounds'", std::to_string(smaller.rounds), std::to_string(larger.rounds));
  }
  if (larger.seed != smaller.seed) {
    return differs("'seed'", std::to_string(smaller.seed), std::to_string(larger.seed));
  }
  if (larger.checkpoints != smaller.checkpoints) return "its 'checkpoints' are others";
  if (larger.slowest != smaller.slowest) {
    return differs("'slowest'", seconds_text(smaller.slowest), seconds_text(larger.slowest));
  }
  if (larger.repeats < smaller.repeats) {
    return "it has " + std::to_string(smaller.repeats) + " repeats, here there are only " +
           std::to_string(larger.repeats);
  }
  for (std::size_t p = 0; p < smaller.problems.size(); ++p) {
    if (p < larger.problems.size() && problem_hash(larger, p) == problem_hash(smaller, p)) continue;
    return "its problem '" + smaller.problems[p].name + "' is not the one at place " +
           std::to_string(p + 1) + " here (new problems come last)";
  }
  for (const Named& learner : smaller.learners) {
    const auto same = [&](const Named& named) { return named.spec == learner.spec; };
    if (std::none_of(larger.players.begin(), larger.players.end(), same)) {
      return "its learner '" + learner.name + "' is missing here";
    }
  }
  return "";
}

}  // namespace keyhole::experiment
