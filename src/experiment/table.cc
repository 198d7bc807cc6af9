#include "experiment/table.h"

#include <algorithm>
#include <vector>

#include "base/csv_text.h"
#include "base/number_text.h"
#include "experiment/columns.h"
#include "experiment/merge.h"
#include "experiment/relative.h"
#include "keyhole/error.h"
#include "math/elementary.h"

namespace keyhole::experiment {
namespace {

/// In brackets where no theorem holds, with a star where it says nothing.
std::string bound_text(const ProblemSummary& problem, const LearnerSummary& learner) {
  if (!learner.regret_bound) return "-";
  const std::string text = base::digits_text(*learner.regret_bound, 4);
  if (!learner.regret_bound_holds) return "(" + text + ")";
  return is_vacuous(problem, learner) ? text + "*" : text;
}

/// "learner: 7" for every learner that has some; nothing if none has.
std::string counts(const ProblemSummary& problem, const std::string& begin,
                   std::uint64_t LearnerSummary::*count) {
  std::vector<std::string> items;
  for (const LearnerSummary& learner : problem.learners) {
    if (learner.*count == 0) continue;
    items.push_back(learner.named.name + " " + std::to_string(learner.*count));
  }
  return items.empty() ? "" : wrapped(begin, items);
}

/// Of portfolios: what one unit of money has become, and what the best constant portfolio made of
/// it. The mean of the losses, which are logarithms, gives the geometric mean over the repeats.
std::string wealth(const ProblemSummary& problem) {
  const std::string& spec = problem.named.spec;
  if (spec.substr(0, spec.find('(')) != "portfolio") return "";
  const auto of = [&](double average_loss) {
    return base::digits_text(math::exp(-average_loss * static_cast<double>(problem.rounds)), 4);
  };
  std::vector<std::string> items;
  for (const LearnerSummary& learner : problem.learners) {
    if (learner.left_out) continue;
    if (items.empty()) {
      items.push_back("best constant portfolio " +
                      of(learner.average_loss.mean - learner.average_regret.mean));
    }
    items.push_back(learner.named.name + " " + of(learner.average_loss.mean));
  }
  return items.empty() ? "" : wrapped("wealth at the end, from 1:", items);
}

/// What stands below the table of a problem.
std::string notes(const ProblemSummary& problem) {
  const auto& learners = problem.learners;
  const bool vacuous = std::any_of(learners.begin(), learners.end(), [&](const auto& learner) {
    return is_vacuous(problem, learner);
  });
  std::string text = counts(problem, "infeasible plays:", &LearnerSummary::infeasible_plays) +
                     counts(problem, "alarms:", &LearnerSummary::alarms);
  if (text.empty()) text = "no infeasible plays, no alarms\n";
  if (vacuous) text += "* a bound of 2M or more says nothing: no average regret is larger\n";
  return text + wealth(problem);
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
            (problem.set.size() > 40 ? problem.set.substr(0, 40) + "..." : problem.set) + ", " +
            std::to_string(problem.rounds) + " rounds, " + std::to_string(summary.repeats) +
            (summary.repeats == 1 ? " repeat\n" : " repeats\n");
    std::vector<Row> rows = {
        {"", "", "", "regret", "seconds", "oracle"},
        {"learner", "average loss", "average regret", "bound", "/round", "calls/round"}};
    for (const LearnerSummary& learner : problem.learners) {
      const auto seconds = learner.seconds_per_round;
      if (learner.left_out) {
        rows.push_back(
            {learner.named.name, "n/a", "n/a", "n/a", base::digits_text(*seconds, 3), "n/a"});
        continue;
      }
      rows.push_back({learner.named.name, interval_text(learner.average_loss, 4),
                      interval_text(learner.average_regret, 4), bound_text(problem, learner),
                      seconds ? base::digits_text(*seconds, 3) : "-",
                      base::digits_text(learner.oracle_calls_per_round, 3)});
    }
    text += aligned_below_names(rows) + notes(problem);
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
