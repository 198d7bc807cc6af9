#include "cli/experiments/own_program.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <utility>

#include "base/shortened.h"
#include "cli/child_process.h"
#include "experiment/json.h"
#include "experiment/measures/hindsight.h"
#include "sets/bisected_gauge.h"

namespace keyhole::cli {
namespace {

using experiment::Json;

struct ProgramOptions {
  std::string command = {};
  std::optional<std::uint64_t> horizon = {};
};

void list_options(OptionVisitor& visit, ProgramOptions& options) {
  visit.text({"command", "a command of the shell that is asked and told"}, options.command);
  visit.whole(
      {"horizon", "T, the number of rounds", ranges::rounds, "the run's", options::From::horizon},
      options.horizon);
}

/// The numbers of an answer {"point": [...]}; none for {}. Throws Error for another one.
std::optional<std::vector<double>> point_in(const std::string& line, std::size_t n) {
  const Json answer = Json::parse(line, nullptr, false);
  const auto fail = [&](const std::string& why) {
    throw Error("the program answered '" + base::shortened(line) + "', " + why);
  };
  if (answer.is_discarded()) fail("which is no JSON (NaN and Infinity are not)");
  if (answer == Json::object()) return {};
  if (!answer.is_object() || !answer.contains("point") || !answer["point"].is_array()) {
    fail("which is not {\"point\": [...]}");
  }
  std::vector<double> point;
  for (const Json& number : answer["point"]) {
    if (!number.is_number()) fail("whose point has something else than numbers");
    point.push_back(number.get<double>());
  }
  if (point.size() != n) {
    fail("whose point must have length " + std::to_string(n) + ", not " +
         std::to_string(point.size()));
  }
  return point;
}

class OwnProgram final : public Algorithm {
 public:
  OwnProgram(SetPtr set, const ProgramOptions& options, ProgramWatch& watch)
      : Algorithm(std::move(set)), options_(checked("program", options)), watch_(watch) {}
  ~OwnProgram() override {
    if (talk_ && !waits_ && talk_->says_more()) watch_.said_more = true;
  }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    if (!talk_) begin(random);
    const auto point = answer({{"ask", t}});
    if (!point) throw Error("the program answered {} when it was asked for a point to play");
    move_inside(*point, y);
    played_[t].assign(y.begin(), y.end());
  }

  bool absorb(PlayId s, double loss, Randomness& /*random*/) override {
    auto play = played_.extract(s);
    told_.push_back({{"play", s}, {"point", play.mapped()}, {"loss", loss}});
    knows_ = true;
    if (loss < least_) {
      least_ = loss;
      best_ = std::move(play.mapped());
    }
    return true;
  }

  void advance() override {}
  void recommend(std::span<double> x) const override {
    if (!knows_) return move_inside(best_, x);  // nothing was told yet
    move_inside(answer({{"recommend", true}}).value_or(best_), x);
  }
  [[nodiscard]] std::string spec() const override { return spec_of("program", options_); }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound: nothing is known of the program"};
  }

 private:
  void begin(Randomness& random) {
    const std::size_t n = set().dimension();
    std::vector<double> low(n);
    std::vector<double> high(n);
    std::vector<double> direction(n);
    for (std::size_t i = 0; i < n; ++i) {
      direction[i] = 1;
      low[i] = minimise(direction).dot(direction);
      direction[i] = -1;
      high[i] = -minimise(direction).dot(direction);
      direction[i] = 0;
    }
    std::array<std::uint64_t, 2> words{};
    random.words(1, words);
    constexpr std::uint64_t most_seed = std::uint64_t{1} << 31;
    const Json about = {{"set", set().spec()},
                        {"dimension", n},
                        {"low", low},
                        {"high", high},
                        {"start", p()},
                        {"rounds", options_.horizon.value_or(0)},
                        {"seed", (words[0] ^ set().fingerprint()) % most_seed}};
    talk_ = std::make_unique<Conversation>(options_.command);
    talk_->say(about.dump(), pause());
  }

  /// Called ten times a second while the program is waited for.
  [[nodiscard]] Conversation::Pause pause() const {
    return [this, times = 0]() mutable {
      if (watch_.is_over.load()) throw experiment::Stopped();
      constexpr int ten_seconds = 100;
      if (++times != ten_seconds || watch_.was_told.exchange(true)) return;
      std::cerr << "waiting for '" + options_.command + "': does it send each line at once?\n";
    };
  }

  /// What the program answers to a message, with what it has not been told yet.
  [[nodiscard]] std::optional<std::vector<double>> answer(Json message) const {
    if (talk_->has_spoken()) throw Error("the program has printed a line that nobody asked for");
    message["told"] = std::exchange(told_, Json::array());
    waits_ = true;
    talk_->say(message.dump(), pause());
    const std::string line = talk_->hear(pause());
    waits_ = false;
    return point_in(line, set().dimension());
  }

  void move_inside(std::span<const double> point, std::span<double> y) const {
    std::copy(point.begin(), point.end(), y.begin());
    if (set().contains(y)) return;
    if (set().can_project()) return set().oracle()->project(point, y);
    std::vector<double> way(point.begin(), point.end());
    for (std::size_t i = 0; i < y.size(); ++i) way[i] -= p()[i];
    set().flatten(way);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = p()[i] + way[i];
    std::vector<double> scratch(y.size());
    const double gauge = std::max(sets::bisected_gauge(set(), y, scratch), 1.0);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = p()[i] + way[i] / gauge;
  }

  ProgramOptions options_;
  ProgramWatch& watch_;
  std::unique_ptr<Conversation> talk_;  // from the first play on
  std::map<PlayId, std::vector<double>> played_;
  mutable Json told_ = Json::array();  // what it has not been told yet
  mutable bool waits_ = false;         // for an answer
  bool knows_ = false;                 // a loss
  double least_ = std::numeric_limits<double>::infinity();
  std::vector<double> best_ = p();  // whose loss was the least
};

}  // namespace

SpecEntry program_entry(ProgramWatch& watch) {
  return algorithm_entry<ProgramOptions>(
      "program", "a program that is asked and told", {"told losses"},
      [&watch](SetPtr set, const ProgramOptions& options) {
        return std::make_unique<OwnProgram>(std::move(set), options, watch);
      });
}

}  // namespace keyhole::cli
