#include "report/study.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "report/text.h"

namespace keyhole::report {
namespace {

/// The mean of numbers, and half of its 95 % interval.
struct Mean {
  explicit Mean(const std::vector<double>& numbers) : count(numbers.size()) {
    double sum = 0;
    for (const double number : numbers) sum += number;
    value = sum / static_cast<double>(count);
    double squares = 0;
    for (const double number : numbers) squares += (number - value) * (number - value);
    if (count < 2) return;
    half = 1.96 * std::sqrt(squares / static_cast<double>(count - 1) / static_cast<double>(count));
  }

  [[nodiscard]] Point at(double t) const {
    if (!half) return {t, value};
    return {t, value, value - *half, value + *half};
  }
  [[nodiscard]] std::string text() const {
    return readable(value) + (half ? " ± " + readable(*half) : "");
  }

  std::size_t count;
  double value;
  std::optional<double> half = {};
};

/// The plays first to last, of which the second is not among them.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// The plays in pieces of equal length: few enough to be drawn, long enough to be averaged.
std::vector<Stretch> stretches_of(std::size_t plays) {
  constexpr std::size_t most = 200;
  constexpr std::size_t least = 12;
  constexpr std::size_t long_enough = 16;
  const std::size_t wanted = std::clamp(plays / long_enough, least, most);
  const std::size_t length = std::max<std::size_t>(1, (plays + wanted - 1) / wanted);
  std::vector<Stretch> stretches;
  for (std::size_t first = 0; first < plays; first += length) {
    stretches.push_back({first, std::min(first + length, plays)});
  }
  return stretches;
}

/// The plays of a stretch whose loss was told, the nearest to the recommendation first.
std::vector<StudyPoint> told_of(const StudyHistory& history, const Stretch& stretch) {
  std::vector<StudyPoint> told;
  for (std::size_t k = stretch.first; k < stretch.last; ++k) {
    if (std::isfinite(history.plays[k].loss)) told.push_back(history.plays[k]);
  }
  std::stable_sort(told.begin(), told.end(), [](const StudyPoint& a, const StudyPoint& b) {
    return a.distance < b.distance;
  });
  return told;
}

std::vector<double> losses_of(const std::vector<StudyPoint>& plays) {
  std::vector<double> losses;
  for (const StudyPoint& play : plays) losses.push_back(play.loss);
  return losses;
}

/// How many plays are the quarter of those of a stretch.
std::size_t quarter(std::size_t plays) { return (plays + 3) / 4; }

/// The plays as a user counts them, for the marks of all figures.
std::vector<Mark> marks_of(const StudyHistory& history) {
  std::vector<Mark> marks;
  for (const double play : history.restarts) marks.push_back({play, "restart"});
  for (const double play : history.changes) marks.push_back({play, "change"});
  return marks;
}

std::string loss_word(const StudyHistory& history) { return history.maximize ? "gain" : "loss"; }

/// A series whose colour is that of its place in the figure.
Series series_of(const std::string& name, std::size_t place) {
  return {.name = name, .key = "series " + std::to_string(place)};
}

Figure loss_figure(const StudyHistory& history, const std::vector<Stretch>& stretches) {
  Series recent = series_of("mean of " + std::to_string(stretches.front().last) + " plays", 0);
  Series so_far = series_of("mean so far", 1);
  double sum = 0;
  double count = 0;
  for (const Stretch& stretch : stretches) {
    const std::vector<double> losses = losses_of(told_of(history, stretch));
    if (losses.empty()) continue;
    const auto t = static_cast<double>(stretch.last);
    for (const double loss : losses) sum += loss;
    count += static_cast<double>(losses.size());
    recent.points.push_back(Mean(losses).at(t));
    so_far.points.push_back({t, sum / count});
  }
  return {.title = history.maximize ? "Gains" : "Losses",
          .note = "Plays one after the other; bands are 95 % intervals of the means.",
          .x_label = "play",
          .y_label = loss_word(history),
          .series = {recent, so_far},
          .marks = marks_of(history)};
}

Figure cost_figure(const StudyHistory& history, const std::vector<Stretch>& stretches) {
  Series all = series_of("all plays", 0);
  Series near = series_of("the nearest quarter", 2);
  for (const Stretch& stretch : stretches) {
    std::vector<StudyPoint> told = told_of(history, stretch);
    if (told.empty()) continue;
    const auto t = static_cast<double>(stretch.last);
    all.points.push_back({t, Mean(losses_of(told)).value});
    told.resize(quarter(told.size()));
    near.points.push_back(Mean(losses_of(told)).at(t));
  }
  return {.title = "What exploring costs",
          .note =
              "All plays, and the quarter of them that were nearest to what was recommended then. "
              "The difference is the price of exploring, with the noise of the losses.",
          .x_label = "play",
          .y_label = loss_word(history),
          .series = {all, near},
          .marks = marks_of(history)};
}

Figure distance_figure(const StudyHistory& history, const std::vector<Stretch>& stretches) {
  Series mean = series_of("mean distance", 0);
  Series largest = series_of("largest distance", 1);
  for (const Stretch& stretch : stretches) {
    double sum = 0;
    double most = 0;
    for (std::size_t k = stretch.first; k < stretch.last; ++k) {
      sum += history.plays[k].distance;
      most = std::max(most, history.plays[k].distance);
    }
    const auto t = static_cast<double>(stretch.last);
    mean.points.push_back({t, sum / static_cast<double>(stretch.last - stretch.first)});
    largest.points.push_back({t, most});
  }
  return {.title = "How far it explores",
          .note = "How far plays were from what was recommended then, as a share of the range.",
          .x_label = "play",
          .y_label = "distance",
          .series = {mean, largest},
          .marks = marks_of(history)};
}

Figure path_figure(const StudyHistory& history) {
  Figure figure{.title = "How the recommendation moved",
                .note = "Where each value was in its range: 0 is the least, 1 the largest.",
                .x_label = "play",
                .y_label = "place in the range",
                .series = history.recommended,
                .marks = marks_of(history)};
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    figure.series[i].key = "series " + std::to_string(i);
  }
  return figure;
}

/// How many losses came after 0, 1, 2 to 3, 4 to 7 and so on further plays.
Figure delay_figure(const StudyHistory& history) {
  std::vector<double> counts;
  for (const StudyPoint& play : history.plays) {
    if (!std::isfinite(play.delay)) continue;
    const std::size_t group =
        play.delay < 1 ? 0 : static_cast<std::size_t>(std::ilogb(play.delay)) + 1;
    if (counts.size() <= group) counts.resize(group + 1);
    ++counts[group];
  }
  Figure figure{.title = "How late losses were told",
                .note = "By how many plays were asked for in between.",
                .x_label = "plays in between",
                .y_label = "losses told",
                .series = {series_of("losses told", 0)}};
  for (std::size_t group = 0; group < counts.size(); ++group) {
    const std::uint64_t from = group == 0 ? 0 : std::uint64_t{1} << (group - 1);
    const std::uint64_t to = group == 0 ? 0 : 2 * from - 1;
    figure.groups.push_back(std::to_string(from) + (to == from ? "" : " to " + std::to_string(to)));
    figure.series[0].points.push_back({static_cast<double>(group), counts[group]});
  }
  return figure;
}

/// The losses of that many plays that were told, from the first on, or from the last back.
std::vector<double> end_losses(const StudyHistory& history, std::size_t count, bool first) {
  std::vector<double> losses;
  const std::size_t n = history.plays.size();
  for (std::size_t k = 0; k < n && losses.size() < count; ++k) {
    const double loss = history.plays[first ? k : n - 1 - k].loss;
    if (std::isfinite(loss)) losses.push_back(loss);
  }
  return losses;
}

std::vector<std::string> introduction(const StudyHistory& history) {
  std::size_t told = 0;
  for (const StudyPoint& play : history.plays) told += std::isfinite(play.loss) ? 1 : 0;
  std::vector<std::string> text = {std::to_string(history.plays.size()) +
                                   " plays were asked for, and " + std::to_string(told) +
                                   " of them told."};
  if (told >= 2) {
    const std::size_t count = std::clamp<std::size_t>(told / 4, 1, 1000);
    const std::string word = history.maximize ? " gains" : " losses";
    text.push_back("The mean of the latest " + std::to_string(count) + word + " is " +
                   Mean(end_losses(history, count, false)).text() + ", that of the first " +
                   std::to_string(count) + " was " + Mean(end_losses(history, count, true)).text() +
                   ".");
  }
  text.insert(text.end(), history.beliefs.begin(), history.beliefs.end());
  if (!history.restarts.empty()) {
    std::string plays;
    for (const double play : history.restarts)
      plays += (plays.empty() ? "" : ", ") + readable(play);
    text.push_back("The learner has started again because the losses changed, before play " +
                   plays + ": the vertical lines.");
  }
  return text;
}

/// What exploring has cost in all, as the figure shows it.
std::string cost_text(const StudyHistory& history, const std::vector<Stretch>& stretches) {
  double cost = 0;
  double count = 0;
  for (const Stretch& stretch : stretches) {
    std::vector<StudyPoint> told = told_of(history, stretch);
    if (told.empty()) continue;
    const double mean = Mean(losses_of(told)).value;
    const auto plays = static_cast<double>(told.size());
    told.resize(quarter(told.size()));
    cost += plays * (mean - Mean(losses_of(told)).value);
    count += plays;
  }
  if (history.maximize) cost = -cost;
  return "Exploring has cost about " + readable(cost) + " in all, " + readable(cost / count) +
         " a play: the difference in the second figure.";
}

}  // namespace

Report of_study(const StudyHistory& history) {
  Report report{.title = "Study " + history.name,
                .introduction = introduction(history),
                .facts = history.facts};
  const bool has_told =
      std::any_of(history.plays.begin(), history.plays.end(),
                  [](const StudyPoint& play) { return std::isfinite(play.loss); });
  const std::vector<Stretch> stretches = stretches_of(history.plays.size());
  if (has_told) {
    report.sections.push_back(
        {.title = history.maximize ? "Gains" : "Losses",
         .text = {cost_text(history, stretches)},
         .figures = {loss_figure(history, stretches), cost_figure(history, stretches)}});
  }
  Section recommended{.title = "Recommendation", .tables = {history.deployed}};
  if (!history.plays.empty()) {
    recommended.figures = {path_figure(history), distance_figure(history, stretches)};
  }
  report.sections.push_back(std::move(recommended));
  Section feedback{.title = "Feedback", .tables = {history.counts}};
  if (has_told) feedback.figures = {delay_figure(history)};
  report.sections.push_back(std::move(feedback));
  return report;
}

}  // namespace keyhole::report
