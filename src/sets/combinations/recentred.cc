#include <utility>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"

namespace keyhole::sets {
namespace {

/// The oracle of the set but for the gauge, which is one about the set's own centre.
class RecentredOracle final : public Oracle {
 public:
  explicit RecentredOracle(std::unique_ptr<Oracle> oracle) : oracle_(std::move(oracle)) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    return oracle_->minimise(direction);
  }
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    oracle_->project(point, nearest);
    return true;
  }
  void settle(std::span<double> point) override { oracle_->settle(point); }

 private:
  std::unique_ptr<Oracle> oracle_;
};

/// A set in all but its geometry.
class Recentred final : public Set {
 public:
  Recentred(SetPtr set, std::span<const double> centre)
      : Set(set->dimension(), set->hull_dimension(), set->geometry_about(centre)),
        set_(std::move(set)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<RecentredOracle>(set_->oracle());
  }
  /// That of the set itself: its draws, its mean.
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return set_->exploration();
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return set_->contains(x);
  }
  [[nodiscard]] bool can_project() const noexcept override { return set_->can_project(); }
  void flatten(std::span<double> direction) const override { set_->flatten(direction); }
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return set_->geometry_about(centre);
  }
  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    return set_->linear_description();
  }
  [[nodiscard]] std::string spec() const override {
    return "recentred(" + set_->spec() + ", " + base::list_text(centre(), false) + ")";
  }

 private:
  SetPtr set_;
};

}  // namespace

SetPtr recentred(SetPtr set, List<double> centre) {
  base::require(set != nullptr, "a set is needed to be recentred");
  base::require(centre.size() == set->dimension(),
                "the centre " + base::list_text(centre, false) + " has " +
                    std::to_string(centre.size()) +
                    (centre.size() == 1 ? " coordinate" : " coordinates") + ", and " + set->spec() +
                    " has " + std::to_string(set->dimension()));
  base::require(
      set->contains(centre) && set->geometry_about(centre).inner_radius >= smallest_number,
      "the centre " + base::list_text(centre, false) + " is not in the interior of " + set->spec());
  return std::make_shared<Recentred>(std::move(set), centre);
}

}  // namespace keyhole::sets
