#include "report/text.h"
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
    case Verdict::not_reproduced:
      break;
  }
  return report::Verdict::bad;
}

Table claims(const std::vector<Claim>& all) {
  Table table{.title = "The claims",
              .note =
                  "Measured are means over the repeats -+ half of the 95 % interval, of times "
                  "the median and the range of several passes. Reproduced means: order, if each "
                  "curve ends below the next and the interval of the difference, repeat by "
                  "repeat, excludes 0; decline, if the end is below a quarter of the way; "
                  "linear, if the end is at least 0.9 of it; times, if within a factor of 1.5.",
              .header = {{"claim"}, {"paper"}, {"measured"}, {"verdict"}}};
  for (const Claim& claim : all) {
    table.rows.push_back({{claim.text},
                          {claim.paper},
                          {lines_of(claim, "\n")},
                          {text_of(claim.verdict), sign_of(claim.verdict)}});
  }
  return table;
}

/// Which choices are the paper's and which are fitted or ours.
Table constants() {
  return {.title = "The constants",
          .note =
              "paper: stated in the paper; fitted: chosen so that the published curves come out; "
              "ours: our choice. No code was released, and c, M and G are stated nowhere.",
          .header = {{"experiment"},
                     {"set and centre"},
                     {"x_1"},
                     {"c, alpha"},
                     {"M"},
                     {"G of StochOCG"},
                     {"n of the estimator"}},
          .rows = {
              {{"quadratic, published"},
               {"polytope (paper), n = 50 with 8 rows (fitted)"},
               {"near 0, squared norm 0.0138 (fitted)"},
               {"c = 1, no shrinking (fitted)"},
               {"30 (fitted)"},
               {"1.5 x the largest of a sample (ours)"},
               {"n"}},
              {{"quadratic, proven"},
               {"the same, Chebyshev centre (ours)"},
               {"centre"},
               {"c = r/2, alpha = delta/r (ours)"},
               {"1.5 x the largest of a sample (ours)"},
               {"likewise (ours)"},
               {"n"}},
              {{"portfolio, published"},
               {"enlarged region, y = 0 (paper), r = 1"},
               {"y = 0 (paper)"},
               {"c = 1 (fitted)"},
               {"ln 2n (ours)"},
               {"from the data (ours)"},
               {"n"}},
              {{"portfolio, published, for comparison"},
               {"simplex, 1/n (ours)"},
               {"centre"},
               {"c = 1/2n: 1 in the paper's units (ours)"},
               {"ln 2n (ours)"},
               {"from the data (ours)"},
               {"n - 1"}},
              {{"portfolio, proven"},
               {"each of the two regions, y = 0 and 1/n"},
               {"centre"},
               {"c = r/2 (ours)"},
               {"from the data (ours)"},
               {"from the data (ours)"},
               {"of its hull"}},
              {{"completion, published"},
               {"nuclear norm <= 18 with the oracle of the psd trace ball (paper)"},
               {"0 (fitted)"},
               {"c = 1 (fitted)"},
               {"6000 (fitted)"},
               {"1.5 x the largest of a sample (ours)"},
               {"190 (paper)"}},
              {{"completion, proven"},
               {"each of three sets, at its own centre (ours)"},
               {"centre"},
               {"c = r/2 (ours)"},
               {"1.5 x the largest of a sample (ours)"},
               {"likewise (ours)"},
               {"of its hull"}},
          }};
}

/// Panel d of the figure, as numbers.
Table times(const std::vector<Outcome>& outcomes) {
  Table table{.title = "Time of a round, relative to Proposed",
              .note =
                  "Medians of several passes in one thread, and their range; the learner's own "
                  "ask and tell.",
              .header = {{"run"}, {"learner"}, {"paper", true}, {"measured", true}}};
  for (const Outcome& outcome : outcomes) {
    for (const std::string learner : {"FKM", "StochOCG"}) {
      const Spread& spread = outcome.relative_time.at(learner);
      table.rows.push_back({{outcome.run.name},
                            {learner},
                            {readable(published_time(outcome.run.experiment, learner))},
                            {readable(spread.median) + " [" + readable(spread.least) + ", " +
                             readable(spread.largest) + "]"}});
    }
  }
  return table;
}

