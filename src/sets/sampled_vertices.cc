#include "sets/sampled_vertices.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/sums.h"
#include "sets/moments.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class VertexList {
 public:
  explicit VertexList(const Set& set)
      : set_(set), oracle_(set.oracle()), directions_(0x766572746578, 0), d_(set.dimension()) {}

  /// The points, each once.
  [[nodiscard]] const std::vector<Vector>& points() {
    std::sort(points_.begin(), points_.end());
    points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    return points_;
  }

  void add_random(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      math::gaussians(directions_, drawn_++, 0, d_);
      add_vertex();
    }
  }

  void add_of_axes() {
    std::fill(d_.begin(), d_.end(), 0.0);
    for (double& coordinate : d_) {
      for (const double sign : {1.0, -1.0}) {
        coordinate = sign;
        add_vertex();
      }
      coordinate = 0;
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
        add(std::move(x));
      }
    }
  }

 private:
  void add_vertex() {
    Vector v(d_.size());
    oracle_->minimise(d_).write_to(v);
    add(std::move(v));
  }

  /// A point that rounding keeps out of the set is not worth having.
  void add(Vector x) {
    oracle_->settle(x);
    if (set_.contains(x)) points_.push_back(std::move(x));
  }

  const Set& set_;
  std::unique_ptr<Oracle> oracle_;
  math::Ars directions_;
  std::uint64_t drawn_ = 0;
  Vector d_;
  std::vector<Vector> points_;
};

}  // namespace

std::unique_ptr<Exploration> sampled_vertices(const Set& set) {
  const std::size_t n = set.dimension();
  const std::size_t count = std::max(std::size_t{200}, std::min(10 * n, 4'000'000 / n));
  VertexList list(set);
  list.add_of_axes();
  list.add_random(count);
  for (int attempt = 0;; ++attempt) {
    const std::vector<Vector>& points = list.points();
    try {
      const std::size_t steps = bearable_steps(n, points.size());
      return point_list(set, points, design_weights(set, points, steps));
    } catch (const InvalidArgument&) {
      if (attempt == 0) {
        list.add_random(count);
      } else if (attempt == 1) {
        list.add_inner_sphere();
      } else {
        return inscribed_sphere(set);
      }
    }
  }
}

std::unique_ptr<Exploration> explore_vertices(const Set& set) {
  if (set.dimension() > most_sampled_coordinates) return inscribed_sphere(set);
  return sampled_vertices(set);
}

}  // namespace keyhole::sets
