#include "cli/views/view.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "cli/padded.h"
#include "report/text.h"
#include "studies/json/alarms.h"
#include "studies/json/study_json.h"

namespace keyhole::cli {
namespace {

using report::readable;
using studies::counted;

/// A line of a name and a text.
Line fact(const std::string& name, Span span) {
  constexpr std::size_t width = 12;
  return {{padded(name, width)}, std::move(span)};
}

/// "0.36 of the latest 500 plays, 0.55 of the first 100 told: 35 % less".
Span loss_span(const Status& status, const Background& background, bool maximize) {
  if (status.recent_told == 0) return {"nothing was told yet"};
  const double now = status.recent_average;
  Span span{readable(now) + " of the latest " + std::to_string(status.recent_told)};
  if (background.first_told == 0) return span;
  const double then = background.first_mean;
  const double change = std::abs(now - then);
  const bool as_share = now > 0 && then > 0;
  span.text += ", " + readable(then) + " of the first " + std::to_string(background.first_told) +
               ": " +
               (as_share ? base::decimals_text(100 * change / then, 0) + " %" : readable(change)) +
               (now <= then ? " less" : " more");
  span.ink = (now <= then) != maximize ? Ink::good : Ink::bad;
  return span;
}

std::string belief_text(const Belief& belief) {
  if (!std::isfinite(belief.gain)) return "";
  std::string text = "gain " + readable(belief.gain);
  if (std::isfinite(belief.gain_error))
    text += " +- " + readable(1.96 * belief.gain_error);  // 95 %
  if (std::isfinite(belief.noise)) text += ", noise " + readable(belief.noise);
  if (std::isfinite(belief.fit)) text += ", fit " + readable(belief.fit);
  return text;
}

std::string cut(std::string text, std::size_t width) {
  if (text.size() > width) text = text.substr(0, width - 3) + "...";
  return text;
}

}  // namespace

std::vector<Line> head_of(const std::string& name, Study& study, const Background& background) {
  const Summary summary = study.summary();
  const Status status = study.status(background.recent);
  const StudyDescription& description = study.description();
  std::vector<Line> lines = {
      {{name, Ink::bold},
       {"  " + counted(summary.asked, "play") + ", " + std::to_string(summary.told) + " told"}}};
  lines.push_back(fact("a second", {std::isfinite(background.rate)
                                        ? readable(base::rounded(background.rate, 3)) + " plays"
                                        : "not known yet"}));
  lines.push_back(fact(description.options.maximize ? "gain" : "loss",
                       loss_span(status, background, description.options.maximize)));
  if (!study.explores()) {
    lines.push_back(fact("exploring", {"paused", Ink::bold}));
  } else if (std::isfinite(status.exploring)) {
    lines.push_back(fact(
        "exploring",
        {base::decimals_text(100 * status.exploring, 0) + " % of the plays" +
         (std::isfinite(status.reach) ? ", reach " + readable(status.reach) : std::string())}));
  }
  if (const std::string belief = belief_text(status.belief); !belief.empty()) {
    lines.push_back(fact("model", {belief}));
  }
  if (const std::string proof = studies::proof_text(status.proof); !proof.empty()) {
    // On two lines: a number that is cut off would be another one.
    const std::size_t comma = std::min(proof.find("), "), proof.find("; "));
    const std::size_t rest = proof.find(' ', comma) + 1;
    lines.push_back(fact(
        "proof", {proof.substr(0, comma + 1), status.proof.proven > 0 ? Ink::good : Ink::plain}));
    lines.push_back(fact("", {proof.substr(rest)}));
  }
  const std::vector<SpaceLimit> limits = studies::limits_of(study);
  for (std::size_t j = 0; j < std::min(limits.size(), status.limits.size()); ++j) {
    // A line for each of its sentences, which would be cut off together.
    std::string rest =
        studies::limit_text(limits[j], status.limits[j], description.options.maximize);
    for (std::string metric = limits[j].name; !rest.empty(); metric.clear()) {
      const std::size_t end = std::min(rest.find("; "), rest.size());
      lines.push_back(fact(metric, {rest.substr(0, end)}));
      rest.erase(0, end + 2);
    }
  }
  lines.push_back(fact(
      "pending", {summary.pending == 0 ? "none"
                                       : std::to_string(summary.pending) + ", the oldest " +
                                             counted(summary.oldest_pending, "play") + " ago"}));
  if (const std::uint64_t past = study.past(); past > 0) {
    lines.push_back(fact("past", {counted(past, "loss")}));
  }
  if (const auto changed = study.changed()) {
    lines.push_back(fact("changed", {studies::change_text(*changed)}));
  }
  lines.push_back(fact("restarts", {std::to_string(status.restarts)}));
  const std::vector<std::string> alarms =
      studies::alarms_of(summary, status, description.options, background.bounds, limits);
  if (alarms.empty()) lines.push_back(fact("alarms", {"none"}));
  for (const std::string& alarm : alarms) {
    lines.push_back(fact(alarm == alarms.front() ? "alarms" : "", {alarm, Ink::bad}));
  }
  return lines;
}

std::string text_at(const Axis& axis, double x) {
  const double value = axis.value(x);
  return axis.levels.empty() ? readable(value) : axis.levels[static_cast<std::size_t>(value)];
}

std::vector<Line> bars_of(const std::vector<Axis>& axes, const std::vector<double>& point,
                          std::size_t most) {
  constexpr std::size_t longest_name = 20;
  constexpr std::size_t longest_value = 16;
  constexpr std::size_t length = 20;
  std::size_t shown = std::min(axes.size(), most);
  if (shown < point.size() && shown > 0) --shown;  // for the line that says so
  std::vector<Line> lines = {{}, {{"recommended", Ink::bold}}};
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  std::vector<std::string> values;
  for (std::size_t i = 0; i < shown; ++i) {
    const Axis& axis = axes[i];
    values.push_back(
        cut(text_at(axis, point[i]) + (axis.unit.empty() ? "" : " ") + axis.unit, longest_value));
    name_width = std::max(name_width, std::min(axis.name.size(), longest_name) + 2);
    value_width = std::max(value_width, values.back().size() + 2);
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const Axis& axis = axes[i];
    const auto filled =
        static_cast<std::size_t>(std::lround(axis.place(point[i]) * static_cast<double>(length)));
    lines.push_back({{padded(cut(axis.name, longest_name), name_width)},
                     {padded(values[i], value_width)},
                     {std::string(filled, '#'), Ink::bar},
                     {std::string(length - filled, '.') + "  " + text_at(axis, axis.from) + " to " +
                      text_at(axis, axis.to) + (axis.log ? ", log" : "")}});
  }
  if (shown < point.size()) {
    lines.push_back({{"and " + counted(point.size() - shown, "more coordinate")}});
  }
  return lines;
}

std::string drawn(const Line& line, std::size_t columns, bool coloured) {
  std::string text;
  for (const Span& span : line) {
    const std::string part = span.text.substr(0, columns);
    columns -= part.size();
    constexpr const char* codes[] = {"", "\x1b[1m", "\x1b[32m", "\x1b[31m", "\x1b[36m"};
    const bool plain = !coloured || span.ink == Ink::plain || part.empty();
    text += plain ? part : codes[static_cast<int>(span.ink)] + part + "\x1b[0m";
  }
  return text;
}

}  // namespace keyhole::cli
