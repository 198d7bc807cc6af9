// How the time of a round grows: of Algorithm 2, anytime(projection_free), of parameter_free
// and of fkm, over the size of the set and over the rounds, on sets whose linear minimisation is
// cheaper than their projection and on such where it is not. Prints JSON: nanoseconds and other
// numbers by name. A set joins by one line of the list below.
//
// The loss is linear with a normal slope, 0 at its least point and 1 at the centre, and noise of
// magnitude 0.1; it is not timed (replay.h). fkm starts its epochs at a vertex, and its steps are
// R/20 for a loss of 1, as long as those that its theorem has for 350 rounds, so that it has to
// project; the share of the rounds in which the point was outside is printed.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "instances.h"
#include "keyhole/keyhole.h"
#include "learners/parameter_free/status.h"
#include "math/dense.h"
#include "math/sums.h"
#include "replay.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

/// Sets of one kind.
struct Line {
  std::string name;
  std::vector<std::size_t> sizes;
  std::function<SetPtr(std::size_t size)> make;
  /// The largest size that fkm plays on: beyond it a projection takes too long.
  std::size_t most_projected = std::numeric_limits<std::size_t>::max();
};

/// {0 <= x <= 1, A x <= 1}, as many rows as coordinates: row i has ten entries from column i on,
/// counted around, uniform on [0, 1].
SetPtr banded_polytope(std::size_t n) {
  PolytopeConstraints constraints{
      .n = n, .lower = std::vector<double>(n, 0.0), .upper = std::vector<double>(n, 1.0)};
  const std::vector<double> values = uniforms(10 * n, 0, 1);
  for (std::size_t k = 0; k < 10 * n; ++k) {
    constraints.inequalities.sparse.push_back({k / 10, (k / 10 + k % 10) % n, values[k]});
  }
  constraints.inequalities.right.assign(n, 1.0);
  return polytope(constraints);
}

/// The paper's {0 <= x <= 1, A x <= 1}, 8 rows.
SetPtr published_polytope(std::size_t n) {
  PolytopeConstraints constraints{
      .n = n, .lower = std::vector<double>(n, 0.0), .upper = std::vector<double>(n, 1.0)};
  constraints.inequalities = {.dense = uniforms(8 * n, 0, 1), .right = std::vector<double>(8, 1.0)};
  return polytope(constraints);
}

SetPtr trees(std::size_t edge_count) {
  const auto [nodes, edges] = chords(edge_count);
  return spanning_trees(nodes, edges);
}

