#include <algorithm>
#include <optional>

#include "report/text.h"
#include "reproduction/claims_text.h"
#include "reproduction/constants.h"
#include "reproduction/notes.h"
#include "reproduction/published_curves.h"
#include "reproduction/reproduce.h"

namespace keyhole::reproduction {
namespace {

using report::Cell;
using report::Figure;
using report::readable;
using report::Section;
using report::Series;
using report::Style;
using report::Table;

report::Verdict sign_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return report::Verdict::good;
    case Verdict::only_published:
    case Verdict::only_proven:
      return report::Verdict::partly;
    case Verdict::undecided:
    case Verdict::not_comparable:
      return report::Verdict::warn;
    case Verdict::not_reproduced:
      break;
  }
  return report::Verdict::bad;
}

report::Verdict sign_of(Holds holds) {
  constexpr report::Verdict signs[] = {report::Verdict::bad, report::Verdict::warn,
                                       report::Verdict::good};
  return signs[static_cast<int>(holds)];
}

/// "3.24 [3.18, 3.3]"
std::string with_interval(double value, const std::optional<double>& lower,
                          const std::optional<double>& upper) {
  if (!lower || !upper) return readable(value);
  return readable(value) + " [" + readable(*lower) + ",\u00a0" + readable(*upper) + "]";
}

/// A claim: the verdict before its title, the paper's numbers above ours.
Table table_of(const Claim& claim) {
  Table table{.title = claim.text,
              .verdict = {text_of(claim.verdict), sign_of(claim.verdict)},
              .header = {{claim.quantity}},
              .rows = {{{"paper"}}}};
  for (const std::string& column : claim.columns) table.header.push_back({column, true});
  for (const double number : claim.paper) table.rows.front().push_back({readable(number)});
  for (const Evidence& evidence : claim.measured) {
    auto& row = table.rows.emplace_back();
    row.push_back(
        {evidence.label, evidence.counts ? sign_of(evidence.holds) : report::Verdict::none});
    for (const Number& number : evidence.numbers) {
      row.push_back({with_interval(number.value, number.lower, number.upper)});
    }
  }
  return table;
}

Section claims(const std::vector<Claim>& all) {
  Section section{
      .title = "What the paper claims",
      .text = {
          "Two settings. Published is the literal one that fits the published curves: short "
          "horizons, c = 1, and on the polytope no shrinking, so that plays leave the set "
          "(they are counted). Proven keeps every play in the set and runs longer.",
          "Numbers are means over the repeats with their 95 % intervals; times are medians of "
          "nine passes with one of 96 %. An order is reproduced if each curve ends below "
          "the next and the interval of the difference, repeat by repeat, excludes 0. A curve "
          "declines if its end is below where it was after a quarter of the rounds, and does "
          "not decline if its end is at least 0.9 of that. A time is reproduced if its "
          "interval is within a factor of 1.5, and undecided if only a part of it is. An order on "
          "portfolios that comes out on a synthetic market alone is not comparable: it "
          "stands in for prices."}};
  for (const Claim& claim : all) section.tables.push_back(table_of(claim));
  return section;
}

/// Panel d of the figure, as numbers.
Table times(const std::vector<Outcome>& outcomes) {
  Table table{
      .title = "Time per round, relative to Proposed",
      .note =
          "Medians of nine passes in one thread, and their 96 % intervals; the learner's own "
          "ask and tell.",
      .header = {{"run"}, {"learner"}, {"paper", true}, {"measured", true}}};
  for (const Outcome& outcome : outcomes) {
    for (const std::string learner : {"FKM", "StochOCG"}) {
      const Spread& spread = outcome.relative_time.at(learner);
      table.rows.push_back({{outcome.run.name},
                            {learner},
                            {readable(published_time(outcome.run.experiment, learner))},
                            {with_interval(spread.median, spread.lower, spread.upper)}});
    }
  }
  return table;
}

