// The time until the first play, as Markdown: making a set, its exploration, and a learner on it.
//
//   bench_start [WORD]    only the sets with the word in their name
//   bench_start --regret  instead: what the quicker exploration of polytopes costs
//
// Seconds of this processor. The second learner on a set finds the exploration that is there.

#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "instances.h"
#include "keyhole/keyhole.h"
#include "keyhole/spec.h"
#include "sets/sampled_vertices.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

struct Start {
  /// The spec of the set, or what it is like.
  std::string name;
  /// By default from the spec.
  std::function<SetPtr()> make = {};
};

/// The hull of normal points.
SetPtr hull_of_points(std::size_t count, std::size_t n) {
  const std::vector<double> numbers = normals(count * n);
  std::vector<std::vector<double>> points;
  for (std::size_t k = 0; k < count; ++k) points.emplace_back(&numbers[k * n], &numbers[k * n] + n);
  return convex_hull(points);
}

/// The unit ball, of which nothing but its oracle is told.
SetPtr unknown_ball(std::size_t n) {
  return own_set({.dimension = n, .minimise = [](std::span<const double> d, std::span<double> v) {
                    const double length =
                        std::sqrt(std::inner_product(d.begin(), d.end(), d.begin(), 0.0));
                    for (std::size_t i = 0; i < d.size(); ++i) v[i] = -d[i] / length;
                  }});
}

