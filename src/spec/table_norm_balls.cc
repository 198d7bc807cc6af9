#include "keyhole/norm_balls.h"
#include "spec/arguments.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

Entry lp_ball_entry() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {
      .name = "lp_ball",
      .summary = "{x : sum (w_i |x_i|)^p <= radius^p}, 1 <= p <= inf",
      .capabilities = {"projects"},
      .parameters = {dimension(1),
                     {"p", Type::number, "the power, inf allowed", {}, {}, {1, infinity}},
                     size("radius", "the radius"),
                     Parameter{"weights", Type::coordinates, "the weights w_i", {}, {}, positive}
                         .or_value("1")},
      .build =
          [](const Arguments& given) {
            return lp_ball(given.number("p"), given.coordinates("weights", given.whole("n")),
                           given.number("radius"));
          },
      .page = {.example = "lp_ball(2, 3)",
               .oracle = "v_i = -radius / w_i sign(d_i) |g_i|^(q-1) / ||g||_q^(q-1), g = d / w, "
                         "1/p + 1/q = 1; -radius / w_1 e_1 for d = 0. p = 1: -radius / w_i "
                         "sign(d_i) e_i for the first i of largest |g_i|. p = inf: radius / w_i "
                         "where d_i < 0, else -radius / w_i",
               .cost = "O(n)",
               .geometry = "p = 0, D = 2 R; with weights 1 R = radius and r = radius n^(1/2 - "
                           "1/p) for p <= 2, r = radius and R = radius n^(1/2 - 1/p) for p >= "
                           "2; with others R = radius / min w and r = radius / ||w||_s, s = 2p "
                           "/ (2 - p), for p <= 2, r = radius / max w and R = radius ||1/w||_s, "
                           "s = 2p / (p - 2), for p >= 2",
               .exploration = "p < 2: the points +-radius / w_i e_i; p = 2: the whole boundary; "
                              "p > 2: n^(-1/p) radius (+-1/w_1, ..., +-1/w_n)",
               .projection = "p = 1: Michelot's method; p = inf: clamping; else y_i + mu w_i^2 "
                             "y_i^(p-1) = c_i by Newton's method, in mu and in each y_i",
               .reference = "Combettes, Pokutta: Complexity of linear minimization and "
                            "projection on some sets, 2021"}};
}

}  // namespace

std::vector<Entry> norm_ball_entries() { return {lp_ball_entry()}; }

}  // namespace keyhole::spec
