#include "experiment/summary.h"

#include <nlohmann/json.hpp>

namespace keyhole::experiment {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const Interval& interval) {
  const auto half = interval.half_width;
  return {{"mean", interval.mean},
          {"lower", half ? Json(interval.mean - *half) : Json(nullptr)},
          {"upper", half ? Json(interval.mean + *half) : Json(nullptr)}};
}

Json to_json(const LearnerSummary& learner) {
  Json json = {{"name", learner.named.name},
               {"spec", learner.named.spec},
               {"algorithm", learner.algorithm},
               {"average_loss", to_json(learner.average_loss)},
               {"average_regret", to_json(learner.average_regret)}};
  if (learner.regret_bound) {
    json["regret_bound"] = {{"per_round", *learner.regret_bound},
                            {"holds", learner.regret_bound_holds},
                            {"note", learner.regret_bound_note}};
  } else {
    json["regret_bound"] = nullptr;
    json["why_no_regret_bound"] = learner.regret_bound_note;
  }
  json["seconds_per_round"] = to_json(learner.seconds_per_round);
  json["oracle_calls_per_round"] = learner.oracle_calls_per_round;
  json["infeasible_plays"] = learner.infeasible_plays;
  json["alarms"] = learner.alarms;
  return json;
}

Json to_json(const ProblemSummary& problem) {
  Json learners = Json::array();
  for (const LearnerSummary& learner : problem.learners) learners.push_back(to_json(learner));
  return {{"name", problem.named.name},
          {"spec", problem.named.spec},
          {"rounds", problem.rounds},
          {"set", problem.set},
          {"dimension", problem.dimension},
          {"loss_bound", to_json(problem.loss_bound)},
          {"gradient_bound", to_json(problem.gradient_bound)},
          {"bounds_proven", problem.bounds_proven},
          {"hindsight_gap", problem.hindsight_gap},
          {"warnings", problem.warnings},
          {"learners", learners}};
}

}  // namespace

std::string summary_json(const ExperimentSummary& summary) {
  Json problems = Json::array();
  for (const ProblemSummary& problem : summary.problems) problems.push_back(to_json(problem));
  const Json json = {{"version", summary.version},
                     {"commit", summary.commit},
                     {"trace_revision", summary.trace_revision},
                     {"experiment", summary.experiment},
                     {"seed", summary.seed},
                     {"rounds", summary.rounds},
                     {"repeats", summary.repeats},
                     {"problems", problems}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void take_times(const std::string& earlier, ExperimentSummary& summary) {
  const Json json = Json::parse(earlier, nullptr, false);  // discarded rather than throwing
  if (!json.is_object() || json.value("experiment", "") != summary.experiment) return;
  const Json problems = json.value("problems", Json::array());
  for (std::size_t p = 0; p < summary.problems.size() && p < problems.size(); ++p) {
    const Json learners = problems[p].value("learners", Json::array());
    auto& ours = summary.problems[p].learners;
    for (std::size_t k = 0; k < ours.size() && k < learners.size(); ++k) {
      const auto seconds = learners[k].find("seconds_per_round");
      if (seconds != learners[k].end() && seconds->is_number()) {
        ours[k].seconds_per_round = seconds->get<double>();
      }
    }
  }
}

}  // namespace keyhole::experiment
