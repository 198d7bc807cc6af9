// What the steps of a minimisation over a polytope consist of, each part timed by itself in the
// middle of real minimisations, and the tightest loops over the same tableau.

#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "math/programs/basic_vertex.h"
#include "math/programs/linear_program.h"
#include "math/programs/multiples.h"
#include "math/programs/simplex_basis.h"
#include "math/programs/simplex_steps.h"
#include "math/sums.h"

namespace keyhole::bench {

using math::Numbers;

// Nanoseconds a repetition of the work, the least of some attempts.
template <class Work>
double nanoseconds(std::size_t repetitions, Work work) {
  using Clock = std::chrono::steady_clock;
  double least = 1e300;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto begin = Clock::now();
    for (std::size_t r = 0; r < repetitions; ++r) {
      work();
      asm volatile("" ::: "memory");
    }
    const double time = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
    least = std::min(least, time / static_cast<double>(repetitions));
  }
  return least;
}

// t_i -= f_i v for the rows of a tableau: what any pivot on it must do.
inline double update_floor(std::size_t rows, std::size_t columns) {
  const std::size_t stride = math::padded(columns);
  std::vector<double> t(rows * stride, 1.0);
  const std::vector<double> v(stride, 1e-3);
  const std::vector<double> f(rows, 1e-9);
  return nanoseconds(std::max<std::size_t>(1000000 / t.size(), 1), [&] {
    for (std::size_t i = 0; i < rows; ++i) {
      double* const row = t.data() + i * stride;
      math::for_blocks(stride, [&]<std::size_t Size>(std::size_t j, math::Block<Size> block) {
        for (std::size_t l = 0; l < Size; ++l) {
          block[l] = math::load_lanes<Numbers>(row + j + 2 * l) -
                     f[i] * math::load_lanes<Numbers>(v.data() + j + 2 * l);
        }
        math::store_block(row + j, block);
      });
    }
  });
}

// y -= sum_p w_p x_p for `count` vectors: a row or a column of the tableau from the rows kept.
inline double combination_floor(std::size_t count, std::size_t size) {
  const std::size_t stride = math::padded(size);
  const std::vector<double> x(count * stride, 1e-3);
  const std::vector<double> w(count, 1e-9);
  std::vector<double> y(stride, 1.0);
  return nanoseconds(std::max<std::size_t>(1000000 / (x.size() + 1), 1), [&] {
    math::for_blocks(stride, [&]<std::size_t Size>(std::size_t j, math::Block<Size> block) {
      block = math::load_block<Size>(y.data() + j);
      math::subtract_multiples(block, w, [&](std::size_t p) { return x.data() + p * stride + j; });
      math::store_block(y.data() + j, block);
    });
  });
}

// Nanoseconds of the parts of a step, means over the middles of minimisations.
struct Parts {
  double pricing = 0;
  double column = 0;
  double ratio_test = 0;
  double exchange = 0;
  double vertex = 0;        // once a call
  double rows_kept = 0;     // of the tableau, a mean over all steps
  double slacks_leave = 0;  // share of the steps
};

class Dissection {
 public:
  explicit Dissection(const math::LinearConstraints& constraints)
      : constraints_(std::make_shared<const math::LinearConstraints>(constraints)),
        start_(constraints_),
        now_(start_),
        copy_(start_),
        ratio_test_(start_.most_positions()),
        vertex_(*constraints_),
        cost_(constraints.columns) {}

  Parts measure(std::span<const double> directions, std::size_t steps_a_call) {
    Parts parts;
    std::size_t calls = 0;
    std::size_t steps = 0;
    const std::size_t n = cost_.size();
    for (std::size_t i = 0; i + n <= directions.size(); i += n) {
      begin(directions.subspan(i, n));
      bool moving = true;
      for (std::size_t s = 0; s < steps_a_call / 2 && moving; ++s) moving = step(parts, steps);
      if (moving) time_parts(parts);
      while (moving) moving = step(parts, steps);
      parts.vertex += nanoseconds(20, [&] { (void)vertex_.compute(now_, cost_, false); });
      ++calls;
    }
    for (double* part :
         {&parts.pricing, &parts.column, &parts.ratio_test, &parts.exchange, &parts.vertex}) {
      *part /= static_cast<double>(calls);
    }
    parts.rows_kept /= static_cast<double>(steps);
    parts.slacks_leave /= static_cast<double>(steps);
    return parts;
  }

 private:
  void begin(std::span<const double> direction) {
    const double largest = math::largest_magnitude(direction);
    for (std::size_t j = 0; j < cost_.size(); ++j) cost_[j] = direction[j] / largest;
    now_.become(start_);
    now_.price(cost_);
  }

  bool step(Parts& parts, std::size_t& steps) {
    const std::size_t column = math::steepest_column(now_);
    if (column == math::SimplexBasis::none) return false;
    const std::size_t variable = now_.nonbasic(column);
    const double sign = now_.at(variable) == math::SimplexBasis::At::upper ? -1 : 1;
    now_.gather_column(column);
    const auto stop = ratio_test_(now_, sign, {.phase_1 = false, .bland = false});
    const double range = now_.upper(variable) - now_.lower(variable);
    now_.move(sign * std::min(range, stop.step));
    parts.rows_kept += static_cast<double>(now_.free().size() + 2);
    ++steps;
    if (range <= stop.step) {
      now_.flip(column);
      return true;
    }
    if (now_.variable(stop.position) >= cost_.size()) parts.slacks_leave += 1;
    now_.exchange(column, stop.position, now_.nonbasic_value(variable) + sign * stop.step,
                  stop.arrives);
    return true;
  }

  void time_parts(Parts& parts) {
    constexpr std::size_t repetitions = 20;
    const std::size_t column = math::steepest_column(now_);
    if (column == math::SimplexBasis::none) return;
    parts.pricing += nanoseconds(repetitions, [&] { (void)math::steepest_column(now_); });
    const std::size_t variable = now_.nonbasic(column);
    const double sign = now_.at(variable) == math::SimplexBasis::At::upper ? -1 : 1;
    parts.column += nanoseconds(repetitions, [&] { now_.gather_column(column); });
    parts.ratio_test += nanoseconds(
        repetitions, [&] { (void)ratio_test_(now_, sign, {.phase_1 = false, .bland = false}); });
    const auto stop = ratio_test_(now_, sign, {.phase_1 = false, .bland = false});
    if (stop.position == math::SimplexBasis::none) return;
    copy_ = now_;
    const double copying = nanoseconds(repetitions, [&] { copy_.become(now_); });
    parts.exchange -= copying;
    parts.exchange += nanoseconds(repetitions, [&] {
      copy_.become(now_);
      copy_.gather_column(column);
      copy_.move(sign * stop.step);
      copy_.exchange(column, stop.position, sign * stop.step, stop.arrives);
    });
    parts.exchange -= nanoseconds(repetitions, [&] { copy_.gather_column(0); });
  }

  std::shared_ptr<const math::LinearConstraints> constraints_;
  math::SimplexBasis start_;
  math::SimplexBasis now_;
  math::SimplexBasis copy_;
  math::RatioTest ratio_test_;
  math::BasicVertex vertex_;
  std::vector<double> cost_;
};

}  // namespace keyhole::bench
