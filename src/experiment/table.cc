#include "experiment/table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "experiment/merge.h"
#include "keyhole/error.h"
#include "math/number_text.h"

namespace keyhole::experiment {
namespace {

using Row = std::vector<std::string>;

/// So many significant digits, the same in every locale.
std::string digits(double value, int count) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, count);
  return {text.data(), end.ptr};
}

std::string interval_text(const Interval& interval) {
  return digits(interval.mean, 5) +
         (interval.half_width ? " +- " + digits(*interval.half_width, 2) : "");
}

std::string bound_text(const LearnerSummary& learner) {
  if (!learner.regret_bound) return "-";
  const std::string text = digits(*learner.regret_bound, 4);
  return learner.regret_bound_holds ? text : "(" + text + ")";
}

/// Columns of the width of their longest entry, the first flush left, the others flush right.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], row[j].size());
  }
  std::string text;
  for (const Row& row : rows) {
    text += row.front();
    std::size_t debt = widths.front() - row.front().size();
    for (std::size_t j = 1; j < row.size(); ++j) {
      text += std::string(debt + 2 + widths[j] - row[j].size(), ' ') + row[j];
      debt = 0;
    }
    text += "\n";
  }
  return text;
}

std::string optional_text(const std::optional<double>& value) {
  return value ? math::number_text(*value) : "";
}

std::string interval_csv(const Interval& interval) {
  const auto half = interval.half_width;
  return math::number_text(interval.mean) + "," +
         (half ? math::number_text(interval.mean - *half) : "") + "," +
         (half ? math::number_text(interval.mean + *half) : "");
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
      rows.push_back({learner.named.name, interval_text(learner.average_loss),
                      interval_text(learner.average_regret), bound_text(learner),
                      seconds ? digits(*seconds * 1e6, 3) : "-",
                      digits(learner.oracle_calls_per_round, 3),
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
      "seconds_per_round,oracle_calls_per_round,infeasible_plays,alarms\n";
  for (const ProblemSummary& problem : summary.problems) {
    for (const LearnerSummary& learner : problem.learners) {
      text += csv_field(problem.named.name) + "," + csv_field(learner.named.name) + "," +
              std::to_string(problem.rounds) + "," + std::to_string(summary.repeats) + "," +
              interval_csv(learner.average_loss) + "," + interval_csv(learner.average_regret) +
              "," + optional_text(learner.regret_bound) + "," +
              (!learner.regret_bound        ? ""
               : learner.regret_bound_holds ? "true"
                                            : "false") +
              "," + optional_text(learner.seconds_per_round) + "," +
              math::number_text(learner.oracle_calls_per_round) + "," +
              std::to_string(learner.infeasible_plays) + "," + std::to_string(learner.alarms) +
              "\n";
    }
  }
  return text;
}

std::string formatted(const ExperimentSummary& summary, Format format) {
  switch (format) {
    case Format::json:
      return summary_json(summary);
    case Format::csv:
      return summary_csv(summary);
    case Format::table:
      break;
  }
  return summary_table(summary);
}

}  // namespace keyhole::experiment
