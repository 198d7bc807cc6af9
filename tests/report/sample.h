// A report and a directory of results to look at: four learners and three controls on three
// problems. The numbers are made up, but of the shape that real ones have; the published curves are
// readings of Figure 1 of Chen, Zhang and Karbasi (2019).

#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "report/report.h"

namespace keyhole::tests {

struct SampleLearner {
  std::string name;
  std::string spec;
  double scale;     // of its average regret, as a share of the problem's
  double exponent;  // average regret ~ t^-exponent
  bool published;   // among the curves of Figure 1
};

inline const std::vector<SampleLearner>& sample_learners() {
  static const std::vector<SampleLearner> learners = {
      {"projection-free", "anytime(projection_free)", 1.3, 0.2, true},
      {"FKM", "anytime(fkm(delta=0.0125,eta=0.001,shrink=0.05,loss_bound=1.5,gradient_bound=12.5))",
       0.7, 0.25, true},
      {"unregularized", "anytime(unregularized)", 1.0, 0.02, true},
      {"stochastic OCG", "anytime(stochastic_ocg)", 0.9, 0.22, true},
      {"OGD", "ogd", 0.8, 0.5, false},
      {"OCG", "anytime(ocg)", 0.85, 0.25, false},
      {"uniform exploration", "uniform", 1.1, 0.0, false}};
  return learners;
}

struct SampleProblem {
  std::string name;
  std::string spec;
  std::string set;
  double scale;  // of the regret
  double best;   // average loss of the best point
  std::uint64_t rounds;
  std::vector<double> t;                       // published rounds...
  std::vector<std::vector<double>> published;  // ...and values, a row a learner
};

inline const std::vector<SampleProblem>& sample_problems() {
  static const std::vector<SampleProblem> problems = {
      {"quadratic",
       "quadratic(n=10, rows=10)",
       "ball(10)",
       30,
       1.5,
       2000,
       {1, 3, 9, 33, 129, 501, 1001, 2000},
       {{25.48, 39.69, 37.2, 31.6, 24.9, 18.5, 15.0, 11.67},
        {18.08, 16.6, 14.1, 12.8, 10.0, 6.9, 5.6, 4.69},
        {25.78, 22.9, 23.4, 28.3, 30.4, 29.9, 30.0, 31.44},
        {0.344, 0.25, 8.3, 21.0, 20.9, 16.5, 13.6, 10.45}}},
      {"portfolio",
       "portfolio(n=100)",
       "simplex(100)",
       0.9,
       0.001,
       1000,
       {1, 3, 9, 33, 129, 501, 1000},
       {{0.693, 0.501, 0.358, 0.151, 0.0516, 0.0149, 0.0083},
        {0.693, 0.618, 0.535, 0.392, 0.28, 0.211, 0.193},
        {0.693, 1.158, 1.067, 0.5, 0.181, 0.0544, 0.0308},
        {0.693, 1.441, 1.314, 0.593, 0.211, 0.0623, 0.035}}},
      {"completion",
       "matrix_completion(m=20, n=20)",
       "nuclear_ball(20, 20, radius=18)",
       240,
       3420,
       200,
       {1, 3, 9, 33, 129, 200},
       {{3658.5, 3576, 3535, 3467, 3445, 3436.8},
        {3658.5, 3590, 3560, 3508, 3488, 3478.7},
        {3658.2, 3578, 3534, 3468, 3452, 3445.6},
        {3658.4, 3579, 3540, 3477, 3455, 3445.4}}}};
  return problems;
}

/// About sixteen rounds an octave, as the runner's grid has them.
inline std::vector<double> sample_grid(std::uint64_t rounds) {
  std::vector<double> grid;
  for (int k = 0;; ++k) {
    const double t = std::floor(std::exp2(k / 16.0));
    if (t >= static_cast<double>(rounds)) break;
    if (grid.empty() || t > grid.back()) grid.push_back(t);
  }
  grid.push_back(static_cast<double>(rounds));
  return grid;
}

inline report::Point sample_point(const SampleProblem& problem, const SampleLearner& learner,
                                  double t, bool regret) {
  const double value = problem.scale * learner.scale * std::pow(t, -learner.exponent) *
                       (1 + 0.15 * std::sin(1.7 * std::log(t) + 9 * learner.scale) / std::sqrt(t));
  const double width = 0.25 * problem.scale / std::pow(t, 0.45);
  // The controls' regret falls below zero in places, as that of a lucky learner does.
  const double shift = regret && learner.name == "OGD" ? -0.03 * problem.scale : 0;
  const double mean = value + shift + (regret ? 0 : problem.best);
  return {t, mean, mean - width, mean + width};
}

/// The curve of a learner.
inline report::Series sample_series(const SampleProblem& problem, const SampleLearner& learner,
                                    bool regret) {
  report::Series series{.name = learner.name};
  for (const double t : sample_grid(problem.rounds)) {
    series.points.push_back(sample_point(problem, learner, t, regret));
  }
  return series;
}

/// A reproduction of Figure 1: published curves dashed, claims, constants.
inline report::Report sample_report() {
  report::Report report{
      .title = "Projection-free bandit convex optimisation: a sample",
      .introduction = {"All numbers of the solid curves are made up; they show what a report looks "
                       "like. Dashed curves are those of the paper's Figure 1."},
      .facts = {{"seed", "1"},
                {"version", "0.1.0"},
                {"commit", "0123456789ab"},
                {"trace revision", "1"},
                {"command", "keyhole reproduce --repeats 20 --out results/figure1"}}};
  for (const SampleProblem& problem : sample_problems()) {
    report::Section section{.title = "Figure 1: " + problem.name,
                            .text = {problem.spec + " on " + problem.set + "."}};
    for (const bool regret : {false, true}) {
      report::Figure figure{
          .title = (regret ? "Average regret, " : "Average loss, ") + problem.name,
          .note = "Bands: 95 % intervals of the mean of 20 repeats.",
          .x_label = "round",
          .y_label = regret ? "average regret" : "average loss",
          .log_x = regret,
          .log_y = regret};
      for (std::size_t k = 0; k < sample_learners().size(); ++k) {
        const SampleLearner& learner = sample_learners()[k];
        figure.series.push_back(sample_series(problem, learner, regret));
        if (!learner.published || regret) continue;
        report::Series published{.name = learner.name + ", published",
                                 .style = report::Style::dashed,
                                 .key = learner.name};
        for (std::size_t i = 0; i < problem.t.size(); ++i) {
          published.points.push_back({problem.t[i], problem.published[k][i]});
        }
        figure.series.push_back(published);
      }
      section.figures.push_back(figure);
    }
    report.sections.push_back(section);
  }
  report::Figure times{
      .title = "Time of a round",
      .y_label = "time / projection-free's",
      .log_y = true,
      .series = {{.name = "FKM", .points = {{0, 0.8, 0.7, 0.9}, {1, 1.37}, {2, 3.7, 3.5, 4.1}}},
                 {.name = "FKM, published",
                  .points = {{0, 7.2}, {1, 5}, {2, 61.3}},
                  .style = report::Style::dashed,
                  .key = "FKM"}},
      .groups = {"quadratic", "portfolio", "completion"},
      .reference = 1};
  using report::Verdict;
  report.sections.push_back(
      {.title = "Claims and constants",
       .figures = {times},
       .tables = {
           {.title = "Claims of the paper",
            .note = "What the paper says, what was measured, and whether they agree.",
            .header = {{"claim"}, {"published", true}, {"measured", true}, {"verdict"}},
            .rows = {{{"FKM is below the proposed learner on the quadratic problem"},
                      {"4.69 < 11.67"},
                      {"4.9 < 12.3"},
                      {"agrees", Verdict::good}},
                     {{"the proposed learner is best on the portfolio"},
                      {"0.0083"},
                      {"0.021"},
                      {"in order, not in size", Verdict::partly}},
                     {{"without regularisation the loss does not fall"},
                      {"31.4"},
                      {"8.1"},
                      {"does not agree", Verdict::bad}}}},
           {.title = "quadratic: the order of the four curves at the end",
            .verdict = {"reproduced only in setting published", Verdict::partly},
            .header = {{"average loss"},
                       {"FKM", true},
                       {"StochOCG", true},
                       {"Proposed", true},
                       {"Unregularized", true}},
            .rows = {{{"paper"}, {"4.69"}, {"10.45"}, {"11.67"}, {"31.44"}},
                     {{"proven", Verdict::bad},
                      {"1.304 [1.271, 1.337]"},
                      {"0.8384 [0.8361, 0.8407]"},
                      {"1.658 [1.617, 1.699]"},
                      {"22.61 [21.9, 23.32]"}}}},
           {.title = "Constants",
            .header =
                {{"problem"}, {"T", true}, {"n", true}, {"D", true}, {"r", true}, {"M", true}},
            .rows = {{{"quadratic"}, {"2000"}, {"10"}, {"2"}, {"1"}, {"52.3"}},
                     {{"portfolio"}, {"1000"}, {"100"}, {"1.414"}, {"0.01005"}, {"4.605"}}}}}});
  return report;
}

/// Figures that are hard to draw: no point, one point, nothing positive, huge, tiny and constant
/// numbers, gaps, many curves, names with markup.
inline report::Report odd_report() {
  const double nan = std::nan("");
  report::Section section{.title = "Odd <figures>"};
  const auto add = [&](const std::string& title, std::vector<report::Point> points) {
    section.figures.push_back({.title = title,
                               .x_label = "round",
                               .y_label = "y",
                               .log_x = true,
                               .log_y = true,
                               .series = {{.name = title, .points = std::move(points)}}});
  };
  add("no point", {});
  add("one point", {{7, 3, 2, 4}});
  add("nothing positive", {{1, -1}, {10, -5}, {100, 0}});
  add("huge", {{1, 1e12}, {1000, 3e15}, {1e7, 2e18}});
  add("tiny", {{1, 1e-9, 0, 2e-9}, {10, 3e-8}, {100, 5e-12}});
  add("constant", {{1, 3658.4}, {50, 3658.4}, {100, 3658.4}});
  add("gaps", {{1, 5}, {2, nan}, {3, 4}, {4, 3}, {5, nan}, {6, 2}});
  add("<img src=x onerror=alert(1)>\"' &amp;", {{1, 5}, {2, 4}});
  section.figures.push_back({.title = "many", .x_label = "round", .y_label = "y"});
  for (int k = 0; k < 12; ++k) {
    report::Series series{.name = "a learner with quite a long name, number " + std::to_string(k),
                          .style = k % 5 == 4 ? report::Style::dashed : report::Style::solid};
    for (int t = 1; t <= 100; ++t) series.points.push_back({1.0 * t, k + 5.0 / t});
    section.figures.back().series.push_back(series);
  }
  // A control lies below the curve that it shares its first half with.
  section.figures.push_back(
      {.title = "a control",
       .x_label = "round",
       .y_label = "y",
       .series = {{.name = "stay", .style = report::Style::faint}, {.name = "above"}}});
  for (int t = 1; t <= 100; ++t) {
    section.figures.back().series[0].points.push_back({1.0 * t, 2});
    section.figures.back().series[1].points.push_back({1.0 * t, t <= 50 ? 2.0 : 0.04 * t});
  }
  section.figures.push_back({.title = "bars below zero, gaps, markup",
                             .y_label = "y",
                             .log_y = true,
                             .series = {{.name = "<b>", .points = {{0, -3}, {1, nan}, {2, 5}}},
                                        {.name = "late", .points = {{2, 1e-7}}}},
                             .groups = {"<i>one</i>", "'two\ntwo`", "three"}});
  return {.title = "Odd", .sections = {section}};
}

/// Writes curves.csv and summary.json.
inline void write_sample_results(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  const auto number = [](double value) { return base::number_text(value); };
  std::ofstream curves(directory / "curves.csv");
  std::ofstream summary(directory / "summary.json");
  curves << "problem,learner,measure,round,mean,lower,upper,repeats\n";
  summary << R"({"version": "0.1.0", "commit": "0123456789ab", "trace_revision": 1, "seed": 1,)"
          << R"( "rounds": 2000, "repeats": 20, "problems": [)";
  const char* comma = "";
  for (const SampleProblem& problem : sample_problems()) {
    summary << comma << R"({"name": ")" << problem.name << R"(", "spec": ")" << problem.spec
            << R"(", "set": ")" << problem.set << R"(", "rounds": )" << problem.rounds
            << R"(, "warnings": ["The best fixed point is known to 1e-6."], "learners": [)";
    comma = "";
    for (const SampleLearner& learner : sample_learners()) {
      const double last = static_cast<double>(problem.rounds);
      for (const bool regret : {false, true}) {
        const std::string measure = regret ? "average_regret" : "average_loss";
        for (const double t : sample_grid(problem.rounds)) {
          const report::Point point = sample_point(problem, learner, t, regret);
          curves << problem.name << "," << learner.name << "," << measure << "," << number(t) << ","
                 << number(point.mean) << "," << number(*point.lower) << "," << number(*point.upper)
                 << ",20\n";
        }
      }
      const auto interval = [&](bool regret) {
        const report::Point point = sample_point(problem, learner, last, regret);
        return R"({"mean": )" + number(point.mean) + R"(, "lower": )" + number(*point.lower) +
               R"(, "upper": )" + number(*point.upper) + "}";
      };
      summary << comma << R"({"name": ")" << learner.name << R"(", "spec": ")" << learner.spec
              << R"(", "average_loss": )" << interval(false) << R"(, "average_regret": )"
              << interval(true) << R"(, "regret_bound": )"
              << (learner.name == "FKM"
                      ? R"({"per_round": 4000.6, "holds": true, "note": "Theorem 2"})"
                      : "null")
              << R"(, "seconds_per_round": 1.25e-6, "oracle_calls_per_round": 1,)"
              << R"( "infeasible_plays": 0, "alarms": )" << (learner.name == "OCG" ? 3 : 0) << "}";
      comma = ",\n  ";
    }
    summary << "]}";
    comma = ",\n ";
  }
  summary << "]}\n";
}

}  // namespace keyhole::tests
