// The three experiments of Chen, Zhang and Karbasi (AISTATS 2019) as `keyhole reproduce` runs them:
// how long a round of FKM, of Proposed (Algorithm 2) and of parameter_free takes, and what the
// simulation of the losses takes besides. Prints JSON: nanoseconds a round and other numbers by
// name.

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "experiment/config.h"
#include "experiment/player.h"
#include "keyhole/keyhole.h"
#include "replay.h"
#include "reproduction/published_learners.h"
#include "reproduction/runs.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

constexpr std::uint64_t most_rounds = 4096;

void print(const std::string& name, double value) {
  static bool first = true;
  std::printf("%s\n\"%s\": %.6g", first ? "" : ",", name.c_str(), value);
  first = false;
}

/// One learner in an experiment.
struct Player {
  std::string name;
  Recording run;
  std::vector<double> times = {};
};

void time(const reproduction::Run& run) {
  const Catalogue& catalogue = reproduction::catalogue();
  const experiment::Experiment study =
      experiment::parse_experiment(run.toml, run.name, {}, catalogue);
  const auto problem = experiment::build_problem(study, catalogue, 0, 0);
  const std::uint64_t rounds = std::min(most_rounds, experiment::run_length(study, 0, *problem));
  const LossBounds bounds = problem->bounds();
  const auto maker = [&](const std::string& spec) -> Make {
    return [&, spec](const SetPtr& set) {
      return std::get<std::unique_ptr<Algorithm>>(make_algorithm(spec,
                                                                 {.set = set,
                                                                  .loss_bound = bounds.loss,
                                                                  .gradient_bound = bounds.gradient,
                                                                  .horizon = rounds},
                                                                 catalogue));
    };
  };
  const Loss loss = [&](std::uint64_t t, std::span<const double> point) {
    problem->draw(t);
    return problem->value(point);
  };

  std::vector<std::pair<std::string, std::string>> specs = {{"default", "parameter_free"}};
  for (const experiment::Named& player : study.players) {
    if (player.name == "Proposed" || player.name == "FKM") {
      specs.emplace_back(player.name, player.spec);
    }
  }
  std::vector<Player> players;
  for (const auto& [name, spec] : specs) {
    players.push_back({name, record(problem->shared_set(), maker(spec), loss, rounds, rounds, 0)});
  }
  std::vector<Replay> replays;
  replays.reserve(players.size());
  for (const Player& player : players) replays.emplace_back(player.run);
  for (int pass = 0; pass < 3; ++pass) {
    for (std::size_t k = 0; k < players.size(); ++k) {
      replays[k].rewind();
      players[k].times.push_back(replays[k].play());
    }
  }

  const auto count = static_cast<double>(rounds);
  print(run.name + "/rounds", count);
  print(run.name + "/dimension", static_cast<double>(problem->set().dimension()));
  for (std::size_t k = 0; k < players.size(); ++k) {
    const std::string name = run.name + "/" + players[k].name;
    print(name, 1e3 * median(players[k].times) / count);
    print(name + " with losses", 1e3 * players[k].run.with_losses / count);
    print(name + " calls", replays[k].calls() / count);
    print(name + " oracle", 1e3 * microseconds_of_minimising(players[k].run));
    print(name + " projection", 1e3 * microseconds_of_projecting(players[k].run));
    print(name + " projected", share_projected(players[k].run));
  }
  const std::vector<double>& point = players.front().run.latest;
  double simulated = 0;
  const double start = processor_microseconds();
  for (std::uint64_t t = 1; t <= rounds; ++t) simulated += loss(t, point);
  print(run.name + "/losses", 1e3 * (processor_microseconds() - start) / count);
  if (!std::isfinite(simulated)) std::exit(1);
}

}  // namespace
}  // namespace keyhole::bench

int main() {
  using namespace keyhole::reproduction;
  std::printf("{");
  for (const Setting setting : {Setting::published, Setting::proven}) {
    for (const Run& run : runs_of(setting, {.repeats = 1})) keyhole::bench::time(run);
  }
  std::printf("\n}\n");
  return 0;
}
