// keyhole study compare.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>

#include "base/number_text.h"
#include "cli/colour.h"
#include "cli/drive.h"
#include "cli/parse.h"
#include "cli/space_file.h"
#include "cli/study.h"
#include "cli/study_text.h"
#include "learners/learner/start_coin.h"

namespace keyhole::cli {
namespace {

/// A setting of a file.
struct Setting {
  explicit Setting(const std::string& path)
      : name(std::filesystem::path(path).stem()), values(read_setting_file(path)) {}

  /// Its name in the log, which says what it is: another setting makes another study.
  [[nodiscard]] std::string text() const {
    return name + " " + json_text(studies::values_json(values));
  }

  std::string name;
  Values values;
};

void require_same_names(const Setting& a, const Setting& b) {
  const auto names_of = [](const Setting& setting) {
    std::vector<std::string> names;
    for (const auto& [name, value] : setting.values) names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
  };
  if (names_of(a) != names_of(b)) {
    throw InputError("the settings '" + a.name + "' and '" + b.name +
                     "' must have values for the same names");
  }
  for (const auto& [name, value] : a.values) refuse_hidden_variable(name);
  if (a.name == b.name) throw UsageError("study compare needs two files of different names");
}

/// Two settings, one of which a play has by a coin of 1/2, and which of them is better so far. The
/// coin is that of a choice at the centre of its simplex, so that a study makes it and keeps it.
class Comparison {
 public:
  Comparison(Setting a, Setting b, bool maximize)
      : a_(std::move(a)), b_(std::move(b)), maximize_(maximize) {}

  [[nodiscard]] StudyDescription description(std::uint64_t seed) const {
    return {.on = Space({{"setting", Choice{{a_.text(), b_.text()}}}}),
            .learner = "stay",
            .options = {.seed = seed, .maximize = maximize_}};
  }

  [[nodiscard]] const Values& values(const StudyPlay& play) const {
    return is_a(play) ? a_.values : b_.values;
  }
  /// Takes a loss; whether one of them is known to be better.
  bool take(const StudyPlay& play, double loss) {
    Mean& mean = is_a(play) ? of_a_ : of_b_;
    ++mean.plays;
    mean.sum += loss;
    coin_.take(play.id, is_a(play), maximize_ ? -loss : loss);
    return is_decided();
  }
  /// Takes the steps of a log.
  void take(const StudyRecord& record) {
    for (std::size_t k = 0; k < record.tells.size(); ++k) {
      const auto played = untold_.find(record.tells[k].id);
      if (record.gave.receipts[k] != Receipt::fresh || played == untold_.end()) continue;
      if (!record.tells[k].loss) continue;
      (void)take(played->second, *record.tells[k].loss);
      untold_.erase(played);
    }
    for (const StudyPlay& play : record.gave.plays) untold_[play.id] = play;
  }

  [[nodiscard]] bool is_decided() const {
    const Proof proof = coin_.proof();
    return std::abs(proof.gain) > proof.error;
  }
  [[nodiscard]] Json json() const {
    const Proof proof = coin_.proof();
    Json json = {{"plays", {{a_.name, of_a_.plays}, {b_.name, of_b_.plays}}}};
    for (const auto& [setting, mean] : {std::pair{&a_, &of_a_}, {&b_, &of_b_}}) {
      if (mean->plays == 0) continue;
      json["mean_loss"][setting->name] = mean->sum / static_cast<double>(mean->plays);
    }
    if (std::isfinite(proof.gain)) {
      json["gain"] = proof.gain;
      json["error"] = proof.error;
    }
    json["says"] = text(proof);
    return json;
  }

 private:
  struct Mean {
    std::uint64_t plays = 0;
    double sum = 0;
  };

  [[nodiscard]] bool is_a(const StudyPlay& play) const {
    return std::get<std::string>(play.values.at("setting")) == a_.text();
  }
  /// "b is better than a by 0.41 +- 0.06 (95 %, whenever you look)".
  [[nodiscard]] std::string text(const Proof& proof) const {
    if (!std::isfinite(proof.gain)) return "too few plays yet";
    constexpr int digits = 2;
    const std::string& better = proof.gain > 0 ? b_.name : a_.name;
    const std::string& worse = proof.gain > 0 ? a_.name : b_.name;
    return better + (is_decided() ? " is" : " may be") + " better than " + worse + " by " +
           base::number_text(base::rounded(std::abs(proof.gain), digits)) + " +- " +
           base::number_text(base::rounded(proof.error, digits)) + " (95 %, whenever you look)";
  }

  Setting a_;
  Setting b_;
  bool maximize_;
  std::map<PlayId, StudyPlay> untold_;
  algorithms::StartCoin coin_{0.5, 0, {}};
  Mean of_a_;
  Mean of_b_;
};

}  // namespace

int study_compare(const Arguments& arguments, const Program& program) {
  Plan plan = plan_of(arguments);
  const Setting a(arguments.word(1));
  const Setting b(arguments.word(2));
  require_same_names(a, b);
  Comparison comparison(a, b, arguments.has("--maximize"));
  const std::uint64_t seed = whole_number("--seed", arguments.get("--seed", "0"), 0, UINT64_MAX);
  const experiment::Interrupts interrupts;  // before the study, which may have threads
  const Store store = new_store(arguments, program);
  Study study = store.create(arguments.word(0), comparison.description(seed));
  store.replay(arguments.word(0), [&](const StudyRecord& record) { comparison.take(record); });
  plan.values = [&](const StudyPlay& play) { return comparison.values(play); };
  plan.take = [&](const StudyPlay& play, double loss) { return comparison.take(play, loss); };
  Drive drive(study, plan, interrupts);
  if (!comparison.is_decided()) drive.run();
  Json sheet = drive.summary();
  sheet.erase("mean_loss");
  sheet.update(comparison.json());
  print_sheet(sheet, arguments.get("--format", "text"));
  if (!drive.expired().empty()) warn(program, drive.expired());
  if (comparison.is_decided() || !drive.interrupted()) return 0;
  std::cerr << program.name << ": interrupted before it was known which is better\n";
  return interrupted_code;
}

}  // namespace keyhole::cli
