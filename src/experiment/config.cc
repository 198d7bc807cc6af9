#include "experiment/config.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/nearest.h"
#include "base/number_text.h"
#include "base/quoted.h"
#include "base/toml.h"
#include "experiment/player.h"

namespace keyhole::experiment {
namespace {

constexpr std::uint64_t most_rounds = std::uint64_t{1} << 40;
constexpr std::uint64_t most_repeats = 1'000'000;
constexpr std::uint64_t most_delay = 1'000'000;
constexpr double shortest_round = 1e-9;
constexpr double longest_round = 1e6;

/// A named spec and the line that it stands in; 0 for one that the file does not list. For learners
/// only the name and the spec count.
struct Listed {
  PosedProblem named;
  std::uint32_t line = 0;
};

/// Reads one file; knows its name, for the messages.
class Reader {
 public:
  Reader(std::string name, const Catalogue& catalogue)
      : name_(std::move(name)), catalogue_(catalogue) {}

  Experiment read(const std::string& text, const std::string& folder) {
    toml::table table;
    try {
      table = base::toml_table(text);
    } catch (const base::TomlFault& fault) {
      fail(fault.line, fault.what);
    }
    static const std::vector<std::string> keys = {"title",    "rounds",      "repeats",
                                                  "seed",     "checkpoints", "slowest",
                                                  "problems", "learners",    "controls"};
    refuse_unknown(table, keys);
    Experiment experiment;
    experiment.text = text;
    experiment.folder = folder;
    if (const toml::node* node = table.get("title")) {
      const auto title = node->value_exact<std::string>();
      if (!title) fail(line_of(*node), "'title' must be a text");
      experiment.title = printable(*title, line_of(*node));
    }
    if (!table.contains("rounds")) fail(0, "the key 'rounds' is missing: how long each run is");
    experiment.rounds = whole(table, "rounds", 0, 1, most_rounds);
    experiment.repeats = whole(table, "repeats", 1, 1, most_repeats);
    experiment.seed = whole(table, "seed", 0, 0, std::numeric_limits<std::int64_t>::max());
    experiment.checkpoints = checkpoints(table, experiment.rounds);
    if (table.contains("slowest")) {
      experiment.slowest = number(table, "slowest", 0, shortest_round, longest_round);
    }
    if (const toml::node* node = table.get("controls")) {
      const auto value = node->value_exact<bool>();
      if (!value) fail(line_of(*node), "'controls' must be true or false");
      experiment.controls = *value;
    }
    const std::vector<Listed> problems = list(table, "problems");
    std::vector<Listed> players = list(table, "learners");
    for (const Listed& problem : problems) experiment.problems.push_back(problem.named);
    for (const Listed& learner : players) experiment.learners.push_back(learner.named);
    build(experiment, problems, players);
    for (const Listed& player : players) experiment.players.push_back(player.named);
    return experiment;
  }

 private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const {
    if (name_.empty()) throw InputError(message);
    throw InputError(name_ + (line > 0 ? ":" + std::to_string(line) : "") + ": " + message);
  }

  static std::uint32_t line_of(const toml::node& node) { return node.source().begin.line; }

  void refuse_unknown(const toml::table& table, const std::vector<std::string>& keys) const {
    for (const auto& [key, node] : table) {
      if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
      fail(key.source().begin.line,
           "unknown key '" + std::string(key.str()) + "'" + base::suggestion(key.str(), keys));
    }
  }

  [[nodiscard]] std::uint64_t whole(const toml::table& table, const std::string& key,
                                    std::uint64_t otherwise, std::uint64_t least,
                                    std::uint64_t most) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    const auto value = node->value_exact<std::int64_t>();
    if (!value) fail(line_of(*node), "'" + key + "' must be a whole number, such as 1_000");
    if (*value < 0 || static_cast<std::uint64_t>(*value) < least ||
        static_cast<std::uint64_t>(*value) > most) {
      fail(line_of(*node), "'" + key + "' must be from " + std::to_string(least) + " to " +
                               std::to_string(most) + ", not " + std::to_string(*value));
    }
    return static_cast<std::uint64_t>(*value);
  }

