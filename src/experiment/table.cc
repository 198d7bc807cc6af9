#include "experiment/table.h"

#include <vector>

#include "base/csv_text.h"
#include "base/number_text.h"
#include "experiment/columns.h"
#include "experiment/merge.h"
#include "experiment/relative.h"
#include "keyhole/error.h"

namespace keyhole::experiment {
namespace {

std::string bound_text(const LearnerSummary& learner) {
  if (!learner.regret_bound) return "-";
  const std::string text = base::digits_text(*learner.regret_bound, 4);
  return learner.regret_bound_holds ? text : "(" + text + ")";
}

}  // namespace

Format format_of(const std::string& name) {
  if (name == "table") return Format::table;
  if (name == "json") return Format::json;
  if (name == "csv") return Format::csv;
  throw InvalidArgument("the format must be table, json or csv, not '" + name + "'");
}

std::string summary_table(const ExperimentSummary& summary) {
  std::string text;
  for (const ProblemSummary& problem : summary.problems) {
    text += (text.empty() ? "" : "\n") + problem.named.name + " on " +
            (problem.set.size() > 60 ? problem.set.substr(0, 60) + "..." : problem.set) + ", " +
            std::to_string(problem.rounds) + " rounds, " + std::to_string(summary.repeats) +
            (summary.repeats == 1 ? " repeat\n" : " repeats\n");
    std::vector<Row> rows = {{"learner", "average loss", "regret/round", "bound/round", "us/round",
                              "oracle calls/round", "infeasible", "alarms"}};
    for (const LearnerSummary& learner : problem.learners) {
      const auto seconds = learner.seconds_per_round;
      if (learner.left_out) {
        rows.push_back({learner.named.name, "n/a", "n/a", "n/a",
                        base::digits_text(*seconds * 1e6, 3), "n/a", "n/a", "n/a"});
        continue;
      }
      rows.push_back({learner.named.name, interval_text(learner.average_loss),
                      interval_text(learner.average_regret), bound_text(learner),
                      seconds ? base::digits_text(*seconds * 1e6, 3) : "-",
                      base::digits_text(learner.oracle_calls_per_round, 3),
                      std::to_string(learner.infeasible_plays), std::to_string(learner.alarms)});
    }
    text += aligned(rows);
  }
  return text;
}

std::string summary_csv(const ExperimentSummary& summary) {
  std::string text =
      "problem,learner,rounds,repeats,average_loss,average_loss_lower,average_loss_upper,"
      "average_regret,average_regret_lower,average_regret_upper,regret_bound,regret_bound_holds,"
      "seconds_per_round,oracle_calls_per_round,infeasible_plays,alarms,"
      "relative_regret,relative_regret_lower,relative_regret_upper\n";
  for (const ProblemSummary& problem : summary.problems) {
    for (const LearnerSummary& learner : problem.learners) {
      text += base::csv_field(problem.named.name) + "," + base::csv_field(learner.named.name) +
              "," + std::to_string(problem.rounds) + "," + std::to_string(summary.repeats) + ",";
      if (learner.left_out) {
        text += ",,,,,,,," + optional_csv(learner.seconds_per_round) + ",,,,,,\n";
        continue;
      }
      text += interval_csv(learner.average_loss) + "," + interval_csv(learner.average_regret) +
              "," + optional_csv(learner.regret_bound) + "," +
              (!learner.regret_bound        ? ""
               : learner.regret_bound_holds ? "true"
                                            : "false") +
              "," + optional_csv(learner.seconds_per_round) + "," +
              base::number_text(learner.oracle_calls_per_round) + "," +
              std::to_string(learner.infeasible_plays) + "," + std::to_string(learner.alarms) +
              "," + (learner.relative_regret ? interval_csv(*learner.relative_regret) : ",,") +
              "\n";
    }
  }
  return text;
}

std::string formatted(const ExperimentSummary& summary, Format format, bool relative) {
  switch (format) {
    case Format::json:
      return summary_json(summary);
    case Format::csv:
      return relative ? relative_csv(summary) : summary_csv(summary);
    case Format::table:
      break;
  }
  return relative ? relative_table(summary) : summary_table(summary);
}

}  // namespace keyhole::experiment