/// Panel d of the figure: bars of one setting, the paper's beside ours.
Figure bars_of_times(const std::vector<Outcome>& outcomes, Setting setting) {
  Figure figure{.title = std::string("Time of a round over Proposed's, ") + name_of(setting),
                .note =
                    "Hatched: the paper's Figure 1d. Above the line slower than Proposed, "
                    "below it faster.",
                .y_label = "time of a round / Proposed's",
                .log_y = true,
                .reference = 1};
  for (const std::string learner : {"FKM", "StochOCG"}) {
    Series ours{.name = learner, .key = learner};
    Series paper{.name = learner + ", paper", .style = Style::dashed, .key = learner};
    double group = 0;
    for (const Outcome& outcome : outcomes) {
      if (outcome.run.setting != setting) continue;
      const Spread& spread = outcome.relative_time.at(learner);
      ours.points.push_back({group, spread.median, spread.least, spread.largest});
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

Table summary(const Outcome& outcome) {
  Table table{.title = "After the last round",
              .note = "outside counts plays outside the set, alarms what exceeded M or G.",
              .header = {{"learner"},
                         {"average loss", true},
                         {"average regret", true},
                         {"bound", true},
                         {"outside", true},
                         {"alarms", true}}};
  const auto interval = [](const experiment::Interval& value) -> Cell {
    return {readable(value.mean) +
            (value.half_width ? " \u00b1 " + readable(*value.half_width) : "")};
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

Section section(const Outcome& outcome) {
  const bool published = outcome.run.setting == Setting::published;
  Section result{.title = outcome.run.title + " (" + name_of(outcome.run.setting) + ")"};
  result.text.push_back(outcome.problem().named.spec + ", " +
                        std::to_string(outcome.problem().rounds) + " rounds, " +
                        std::to_string(outcome.summary.repeats) + " repeats.");
  for (const std::string& warning : outcome.problem().warnings) {
    result.text.push_back("Note: " + warning);
  }
  Figure loss{.title = "Average loss",
              .note = published && outcome.run.counts ? "Dashed: the paper's Figure 1." : "",
              .x_label = "round",
              .y_label = "average loss so far",
              .log_x = true,
              .log_y = false,
              .series = outcome.curves.average_loss};
  if (published && outcome.run.counts) {
    for (Series& series : published_series(outcome.run.experiment)) {
      loss.series.push_back(std::move(series));
    }
  }
  result.figures.push_back(loss);
  result.figures.push_back({.title = "Average regret",
                            .note = "Against the best fixed point of the rounds so far.",
                            .x_label = "round",
                            .y_label = "average regret so far",
                            .log_x = true,
                            .log_y = true,
                            .series = outcome.curves.average_regret});
  result.tables.push_back(summary(outcome));
  return result;
}

}  // namespace

report::Report report_of(const Reproduction& reproduction, const Options& options,
                         const std::string& command) {
  report::Report report{.title = "Projection-Free Bandit Convex Optimization, reproduced"};
  report.introduction = {
      "The evaluation of Chen, Zhang and Karbasi (AISTATS 2019): their Algorithm 2 (Proposed) next "
      "to "
      "FKM, which projects, the variant without regularizer, and StochOCG, which sees noisy "
      "gradients. All in their anytime form, with three controls that learn nothing.",
      "Two settings. Published is the literal one that fits the published curves: short horizons, "
      "c = 1, and on the polytope no shrinking, so that plays leave the set (they are counted). "
      "Proven keeps every play in the set and runs longer."};
  const experiment::ExperimentSummary& any = reproduction.outcomes.front().summary;
  report.facts = {{"seed", std::to_string(any.seed)},
                  {"repeats", std::to_string(any.repeats)},
                  {"version", std::string(any.version) + ", commit " + any.commit},
                  {"trace revision", std::to_string(any.trace_revision)},
                  {"prices", options.wishes.prices.empty() ? "synthetic market" : "from a file"},
                  {"command", command}};
  report.sections.push_back(
      {.title = "What the paper claims", .tables = {claims(reproduction.claims)}});
  for (const Outcome& outcome : reproduction.outcomes) report.sections.push_back(section(outcome));
  Section last{.title = "Times and constants",
               .tables = {times(reproduction.outcomes), constants()}};
  for (const Setting setting : options.settings) {
    last.figures.push_back(bars_of_times(reproduction.outcomes, setting));
  }
  report.sections.push_back(std::move(last));
  return report;
}

}  // namespace keyhole::reproduction
