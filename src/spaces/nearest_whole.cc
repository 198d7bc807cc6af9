#include "spaces/nearest_whole.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/programs/bounded_simplex.h"
#include "math/programs/dual_active_set.h"
#include "math/sums.h"

namespace keyhole::spaces {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// What is pruned is out by more than this share: what comes in wrongly is refused at the end.
constexpr double leeway = 1e-8;

}  // namespace

NearestWhole::NearestWhole(const WholeRules& rules, std::span<const double> x,
                           std::size_t most_steps)
    : rules_(rules),
      x_(x),
      steps_left_(most_steps),
      from_(rules.wholes().size()),
      to_(from_.size()),
      target_(from_.size()),
      weight_(from_.size()),
      sums_(rules.rows().size()),
      least_((from_.size() + 1) * sums_.size()),
      most_(least_.size()),
      point_(x.begin(), x.end()) {}

bool NearestWhole::find_within(std::span<const std::int64_t> from, std::span<const std::int64_t> to,
                               std::span<const double> target, std::span<const double> weight) {
  std::copy(from.begin(), from.end(), from_.begin());
  std::copy(to.begin(), to.end(), to_.begin());
  std::copy(target.begin(), target.end(), target_.begin());
  std::copy(weight.begin(), weight.end(), weight_.begin());
  others_move_ = false;
  best_cost_ = infinity;
  return search();
}

bool NearestWhole::find() {
  const auto& wholes = rules_.wholes();
  others_move_ = true;
  best_cost_ = infinity;
  for (std::size_t j = 0; j < wholes.size(); ++j) {
    const Ladder& ladder = wholes[j].ladder;
    target_[j] = (x_[wholes[j].column] - ladder.from) / ladder.step;
    weight_[j] = 1 / (static_cast<double>(ladder.last) * static_cast<double>(ladder.last));
  }
  // Sets the windows to so many steps about the target. Whether that is everything.
  const auto open = [&](const auto& radius) {
    bool all = true;
    for (std::size_t j = 0; j < wholes.size(); ++j) {
      const auto last = static_cast<double>(wholes[j].ladder.last);
      const double r = std::min(radius(j), last + 1);
      from_[j] = static_cast<std::int64_t>(std::clamp(std::ceil(target_[j] - r), 0.0, last));
      to_[j] = static_cast<std::int64_t>(std::clamp(std::floor(target_[j] + r), 0.0, last));
      all = all && from_[j] == 0 && to_[j] == wholes[j].ladder.last;
    }
    return all;
  };
  for (double r = 1;; r *= 2) {
    const bool all = open([&](std::size_t) { return r; });
    if (!search() && !all && steps_left_ > 0) continue;
    if (all || steps_left_ == 0) return best_cost_ < infinity;
    break;
  }
  (void)open([&](std::size_t j) { return std::sqrt(best_cost_ / weight_[j]); });
  return search();
}

bool NearestWhole::search() {
  const auto& rows = rules_.rows();
  const std::size_t count = from_.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sums_[i] = 0;
    double low = 0;
    double high = 0;
    for (std::size_t j = 0; j < rows[i].of_others.size(); ++j) {
      const double a = rows[i].of_others[j];
      if (a == 0) continue;
      const WholeRules::Other& other = rules_.others()[j];
      const double from = a * (others_move_ ? other.lower : x_[other.column]);
      const double to = a * (others_move_ ? other.upper : x_[other.column]);
      low += std::min(from, to);
      high += std::max(from, to);
    }
    for (std::size_t depth = count;; --depth) {
      const double room = leeway * (std::abs(rows[i].right) + std::abs(low) + std::abs(high));
      least_[depth * rows.size() + i] = low - room;
      most_[depth * rows.size() + i] = high + room;
      if (depth == 0) break;
      const Ladder& ladder = rules_.wholes()[depth - 1].ladder;
      const double from = rows[i].of_wholes[depth - 1] * ladder.at(from_[depth - 1]);
      const double to = rows[i].of_wholes[depth - 1] * ladder.at(to_[depth - 1]);
      low += std::min(from, to);
      high += std::max(from, to);
    }
  }
  descend(0, 0);
  return best_cost_ < infinity;
}

