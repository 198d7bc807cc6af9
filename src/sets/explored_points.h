// A list of points to explore: what all explorations of a set share.

#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "sets/moments.h"

namespace keyhole::sets {

/// Points with weights, their moments and their scores. A score is computed when it is first asked
/// for, and then kept: a solution of n^2 operations each, and many points are never drawn. Safe to
/// use from any number of threads; after construction nothing allocates.
class ExploredPoints {
 public:
  /// Points without a weight are left out of what is drawn. What `space` refers to must outlive
  /// this. Throws InvalidArgument unless the points span the space.
  ExploredPoints(PointSpace space, const std::vector<std::vector<double>>& list,
                 const std::vector<double>& weights)
      : ExploredPoints(Moments(std::move(space), list, weights), list, weights) {}
  /// `moments` are those of these points.
  ExploredPoints(Moments moments, const std::vector<std::vector<double>>& list,
                 const std::vector<double>& weights);

  [[nodiscard]] const Moments& moments() const { return moments_; }
  /// The largest sum_i (v_i - p_i)^2 / variance_i, of points without a weight too.
  [[nodiscard]] double squared_radius() const { return squared_radius_; }

  /// Which point a number of [0, 1) draws.
  [[nodiscard]] std::size_t index_of(double uniform) const;
  [[nodiscard]] std::span<const double> point(std::size_t k) const;
  /// Sigma^-1 (v - p) of point k.
  [[nodiscard]] std::span<const double> score(std::size_t k) const;

 private:
  Moments moments_;
  double squared_radius_ = 0;
  std::vector<double> sums_;    // of the weights up to each point
  std::vector<double> points_;  // row by row
  std::unique_ptr<double[]> scores_;
  std::unique_ptr<std::atomic<bool>[]> scored_;
  mutable std::mutex scoring_;
};

using SharedPoints = std::shared_ptr<const ExploredPoints>;

/// What a set keeps for all who ask where it explores. Safe to use from any number of threads.
class KeptExploration {
 public:
  /// Finds the points; none where the set explores its inscribed sphere.
  using Find = std::function<SharedPoints()>;

  /// Those of `set`, which `find` is asked for once: who asks at the same time waits. What it
  /// throws is thrown here, and the next call asks it again.
  [[nodiscard]] static std::unique_ptr<Exploration> of(const Set& set, const Find& find);

 private:
  std::mutex finding_;
  bool is_found_ = false;
  SharedPoints points_;
};

/// Explores the points, which are those of `set`.
[[nodiscard]] std::unique_ptr<Exploration> explore(const Set& set, SharedPoints points);

}  // namespace keyhole::sets
