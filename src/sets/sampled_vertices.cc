#include "sets/sampled_vertices.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/sums.h"
#include "sets/moments.h"
#include "sets/spread_directions.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class VertexList {
 public:
  VertexList(const Set& set, std::unique_ptr<Oracle> oracle)
      : set_(set),
        oracle_(std::move(oracle)),
        normals_(0x766572746578, 0),
        spread_(set.dimension()),
        d_(set.dimension()) {}

  /// The points, each once.
  [[nodiscard]] const std::vector<Vector>& points() {
    std::sort(points_.begin(), points_.end());
    points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    return points_;
  }

  void add_random(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      next_direction();
      add_vertex();
    }
  }

  void add_nearest(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      next_direction();
      add_nearest_point();
    }
  }

  void add_of_axes() {
    for (std::size_t i = 0; i < d_.size(); ++i) add_of_axis(i);
  }

  /// Of the coordinates in which all points agree.
  void add_of_unvaried_axes() {
    const std::size_t count = points_.size();
    for (std::size_t i = 0; i < d_.size(); ++i) {
      const auto agrees = [&](const Vector& x) { return x[i] == points_.front()[i]; };
      const auto end = points_.begin() + static_cast<std::ptrdiff_t>(count);
      if (std::all_of(points_.begin(), end, agrees)) add_of_axis(i);
    }
  }

  void add_inner_sphere() {
    const Geometry& geometry = set_.geometry();
    for (std::size_t i = 0; i < d_.size(); ++i) {
      std::fill(d_.begin(), d_.end(), 0.0);
      d_[i] = 1;
      set_.flatten(d_);
      const double length = math::norm(d_);
      if (!(length > 1e-6)) continue;
      for (const double sign : {1.0, -1.0}) {
        Vector x = geometry.centre;
        for (std::size_t j = 0; j < x.size(); ++j) {
          x[j] += sign * geometry.inner_radius * (d_[j] / length);
        }
        oracle_->settle(x);
        // Rounding can keep it out of the set.
        if (set_.contains(x)) points_.push_back(std::move(x));
      }
    }
  }

 private:
  void next_direction() {
    if (d_.size() <= few_coordinates) {
      math::gaussians(normals_, drawn_++, 0, d_);
    } else {
      spread_.next(d_);
    }
  }

  /// The point of the set nearest to p - R d / ||d||.
  void add_nearest_point() {
    const double length = math::norm(d_);
    Vector x = set_.centre();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= set_.outer_radius() * (d_[i] / length);
    try {
      oracle_->project(x, x);
    } catch (const Error&) {  // rounding keeps it from an answer
      add_vertex();
      return;
    }
    oracle_->settle(x);
    points_.push_back(std::move(x));
  }

  void add_of_axis(std::size_t i) {
    std::fill(d_.begin(), d_.end(), 0.0);
    for (const double sign : {1.0, -1.0}) {
      d_[i] = sign;
      add_vertex();
    }
  }

  /// What an oracle answers is in the set: a test of membership can take longer than the answer.
  void add_vertex() {
    Vector v(d_.size());
    oracle_->minimise(d_).write_to(v);
    oracle_->settle(v);
    points_.push_back(std::move(v));
  }

  const Set& set_;
  std::unique_ptr<Oracle> oracle_;
  math::Ars normals_;
  SpreadDirections spread_;
  std::uint64_t drawn_ = 0;
  Vector d_;
  std::vector<Vector> points_;
};

}  // namespace

std::size_t random_directions(std::size_t n) {
  if (n <= few_coordinates) return std::max(std::size_t{200}, 10 * n);
  return std::clamp(3 * n, std::size_t{1000}, std::size_t{3000});
}

SharedPoints sampled_vertices(const Set& set, std::optional<std::size_t> most_vertices,
                              const MakeOracle& make_rough) {
  const std::size_t n = set.dimension();
  const bool has_few = n <= few_coordinates;
  VertexList list(set, !has_few && make_rough ? make_rough() : set.oracle());
  if (has_few) list.add_of_axes();
  list.add_random(most_vertices.value_or(random_directions(n)));
  if (most_vertices) list.add_nearest(3 * n - std::min(3 * n, *most_vertices));
  if (!has_few) list.add_of_unvaried_axes();
  for (int attempt = 0;; ++attempt) {
    const std::vector<Vector>& points = list.points();
    try {
      const PointSpace space = space_of(set);
      const Vector weights = optimal_design(space, points, bearable_steps(n, points.size()));
      return std::make_shared<const ExploredPoints>(space, points, weights);
    } catch (const InvalidArgument&) {
      if (attempt == 2) return nullptr;
      if (attempt == 1) {
        list.add_inner_sphere();
      } else if (has_few) {
        list.add_random(random_directions(n));
      } else {
        list.add_of_axes();
      }
    }
  }
}

std::unique_ptr<Exploration> explore_vertices(const Set& set, const MakeOracle& make_rough) {
  return KeptExploration::of(set, [&]() -> SharedPoints {
    if (set.dimension() > most_sampled_coordinates) return nullptr;
    return sampled_vertices(set, {}, make_rough);
  });
}

}  // namespace keyhole::sets
