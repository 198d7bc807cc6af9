// The two choices of a step of the simplex method: which variable moves, and which one stops it.

#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "math/lanes.h"
#include "math/simplex_basis.h"

namespace keyhole::math {

// Costs are scaled to a largest of about 1, rows to norms of about 1.
inline constexpr double cost_tolerance = 1e-11;
inline constexpr double smallest_pivot = 1e-9;

// The column to move, or none if the basis is optimal: the one of the largest gain^2 / length^2,
// the first of equal ones (steepest edge; Goldfarb and Reid, "A practicable steepest-edge simplex
// algorithm", 1977). By Bland's rule: the lowest variable with any gain.
[[nodiscard]] std::size_t steepest_column(const SimplexBasis& basis) noexcept;
[[nodiscard]] std::size_t lowest_column(const SimplexBasis& basis) noexcept;

// How far the variable whose column was gathered can move, and the position of the basic variable
// that stops it: the largest pivot that Harris' two passes allow ("Pivot selection methods of the
// Devex LP code", 1973), by Bland's rule the lowest variable. Basic variables outside their bounds
// are stopped where they come inside.
class RatioTest {
 public:
  struct Stop {
    double step;
    std::size_t position;  // SimplexBasis::none if nothing does
    SimplexBasis::At arrives;
  };

  struct Kind {
    bool phase_1;  // basic variables may be outside their bounds
    bool bland;
  };

  explicit RatioTest(std::size_t positions) : speeds_(positions), distances_(positions) {}

  // The sign is that of the change; `tolerance` that of values.
  [[nodiscard]] Stop operator()(const SimplexBasis& basis, double sign, double tolerance,
                                Kind kind) noexcept;

 private:
  // The least ratio of the positions that are the same modulo 4, compared by products: division is
  // slow. A speed of zero never is the least.
  struct Least {
    std::array<Numbers, 2> distance = {no_end(), no_end()};
    std::array<Numbers, 2> speed = {Numbers{1, 1}, Numbers{1, 1}};

    [[gnu::always_inline]] void offer(std::size_t l, Numbers signed_distance,
                                      Numbers of_speed) noexcept {
      const Numbers of_distance = signed_distance > 0 ? signed_distance : Numbers{};
      const Truths nearer = of_distance * speed[l] < distance[l] * of_speed;
      distance[l] = nearer ? of_distance : distance[l];
      speed[l] = nearer ? of_speed : speed[l];
    }
  };
  static constexpr Numbers no_end() noexcept {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return Numbers{infinity, infinity};
  }

  void measure_slacks(const SimplexBasis& basis, double sign, double give, std::size_t end,
                      Least& least) noexcept;
  void measure(const SimplexBasis& basis, double sign, double outside, double give,
               std::size_t begin, Least& least) noexcept;
  [[nodiscard]] std::size_t fastest(const SimplexBasis& basis, std::size_t slacks,
                                    double limit) const noexcept;
  [[nodiscard]] std::size_t lowest(const SimplexBasis& basis, double limit) const noexcept;

  std::vector<double> speeds_;
  std::vector<double> distances_;
};

}  // namespace keyhole::math