void NearestWhole::descend(std::size_t depth, double cost) {
  if (depth == from_.size()) return arrive(cost);
  const auto& rows = rules_.rows();
  const Ladder& ladder = rules_.wholes()[depth].ladder;
  // What the rows leave of the window, whatever comes later.
  auto low = static_cast<double>(from_[depth]);
  auto high = static_cast<double>(to_[depth]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double a = rows[i].of_wholes[depth] * ladder.step;
    const double base = sums_[i] + rows[i].of_wholes[depth] * ladder.from;
    const double room = rows[i].right - base - least_[(depth + 1) * rows.size() + i];
    const double need =
        rows[i].equality ? rows[i].right - base - most_[(depth + 1) * rows.size() + i] : -infinity;
    if (a == 0) {
      if (room < 0 || need > 0) return;
      continue;
    }
    // need <= a k <= room
    const double least = a > 0 ? need / a : room / a;
    const double most = a > 0 ? room / a : need / a;
    low = std::max(low, std::ceil(least - leeway));
    high = std::min(high, std::floor(most + leeway));
  }
  if (!(low <= high)) return;
  double down = std::clamp(std::round(target_[depth]), low, high);
  double up = down + 1;
  while (down >= low || up <= high) {
    const bool goes_down =
        up > high || (down >= low && target_[depth] - down <= up - target_[depth]);
    const double k = goes_down ? down-- : up++;
    const double more = weight_[depth] * (k - target_[depth]) * (k - target_[depth]);
    if (cost + more >= best_cost_) return;  // and the next ones are further
    if (steps_left_ == 0) return;
    --steps_left_;
    const double value = ladder.at(static_cast<std::int64_t>(k));
    for (std::size_t i = 0; i < rows.size(); ++i) sums_[i] += rows[i].of_wholes[depth] * value;
    point_[rules_.wholes()[depth].column] = value;
    descend(depth + 1, cost + more);
    for (std::size_t i = 0; i < rows.size(); ++i) sums_[i] -= rows[i].of_wholes[depth] * value;
  }
}

void NearestWhole::arrive(double cost) {
  for (const WholeRules::Other& other : rules_.others()) point_[other.column] = x_[other.column];
  if (!rules_.allows(point_)) {
    if (!others_move_ || rules_.others().empty()) return;
    cost += move_others();
    if (!(cost < best_cost_) || !rules_.allows(point_)) return;
  }
  best_cost_ = cost;
  best_ = point_;
}

double NearestWhole::move_others() {
  const auto& others = rules_.others();
  const std::size_t n = others.size();
  math::LinearConstraints k{
      .columns = n, .lower = std::vector<double>(n, 0.0), .upper = std::vector<double>(n, 1.0)};
  for (const bool equality : {false, true}) {
    for (const WholeRules::Row& row : rules_.rows()) {
      if (row.equality != equality) continue;
      std::vector<double> scaled(n);
      double right = row.right;
      for (std::size_t j = 0; j < row.of_wholes.size(); ++j) {
        right -= row.of_wholes[j] * point_[rules_.wholes()[j].column];
      }
      for (std::size_t j = 0; j < n; ++j) {
        scaled[j] = row.of_others[j] * (others[j].upper - others[j].lower);
        right -= row.of_others[j] * others[j].lower;
      }
      const double size = math::norm(scaled);
      if (size == 0) continue;
      for (const double a : scaled) k.rows.push_back(a / size);
      k.right.push_back(right / size);
      k.inequalities += equality ? 0 : 1;
    }
  }
  std::vector<double> z(n);
  for (std::size_t j = 0; j < n; ++j) {
    z[j] = (x_[others[j].column] - others[j].lower) / (others[j].upper - others[j].lower);
  }
  std::vector<double> nearest(n);
  math::DualActiveSet program(k, k.lower, k.upper, std::sqrt(static_cast<double>(n)));
  if (!program.solve(z, nearest)) {
    math::BoundedSimplex any(k);
    if (any.start() != math::LinearResult::optimal ||
        any.minimise(std::vector<double>(n)) != math::LinearResult::optimal) {
      return infinity;
    }
    std::copy(any.x().begin(), any.x().end(), nearest.begin());
  }
  for (std::size_t j = 0; j < n; ++j) {
    const double share = std::clamp(nearest[j], 0.0, 1.0);
    point_[others[j].column] = share == 1
                                   ? others[j].upper
                                   : others[j].lower + share * (others[j].upper - others[j].lower);
  }
  return math::reduce(n, [&](std::size_t j) { return (nearest[j] - z[j]) * (nearest[j] - z[j]); });
}

}  // namespace keyhole::spaces
