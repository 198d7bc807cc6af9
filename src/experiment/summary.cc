#include "experiment/summary.h"

#include "experiment/json.h"
#include "experiment/relative.h"

namespace keyhole::experiment {
namespace {

Json to_json(const Interval& interval) {
  const auto half = interval.half_width;
  return {{"mean", interval.mean},
          {"lower", half ? Json(interval.mean - *half) : Json(nullptr)},
          {"upper", half ? Json(interval.mean + *half) : Json(nullptr)}};
}

Json to_json(const std::optional<Interval>& interval) {
  return interval ? to_json(*interval) : Json(nullptr);
}

Json to_json(const RegretAt& at);
Json to_json(const LearnerSummary& learner);
Json to_json(const ProblemSummary& problem);
Json to_json(const RelativeMean& mean);
Json to_json(const RelativeMeans& means);

template <class Value>
Json list_json(const std::vector<Value>& values) {
  Json json = Json::array();
  for (const Value& value : values) json.push_back(to_json(value));
  return json;
}

Json to_json(const RegretAt& at) {
  return {{"round", at.round},
          {"average_regret", to_json(at.average_regret)},
          {"relative_regret", to_json(at.relative_regret)},
          {"recommended", to_json(at.recommended)}};
}

Json to_json(const LearnerSummary& learner) {
  Json json = {{"name", learner.named.name}, {"spec", learner.named.spec}};
  json["left_out"] = learner.left_out;
  if (learner.left_out) {
    json["seconds_per_round"] = or_null(learner.seconds_per_round);
    return json;
  }
  json["algorithm"] = learner.algorithm;
  json["average_loss"] = to_json(learner.average_loss);
  json["average_regret"] = to_json(learner.average_regret);
  json["relative_regret"] = to_json(learner.relative_regret);
  json["recommended"] = to_json(learner.recommended);
  json["largest_relative_regret"] = or_null(learner.largest_relative_regret);
  json["worst_window"] = or_null(learner.worst_window);
  json["regret_slope"] = or_null(learner.regret_slope);
  json["checkpoints"] = list_json(learner.checkpoints);
  if (learner.regret_bound) {
    json["regret_bound"] = {{"per_round", *learner.regret_bound},
                            {"holds", learner.regret_bound_holds},
                            {"note", learner.regret_bound_note}};
  } else {
    json["regret_bound"] = nullptr;
    json["why_no_regret_bound"] = learner.regret_bound_note;
  }
  json["seconds_per_round"] = or_null(learner.seconds_per_round);
  if (!learner.timed_on.empty()) json["timed_on"] = learner.timed_on;
  json["oracle_calls_per_round"] = learner.oracle_calls_per_round;
  json["infeasible_plays"] = learner.infeasible_plays;
  json["alarms"] = learner.alarms;
  json["beliefs"] = object_json(learner.beliefs);
  return json;
}

Json to_json(const ProblemSummary& problem) {
  Json json = {{"name", problem.named.name},
               {"spec", problem.named.spec},
               {"delay", problem.delay},
               {"missing", problem.missing},
               {"arrivals", arrival_names[static_cast<std::size_t>(problem.arrivals)].first},
               {"rounds", problem.rounds},
               {"set", problem.set},
               {"dimension", problem.dimension},
               {"loss_bound", or_null(problem.loss_bound)},
               {"gradient_bound", or_null(problem.gradient_bound)},
               {"bounds_proven", problem.bounds_proven},
               {"hindsight_gap", problem.hindsight_gap},
               {"warnings", problem.warnings},
               {"normalise", or_null(problem.normalise)}};
  if (!problem.why_no_relative_regret.empty()) {
    json["why_no_relative_regret"] = problem.why_no_relative_regret;
  }
  json["learners"] = list_json(problem.learners);
  return json;
}

Json to_json(const RelativeMean& mean) {
  return {{"round", mean.round},
          {"problems", mean.problems},
          {"arithmetic", or_null(mean.arithmetic)},
          {"geometric", or_null(mean.geometric)},
          {"recommended", or_null(mean.recommended)},
          {"recommended_problems", mean.recommended_problems}};
}

Json to_json(const RelativeMeans& means) {
  return {{"learner", means.learner}, {"means", list_json(means.means)}};
}

}  // namespace

bool is_vacuous(const ProblemSummary& problem, const LearnerSummary& learner) {
  return learner.regret_bound && learner.regret_bound_holds && problem.loss_bound &&
         *learner.regret_bound >= 2 * *problem.loss_bound;
}

std::string summary_json(const ExperimentSummary& summary) {
  Json json = {{"version", summary.version},
               {"commit", summary.commit},
               {"trace_revision", summary.trace_revision},
               {"experiment", summary.experiment},
               {"seed", summary.seed},
               {"rounds", summary.rounds},
               {"repeats", summary.repeats},
               {"checkpoints", summary.checkpoints},
               {"problems", list_json(summary.problems)},
               {"relative_regret_means", list_json(relative_means(summary))}};
  if (!summary.title.empty()) json["title"] = summary.title;
  return json_text(json, 2) + "\n";
}

}  // namespace keyhole::experiment
