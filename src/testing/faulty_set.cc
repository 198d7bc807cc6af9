#include <utility>

#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "keyhole/testing.h"

namespace keyhole::testing {
namespace {

using SharedFaults = std::shared_ptr<Faults>;

/// Throws if it is this call's turn.
void pass(Faults& faults) {
  if (faults.answered_first-- != 0) return;
  ++faults.thrown;
  throw Fault("this call fails on purpose");
}

class FaultyOracle final : public Oracle {
 public:
  FaultyOracle(std::unique_ptr<Oracle> oracle, SharedFaults faults)
      : oracle_(std::move(oracle)), faults_(std::move(faults)) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    pass(*faults_);
    return oracle_->minimise(direction);
  }
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    pass(*faults_);
    oracle_->project(point, nearest);
    return true;
  }
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    pass(*faults_);
    return oracle_->gauge(w, subgradient);
  }
  void settle(std::span<double> point) override {
    pass(*faults_);
    oracle_->settle(point);
  }

 private:
  std::unique_ptr<Oracle> oracle_;
  SharedFaults faults_;
};

class FaultyExploration final : public Exploration {
 public:
  FaultyExploration(const Set& set, std::unique_ptr<Exploration> nu, SharedFaults faults)
      : Exploration(set, {nu->mean().begin(), nu->mean().end()},
                    {nu->variance().begin(), nu->variance().end()}, nu->squared_radius(),
                    nu->needs(), nu->squared_extent()),
        nu_(std::move(nu)),
        faults_(std::move(faults)) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    pass(*faults_);
    nu_->draw(bits, v);
  }
  void score(const RandomBits& bits, std::span<double> w) override {
    pass(*faults_);
    nu_->score(bits, w);
  }

 private:
  std::unique_ptr<Exploration> nu_;
  SharedFaults faults_;
};

class FaultySet final : public Set {
 public:
  FaultySet(SetPtr set, SharedFaults faults)
      : Set(set->dimension(), set->hull_dimension(), set->geometry()),
        set_(std::move(set)),
        faults_(std::move(faults)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<FaultyOracle>(set_->oracle(), faults_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<FaultyExploration>(*this, set_->exploration(), faults_);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    pass(*faults_);
    return set_->contains(x);
  }
  [[nodiscard]] bool can_project() const noexcept override { return set_->can_project(); }
  [[nodiscard]] bool can_gauge() const noexcept override { return set_->can_gauge(); }
  void flatten(std::span<double> direction) const override { set_->flatten(direction); }
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return set_->geometry_about(centre);
  }
  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    return set_->linear_description();
  }
  [[nodiscard]] std::string spec() const override { return set_->spec(); }

 private:
  SetPtr set_;
  SharedFaults faults_;
};

}  // namespace

SetPtr faulty(SetPtr set, std::shared_ptr<Faults> faults) {
  if (set == nullptr || faults == nullptr) {
    throw InvalidArgument("a faulty set needs a set and its faults");
  }
  return std::make_shared<FaultySet>(std::move(set), std::move(faults));
}

}  // namespace keyhole::testing