  /// The rounds under 'checkpoints'.
  [[nodiscard]] std::vector<std::uint64_t> checkpoints(const toml::table& table,
                                                       std::uint64_t rounds) const {
    const toml::node* node = table.get("checkpoints");
    if (node == nullptr) return {};
    const toml::array* array = node->as_array();
    if (array == nullptr) fail(line_of(*node), "'checkpoints' must be a list, such as [64, 1024]");
    std::vector<std::uint64_t> marks;
    for (const toml::node& element : *array) {
      const auto value = element.value_exact<std::int64_t>();
      const std::int64_t least = marks.empty() ? 1 : static_cast<std::int64_t>(marks.back()) + 1;
      if (!value || *value < least || static_cast<std::uint64_t>(*value) > rounds) {
        fail(line_of(element), "'checkpoints' must hold increasing whole numbers from 1 to " +
                                   std::to_string(rounds) + ", the rounds of the experiment");
      }
      marks.push_back(static_cast<std::uint64_t>(*value));
    }
    return marks;
  }

  [[nodiscard]] double number(const toml::table& table, const std::string& key, double otherwise,
                              double least, double most) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    const std::string rule = "'" + key + "' must be a number from " + base::number_text(least) +
                             " to " + base::number_text(most);
    if (!node->is_number()) fail(line_of(*node), rule);
    const double value = node->value<double>().value_or(std::nan(""));
    if (!(value >= least && value <= most)) {
      fail(line_of(*node), rule + ", not " + base::number_text(value));
    }
    return value;
  }

  /// A usable positive number, if the key is there.
  [[nodiscard]] std::optional<double> positive(const toml::table& table,
                                               const std::string& key) const {
    if (!table.contains(key)) return {};
    return number(table, key, 0, smallest_number, largest_number);
  }

