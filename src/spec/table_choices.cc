#include "keyhole/choices.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

Parameter chosen(const char* meaning) {
  return {"k", Type::whole, meaning, {}, {}, {1, most_coordinates}};
}

Parameter positive_weights(const char* meaning) {
  return {"weights", Type::numbers, meaning, {}, {}, positive};
}

Entry hypercube_entry() {
  return {"hypercube",
          "{0 <= x <= 1}, the box of these bounds",
          {"projects"},
          {dimension(1)},
          [](const Arguments& given) { return hypercube(given.whole("n")); }};
}

Entry hypersimplex_entry() {
  return {"hypersimplex",
          "{0 <= x <= size, sum x = k size}: k of n things",
          {"projects", "flat"},
          {dimension(2), chosen("how many are chosen, less than n"),
           size("size", "the largest coordinate")},
          [](const Arguments& given) {
            return hypersimplex(given.whole("n"), given.whole("k"), given.number("size"));
          }};
}

Entry solid_hypersimplex_entry() {
  return {"solid_hypersimplex",
          "{0 <= x <= size, sum x <= k size}: at most k of n things",
          {"projects"},
          {dimension(1), chosen("how many are chosen at most, up to n"),
           size("size", "the largest coordinate")},
          [](const Arguments& given) {
            return solid_hypersimplex(given.whole("n"), given.whole("k"), given.number("size"));
          }};
}

Entry weighted_simplex_entry() {
  return {"weighted_simplex",
          "{x >= lower, <weights, x> <= total}",
          {"projects"},
          {positive_weights("what a unit of each coordinate costs"),
           Parameter{"total", Type::number, "the largest cost", {}, {}, moderate}.or_value("1"),
           lower_bounds().or_value("0")},
          [](const Arguments& given) {
            const std::vector<double> weights = given.numbers("weights");
            return weighted_simplex(weights, given.number("total"),
                                    given.coordinates("lower", weights.size()));
          }};
}

Entry capped_simplex_entry() {
  return {
      "capped_simplex",
      "{lower <= x <= upper, <weights, x> = total}: shares with a least and a most for each",
      {"projects", "flat"},
      {lower_bounds(), upper_bounds(), dimension(2).or_else("the length of the lists"),
       Parameter{"total", Type::number, "the sum", {}, {}, moderate}.or_value("1"),
       Parameter{
           "weights", Type::coordinates, "what a unit of each coordinate counts", {}, {}, positive}
           .or_value("1")},
      [](const Arguments& given) {
        const std::size_t n = bounded_dimension(given, "capped_simplex(lower, upper, n)");
        return capped_simplex(given.coordinates("lower", n), given.coordinates("upper", n),
                              given.number("total"), given.coordinates("weights", n));
      }};
}

Entry knapsack_entry() {
  return {"knapsack",
          "{lower <= x <= upper, <weights, x> <= capacity}",
          {"projects"},
          {positive_weights("what each thing weighs"),
           {"capacity", Type::number, "the largest weight, below that of all", {}, {}, moderate},
           lower_bounds().or_value("0"),
           upper_bounds().or_value("1")},
          [](const Arguments& given) {
            const std::vector<double> weights = given.numbers("weights");
            return knapsack(weights, given.number("capacity"),
                            given.coordinates("lower", weights.size()),
                            given.coordinates("upper", weights.size()));
          }};
}

Entry permutahedron_entry() {
  return {"permutahedron",
          "the hull of all orders of the values",
          {"projects", "flat"},
          {{"values", Type::numbers, "the values, not all equal", {}, {}, moderate}},
          [](const Arguments& given) { return permutahedron(given.numbers("values")); }};
}

Entry isotonic_entry() {
  return {"isotonic",
          "{lower <= x_1 <= x_2 <= ... <= x_n <= upper}",
          {"projects"},
          {dimension(1),
           Parameter{"lower", Type::number, "the least value", {}, {}, moderate}.or_value("0"),
           Parameter{"upper", Type::number, "the largest value", {}, {}, moderate}.or_value("1")},
          [](const Arguments& given) {
            return isotonic(given.whole("n"), given.number("lower"), given.number("upper"));
          }};
}

Entry partial_order_entry() {
  return {"partial_order",
          "{lower <= x_i <= upper, x_i <= x_j for each relation [i, j] of an acyclic graph}",
          {"projects"},
          {dimension(1),
           {"relations", Type::rows, "[i, j] for each x_i <= x_j, counted from 0", {}, {}, node},
           Parameter{"lower", Type::number, "the least value", {}, {}, moderate}.or_value("0"),
           Parameter{"upper", Type::number, "the largest value", {}, {}, moderate}.or_value("1")},
          [](const Arguments& given) {
            return partial_order(given.whole("n"), given.edges("relations"), given.number("lower"),
                                 given.number("upper"));
          }};
}

Entry kl_ball_entry() {
  return {"kl_ball",
          "{x >= 0, sum x = 1, sum x_i log(x_i / q_i) <= radius}: distributions near q",
          {"flat"},
          {{"distribution", Type::numbers, "q, positive, of sum 1", {}, {}, {1e-9, 1}},
           {"radius", Type::number, "the largest divergence", {}, {}, {1e-10, largest_number}}},
          [](const Arguments& given) {
            return kl_ball(given.numbers("distribution"), given.number("radius"));
          }};
}

Entry chi_square_ball_entry() {
  return {"chi_square_ball",
          "{x >= 0, sum x = 1, sum (x_i - q_i)^2 / q_i <= radius}: distributions near q",
          {"flat"},
          {{"distribution", Type::numbers, "q, positive, of sum 1", {}, {}, {1e-9, 1}},
           {"radius", Type::number, "the largest divergence", {}, {}, {1e-10, largest_number}}},
          [](const Arguments& given) {
            return chi_square_ball(given.numbers("distribution"), given.number("radius"));
          }};
}