std::vector<Line> lines() {
  return {
      {"solid_simplex",
       {20, 100, 1'000, 10'000, 100'000, 1'000'000},
       [](std::size_t n) { return solid_simplex(n); }},
      {"polytope, 8 rows", {20, 50, 100, 200}, published_polytope},
      {"polytope, n rows", {20, 50, 100, 200}, square_polytope},
      {"polytope, n rows of ten entries", {50, 100, 200, 1'000, 4'000}, banded_polytope},
      {"nuclear_ball", {10, 20, 50, 100, 200}, [](std::size_t n) { return nuclear_ball(n, n); }},
      {"birkhoff", {5, 10, 20, 50, 100}, birkhoff},
      {"spanning_trees", {50, 100, 200, 1'000, 10'000}, trees, 200},
      {"unit_flow", {3, 5, 10, 30}, layered_unit_flow},
      {"flow", {3, 5, 7}, layered_flow},
  };
}

constexpr double loss_bound = 2;

Loss linear_loss(const SetPtr& set) {
  const std::vector<double> c = normals(set->dimension());
  const std::vector<double>& p = set->centre();
  const double of_centre = math::dot(c, p);
  const double depth = of_centre - set->oracle()->minimise(c).dot(c);
  return [=](std::uint64_t t, std::span<const double> y) {
    const double golden = 0.6180339887498949 * static_cast<double>(t);
    return 1 + (math::dot(c, y) - of_centre) / depth + 0.2 * (golden - std::floor(golden)) - 0.1;
  };
}

std::unique_ptr<Algorithm> algorithm_2(const SetPtr& set) {
  return anytime(projection_free(set, {.loss_bound = loss_bound}));
}

std::unique_ptr<Algorithm> default_learner(const SetPtr& set) { return parameter_free(set); }

/// From a vertex on, of a direction that the loss knows nothing of, so that it need not walk to the
/// boundary first.
std::unique_ptr<Algorithm> projecting(const SetPtr& set) {
  const Geometry& geometry = set->geometry();
  std::vector<double> direction = normals(set->dimension());
  std::rotate(direction.begin(), direction.begin() + 1, direction.end());
  std::vector<double> vertex(set->dimension());
  const auto oracle = set->oracle();
  oracle->minimise(direction).write_to(vertex);
  oracle->settle(vertex);
  const double delta = geometry.inner_radius / 8;
  const auto n = static_cast<double>(set->hull_dimension());
  return anytime(fkm(set, {.loss_bound = loss_bound,
                           .delta = delta,
                           .eta = 0.05 * geometry.outer_radius * delta / n,
                           .start = vertex}));
}

void print(const std::string& name, double value) {
  static bool first = true;
  std::printf("%s\n\"%s\": %.6g", first ? "" : ",", name.c_str(), value);
  first = false;
  (void)std::fflush(stdout);
}

constexpr std::uint64_t early = (1U << 14U) - 1;  // rounds; whole epochs of Algorithm 2
constexpr std::uint64_t late = (1U << 17U) - 1;

/// One learner on one set.
struct Player {
  std::string name;
  Recording run;
  std::vector<double> times = {};
  double calls = 0;
  /// From the middle of the run on.
  double late_time = 0;
  double late_calls = 0;
  double late_rounds = 0;

  [[nodiscard]] double rounds() const { return std::min(run.rounds(), static_cast<double>(early)); }
};

/// parameter_free plays on after the first 2^14 rounds if there is time, for it asks its
/// oracle less and less often.
std::vector<Player> players_on(const SetPtr& set, bool is_projected) {
  constexpr double microseconds = 6e4;
  constexpr std::uint64_t least = 15;
  const Loss loss = linear_loss(set);
  std::vector<Player> players;
  players.push_back({"algorithm 2", record(set, algorithm_2, loss, early, least, microseconds)});
  players.push_back({"default", record(set, default_learner, loss, late, least, 4 * microseconds)});
  if (is_projected && set->can_project()) {
    players.push_back({"fkm", record(set, projecting, loss, early, least, microseconds)});
  }
  return players;
}

/// The first rounds several times, learner after learner; then each run once to its end.
void time(std::vector<Player>& players) {
  constexpr double long_run = 4e5;
  std::vector<Replay> replays;
  replays.reserve(players.size());
  for (const Player& player : players) replays.emplace_back(player.run);
  for (int pass = 0; pass < 3; ++pass) {
    for (std::size_t k = 0; k < players.size(); ++k) {
      Player& player = players[k];
      if (!player.times.empty() && player.times.front() > long_run) continue;
      replays[k].rewind();
      player.times.push_back(replays[k].play_to(static_cast<std::size_t>(player.rounds())));
      player.calls = replays[k].calls();
    }
  }
  for (std::size_t k = 0; k < players.size(); ++k) {
    Player& player = players[k];
    if (player.name != "default") continue;
    const auto middle = static_cast<std::size_t>(player.run.rounds() / 2);
    replays[k].rewind();
    (void)replays[k].play_to(middle);
    const double before = replays[k].calls();
    player.late_time = replays[k].play();
    player.late_calls = replays[k].calls() - before;
    player.late_rounds = player.run.rounds() - static_cast<double>(middle);
  }
}

/// Microseconds of a call of work(), over three milliseconds; the clock is looked at rarely.
template <class Work>
double microseconds_of_each(Work work) {
  constexpr double shortest = 3e3;
  double time = 0;
  double count = 0;
  for (int batch = 1; time < shortest; batch *= 2) {
    const double start = processor_microseconds();
    for (int k = 0; k < batch; ++k) work();
    time = processor_microseconds() - start;
    count = batch;
  }
  return time / count;
}

/// What a round of parameter_free has to do besides its linear minimisations: in its exploring
/// plays, whose share is told, a draw with its score; one pass over the vectors to play, and one to
/// learn from an exploring play; the set's signs and bounds, which are settled.
void print_parts(const std::string& of_player, const Recording& run, std::size_t rounds) {
  auto made = parameter_free(run.set);
  const auto& algorithm = dynamic_cast<const ParameterFreeAlgorithm&>(*made);
  Learner learner(std::move(made));
  const std::size_t n = run.set->dimension();
  std::vector<double> y(n);
  double exploring = 0;
  for (std::size_t t = 0; t < rounds; ++t) {
    learner.tell(learner.ask(y), run.losses[t]);
    exploring += algorithm.status().exploring;
  }
  const auto nu = run.set->exploration();
  std::vector<std::uint64_t> words;
  for (std::size_t k = 0; k < nu->needs().words; ++k)
    words.push_back(0x9e3779b97f4a7c15U * (k + 1));
  const std::vector<double> numbers = normals(nu->needs().normals);
  std::vector<double> v(n);
  std::vector<double> sum(n);
  const auto oracle = run.set->oracle();
  print(of_player + " exploring", exploring / static_cast<double>(rounds));
  print(of_player + " draw", 1e3 * microseconds_of_each([&] {
                               nu->draw({words, numbers}, v);
                               nu->score({words, numbers}, v);
                             }));
  print(of_player + " pass", 1e3 * microseconds_of_each([&] { math::add(sum, 1e-3, v); }));
  print(of_player + " settle", 1e3 * microseconds_of_each([&] { oracle->settle(y); }));
}

void print(const std::string& prefix, const Player& player) {
  const std::string of_player = prefix + player.name;
  print(of_player, 1e3 * median(player.times) / player.rounds());
  print(of_player + " rounds", player.rounds());
  if (player.name == "fkm") {
    print(prefix + "projection", 1e3 * microseconds_of_projecting(player.run));
    print(prefix + "projected", share_projected(player.run));
    return;
  }
  print(of_player + " calls", player.calls / player.rounds());
  print(of_player + " oracle", 1e3 * microseconds_of_minimising(player.run));
  if (player.name != "default") return;
  print_parts(of_player, player.run, static_cast<std::size_t>(player.rounds()));
  print(of_player + " late", 1e3 * player.late_time / player.late_rounds);
  print(of_player + " late rounds", player.run.rounds());
  print(of_player + " late calls", player.late_calls / player.late_rounds);
}

void over_sizes(const Line& line) {
  for (const std::size_t size : line.sizes) {
    const SetPtr set = line.make(size);
    const std::string prefix = line.name + "/" + std::to_string(size) + "/";
    print(prefix + "dimension", static_cast<double>(set->dimension()));
    print(prefix + "projects", set->can_project() ? 1 : 0);
    std::vector<Player> players = players_on(set, size <= line.most_projected);
    time(players);
    for (const Player& player : players) print(prefix, player);
  }
}

/// From 1000 rounds to 128,000 in steps of a factor 2.
void over_rounds(const std::string& name, const SetPtr& set) {
  constexpr std::size_t first = 1000;
  constexpr std::size_t steps = 7;
  const Loss loss = linear_loss(set);
  const std::vector<std::pair<std::string, Make>> makers = {
      {"algorithm 2", algorithm_2}, {"default", default_learner}, {"fkm", projecting}};
  for (const auto& [learner, make] : makers) {
    const Recording run = record(set, make, loss, first << steps, first << steps, 0);
    Replay replay(run);
    (void)replay.play_to(first);
    for (std::size_t k = 1; k <= steps; ++k) {
      const std::size_t end = first << k;
      const double count = static_cast<double>(end) / 2;
      print("rounds/" + name + "/" + std::to_string(end / 2) + "/" + learner,
            1e3 * replay.play_to(end) / count);
    }
  }
}

}  // namespace
}  // namespace keyhole::bench

/// With a word, only the sets that have it in their name.
int main(int count, char** words) {
  using namespace keyhole;
  using namespace keyhole::bench;
  const std::string wanted = count > 1 ? words[1] : "";
  std::printf("{");
  for (const Line& line : lines()) {
    if (line.name.find(wanted) != std::string::npos) over_sizes(line);
  }
  if (wanted.empty() || wanted == "rounds") {
    over_rounds("solid_simplex(100)", solid_simplex(100));
    over_rounds("polytope(50), 8 rows", published_polytope(50));
    over_rounds("nuclear_ball(10, 10)", nuclear_ball(10, 10));
  }
  std::printf("\n}\n");
  return 0;
}
