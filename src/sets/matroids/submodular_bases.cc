#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/matroids.h"
#include "sets/estimated_shape.h"
#include "sets/matroids/draw_near.h"
#include "sets/nearest_point.h"
#include "sets/sampled_vertices.h"
#include "sets/set_list.h"
#include "sets/sort_by_key.h"

namespace keyhole::sets {
namespace {

/// Edmonds' greedy method. One a thread.
class GreedyOrder {
 public:
  explicit GreedyOrder(const SubmodularFunction& function)
      : gains_(function.gains()), order_(function.size()), sort_(function.size()) {}

  void operator()(std::span<const double> direction, std::span<double> v) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    sort_(order_, [&](std::size_t e) { return direction[e]; });
    gains_->reset();
    for (const std::size_t e : order_) v[e] = gains_->add(e);
  }

 private:
  std::unique_ptr<SubmodularGains> gains_;
  std::vector<std::size_t> order_;
  SortByKey sort_;
};

/// How far apart two coordinates of a point can be: x_i is at most F of i alone, and at least what
/// i adds to all others.
double widest(const SubmodularFunction& function) {
  const std::size_t n = function.size();
  const auto gains = function.gains();
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (std::size_t i = 0; i < n; ++i) {
    gains->reset();
    most = std::max(most, gains->add(i));
    gains->reset();
    for (std::size_t k = 1; k < n; ++k) (void)gains->add((i + k) % n);
    least = std::min(least, gains->add(i));
  }
  return most - least;
}

class SubmodularOracle final : public Oracle {
 public:
  SubmodularOracle(const Set& set, const SubmodularFunction& function, double width)
      : set_(set),
        width_(width),
        greedy_(function),
        order_(function.size()),
        sort_(function.size()),
        point_(function.size()),
        within_(function.size()),
        nearest_(function.size(), set.diameter(), std::ref(greedy_)) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    greedy_(direction, point_);
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    draw_within(point);
    return nearest_.find(within_, nearest);
  }

 private:
  /// The nearest point is the same for all points with the same part within the hull.
  void draw_within(std::span<const double> z) {
    draw_near(z, within_, 2 * width_, order_, sort_);
    const std::vector<double>& p = set_.centre();
    for (std::size_t i = 0; i < p.size(); ++i) within_[i] -= p[i];
    set_.flatten(within_);
    for (std::size_t i = 0; i < p.size(); ++i) within_[i] += p[i];
  }

  const Set& set_;
  double width_;
  GreedyOrder greedy_;
  std::vector<std::size_t> order_;
  SortByKey sort_;
  std::vector<double> point_;
  std::vector<double> within_;
  Vertex vertex_;
  NearestBase nearest_;
};

class SubmodularBases final : public Set {
 public:
  SubmodularBases(SubmodularPtr function, EstimatedShape shape)
      : Set(function->size(), shape.hull_dimension, shape.geometry),
        function_(std::move(function)),
        width_(widest(*function_)),
        shape_(std::move(shape)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<SubmodularOracle>(*this, *function_, width_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore(*this, shape_);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return is_point(x, dimension()) && NearestPoint(*this).is_within(x, slack());
  }
  [[nodiscard]] bool can_project() const noexcept override { return true; }
  void flatten(std::span<double> direction) const override { shape_.flatten(direction); }
  [[nodiscard]] std::string spec() const override { return function_->spec(); }

 private:
  SubmodularPtr function_;
  double width_;
  EstimatedShape shape_;
};

}  // namespace

SetPtr submodular_bases(SubmodularPtr function) {
  base::require(function != nullptr,
                "the bases of a submodular function need one, not a null pointer");
  const std::size_t n = function->size();
  base::require(n <= most_sampled_coordinates, "the bases of a submodular function have up to " +
                                                   std::to_string(most_sampled_coordinates) +
                                                   " elements, not " + std::to_string(n));
  GreedyOrder greedy(*function);
  EstimatedShape shape = estimate_shape(n, std::ref(greedy));
  return std::make_shared<SubmodularBases>(std::move(function), std::move(shape));
}

}  // namespace keyhole::sets
