#include "experiment/times.h"

#include <set>
#include <vector>

#include "base/joined.h"
#include "experiment/checksum.h"
#include "experiment/json.h"

namespace keyhole::experiment {

std::string times_text(const Times& times, std::uint64_t key) {
  Json list = Json::array();
  for (const auto& [spec, timed] : times) {
    list.push_back({{"player", spec}, {"seconds_per_round", timed.seconds}, {"host", timed.host}});
  }
  return sealed(json_text({{"format", 1}, {"key", base::hash_text(key)}, {"times", list}}));
}

Times read_times(const std::string& text, std::uint64_t key) {
  const std::optional<std::string> line = unsealed(text);
  if (!line) return {};
  try {
    const Json json = Json::parse(*line);
    if (json.at("format") != 1 || json.at("key") != base::hash_text(key)) return {};
    Times times;
    for (const Json& one : json.at("times")) {
      times[one.at("player").get<std::string>()] = {one.at("seconds_per_round").get<double>(),
                                                    one.at("host").get<std::string>()};
    }
    return times;
  } catch (const std::exception&) {  // written by another version of this program
    return {};
  }
}

void take_times(const Times& times, ProblemSummary& summary) {
  for (LearnerSummary& learner : summary.learners) {
    const auto timed = times.find(learner.named.spec);
    if (learner.left_out || timed == times.end()) continue;  // the time of the trial stays
    learner.seconds_per_round = timed->second.seconds;
    learner.timed_on = timed->second.host;
  }
}

std::string several_hosts(const ExperimentSummary& summary) {
  std::set<std::string> hosts;
  for (const ProblemSummary& problem : summary.problems) {
    for (const LearnerSummary& learner : problem.learners) {
      if (!learner.timed_on.empty()) hosts.insert(learner.timed_on);
    }
  }
  if (hosts.size() < 2) return "";
  return base::joined(std::vector<std::string>(hosts.begin(), hosts.end()));
}

}  // namespace keyhole::experiment
