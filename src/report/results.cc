#include "report/results.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "keyhole/error.h"
#include "report/curves.h"
#include "report/text.h"

namespace keyhole::report {
namespace {

using Json = nlohmann::ordered_json;

/// A value of summary.json and where it stands, for messages.
class Node {
 public:
  Node(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  [[nodiscard]] bool has(const char* key) const {
    return json_.contains(key) && !json_.at(key).is_null();
  }
  /// The member, which has() must have found.
  [[nodiscard]] Node operator[](const char* key) const {
    return {json_.at(key), place_.empty() ? key : place_ + "." + key};
  }
  [[nodiscard]] std::vector<Node> items(const char* key) const {
    std::vector<Node> nodes;
    if (!has(key)) return nodes;
    const Node list = (*this)[key];
    if (!list.json_.is_array()) list.fail("a list");
    for (std::size_t i = 0; i < list.json_.size(); ++i) {
      nodes.emplace_back(list.json_[i], list.place_ + "[" + std::to_string(i) + "]");
    }
    return nodes;
  }
  [[nodiscard]] const Node& object() const {
    if (!json_.is_object()) fail("an object");
    return *this;
  }
  [[nodiscard]] std::string text() const {
    if (!json_.is_string()) fail("a text");
    return json_.get<std::string>();
  }
  [[nodiscard]] double number() const {
    if (!json_.is_number()) fail("a number");
    return json_.get<double>();
  }
  [[nodiscard]] bool truth() const {
    if (!json_.is_boolean()) fail("true or false");
    return json_.get<bool>();
  }
  /// A text as it is, a number in full.
  [[nodiscard]] std::string as_written() const {
    if (json_.is_string()) return text();
    if (!json_.is_number()) fail("a text or a number");
    return json_.dump();
  }
  [[nodiscard]] std::string text_or_blank(const char* key) const {
    return has(key) ? (*this)[key].text() : "";
  }
  [[nodiscard]] std::string name() const {
    if (!has("name")) throw InputError(place_ + " has no name");
    return (*this)["name"].text();
  }

  [[noreturn]] void fail(const std::string& expected) const {
    std::string found = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (found.size() > 60) found = found.substr(0, 57) + "...";
    throw InputError((place_.empty() ? "the file" : place_) + " should be " + expected +
                     " but is " + found);
  }

 private:
  const Json& json_;
  std::string place_;
};

/// "0.5 [0.4, 0.6]", with a space that keeps the interval on one line.
Cell interval_cell(const Node& learner, const char* key) {
  if (!learner.has(key)) return {};
  const Node interval = learner[key].object();
  if (!interval.has("mean")) return {};
  std::string text = readable(interval["mean"].number());
  if (interval.has("lower") && interval.has("upper")) {
    text += " [" + readable(interval["lower"].number()) + ",\u00a0" +
            readable(interval["upper"].number()) + "]";
  }
  return {text};
}

/// What stands for the loss of a learner that did not play.
Cell loss_cell(const Node& learner) {
  if (learner.has("left_out") && learner["left_out"].truth()) return {"n/a: too slow"};
  return interval_cell(learner, "average_loss");
}

/// The theorem's bound; good or bad if it holds and the regret is known. One of 2M or more says
/// nothing: no average regret is larger.
Cell bound_cell(const Node& problem, const Node& learner) {
  if (learner.has("left_out") && learner["left_out"].truth()) return {};
  if (!learner.has("regret_bound")) return {"none"};
  const Node bound = learner["regret_bound"].object();
  if (!bound.has("per_round")) return {"none"};
  const double value = bound["per_round"].number();
  if (!bound.has("holds") || !bound["holds"].truth()) return {readable(value) + " (no theorem)"};
  if (problem.has("loss_bound") && value >= 2 * problem["loss_bound"].number()) {
    return {readable(value) + " (vacuous)"};
  }
  Cell cell{readable(value)};
  if (learner.has("average_regret") && learner["average_regret"].object().has("mean")) {
    const double regret = learner["average_regret"]["mean"].number();
    cell.verdict = regret <= value ? Verdict::good : Verdict::bad;
  }
  return cell;
}

Cell number_cell(const Node& learner, const char* key) {
  return learner.has(key) ? Cell{readable(learner[key].number())} : Cell{};
}

/// Something that should be zero.
Cell count_cell(const Node& learner, const char* key) {
  if (!learner.has(key)) return {};
  const double count = learner[key].number();
  return {readable(count), count > 0 ? Verdict::warn : Verdict::none};
}

/// A column that says nothing is not shown.
void drop_blank_columns(Table& table) {
  for (std::size_t j = table.header.size(); j-- > 1;) {
    const bool blank = std::all_of(table.rows.begin(), table.rows.end(),
                                   [&](const auto& row) { return row[j].text.empty(); });
    if (!blank) continue;
    const auto at = static_cast<std::ptrdiff_t>(j);
    table.header.erase(table.header.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
}

/// What the learners that have a model believe; no rows if none has.
Table belief_table(const Node& problem) {
  Table table{.title = "What the learners believe",
              .note =
                  "After the last round, means over the repeats. Noise is its standard deviation. "
                  "Gain is how much better the recommended point is than the start. Curvature is "
                  "what it adds to the loss of an explored point. Fit is the share of the losses' "
                  "variance that the model explains.",
              .header = {{"learner"}}};
  constexpr std::array<std::pair<const char*, const char*>, 6> columns{
      {{"noise", "noise"},
       {"gain", "gain"},
       {"gain_error", "standard deviation of the gain"},
       {"curvature", "curvature"},
       {"fit", "fit"},
       {"restarts", "restarts"}}};
  for (const auto& [key, title] : columns) table.header.push_back({title, true});
  for (const Node& learner : problem.items("learners")) {
    if (!learner.object().has("beliefs")) continue;
    const Node beliefs = learner["beliefs"].object();
    std::vector<Cell> row{{learner.name()}};
    for (const auto& [key, title] : columns) row.push_back(number_cell(beliefs, key));
    const bool silent =
        std::all_of(row.begin() + 1, row.end(), [](const Cell& cell) { return cell.text.empty(); });
    if (!silent) table.rows.push_back(std::move(row));
  }
  drop_blank_columns(table);
  return table;
}

Table summary_table(const Node& problem) {
  Table table{
      .title = "After the last round",
      .note =
          "Means over the repeats with their intervals. The bound is the theorem's, on the "
          "expected average regret, ticked where the regret is below it; it is vacuous from twice "
          "the largest loss on. Infeasible plays are outside the set, alarms are losses or "
          "gradients above the bounds assumed. Relative regret is divided by that of staying at "
          "the centre.",
      .header = {{"learner"},
                 {"average loss", true},
                 {"average regret", true},
                 {"relative regret", true},
                 {"regret bound", true},
                 {"seconds/round", true},
                 {"oracle calls/round", true},
                 {"infeasible plays", true},
                 {"alarms", true},
                 {"spec"}}};
  for (const Node& learner : problem.items("learners")) {
    const std::string spec = learner.object().text_or_blank("spec");
    table.rows.push_back({{learner.name()},
                          loss_cell(learner),
                          interval_cell(learner, "average_regret"),
                          interval_cell(learner, "relative_regret"),
                          bound_cell(problem, learner),
                          number_cell(learner, "seconds_per_round"),
                          number_cell(learner, "oracle_calls_per_round"),
                          count_cell(learner, "infeasible_plays"),
                          count_cell(learner, "alarms"),
                          {spec == learner.name() ? "" : spec}});
  }
  drop_blank_columns(table);
  return table;
}

std::vector<std::string> description(const Node& problem) {
  std::vector<std::string> text;
  std::string line;
  if (problem.has("spec")) line += problem["spec"].text();
  if (problem.has("set")) line += (line.empty() ? "On " : " on ") + problem["set"].text();
  if (problem.has("rounds")) {
    line += (line.empty() ? "" : ", ") + problem["rounds"].as_written() + " rounds";
  }
  if (!line.empty()) text.push_back(line + ".");
  for (const Node& warning : problem.items("warnings")) {
    text.push_back("Note: " + warning.text());
  }
  return text;
}

std::vector<Figure> figures(const ProblemCurves& curves) {
  std::vector<Figure> result;
  const std::string shading =
      curves.intervals ? "Means over the repeats; bands are their intervals." : "";
  if (!curves.average_loss.empty()) {
    result.push_back({.title = "Average loss",
                      .note = shading,
                      .x_label = "round",
                      .y_label = "average loss so far",
                      .log_x = true,
                      .log_y = false,
                      .series = curves.average_loss});
  }
  if (!curves.average_regret.empty()) {
    result.push_back({.title = "Average regret",
                      .note = shading,
                      .x_label = "round",
                      .y_label = "average regret so far",
                      .log_x = true,
                      .log_y = true,
                      .series = curves.average_regret});
  }
  return result;
}

Report from(const Node& summary, const std::vector<ProblemCurves>& curves,
            const std::string& directory) {
  Report report{.title =
                    summary.has("title") ? summary["title"].text() : "Experiment " + directory};
  std::vector<std::string> described;
  for (const Node& problem : summary.object().items("problems")) {
    const std::string problem_name = problem.object().name();
    Section section{.title = problem_name, .text = description(problem)};
    const auto found = std::find_if(curves.begin(), curves.end(), [&](const ProblemCurves& c) {
      return c.problem == problem_name;
    });
    if (found != curves.end()) section.figures = figures(*found);
    if (!problem.items("learners").empty()) section.tables.push_back(summary_table(problem));
    Table beliefs = belief_table(problem);
    if (!beliefs.rows.empty()) section.tables.push_back(std::move(beliefs));
    report.sections.push_back(std::move(section));
    described.push_back(problem_name);
  }
  for (const ProblemCurves& rest : curves) {
    if (std::find(described.begin(), described.end(), rest.problem) == described.end()) {
      report.sections.push_back({.title = rest.problem, .figures = figures(rest)});
    }
  }
  for (const auto& [key, label] : {std::pair{"seed", "seed"},
                                   {"rounds", "rounds"},
                                   {"repeats", "repeats"},
                                   {"version", "version"},
                                   {"commit", "commit"},
                                   {"trace_revision", "trace revision"},
                                   {"command", "command"}}) {
    if (summary.has(key)) report.facts.push_back({label, summary[key].as_written()});
  }
  return report;
}

}  // namespace

Report of_results(const std::string& directory) {
  const std::filesystem::path path(directory);
  const std::string summary_file = (path / "summary.json").string();
  const std::string text = file_text(summary_file);
  const std::vector<ProblemCurves> curves = read_curves((path / "curves.csv").string());
  try {
    const Json json = Json::parse(text);
    std::filesystem::path full = std::filesystem::weakly_canonical(path);
    if (!full.has_filename()) full = full.parent_path();  // "results/"
    if (full.extension() == ".results") full.replace_extension();
    Report report = from(Node(json, ""), curves, full.filename().string());
    if (report.sections.empty()) throw InputError("there are no problems in it");
    return report;
  } catch (const Json::exception& error) {
    throw InputError(summary_file + ": " + error.what());
  } catch (const InputError& error) {
    throw InputError(summary_file + ": " + error.what());
  }
}

}  // namespace keyhole::report
