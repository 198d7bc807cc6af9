#include "sets/explored_points.h"

#include <algorithm>
#include <utility>

#include "math/sums.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class PointExploration final : public Exploration {
 public:
  PointExploration(const Set& set, SharedPoints points)
      : Exploration(set, points->moments().mean(), points->moments().variance(),
                    points->squared_radius(), {.words = 1, .normals = 0}),
        points_(std::move(points)) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    std::ranges::copy(points_->point(points_->index_of(bits.uniform(0))), v.begin());
  }
  void score(const RandomBits& bits, std::span<double> w) override {
    std::ranges::copy(points_->score(points_->index_of(bits.uniform(0))), w.begin());
  }

 private:
  SharedPoints points_;
};

double squared_distance(const Vector& point, const Moments& of) {
  return math::reduce(point.size(), [&](std::size_t i) {
    const double away = point[i] - of.mean()[i];
    return away * away / of.variance()[i];
  });
}

}  // namespace

ExploredPoints::ExploredPoints(Moments moments, const std::vector<Vector>& list,
                               const Vector& weights)
    : moments_(std::move(moments)) {
  double sum = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    squared_radius_ = std::max(squared_radius_, squared_distance(list[k], moments_));
    if (!(weights[k] > 0)) continue;
    sum += weights[k];
    sums_.push_back(sum);
    points_.insert(points_.end(), list[k].begin(), list[k].end());
  }
  scores_ = std::make_unique_for_overwrite<double[]>(points_.size());
  scored_ = std::make_unique<std::atomic<bool>[]>(sums_.size());
}

std::size_t ExploredPoints::index_of(double uniform) const {
  const auto above = std::upper_bound(sums_.begin(), sums_.end() - 1, uniform);
  return static_cast<std::size_t>(above - sums_.begin());
}

std::span<const double> ExploredPoints::point(std::size_t k) const {
  const std::size_t n = moments_.mean().size();
  return std::span(points_).subspan(k * n, n);
}

std::span<const double> ExploredPoints::score(std::size_t k) const {
  const std::size_t n = moments_.mean().size();
  const std::span<double> w(scores_.get() + k * n, n);
  if (!scored_[k].load(std::memory_order_acquire)) {
    const std::lock_guard lock(scoring_);
    if (!scored_[k].load(std::memory_order_relaxed)) {
      moments_.score(point(k), w);
      scored_[k].store(true, std::memory_order_release);
    }
  }
  return w;
}

std::unique_ptr<Exploration> KeptExploration::of(const Set& set, const Find& find) {
  KeptExploration& kept = *set.kept_exploration_;
  SharedPoints points;
  {
    const std::lock_guard lock(kept.finding_);
    if (!kept.is_found_) {
      kept.points_ = find();
      kept.is_found_ = true;
    }
    points = kept.points_;
  }
  return points == nullptr ? inscribed_sphere(set) : explore(set, std::move(points));
}

std::unique_ptr<Exploration> explore(const Set& set, SharedPoints points) {
  return std::make_unique<PointExploration>(set, std::move(points));
}

}  // namespace keyhole::sets
