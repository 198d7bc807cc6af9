#include "sets/separation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "math/sums.h"

namespace keyhole::sets {
namespace {

NearestPoint::Minimise oracle_of(const Set& set) {
  return [oracle = std::shared_ptr<Oracle>(set.oracle())](std::span<const double> direction,
                                                          std::span<double> v) {
    oracle->minimise(direction).write_to(v);
  };
}

}  // namespace

Separation::Separation(const Set& set) : Separation(set, oracle_of(set)) {}

Separation::Separation(const Set& set, const NearestPoint::Minimise& minimise)
    : set_(set),
      minimise_(minimise),
      nearest_(set.dimension(), set.diameter(), minimise),
      descent_(set.dimension()),
      z_(set.dimension()),
      s_(set.dimension()),
      reach_(set.dimension()),
      direction_(set.dimension()) {}

bool Separation::is_within(std::span<const double> z, double tolerance) {
  constexpr double roundings = 16 * std::numeric_limits<double>::epsilon();
  tolerance_ = tolerance + roundings * math::norm(set_.centre());
  if (!is_near_the_hull(z)) return false;
  if (math::norm(s_) <= tolerance_) return true;
  descent_.start(s_);
  descends_ = true;
  approaches_ = true;
  nearest_.start(z_);
  for (std::size_t k = 0; k < nearest_.most_steps() && (descends_ || approaches_); ++k) {
    const Verdict of_descent = descends_ ? descend() : Verdict::unknown;
    if (of_descent != Verdict::unknown) return of_descent == Verdict::inside;
    const Verdict of_approach = approaches_ ? approach() : Verdict::unknown;
    if (of_approach != Verdict::unknown) return of_approach == Verdict::inside;
  }
  return math::norm(nearest_.away()) <= std::max(tolerance_, 2.5e-9 * set_.diameter());
}

bool Separation::is_near_the_hull(std::span<const double> z) {
  const std::vector<double>& p = set_.centre();
  for (std::size_t i = 0; i < s_.size(); ++i) s_[i] = z[i] - p[i];
  std::copy(z.begin(), z.end(), z_.begin());
  if (set_.hull_dimension() == set_.dimension()) return true;
  set_.flatten(s_);
  for (std::size_t i = 0; i < s_.size(); ++i) {
    z_[i] = p[i] + s_[i];
    direction_[i] = z[i] - z_[i];
  }
  return math::norm(direction_) <= tolerance_;
}

Separation::Verdict Separation::descend() {
  const std::span<const double> g = descent_.direction();
  for (std::size_t i = 0; i < g.size(); ++i) direction_[i] = -g[i];
  minimise_(direction_, reach_);
  const double beyond =
      math::reduce(g.size(), [&](std::size_t i) { return g[i] * (z_[i] - reach_[i]); });
  if (beyond > tolerance_ * math::norm(g)) return Verdict::outside;
  nearest_.offer(reach_);
  for (std::size_t i = 0; i < g.size(); ++i) reach_[i] -= set_.centre()[i];
  if (is_reached()) return Verdict::inside;
  descends_ = descent_.learn(reach_);
  return Verdict::unknown;
}

Separation::Verdict Separation::approach() {
  const std::span<const double> away = nearest_.away();
  for (std::size_t i = 0; i < reach_.size(); ++i) reach_[i] = s_[i] + away[i];
  if (is_reached()) return Verdict::inside;
  // All of K lies at least distance - gap / distance beyond z along x - z.
  const double distance = math::norm(away);
  if (distance - nearest_.gap() / distance > tolerance_) return Verdict::outside;
  approaches_ = nearest_.step();
  return Verdict::unknown;
}

bool Separation::is_reached() const {
  // s = t q + (1 - t) w with ||w|| <= r, q = x - p. With e the distance of s from the line of q and
  // u how far t q lies beyond the foot there, the best t has u = -r e / sqrt(||q||^2 - r^2).
  const double r = set_.inner_radius();
  const double length = math::norm(reach_);
  if (!(length > r)) return math::norm(s_) <= r + tolerance_;
  const double foot = math::dot(s_, reach_) / length;
  const double e = std::sqrt(math::reduce(s_.size(), [&](std::size_t i) {
    const double off = s_[i] - foot / length * reach_[i];
    return off * off;
  }));
  const double u = -r * e / std::sqrt((length - r) * (length + r));
  const double t = std::clamp((foot + u) / length, 0.0, 1.0);
  const double left = t * length - foot;
  return std::sqrt(e * e + left * left) <= (1 - t) * r + tolerance_;
}

}  // namespace keyhole::sets
