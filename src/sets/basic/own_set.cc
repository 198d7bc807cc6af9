#include "keyhole/own_set.h"

#include <functional>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "sets/estimated_shape.h"
#include "sets/sampled_vertices.h"
#include "sets/separation.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

class OwnOracle final : public Oracle {
 public:
  explicit OwnOracle(const OwnSet& own) : own_(own), point_(own.dimension) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    own_.minimise(direction, point_);
    return vertex_;
  }
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    if (!own_.project) return Oracle::do_project(point, nearest);
    std::vector<double> copy(point.begin(), point.end());  // theirs need not work in place
    own_.project(copy, nearest);
    return true;
  }
  void settle(std::span<double> point) override {
    if (own_.settle) own_.settle(point);
  }

 private:
  const OwnSet& own_;
  std::vector<double> point_;
  Vertex vertex_;
};

class Own final : public Set {
 public:
  Own(OwnSet own, EstimatedShape shape)
      : Set(own.dimension, shape.hull_dimension == 0 ? own.dimension : shape.hull_dimension,
            own.geometry ? *own.geometry : shape.geometry),
        own_(std::move(own)),
        shape_(std::move(shape)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<OwnOracle>(own_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore(*this, shape_);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (!is_point(x, dimension())) return false;
    if (own_.contains) return own_.contains(x);
    const NearestPoint::Minimise minimise(std::ref(own_.minimise));
    return Separation(*this, minimise).is_within(x, slack());
  }
  [[nodiscard]] bool can_project() const noexcept override {
    return static_cast<bool>(own_.project);
  }
  void flatten(std::span<double> direction) const override { shape_.flatten(direction); }
  [[nodiscard]] std::string spec() const override { return own_.name; }

 private:
  OwnSet own_;
  EstimatedShape shape_;
};

}  // namespace

SetPtr own_set(OwnSet description) {
  base::require(description.dimension >= 1, "a set of your own needs its dimension, at least 1");
  base::require(
      static_cast<bool>(description.minimise),
      "a set of your own needs an oracle: minimise(d, v), which writes the point v of the set "
      "with the least <d, v>");
  base::require(!description.name.empty() && description.name.find('\n') == std::string::npos,
                "the name of a set must be one line of text");
  const std::size_t n = description.dimension;
  const bool small = n <= most_sampled_coordinates;
  base::require(small || description.geometry, "a set of your own in " + std::to_string(n) +
                                                   " dimensions needs its geometry: it is " +
                                                   "estimated up to " +
                                                   std::to_string(most_sampled_coordinates));
  EstimatedShape shape;
  if (small) shape = estimate_shape(n, description.minimise);
  return std::make_shared<Own>(std::move(description), std::move(shape));
}

}  // namespace keyhole::sets