/// Panel d of the figure: bars of one setting, the paper's next to ours.
Figure bars_of_times(const std::vector<Outcome>& outcomes, Setting setting) {
  Figure figure{.title = std::string("Time per round / Proposed's, ") + name_of(setting),
                .note =
                    "Hatched: the paper's Figure 1d. Above the line slower than Proposed, "
                    "below it faster.",
                .y_label = "time per round / Proposed's",
                .log_y = true,
                .reference = 1};
  for (const std::string learner : {"FKM", "StochOCG"}) {
    Series ours{.name = learner, .key = learner};
    Series paper{.name = learner + ", paper", .style = Style::dashed, .key = learner};
    double group = 0;
    for (const Outcome& outcome : outcomes) {
      if (outcome.run.setting != setting) continue;
      const Spread& spread = outcome.relative_time.at(learner);
      ours.points.push_back({group, spread.median, spread.lower, spread.upper});
      paper.points.push_back({group, published_time(outcome.run.experiment, learner)});
      ++group;
    }
    figure.series.push_back(std::move(ours));
    figure.series.push_back(std::move(paper));
  }
  for (const Outcome& outcome : outcomes) {
    if (outcome.run.setting == setting) figure.groups.push_back(outcome.run.label());
  }
  return figure;
}

std::vector<Series> published_series(const std::string& experiment) {
  std::vector<Series> all;
  for (const std::string& learner : paper_learners()) {
    Series series{
        .name = learner + ", paper", .points = {}, .style = Style::dashed, .key = learner};
    for (const PublishedPoint& point : published_curve(experiment)) {
      series.points.push_back({.t = point.t, .mean = point.of(learner)});
    }
    all.push_back(series);
  }
  return all;
}

/// How long the default learner plays, where that is not what the others do.
std::string default_note(const Outcome& outcome) {
  return std::string(default_learner) + " played " + std::to_string(outcome.default_rounds) +
         " rounds in the first " + std::to_string(outcome.default_repeats) +
         " repeats, on the same losses.";
}

Table summary(const Outcome& outcome) {
  Table table{.title = "After the last round",
              .note = "Infeasible plays are outside the set, alarms count what exceeded M or G. " +
                      default_note(outcome),
              .header = {{"learner"},
                         {"average loss", true},
                         {"average regret", true},
                         {"regret bound", true},
                         {"infeasible plays", true},
                         {"alarms", true}}};
  const auto interval = [](const experiment::Interval& value) -> Cell {
    const double half = value.half_width.value_or(0);
    return {value.half_width ? with_interval(value.mean, value.mean - half, value.mean + half)
                             : readable(value.mean)};
  };
  const auto count = [](std::uint64_t value) -> Cell {
    return {std::to_string(value), value > 0 ? report::Verdict::warn : report::Verdict::none};
  };
  for (const experiment::LearnerSummary& learner : outcome.problem().learners) {
    table.rows.push_back(
        {{learner.named.name},
         interval(learner.average_loss),
         interval(learner.average_regret),
         {learner.regret_bound && learner.regret_bound_holds ? readable(*learner.regret_bound)
                                                             : "none"},
         count(learner.infeasible_plays),
         count(learner.alarms)});
  }
  return table;
}

/// The curves of average losses, the paper's dashed where there are any.
Figure losses(const Outcome& outcome, const std::string& title) {
  const bool published = outcome.run.setting == Setting::published && outcome.run.counts;
  Figure figure{.title = title,
                .note = published ? "Dashed: the paper's Figure 1." : "",
                .x_label = "round",
                .y_label = "average loss so far",
                .log_x = true,
                .log_y = false,
                .series = outcome.curves.average_loss};
  make_readable(figure);
  if (published) {
    for (Series& series : published_series(outcome.run.experiment)) {
      figure.series.push_back(std::move(series));
    }
  }
  return figure;
}

/// What each learner had lost when the default learner ended; the bandits first.
struct Standing {
  std::vector<double> bandits;  // Proposed, FKM, Unregularized
  double stochastic = 0;
  double by_default = 0;
  double stay = 0;
};

Standing standing(const Outcome& outcome) {
  const double round = static_cast<double>(outcome.default_rounds);
  const auto at = [&](const std::string& name) {
    return at_round(outcome.losses(name), round).mean;
  };
  return {{at("Proposed"), at("FKM"), at("Unregularized")},
          at("StochOCG"),
          at(default_learner),
          at("stay")};
}