std::vector<Start> starts() {
  const auto points = [](std::size_t count, std::size_t n) {
    return [count, n] { return hull_of_points(count, n); };
  };
  const auto rows = [](std::size_t n) { return [n] { return normal_polytope(n); }; };
  const auto weights = [](std::size_t n) {
    return [n] { return knapsack(uniforms(n, 1, 2), 0.3 * static_cast<double>(n)); };
  };
  const auto graph = [](std::size_t count,
                        const std::function<SetPtr(std::size_t, std::vector<Edge>)>& of) {
    return [count, of] {
      const auto [nodes, edges] = chords(count);
      return of(nodes, edges);
    };
  };
  const auto forests = [](std::size_t nodes, const std::vector<Edge>& edges) {
    return independent_sets(graphic_matroid(nodes, edges));
  };
  const auto trees = [](std::size_t nodes, const std::vector<Edge>& edges) {
    return spanning_trees(nodes, edges);
  };
  const auto pairs = [](std::size_t nodes, const std::vector<Edge>& edges) {
    return matchings(nodes, edges);
  };
  return {
      {"ball(1000)"},
      {"ball_in_box(-0.1, 0.2, 1000)"},
      {"cut_ball, n = 1000", [] { return half_ball(1000); }},
      {"l1_ball_in_box(-0.1, 0.2, 1000)"},
      {"box(0, 1, 500)"},
      {"box(0, 1, 1000)"},
      {"solid_simplex(1000)"},
      {"simplex(1000)"},
      {"capped_simplex(0, 0.005, 1000)"},
      {"isotonic(1000)"},
      {"kl_ball, n = 1000", [] { return uniform_kl_ball(1000); }},
      {"chi_square_ball, n = 1000", [] { return uniform_chi_square_ball(1000); }},
      {"hellinger_ball, n = 1000", [] { return uniform_hellinger_ball(1000); }},
      {"tv_distance_ball, n = 1000", [] { return uniform_tv_distance_ball(1000); }},
      {"kl_ball, n = 1500", [] { return uniform_kl_ball(1500); }},
      {"wasserstein_ball on a line, n = 1000", [] { return line_wasserstein_ball(1000); }},
      {"wasserstein_ball in the plane, n = 100", [] { return plane_wasserstein_ball(100); }},
      {"discounted_occupancy, 100 states, 4 actions",
       [] { return ring_discounted_occupancy(100); }},
      {"episodic_occupancy, 30 states, 4 actions, 10 steps",
       [] { return ring_episodic_occupancy(30); }},
      {"l1_ball(1000)"},
      {"polytope, n = 50, 50 rows", rows(50)},
      {"polytope, n = 100, 100 rows", rows(100)},
      {"polytope, n = 200, 200 rows", rows(200)},
      {"polytope of quadratic(n=50)", [] { return make_problem("quadratic(n=50)")->shared_set(); }},
      {"lp_ball(1000, 1.5)"},
      {"k_sparse_ball(1000, 100)"},
      {"k_support_ball(1000, 100)"},
      {"k_norm_ball(1000, 100)"},
      {"owl_ball, n = 1000", [] { return falling_owl_ball(1000); }},
      {"group_ball, 100 of 10", [] { return group_ball(std::vector<std::size_t>(100, 10)); }},
      {"latent_group_ball, n = 1000", [] { return overlapping_groups(1000); }},
      {"ellipsoid, n = 500", [] { return normal_ellipsoid(500); }},
      {"total_variation_ball(1000)"},
      {"hypersimplex(1000, 100)"},
      {"solid_hypersimplex(1000, 100)"},
      {"weighted_simplex, n = 1000", [] { return weighted_simplex(uniforms(1000, 1, 2)); }},
      {"knapsack, n = 300", weights(300)},
      {"knapsack, n = 1500", weights(1500)},
      {"permutahedron, n = 1000", [] { return permutahedron(rising(1000)); }},
      {"birkhoff(32)"},
      {"transportation, 20 x 20", [] { return square_transportation(20); }},
      {"transportation, 32 x 32", [] { return square_transportation(32); }},
      {"convex_hull, 2000 points, n = 50", points(2000, 50)},
      {"convex_hull, 10^4 points, n = 10", points(10'000, 10)},
      {"uniform_matroid(1000, 100)"},
      {"partition_matroid, n = 1000", [] { return tens(1000); }},
      {"laminar_matroid, n = 1000", [] { return nested_tens(1000); }},
      {"graphic_matroid, 500 edges", graph(500, forests)},
      {"graphic_matroid, 1000 edges", graph(1000, forests)},
      {"spanning_trees, 500 edges", graph(500, trees)},
      {"spanning_trees, 1000 edges", graph(1000, trees)},
      {"common_independent_sets, 500 edges", [] { return coloured_forests(500); }},
      {"common_independent_sets, 1000 edges", [] { return coloured_forests(1000); }},
      {"unit_flow, 336 edges", [] { return layered_unit_flow(6); }},
      {"unit_flow, 920 edges", [] { return layered_unit_flow(10); }},
      {"flow, 336 edges", [] { return layered_flow(6); }},
      {"flow, 920 edges", [] { return layered_flow(10); }},
      {"flow, 9280 edges", [] { return layered_flow(32); }},
      {"multicommodity_flow, 2 x 87 edges", [] { return layered_commodities(3); }},
      {"multicommodity_flow, 2 x 235 edges", [] { return layered_commodities(5); }},
      {"multicommodity_flow, 3 x 920 edges", [] { return three_commodities(10); }},
      {"bipartite_matchings, 1000 edges", [] { return bipartite_chords(1000); }},
      {"matchings, 595 edges", graph(595, pairs)},
      {"perfect_matchings(46)"},
      {"perfect_matchings, 600 edges", [] { return perfect_chord_matchings(600); }},
      {"perfect_matchings, 1500 edges", [] { return perfect_chord_matchings(1500); }},
      {"b_matchings, 30 x 30", [] { return square_b_matchings(30); }},
      {"arborescences, 500 edges", [] { return chord_arborescences(500); }},
      {"arborescences, 1500 edges", [] { return chord_arborescences(1500); }},
      {"nuclear_ball(32, 32)"},
      {"schatten_ball(32, 32, 3)"},
      {"symmetric_nuclear_ball(32)"},
      {"psd_trace_ball(32)"},
      {"spectraplex(32)"},
      {"fantope(32, 3)"},
      {"operator_norm_ball(32, 32)"},
      {"elliptope(32)"},
      {"max_norm_ball(32, 32)"},
      {"affine_image of a box, n = 500", [] { return normal_image(500); }},
      {"product(box(0, 1, 500), l1_ball(500))"},
      {"minkowski_sum(box(0, 1, 30), ball(30))"},
      {"hull_of_union(ball(100), l1_ball(100, 2))"},
      {"slice of a ball by 5 rows, n = 100", [] { return normal_slice(ball(100), 5); }},
      {"slice of an l1_ball by 5 rows, n = 500", [] { return normal_slice(l1_ball(500), 5); }},
      {"cut of a kl_ball by 20 bounds, n = 20", [] { return capped_kl_ball(20); }},
      {"slice of spectraplex(20) by its diagonal", [] { return correlations(20); }},
      {"own_set, a ball, n = 100", [] { return unknown_ball(100); }},
      {"own_set, a ball, n = 300", [] { return unknown_ball(300); }},
      {"own_set, a ball, n = 900", [] { return unknown_ball(900); }},
      {"own_set, a ball, n = 1500", [] { return unknown_ball(1500); }},
  };
}

/// The seconds that a call takes, or why there are none.
template <class Call>
std::string seconds_of(const Call& call) {
  const double start = processor_microseconds();
  try {
    call();
  } catch (const Error& error) {
    return std::string("refused: ") + error.what();
  }
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.2f", (processor_microseconds() - start) / 1e6);
  return text;
}

void print(const Start& start) {
  SetPtr set;
  const std::string making =
      seconds_of([&] { set = start.make ? start.make() : make_set(start.name); });
  if (set == nullptr) {
    std::printf("| %s | %s | | | |\n", start.name.c_str(), making.c_str());
    return;
  }
  std::printf("| %s | %s | ", start.name.c_str(), making.c_str());
  std::printf("%s | ", seconds_of([&] { (void)set->exploration(); }).c_str());
  for (const char* learner : {"posterior", "parameter_free"}) {
    std::printf("%s | ", seconds_of([&] { (void)make_learner(learner, set); }).c_str());
  }
  std::printf("\n");
  (void)std::fflush(stdout);
}

/// A set that explores vertices alone, however long they take.
class OfVertices final : public Set {
 public:
  explicit OfVertices(SetPtr inner)
      : Set(inner->dimension(), inner->hull_dimension(), inner->geometry()),
        inner_(std::move(inner)),
        points_(sets::sampled_vertices(*inner_)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override { return inner_->oracle(); }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return sets::explore(*this, points_);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return inner_->contains(x);
  }
  [[nodiscard]] std::string spec() const override { return "vertices of " + inner_->spec(); }

 private:
  SetPtr inner_;
  sets::SharedPoints points_;
};

/// The mean over the rounds of a linear loss with noise of a tenth, 0 at its least point and 1 at
/// the centre.
double regret(const SetPtr& set, const std::string& learner_spec, std::uint64_t repeat) {
  constexpr std::uint64_t rounds = 16384;
  const std::size_t n = set->dimension();
  std::vector<double> costs(n);
  math::gaussians(math::Ars(3, 0), repeat, 0, costs);
  std::vector<double> noise(rounds);
  math::gaussians(math::Ars(4, 0), repeat, 0, noise);
  const double least = set->oracle()->minimise(costs).dot(costs);
  const auto cost = [&](std::span<const double> x) {
    return std::inner_product(x.begin(), x.end(), costs.begin(), -least);
  };
  const double of_centre = cost(set->centre());
  Learner learner = make_learner(learner_spec, set, {.seed = repeat});
  std::vector<double> x(n);
  double sum = 0;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    const PlayId id = learner.ask(x);
    const double loss = cost(x) / of_centre;
    learner.tell(id, loss + 0.1 * noise[t]);
    sum += loss;
  }
  return sum / rounds;
}

/// `parameter_free` alone: `posterior` asks the oracle many times a round, which takes hours.
void print_regret() {
  constexpr std::uint64_t repeats = 4;
  const SetPtr set = normal_polytope(150);
  const auto of_vertices = std::make_shared<const OfVertices>(set);
  std::printf("regret a round with vertices alone, and over it:");
  double sum = 0;
  for (std::uint64_t repeat = 1; repeat <= repeats; ++repeat) {
    const double alone = regret(of_vertices, "parameter_free", repeat);
    const double ratio = regret(set, "parameter_free", repeat) / alone;
    std::printf(" %.3f, %.3f;", alone, ratio);
    (void)std::fflush(stdout);
    sum += ratio;
  }
  std::printf(" mean of the ratios %.3f\n", sum / repeats);
}

}  // namespace
}  // namespace keyhole::bench

int main(int count, char** words) {
  const std::string wanted = count > 1 ? words[1] : "";
  if (wanted == "--regret") {
    keyhole::bench::print_regret();
    return 0;
  }
  std::printf(
      "| set | making it | exploration | then `posterior` | then `parameter_free` |\n"
      "|---|---|---|---|---|\n");
  for (const keyhole::bench::Start& start : keyhole::bench::starts()) {
    if (start.name.find(wanted) != std::string::npos) keyhole::bench::print(start);
  }
  return 0;
}
