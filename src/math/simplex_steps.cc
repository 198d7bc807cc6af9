#include "math/simplex_steps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace keyhole::math {
namespace {

constexpr std::size_t no_column = SimplexBasis::none;
constexpr double infinity = std::numeric_limits<double>::infinity();

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
  std::size_t column = no_column;

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
  if (all.column == no_column || gain(basis, all.column) > cost_tolerance) return all.column;
  return steepest_of_all(basis);
}

std::size_t lowest_column(const SimplexBasis& basis) noexcept {
  std::size_t best = no_column;
  for (std::size_t j = 0; j < basis.constraints().columns; ++j) {
    if (!(gain(basis, j) > cost_tolerance)) continue;
    if (best == no_column || basis.nonbasic(j) < basis.nonbasic(best)) best = j;
  }
  return best;
}

/// Slacks of inequalities that are not negative: speeds_, and the least ratio.
void RatioTest::measure_slacks(const SimplexBasis& basis, double sign, double give, std::size_t end,
                               Least& least) noexcept {
  const double* const column = basis.column().data();
  const double* const values = basis.values().data();
  double* const speeds = speeds_.data();
  for (std::size_t i = 0; i < end; i += 4) {
    for (std::size_t l = 0; l < 2; ++l) {
      const std::size_t j = i + 2 * l;
      const Numbers fall = sign * load_lanes<Numbers>(column + j);
      const Numbers speed = fall > smallest_pivot ? fall : Numbers{};
      store_lanes(speeds + j, speed);
      least.offer(l, load_lanes<Numbers>(values + j) + give, speed);
    }
  }
}

/// Any positions: speeds_, distances_ and the least ratio.
void RatioTest::measure(const SimplexBasis& basis, double sign, double outside, double give,
                        std::size_t begin, Least& least) noexcept {
  constexpr Numbers no_end = {infinity, infinity};
  for (std::size_t i = begin; i < basis.column().size(); i += 4) {
    for (std::size_t l = 0; l < 2; ++l) {
      const std::size_t j = i + 2 * l;
      const Numbers fall = sign * load_lanes<Numbers>(basis.column().data() + j);
      const Numbers value = load_lanes<Numbers>(basis.values().data() + j);
      const Numbers above = value - load_lanes<Numbers>(basis.lowers().data() + j);
      const Numbers below = load_lanes<Numbers>(basis.uppers().data() + j) - value;
      const Truths falls = fall > 0;
      Numbers distance = falls ? above : below;
      distance = above < -outside ? (falls ? no_end : -above) : distance;
      distance = below < -outside ? (falls ? -below : no_end) : distance;
      const Numbers size = magnitudes(fall);
      const Truths counts = (size > smallest_pivot) & (distance < infinity);
      const Numbers speed = counts ? size : Numbers{};
      distance = counts ? distance : Numbers{};
      store_lanes(&speeds_[j], speed);
      store_lanes(&distances_[j], distance);
      least.offer(l, distance + give, speed);
    }
  }
}

RatioTest::Stop RatioTest::operator()(const SimplexBasis& basis, double sign, double tolerance,
                                      Kind kind) noexcept {
  const double give = kind.bland ? 0 : tolerance;
  const double outside = kind.phase_1 ? tolerance : infinity;
  // Slacks of inequalities only fall to zero.
  const std::size_t slacks = kind.phase_1 ? 0 : basis.constraints().inequalities / 4 * 4;
  Least least;
  measure_slacks(basis, sign, give, slacks, least);
  measure(basis, sign, outside, give, slacks, least);
  double limit = infinity;
  for (std::size_t l = 0; l < 2; ++l) {
    for (std::size_t lane = 0; lane < 2; ++lane) {
      limit = std::min(limit, least.distance[l][lane] / least.speed[l][lane]);
    }
  }
  if (limit == infinity) return {infinity, no_column, SimplexBasis::At::lower};
  limit *= 1 + 0x1p-50;  // the least one itself is within it
  std::copy_n(basis.values().begin(), kind.bland ? slacks : 0, distances_.begin());
  const std::size_t best = kind.bland ? lowest(basis, limit) : fastest(basis, slacks, limit);
  const bool falls = sign * basis.column()[best] > 0;
  const double above = basis.values()[best] - basis.lowers()[best];
  const double below = basis.uppers()[best] - basis.values()[best];
  const bool is_outside = above < -outside || below < -outside;
  const double distance = best < slacks ? above : distances_[best];
  return {std::max(distance, 0.0) / speeds_[best], best,
          falls == is_outside ? SimplexBasis::At::upper : SimplexBasis::At::lower};
}

/// Of the positions that stop the step before the limit: the one of the largest pivot, the first of
/// equal ones.
std::size_t RatioTest::fastest(const SimplexBasis& basis, std::size_t slacks,
                               double limit) const noexcept {
  std::array<Numbers, 2> largest{};
  std::array<Words, 2> best{};
  std::array<Words, 2> here = {Words{0, 1}, Words{2, 3}};
  const double* const speeds = speeds_.data();
  const auto look = [&](const double* distances, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i += 4) {
      for (std::size_t l = 0; l < 2; ++l) {
        const std::size_t j = i + 2 * l;
        const auto speed = load_lanes<Numbers>(speeds + j);
        const Truths within = load_lanes<Numbers>(distances + j) <= limit * speed;
        const Truths better = within & (speed > largest[l]);
        largest[l] = better ? speed : largest[l];
        best[l] = better ? here[l] : best[l];
        here[l] += 4;
      }
    }
  };
  look(basis.values().data(), 0, slacks);
  look(distances_.data(), slacks, basis.column().size());
  std::size_t position = no_column;
  double speed = 0;
  for (std::size_t l = 0; l < 2; ++l) {
    for (std::size_t lane = 0; lane < 2; ++lane) {
      const double of_lane = largest[l][lane];
      if (of_lane < speed || (of_lane == speed && position <= best[l][lane])) continue;
      if (of_lane == 0) continue;
      speed = of_lane;
      position = best[l][lane];
    }
  }
  return position;
}

std::size_t RatioTest::lowest(const SimplexBasis& basis, double limit) const noexcept {
  std::size_t best = no_column;
  for (std::size_t i = 0; i < basis.positions(); ++i) {
    if (!(speeds_[i] > 0 && distances_[i] <= limit * speeds_[i])) continue;
    if (best == no_column || basis.variable(i) < basis.variable(best)) best = i;
  }
  return best;
}

}  // namespace keyhole::math
