#include "math/programs/simplex_steps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace keyhole::math {
namespace {

/// What a unit of the variable gains, if it may move that way.
double gain(const SimplexBasis& basis, std::size_t column) noexcept {
  const double reduced = basis.reduced()[column];
  const bool both = basis.at(basis.nonbasic(column)) == SimplexBasis::At::zero;
  return both ? std::abs(reduced) : reduced * basis.toward()[column];
}

[[gnu::always_inline]] inline Numbers magnitudes(Numbers x) noexcept {
  constexpr std::uint64_t without_sign = ~(std::uint64_t{1} << 63);
  return std::bit_cast<Numbers>(std::bit_cast<Words>(x) & without_sign);
}

/// The largest gain^2 / length^2 so far, compared by products: division is slow.
struct Steepest {
  double square = 0;
  double length = 1;
  std::size_t column = SimplexBasis::none;

  void offer(double other_square, double other_length, std::size_t other) noexcept {
    const double of_other = other_square * length;
    const double of_this = square * other_length;
    if (of_other < of_this || (of_other == of_this && column <= other)) return;
    *this = {other_square, other_length, other};
  }
};

/// All columns with a gain above the tolerance, one by one.
std::size_t steepest_of_all(const SimplexBasis& basis) noexcept {
  Steepest best;
  for (std::size_t j = 0; j < basis.constraints().columns; ++j) {
    const double of_j = gain(basis, j);
    if (of_j > cost_tolerance) best.offer(of_j * of_j, basis.lengths()[j], j);
  }
  return best.column;
}

}  // namespace

std::size_t steepest_column(const SimplexBasis& basis) noexcept {
  if (basis.has_unbounded()) return steepest_of_all(basis);
  const double* const reduced = basis.reduced().data();
  const double* const toward = basis.toward().data();
  const double* const lengths = basis.lengths().data();
  // The best of the columns that are the same modulo 4. Squares carry the sign of the gain.
  std::array<Numbers, 2> square{};
  std::array<Numbers, 2> length = {Numbers{1, 1}, Numbers{1, 1}};
  std::array<Words, 2> best{};
  std::array<Words, 2> here = {Words{0, 1}, Words{2, 3}};
  for (std::size_t i = 0; i < basis.reduced().size(); i += 4) {
    for (std::size_t l = 0; l < 2; ++l) {
      const std::size_t j = i + 2 * l;
      const Numbers of_j = load_lanes<Numbers>(reduced + j) * load_lanes<Numbers>(toward + j);
      const Numbers square_of_j = of_j * magnitudes(of_j);
      const auto length_of_j = load_lanes<Numbers>(lengths + j);
      const Truths better = square_of_j * length[l] > square[l] * length_of_j;
      square[l] = better ? square_of_j : square[l];
      length[l] = better ? length_of_j : length[l];
      best[l] = better ? here[l] : best[l];
      here[l] += 4;
    }
  }
  Steepest all;
  for (std::size_t l = 0; l < 2; ++l) {
    for (std::size_t lane = 0; lane < 2; ++lane) {
      if (square[l][lane] > 0) all.offer(square[l][lane], length[l][lane], best[l][lane]);
    }
  }
  if (all.column == SimplexBasis::none || gain(basis, all.column) > cost_tolerance)
    return all.column;
  return steepest_of_all(basis);
}

std::size_t lowest_column(const SimplexBasis& basis) noexcept {
  std::size_t best = SimplexBasis::none;
  for (std::size_t j = 0; j < basis.constraints().columns; ++j) {
    if (!(gain(basis, j) > cost_tolerance)) continue;
    if (best == SimplexBasis::none || basis.nonbasic(j) < basis.nonbasic(best)) best = j;
  }
  return best;
}

namespace {

/// How fast a basic variable moves toward a bound as the other one changes, if that counts, and how
/// far it can go.
struct Motion {
  Numbers distance;
  Numbers speed;
};

/// What stands for no speed: no ratio with it is less than another.
constexpr Numbers no_speed = {-SimplexBasis::no_bound, -SimplexBasis::no_bound};

/// Slacks of inequalities only fall to zero.
[[gnu::always_inline]] inline Motion motion_of_slack(Numbers fall, Numbers value) noexcept {
  return {value, fall > smallest_pivot ? fall : no_speed};
}

[[gnu::always_inline]] inline Motion motion_between(Numbers fall, Numbers above,
                                                    Numbers below) noexcept {
  const Numbers distance = fall > 0 ? above : below;
  const Numbers size = magnitudes(fall);
  const Truths counts = (size > smallest_pivot) & (distance < SimplexBasis::no_bound);
  return {distance, counts ? size : no_speed};
}

/// The same for variables that may be outside: they are stopped where they come inside.
[[gnu::always_inline]] inline Motion motion_toward(Numbers fall, Numbers above, Numbers below,
                                                   double tolerance) noexcept {
  const Numbers no_end = {SimplexBasis::no_bound, SimplexBasis::no_bound};
  const Truths is_below = above < -tolerance;
  const Truths is_above = below < -tolerance;
  const Numbers down = is_below ? no_end : is_above ? -below : above;
  const Numbers up = is_above ? no_end : is_below ? -above : below;
  return motion_between(fall, down, up);
}

}  // namespace

