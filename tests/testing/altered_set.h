#pragma once

// Sets that do one thing otherwise than an honest one, to see which check of the kit catches it.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "keyhole/sets.h"
#include "keyhole/testing.h"

namespace keyhole::tests {

using Vector = std::vector<double>;
using Point = std::span<double>;
using ConstPoint = std::span<const double>;

inline constexpr std::size_t dimensions[] = {2, 5, 20};

/// What to do otherwise than the set that is altered; an empty function is no change. Each takes
/// what it replaces as the honest oracle, or set.
struct Alterations {
  std::function<void(Oracle& honest, ConstPoint direction, Point vertex)> minimise = {};
  std::function<void(Oracle& honest, ConstPoint point, Point nearest)> project = {};
  std::function<double(Oracle& honest, ConstPoint w, Point subgradient)> gauge = {};
  std::function<void(Oracle& honest, Point point)> settle = {};
  std::function<bool(const Set& honest, ConstPoint x)> contains = {};
  std::function<void(const Set& honest, Point direction)> flatten = {};
  std::function<std::string()> spec = {};
  double inner_radius_factor = 1;
  double outer_radius_factor = 1;
  double diameter_factor = 1;
  double inner_radius_factor_elsewhere = 1;
  std::size_t hull_dimension = 0;  // 0: no change
  std::function<std::unique_ptr<Exploration>(const Set& honest)> exploration = {};
};

inline void honestly(Oracle& honest, ConstPoint direction, Point vertex) {
  honest.minimise(direction).write_to(vertex);
}

class AlteredOracle final : public Oracle {
 public:
  AlteredOracle(const Set& set, const Set& honest, const Alterations& altered)
      : honest_(honest.oracle()), altered_(altered), point_(set.dimension()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(ConstPoint direction) override {
    (altered_.minimise ? altered_.minimise : honestly)(*honest_, direction, point_);
    return vertex_;
  }
  bool do_project(ConstPoint point, Point nearest) override {
    if (altered_.project) {
      altered_.project(*honest_, point, nearest);
    } else {
      honest_->project(point, nearest);
    }
    return true;
  }
  double do_gauge(ConstPoint w, Point subgradient) override {
    if (altered_.gauge) return altered_.gauge(*honest_, w, subgradient);
    return honest_->gauge(w, subgradient);
  }
  void settle(Point point) override {
    if (altered_.settle) return altered_.settle(*honest_, point);
    honest_->settle(point);
  }

 private:
  std::unique_ptr<Oracle> honest_;
  const Alterations& altered_;
  Vector point_;
  Vertex vertex_;
};

class Altered final : public Set {
 public:
  Altered(SetPtr honest, Alterations altered)
      : Set(honest->dimension(),
            altered.hull_dimension == 0 ? honest->hull_dimension() : altered.hull_dimension,
            altered_geometry(honest->geometry(), altered)),
        honest_(std::move(honest)),
        altered_(std::move(altered)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<AlteredOracle>(*this, *honest_, altered_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return altered_.exploration ? altered_.exploration(*honest_) : honest_->exploration();
  }
  [[nodiscard]] bool contains(ConstPoint x) const override {
    return altered_.contains ? altered_.contains(*honest_, x) : honest_->contains(x);
  }
  [[nodiscard]] bool can_project() const noexcept override { return honest_->can_project(); }
  [[nodiscard]] bool can_gauge() const noexcept override { return honest_->can_gauge(); }
  void flatten(Point direction) const override {
    if (altered_.flatten) return altered_.flatten(*honest_, direction);
    honest_->flatten(direction);
  }
  [[nodiscard]] Geometry geometry_about(ConstPoint centre) const override {
    Geometry geometry = honest_->geometry_about(centre);
    geometry.inner_radius *= altered_.inner_radius_factor_elsewhere;
    return geometry;
  }
  [[nodiscard]] std::string spec() const override {
    return altered_.spec ? altered_.spec() : "altered(" + honest_->spec() + ")";
  }

 private:
  static Geometry altered_geometry(Geometry geometry, const Alterations& altered) {
    geometry.inner_radius *= altered.inner_radius_factor;
    geometry.outer_radius *= altered.outer_radius_factor;
    geometry.diameter *= altered.diameter_factor;
    return geometry;
  }

  SetPtr honest_;
  Alterations altered_;
};

inline std::vector<SetPtr> honest_sets(std::size_t n) {
  return {ball(n), box(0, 1, n), solid_simplex(n), simplex(n)};
}

inline void expect_caught(const SetPtr& honest, const Alterations& altered,
                          const std::string& check) {
  const keyhole::testing::Report report =
      keyhole::testing::check_set(std::make_shared<Altered>(honest, altered), {.directions = 50});
  EXPECT_TRUE(report.failed(check)) << honest->spec() << "\n" << report.text();
}

inline void expect_caught_everywhere(const Alterations& altered, const std::string& check) {
  for (const std::size_t n : dimensions) {
    for (const SetPtr& honest : honest_sets(n)) expect_caught(honest, altered, check);
  }
}

inline bool is_zero(ConstPoint direction) {
  return std::all_of(direction.begin(), direction.end(), [](double d) { return d == 0; });
}

}  // namespace keyhole::tests
