// The two choices of a step of the simplex method: which variable moves, and which one stops it.

#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "math/lanes.h"
#include "math/programs/simplex_basis.h"

namespace keyhole::math {

// Costs are scaled to a largest of about 1, rows to norms of about 1.
inline constexpr double cost_tolerance = 1e-11;
inline constexpr double smallest_pivot = 1e-9;
inline constexpr double large_pivot = 1e-2;

// The column to move, or none if the basis is optimal: the one of the largest gain^2 / length^2,
// the first of equal ones (steepest edge; Goldfarb and Reid, "A practicable steepest-edge simplex
// algorithm", 1977). By Bland's rule: the lowest variable with any gain.
[[nodiscard]] std::size_t steepest_column(const SimplexBasis& basis) noexcept;
[[nodiscard]] std::size_t lowest_column(const SimplexBasis& basis) noexcept;

// How far the variable whose column was gathered can move, and the position of the basic variable
// that stops it: that of the least ratio of distance and speed. If its pivot is small, the largest
// pivot that Harris' two passes allow ("Pivot selection methods of the Devex LP code", 1973), by
// Bland's rule the lowest variable. Basic variables outside their bounds are stopped where they
// come inside.
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

  // The sign is that of the change.
  [[nodiscard]] Stop operator()(const SimplexBasis& basis, double sign, Kind kind) noexcept;

 private:
  // The least ratio of the positions that are the same modulo 4, compared by products: division is
  // slow. Where the speed is minus infinity there is none.
  struct Least {
    static constexpr double no_bound = SimplexBasis::no_bound;
    std::array<Numbers, 2> distance = {Numbers{no_bound, no_bound}, Numbers{no_bound, no_bound}};
    std::array<Numbers, 2> speed = {Numbers{1, 1}, Numbers{1, 1}};
    std::array<Words, 2> position{};
    std::array<Words, 2> here = {Words{0, 1}, Words{2, 3}};

    [[gnu::always_inline]] void offer(std::size_t l, Numbers signed_distance,
                                      Numbers of_speed) noexcept {
      const Numbers of_distance = signed_distance > 0 ? signed_distance : Numbers{};
      const Truths nearer = of_distance * speed[l] < distance[l] * of_speed;
      distance[l] = nearer ? of_distance : distance[l];
      speed[l] = nearer ? of_speed : speed[l];
      position[l] = nearer ? here[l] : position[l];
      here[l] += 4;
    }
    // Of all, the first of equal ones; none if there is none.
    [[nodiscard]] std::size_t of_all() const noexcept;
  };

  // The position of the least ratio if values may be off by `give`. Keeps speeds and distances if
  // asked to, which takes time; else `give` is 0.
  template <bool Keep>
  [[nodiscard]] std::size_t measure(const SimplexBasis& basis, double sign, double give,
                                    bool phase_1) noexcept;
  [[nodiscard]] std::size_t lowest_within(const SimplexBasis& basis, double limit) const noexcept;
  [[nodiscard]] std::size_t fastest_within(const SimplexBasis& basis, double limit) const noexcept;

  std::vector<double> speeds_;
  std::vector<double> distances_;
};

}  // namespace keyhole::math
