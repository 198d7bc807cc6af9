#include "experiment/relative.h"

#include <algorithm>

#include "base/csv_text.h"
#include "base/number_text.h"
#include "experiment/columns.h"
#include "experiment/merge.h"
#include "math/elementary.h"

namespace keyhole::experiment {
namespace {

constexpr double geometric_floor = 1e-3;

/// The regrets at a round, if there are any.
RegretAt at(const LearnerSummary& learner, std::uint64_t round) {
  for (const RegretAt& one : learner.checkpoints) {
    if (one.round == round) return one;
  }
  return {};
}

Row header_row(const ExperimentSummary& summary, Row begin) {
  for (const std::uint64_t round : summary.checkpoints) {
    begin.push_back("at " + std::to_string(round));
  }
  return begin;
}

/// Whether there are runs that are long enough for windows.
bool shows_windows(const ExperimentSummary& summary) {
  return std::any_of(summary.problems.begin(), summary.problems.end(), [](const auto& problem) {
    return std::any_of(problem.learners.begin(), problem.learners.end(),
                       [](const auto& learner) { return learner.worst_window.has_value(); });
  });
}

/// The last regret has its interval; those before stand without, or the table were too wide.
Row learner_row(const ExperimentSummary& summary, const LearnerSummary& learner) {
  Row row = {learner.named.name};
  const std::string nothing = learner.left_out ? "n/a" : "-";
  for (const std::uint64_t round : summary.checkpoints) {
    const auto relative = at(learner, round).relative_regret;
    row.push_back(!relative                             ? nothing
                  : round == summary.checkpoints.back() ? interval_text(*relative, 4)
                                                        : base::digits_text(relative->mean, 4));
  }
  const auto recommended = learner.recommended;
  row.push_back(recommended ? base::digits_text(recommended->mean, 4) : nothing);
  const auto largest = learner.largest_relative_regret;
  const auto seconds = learner.seconds_per_round;
  row.push_back(largest ? base::digits_text(*largest, 4) : nothing);
  if (shows_windows(summary)) {
    row.push_back(learner.worst_window ? base::digits_text(*learner.worst_window, 4) : nothing);
  }
  row.push_back(learner.regret_slope ? base::digits_text(*learner.regret_slope, 2) : nothing);
  row.push_back(learner.left_out ? nothing : base::digits_text(learner.oracle_calls_per_round, 3));
  row.push_back(seconds ? base::digits_text(*seconds, 3) : "-");
  return row;
}

/// Why there is nothing at the last round; blank if there is.
std::string why_nothing(const ExperimentSummary& summary, const ProblemSummary& problem) {
  std::string text;
  if (problem.rounds < summary.rounds) {
    text += "it has " + std::to_string(problem.rounds) + " of the " +
            std::to_string(summary.rounds) + " rounds: add a checkpoint that it reaches\n";
  }
  if (!problem.why_no_relative_regret.empty()) {
    text +=
        problem.why_no_relative_regret + " at its last round; 'normalise' gives another divisor\n";
  }
  return text;
}

/// A table of one of the means; those of fewer problems than there are say how many.
std::string means_table(const ExperimentSummary& summary, const std::vector<RelativeMeans>& all,
                        std::optional<double> RelativeMean::*mean,
                        std::uint64_t RelativeMean::*problems = &RelativeMean::problems) {
  std::vector<Row> rows = {header_row(summary, {"learner"})};
  for (const RelativeMeans& learner : all) {
    Row row = {learner.learner};
    for (const RelativeMean& one : learner.means) {
      const auto value = one.*mean;
      row.push_back(
          value ? base::digits_text(*value, 4) + " (" + std::to_string(one.*problems) + ")" : "-");
    }
    rows.push_back(std::move(row));
  }
  return aligned(rows);
}

}  // namespace

std::vector<RelativeMeans> relative_means(const ExperimentSummary& summary) {
  std::vector<RelativeMeans> all;
  if (summary.problems.empty()) return all;
  for (std::size_t k = 0; k < summary.problems.front().learners.size(); ++k) {
    RelativeMeans& means = all.emplace_back();
    means.learner = summary.problems.front().learners[k].named.name;
    for (const std::uint64_t round : summary.checkpoints) {
      RelativeMean mean{.round = round};
      double sum = 0;
      double logarithms = 0;
      double recommended_logarithms = 0;
      for (const ProblemSummary& problem : summary.problems) {
        const RegretAt regret = at(problem.learners[k], round);
        if (!regret.relative_regret) continue;
        ++mean.problems;
        sum += regret.relative_regret->mean;
        logarithms += math::log(std::max(regret.relative_regret->mean, geometric_floor));
        if (!regret.recommended) continue;
        ++mean.recommended_problems;
        recommended_logarithms += math::log(std::max(regret.recommended->mean, geometric_floor));
      }
      if (mean.recommended_problems > 0) {
        const double count = static_cast<double>(mean.recommended_problems);
        mean.recommended = math::exp(recommended_logarithms / count);
      }
      if (mean.problems > 0) {
        const double count = static_cast<double>(mean.problems);
        mean.arithmetic = sum / count;
        mean.geometric = math::exp(logarithms / count);
      }
      means.means.push_back(mean);
    }
  }
  return all;
}

std::string relative_table(const ExperimentSummary& summary) {
  Row top(1 + summary.checkpoints.size());
  Row header = header_row(summary, {"learner"});
  top.insert(top.end(), {"recom-", ""});
  header.insert(header.end(), {"mended", "largest"});
  if (shows_windows(summary)) {
    top.emplace_back("worst");
    header.emplace_back("window");
  }
  top.insert(top.end(), {"", "oracle", "seconds"});
  header.insert(header.end(), {"slope", "calls/round", "/round"});
  std::string text;
  for (const ProblemSummary& problem : summary.problems) {
    std::vector<Row> rows = {top, header};
    for (const LearnerSummary& learner : problem.learners) {
      rows.push_back(learner_row(summary, learner));
    }
    text += "\n" + problem.named.name + "\n" + aligned_below_names(rows) +
            why_nothing(summary, problem);
  }
  const std::vector<RelativeMeans> means = relative_means(summary);
  return "average regret / that of stay, " + std::to_string(summary.repeats) +
         (summary.repeats == 1 ? " repeat\n" : " repeats\n") + text +
         "\narithmetic mean over the problems (their number)\n" +
         means_table(summary, means, &RelativeMean::arithmetic) +
         "\ngeometric mean over the problems, each at least 0.001 (their number)\n" +
         means_table(summary, means, &RelativeMean::geometric) +
         "\nthe same for the points recommended then\n" +
         means_table(summary, means, &RelativeMean::recommended,
                     &RelativeMean::recommended_problems);
}

std::string relative_csv(const ExperimentSummary& summary) {
  std::string text =
      "problem,learner,round,relative_regret,relative_regret_lower,relative_regret_upper,"
      "largest_relative_regret,oracle_calls_per_round,seconds_per_round,left_out,"
      "worst_window,recommended\n";
  for (const ProblemSummary& problem : summary.problems) {
    for (const LearnerSummary& learner : problem.learners) {
      for (const std::uint64_t round : summary.checkpoints) {
        const RegretAt regret = at(learner, round);
        const auto& relative = regret.relative_regret;
        text += base::csv_field(problem.named.name) + "," + base::csv_field(learner.named.name) +
                "," + std::to_string(round) + "," + (relative ? interval_csv(*relative) : ",,") +
                "," + optional_csv(learner.largest_relative_regret) + "," +
                (learner.left_out ? "" : base::number_text(learner.oracle_calls_per_round)) + "," +
                optional_csv(learner.seconds_per_round) + "," +
                (learner.left_out ? "true" : "false") + "," + optional_csv(learner.worst_window) +
                "," + (regret.recommended ? base::number_text(regret.recommended->mean) : "") +
                "\n";
      }
    }
  }
  const std::vector<RelativeMeans> all = relative_means(summary);
  const auto append = [&](const std::string& name, std::optional<double> RelativeMean::*mean) {
    for (const RelativeMeans& learner : all) {
      for (const RelativeMean& one : learner.means) {
        text += name + "," + base::csv_field(learner.learner) + "," + std::to_string(one.round) +
                "," + optional_csv(one.*mean) + ",,,,,,,," +
                optional_csv(mean == &RelativeMean::geometric ? one.recommended : std::nullopt) +
                "\n";
      }
    }
  };
  append("arithmetic mean", &RelativeMean::arithmetic);
  append("geometric mean", &RelativeMean::geometric);
  return text;
}

}  // namespace keyhole::experiment