std::size_t RatioTest::Least::of_all() const noexcept {
  std::size_t best = SimplexBasis::none;
  double best_distance = no_bound;
  double best_speed = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    const double of_i = distance[i / 2][i % 2] * best_speed;
    const double of_best = best_distance * speed[i / 2][i % 2];
    if (!(of_i < of_best || (of_i == of_best && position[i / 2][i % 2] < best))) continue;
    if (distance[i / 2][i % 2] == no_bound) continue;
    best = position[i / 2][i % 2];
    best_distance = distance[i / 2][i % 2];
    best_speed = speed[i / 2][i % 2];
  }
  return best;
}

template <bool Keep>
std::size_t RatioTest::measure(const SimplexBasis& basis, double sign, double give,
                               bool phase_1) noexcept {
  const double* const column = basis.column().data();
  const double* const values = basis.values().data();
  const double* const lowers = basis.lowers().data();
  const double* const uppers = basis.uppers().data();
  double* const speeds = speeds_.data();
  double* const distances = distances_.data();
  Least least;
  // For the positions from begin on, the motion of the pair at j with the column `fall`.
  const auto offer = [&](std::size_t begin, std::size_t end, auto motion) {
    for (std::size_t i = begin; i < end; i += 4) {
      for (std::size_t l = 0; l < 2; ++l) {
        const std::size_t j = i + 2 * l;
        const Motion of_j = motion(j, sign * load_lanes<Numbers>(column + j));
        least.offer(l, Keep ? of_j.distance + give : of_j.distance, of_j.speed);
        if constexpr (Keep) {
          store_lanes(speeds + j, of_j.speed);
          store_lanes(distances + j, of_j.distance);
        }
      }
    }
  };
  const auto above = [&](std::size_t j) {
    return load_lanes<Numbers>(values + j) - load_lanes<Numbers>(lowers + j);
  };
  const auto below = [&](std::size_t j) {
    return load_lanes<Numbers>(uppers + j) - load_lanes<Numbers>(values + j);
  };
  const LinearConstraints& constraints = basis.constraints();
  const bool only_inequalities = constraints.inequalities == constraints.right.size();
  const std::size_t slacks = only_inequalities ? padded(constraints.inequalities)
                                               : constraints.inequalities / padding * padding;
  const std::size_t all = basis.column().size();
  if (phase_1) {
    const double tolerance = basis.tolerance();
    offer(0, all, [&](std::size_t j, Numbers fall) {
      return motion_toward(fall, above(j), below(j), tolerance);
    });
  } else {
    offer(0, slacks, [&](std::size_t j, Numbers fall) {
      return motion_of_slack(fall, load_lanes<Numbers>(values + j));
    });
    offer(slacks, all,
          [&](std::size_t j, Numbers fall) { return motion_between(fall, above(j), below(j)); });
  }
  return least.of_all();
}

RatioTest::Stop RatioTest::operator()(const SimplexBasis& basis, double sign, Kind kind) noexcept {
  std::size_t r = measure<false>(basis, sign, 0, kind.phase_1);
  if (r == SimplexBasis::none) return {SimplexBasis::no_bound, r, SimplexBasis::At::lower};
  if (kind.bland || std::abs(basis.column()[r]) < large_pivot) {
    const double give = kind.bland ? 0 : basis.tolerance();
    const std::size_t least = measure<true>(basis, sign, give, kind.phase_1);
    // Rounded up, so that the least one itself is within it.
    const double limit = (std::max(distances_[least], 0.0) + give) / speeds_[least] * (1 + 0x1p-50);
    r = kind.bland ? lowest_within(basis, limit) : fastest_within(basis, limit);
  }
  const bool falls = sign * basis.column()[r] > 0;
  const bool is_outside = kind.phase_1 && basis.violation(r) != 0;
  const bool to_upper = falls == is_outside;
  const double bound = (to_upper ? basis.uppers() : basis.lowers())[r];
  const double distance = falls ? basis.values()[r] - bound : bound - basis.values()[r];
  return {std::max(distance, 0.0) / std::abs(basis.column()[r]), r,
          to_upper ? SimplexBasis::At::upper : SimplexBasis::At::lower};
}

/// Of the positions that stop the step before the limit: the one of the largest pivot, the first of
/// equal ones.
std::size_t RatioTest::fastest_within(const SimplexBasis& basis, double limit) const noexcept {
  std::size_t best = SimplexBasis::none;
  for (std::size_t i = 0; i < basis.positions(); ++i) {
    if (!(speeds_[i] > 0 && distances_[i] <= limit * speeds_[i])) continue;
    if (best == SimplexBasis::none || speeds_[i] > speeds_[best]) best = i;
  }
  return best;
}

std::size_t RatioTest::lowest_within(const SimplexBasis& basis, double limit) const noexcept {
  std::size_t best = SimplexBasis::none;
  for (std::size_t i = 0; i < basis.positions(); ++i) {
    if (!(speeds_[i] > 0 && distances_[i] <= limit * speeds_[i])) continue;
    if (best == SimplexBasis::none || basis.variable(i) < basis.variable(best)) best = i;
  }
  return best;
}

}  // namespace keyhole::math
