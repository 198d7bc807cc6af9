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
      minimise_([this, minimise](std::span<const double> direction, std::span<double> v) {
        ++calls_;
        minimise(direction, v);
      }),
      nearest_(set.dimension(), set.diameter(), minimise_),
      descent_(set.dimension(), PolarDescent::ScaleOf::first_step),
      z_(set.dimension()),
      s_(set.dimension()),
      reach_(set.dimension()),
      direction_(set.dimension()),
      tilted_(set.dimension()),
      vertex_(set.dimension()) {}

bool Separation::is_within(std::span<const double> z, double tolerance) {
  constexpr double roundings = 16 * std::numeric_limits<double>::epsilon();
  tolerance_ = tolerance + roundings * math::norm(set_.centre());
  calls_ = 0;
  if (!is_near_the_hull(z)) return false;
  if (math::norm(s_) <= tolerance_) return true;
  const Verdict verdict = search();
  if (verdict != Verdict::unknown) return verdict == Verdict::inside;
  return math::norm(nearest_.away()) <= std::max(tolerance_, 2.5e-9 * set_.diameter());
}

Separation::Verdict Separation::search() {
  const std::size_t n = set_.dimension();
  // On a polytope Wolfe's method mostly ends within 5 n steps, and as many are of the descent. Then
  // one call in eight is left to it, for faces between a corner and a curved side.
  const std::size_t early = 10 * n;
  descent_.start(s_);
  descends_ = true;
  level_ = std::numeric_limits<double>::infinity();
  next_look_ = early + n;
  nearest_.start(z_);
  bool approaches = true;
  bool face_is_left = true;
  while (calls_ < most_calls(n)) {
    Verdict verdict = Verdict::unknown;
    if (descends_) verdict = descend();
    if (verdict != Verdict::unknown) return verdict;
    const bool is_turn = approaches && (calls_ < early || calls_ % 8 == 0);
    if (!is_turn && (descends_ ? is_level() : face_is_left)) {
      face_is_left = descends_;
      verdict = search_face();
    } else if (approaches && (is_turn || !descends_)) {
      verdict = approach(approaches);
    } else if (!descends_) {
      break;
    }
    if (verdict != Verdict::unknown) return verdict;
  }
  return Verdict::unknown;
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
  const Verdict verdict = ask(descent_.direction());
  if (verdict != Verdict::unknown) return verdict;
  for (std::size_t i = 0; i < reach_.size(); ++i) reach_[i] = vertex_[i] - set_.centre()[i];
  if (is_reached()) return Verdict::inside;
  descends_ = descent_.learn(reach_);
  return Verdict::unknown;
}

Separation::Verdict Separation::approach(bool& goes_on) {
  // All of K lies at least distance - gap / distance beyond z along x - z.
  const double distance = math::norm(nearest_.away());
  if (distance - nearest_.gap() / distance > tolerance_) return Verdict::outside;
  goes_on = nearest_.step();
  return look();
}

bool Separation::is_level() {
  if (calls_ < next_look_) return false;
  next_look_ = calls_ + set_.dimension();
  const double fell = level_ - descent_.value();
  level_ = descent_.value();
  return fell < 0.03 * (level_ - math::norm(s_)) + tolerance_ * math::norm(descent_.best());
}

Separation::Verdict Separation::search_face() {
  const std::size_t n = set_.dimension();
  const std::span<const double> g = descent_.best();
  const double length = math::norm(g);
  const double depth = std::max(tolerance_, (descent_.value() - math::norm(s_)) / length);
  // Where K is curved like a ball of radius R, this tilt costs a vertex the depth of z.
  const double least = std::sqrt(depth / set_.outer_radius());
  double tilt = least;
  for (std::size_t k = 0; k < n + n / 2 && tilt < 1000 && calls_ < most_calls(n); ++k) {
    const std::span<const double> away = nearest_.away();
    const double scale = tilt / math::norm(away);
    for (std::size_t i = 0; i < n; ++i) tilted_[i] = g[i] / length - scale * away[i];
    const Verdict verdict = ask(tilted_);
    if (verdict != Verdict::unknown) return verdict;
    tilt = nearer_ ? std::max(least, tilt / 10) : 10 * tilt;
  }
  return Verdict::unknown;
}

Separation::Verdict Separation::ask(std::span<const double> g) {
  for (std::size_t i = 0; i < g.size(); ++i) direction_[i] = -g[i];
  minimise_(direction_, vertex_);
  const double beyond =
      math::reduce(g.size(), [&](std::size_t i) { return g[i] * (z_[i] - vertex_[i]); });
  if (beyond > tolerance_ * math::norm(g)) return Verdict::outside;
  nearer_ = nearest_.offer(vertex_);
  return look();
}

Separation::Verdict Separation::look() {
  const std::span<const double> away = nearest_.away();
  for (std::size_t i = 0; i < reach_.size(); ++i) reach_[i] = s_[i] + away[i];
  return is_reached() ? Verdict::inside : Verdict::unknown;
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