  /// The specs under a key: one string, or an array of strings and tables {name, spec}.
  [[nodiscard]] std::vector<Listed> list(const toml::table& table, const std::string& key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) fail(0, "the key '" + key + "' is missing: which " + key + " to run");
    std::vector<Listed> listed;
    if (const toml::array* array = node->as_array()) {
      for (const toml::node& element : *array) listed.push_back(one(element, key));
    } else {
      listed.push_back(one(*node, key));
    }
    if (listed.empty()) fail(line_of(*node), "'" + key + "' is empty: at least one is needed");
    std::set<std::string> names;
    for (const Listed& entry : listed) {
      if (names.insert(entry.named.name).second) continue;
      fail(entry.line, "two of the " + key + " are called '" + entry.named.name +
                           R"(': give one another name, {name = "...", spec = "..."})");
    }
    return listed;
  }

  [[nodiscard]] Listed one(const toml::node& node, const std::string& key) const {
    const std::uint32_t line = line_of(node);
    if (const auto spec = node.value_exact<std::string>()) {
      return {{{printable(*spec, line), *spec}}, line};
    }
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      fail(line, "'" + key + R"(' must hold specs: "text" or {name = "...", spec = "..."})");
    }
    static const std::vector<std::string> keys = {"name", "spec"};
    static const std::vector<std::string> problem_keys = {
        "name", "spec", "delay", "missing", "max_step", "rounds", "normalise", "arrivals"};
    refuse_unknown(*table, key == "problems" ? problem_keys : keys);
    const toml::node* spec_node = table->get("spec");
    if (spec_node == nullptr) fail(line, "an entry of '" + key + "' has no 'spec'");
    const auto spec = spec_node->value_exact<std::string>();
    if (!spec) fail(line_of(*spec_node), "'spec' must be a text");
    std::optional<std::string> name = spec;
    if (const toml::node* name_node = table->get("name")) {
      name = name_node->value_exact<std::string>();
      if (!name) fail(line_of(*name_node), "'name' must be a text");
    }
    return {{{printable(*name, line), printable(*spec, line)},
             whole(*table, "delay", 0, 0, most_delay),
             number(*table, "missing", 0, 0, 1),
             positive(*table, "max_step"),
             whole(*table, "rounds", 0, 1, most_rounds),
             positive(*table, "normalise"),
             arrivals(*table)},
            line};
  }

  [[nodiscard]] ArrivalTimes arrivals(const toml::table& table) const {
    const toml::node* node = table.get("arrivals");
    if (node == nullptr) return ArrivalTimes::spread;
    const std::string word = node->value_exact<std::string>().value_or("");
    for (const auto& [name, times] : arrival_names) {
      if (word == name) return times;
    }
    fail(line_of(*node), R"('arrivals' must be "spread", "late" or "batches")" +
                             (word.empty() ? "" : ", not " + base::quoted(word)));
  }

  /// The text, if it can stand in a table.
  [[nodiscard]] const std::string& printable(const std::string& text, std::uint32_t line) const {
    if (text.empty()) fail(line, "a title, name or spec is empty");
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
        fail(line, "a title, name or spec must be one line without control characters");
      }
    }
    return text;
  }

  /// Builds everything once, and adds the controls.
  void build(const Experiment& experiment, const std::vector<Listed>& problems,
             std::vector<Listed>& players) const {
    std::optional<std::string> bandit;  // the first learner that is told losses
    for (std::size_t p = 0; p < problems.size(); ++p) {
      std::unique_ptr<Problem> problem;
      at(problems[p].line, "", [&] { problem = build_problem(experiment, catalogue_, p, 0); });
      const auto try_player = [&](const Listed& player) {
        bool told_losses = false;
        at(player.line,
           "learner '" + player.named.name + "' on problem '" + problems[p].named.name + "': ",
           [&] {
             const Player built(player.named, catalogue_, *problem, experiment, p, 0);
             told_losses = built.told_losses();
           });
        return told_losses;
      };
      // The controls follow from what the first problem shows of the learners.
      if (p == 0) {
        for (const Listed& player : players) {
          if (try_player(player) && !bandit && !is_control(player.named.spec)) {
            bandit = player.named.spec;
          }
        }
        const std::size_t learners = players.size();
        if (experiment.controls) add_controls(bandit, players);
        for (std::size_t k = learners; k < players.size(); ++k) try_player(players[k]);
      } else {
        for (const Listed& player : players) try_player(player);
      }
    }
  }

  [[nodiscard]] static bool is_control(const std::string& spec) {
    return spec == "stay" || spec == "random_vertex" || spec.starts_with("fed_constant(");
  }

  void add_controls(const std::optional<std::string>& bandit, std::vector<Listed>& players) const {
    std::vector<Named> controls = {{"stay", "stay"}, {"random_vertex", "random_vertex"}};
    if (bandit) controls.push_back({"fed_constant", "fed_constant(" + *bandit + ")"});
    const std::size_t learners = players.size();
    for (Named& control : controls) {
      bool listed = false;
      for (std::size_t k = 0; k < learners; ++k) {
        listed = listed || players[k].named.spec == control.spec;
        if (players[k].named.spec != control.spec && players[k].named.name == control.name) {
          fail(players[k].line, "'" + control.name +
                                    "' is the name of a control: give the learner another one, "
                                    "or set controls = false");
        }
      }
      if (!listed) players.push_back({{std::move(control)}, 0});
    }
  }

  /// Runs what may throw an Error of the library, and says where.
  template <class Action>
  void at(std::uint32_t line, const std::string& what, Action action) const {
    try {
      action();
    } catch (const Error& error) {
      fail(line, what + error.what());
    }
  }

  std::string name_;
  const Catalogue& catalogue_;
};

}  // namespace

Experiment parse_experiment(const std::string& text, const std::string& name,
                            const std::string& folder, const Catalogue& catalogue) {
  return Reader(name, catalogue).read(text, folder);
}

Experiment read_experiment(const std::string& path, const Catalogue& catalogue) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || (text.str().empty() && std::filesystem::is_directory(path))) {
    throw InputError(path + ": the file cannot be read");
  }
  return parse_experiment(text.str(), path, std::filesystem::path(path).parent_path().string(),
                          catalogue);
}

Experiment with_learners(Experiment experiment, const std::vector<Named>& learners,
                         const Catalogue& catalogue) {
  experiment.learners.insert(experiment.learners.end(), learners.begin(), learners.end());
  return parse_experiment(print_config(experiment), "", experiment.folder, catalogue);
}

}  // namespace keyhole::experiment