Entry hellinger_ball_entry() {
  return {"hellinger_ball",
          "{x >= 0, sum x = 1, 1 - sum sqrt(x_i q_i) <= radius^2}: distributions near q",
          {"flat"},
          {{"distribution", Type::numbers, "q, positive, of sum 1", {}, {}, {1e-9, 1}},
           {"radius", Type::number, "the largest distance", {}, {}, {1e-5, 1}}},
          [](const Arguments& given) {
            return hellinger_ball(given.numbers("distribution"), given.number("radius"));
          }};
}

Entry tv_distance_ball_entry() {
  return {"tv_distance_ball",
          "{x >= 0, sum x = 1, sum |x_i - q_i| / 2 <= radius}: distributions near q",
          {"flat"},
          {{"distribution", Type::numbers, "q, of sum 1", {}, {}, {0, 1}},
           {"radius", Type::number, "the most that moves", {}, {}, {1e-4, 1}}},
          [](const Arguments& given) {
            return tv_distance_ball(given.numbers("distribution"), given.number("radius"));
          }};
}

SetPtr build_wasserstein_ball(const Arguments& given) {
  const std::vector<double> distribution = given.numbers("distribution");
  const double radius = given.number("radius");
  if (given.has("costs")) {
    if (given.has("places")) given.refuse("places", "are given here, and there are costs");
    return wasserstein_ball(distribution, radius, given.rows("costs"));
  }
  return given.has("places") ? wasserstein_ball(distribution, radius, given.numbers("places"))
                             : wasserstein_ball(distribution, radius);
}

Entry wasserstein_ball_entry() {
  return {
      "wasserstein_ball",
      "{x >= 0, sum x = 1, moving q to x costs at most the radius}",
      {"flat"},
      {{"distribution", Type::numbers, "q, of sum 1", {}, {}, {0, 1}},
       {"radius", Type::number, "the largest cost", {}, {}, positive},
       Parameter{"places", Type::numbers, "where on the line, rising", {}, {}, moderate}.or_else(
           "0, 1, 2, ..."),
       Parameter{
           "costs", Type::rows, "of moving a unit, from each place to each", {}, {}, not_negative}
           .or_else("distances on the line")},
      build_wasserstein_ball};
}

std::vector<Parameter> process_parameters(Parameter last) {
  return {{"transitions",
           Type::rows,
           "for each state and action the chances of the next state",
           {},
           {},
           {0, 1}},
          {"start", Type::numbers, "the probability of each state to start in", {}, {}, {0, 1}},
          std::move(last)};
}

Entry discounted_occupancy_entry() {
  return {"discounted_occupancy",
          "how often policies take each action in each state, in runs that go on by chance",
          {"flat"},
          process_parameters({"discount",
                              Type::number,
                              "the probability that a run goes on after a step",
                              {},
                              {},
                              {0, 0.9999}}),
          [](const Arguments& given) {
            return discounted_occupancy(given.rows("transitions"), given.numbers("start"),
                                        given.number("discount"));
          }};
}

Entry episodic_occupancy_entry() {
  return {"episodic_occupancy",
          "how often policies take each action in each state at each step of a run",
          {"flat"},
          process_parameters({"steps", Type::whole, "the steps of a run", {}, {}, {1, 3000}}),
          [](const Arguments& given) {
            return episodic_occupancy(given.rows("transitions"), given.numbers("start"),
                                      given.whole("steps"));
          }};
}

Entry birkhoff_entry() {
  return {"birkhoff",
          "{X >= 0, n x n, the rows and the columns sum to 1}",
          {"projects up to 1000 coordinates", "flat"},
          {{"n", Type::whole, "the number of rows and columns", {}, {}, {2, most_rows}}},
          [](const Arguments& given) { return birkhoff(given.whole("n")); }};
}

Entry transportation_entry() {
  return {"transportation",
          "{X >= 0, the rows sum to the supplies and the columns to the demands}",
          {"projects up to 1000 coordinates", "flat"},
          {{"supply", Type::numbers, "the sum of each row", {}, {}, positive},
           {"demand", Type::numbers, "the sum of each column", {}, {}, positive}},
          [](const Arguments& given) {
            return transportation(given.numbers("supply"), given.numbers("demand"));
          }};
}

SetPtr build_convex_hull(const Arguments& given) {
  if (!given.has("points")) {
    given.refuse("points are missing: convex_hull(points), or convex_hull(file=...)");
  }
  return convex_hull(given.rows("points"));
}

Entry convex_hull_entry() {
  return {
      "convex_hull",
      "the hull of the points",
      {"projects", "flat if the points are"},
      {Parameter{"points", Type::rows, "the points, a list of coordinates each", {}, {}, moderate}
           .or_else("the file's"),
       Parameter{"file", Type::text, "a CSV or .npy file, a point in each row"}.or_else("none")},
      build_convex_hull};
}

}  // namespace

std::vector<Entry> choice_entries() {
  return {hypercube_entry(),
          hypersimplex_entry(),
          solid_hypersimplex_entry(),
          weighted_simplex_entry(),
          capped_simplex_entry(),
          knapsack_entry(),
          permutahedron_entry(),
          isotonic_entry(),
          partial_order_entry(),
          kl_ball_entry(),
          chi_square_ball_entry(),
          hellinger_ball_entry(),
          tv_distance_ball_entry(),
          wasserstein_ball_entry(),
          discounted_occupancy_entry(),
          episodic_occupancy_entry(),
          birkhoff_entry(),
          transportation_entry(),
          convex_hull_entry()};
}

}  // namespace keyhole::spec