/// What to use today: the default learner next to the paper's.
Table today(const std::vector<Outcome>& outcomes) {
  Table table{.title = "What to use today: average loss when the default learner ends",
              .note =
                  "Stay plays the set's centre. StochOCG is told gradients, the others losses "
                  "alone. Plays outside the set are counted in the tables below.",
              .header = {{"run"},
                         {"round", true},
                         {default_learner, true},
                         {"Proposed", true},
                         {"FKM", true},
                         {"Unregularized", true},
                         {"StochOCG", true},
                         {"stay", true}}};
  for (const Outcome& outcome : outcomes) {
    const Standing one = standing(outcome);
    std::vector<Cell> row = {
        {outcome.run.name}, {std::to_string(outcome.default_rounds)}, {readable(one.by_default)}};
    for (const double loss : one.bandits) row.push_back({readable(loss)});
    row.push_back({readable(one.stochastic)});
    row.push_back({readable(one.stay)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The first screen: the quadratic problem, and how the default learner compares.
Section result_of(const std::vector<Outcome>& outcomes) {
  Section result{.title = "The result"};
  std::size_t below = 0;
  for (const Outcome& outcome : outcomes) {
    const Standing one = standing(outcome);
    if (one.by_default < *std::min_element(one.bandits.begin(), one.bandits.end())) ++below;
    if (outcome.run.experiment == "quadratic") {
      result.figures.push_back(
          losses(outcome, outcome.run.title + ", " + name_of(outcome.run.setting) + " constants"));
    }
  }
  result.text.push_back(
      "Keyhole's default learner, posterior, ends below Proposed, FKM and "
      "Unregularized in " +
      std::to_string(below) + " of " + std::to_string(outcomes.size()) + " runs.");
  result.tables.push_back(today(outcomes));
  return result;
}

/// Seed, version and command.
Table made_by(const Reproduction& reproduction, const Options& options,
              const std::string& command) {
  const experiment::ExperimentSummary& any = reproduction.outcomes.front().summary;
  return {
      .title = "How this report was made",
      .header = {{"what"}, {"value"}},
      .rows = {{{"command"}, {command}},
               {{"prices"}, {options.wishes.prices.empty() ? "synthetic market" : "from a file"}},
               {{"seed"}, {std::to_string(any.seed)}},
               {{"repeats"}, {std::to_string(any.repeats)}},
               {{"version"}, {std::string(any.version) + ", commit " + any.commit}},
               {{"trace revision"}, {std::to_string(any.trace_revision)}}}};
}

Section section(const Outcome& outcome) {
  Section result{.title = outcome.run.title + " (" + name_of(outcome.run.setting) + ")"};
  result.text.push_back(outcome.problem().named.spec + ", " +
                        std::to_string(outcome.problem().rounds) + " rounds, " +
                        std::to_string(outcome.summary.repeats) + " repeats.");
  for (const std::string& warning : outcome.problem().warnings) {
    result.text.push_back("Note: " + warning);
  }
  if (const std::string controls = better_controls(outcome); !controls.empty()) {
    result.text.push_back(controls);
  }
  result.figures.push_back(losses(outcome, "Average loss"));
  Figure regret{.title = "Average regret",
                .note = "Against the best fixed point of the rounds so far.",
                .x_label = "round",
                .y_label = "average regret so far",
                .log_x = true,
                .log_y = true,
                .series = outcome.curves.average_regret};
  make_readable(regret);
  result.figures.push_back(std::move(regret));
  result.tables.push_back(summary(outcome));
  return result;
}

}  // namespace

report::Report report_of(const Reproduction& reproduction, const Options& options,
                         const std::string& command) {
  report::Report report{.title = "Projection-Free Bandit Convex Optimization, reproduced",
                        .headline = headline(reproduction.claims)};
  report.introduction = {
      "The evaluation of Chen, Zhang and Karbasi (AISTATS 2019): their Algorithm 2 (Proposed), "
      "FKM, "
      "which projects, Unregularized, and StochOCG, which sees noisy gradients. Grey: controls "
      "that "
      "learn nothing."};
  report.sections.push_back(result_of(reproduction.outcomes));
  report.sections.push_back(claims(reproduction.claims));
  for (const Outcome& outcome : reproduction.outcomes) report.sections.push_back(section(outcome));
  Section last{.title = "Times, constants, command",
               .tables = {times(reproduction.outcomes), table_of_constants(),
                          made_by(reproduction, options, command)}};
  for (const Setting setting : options.settings) {
    last.figures.push_back(bars_of_times(reproduction.outcomes, setting));
  }
  report.sections.push_back(std::move(last));
  return report;
}

}  // namespace keyhole::reproduction
