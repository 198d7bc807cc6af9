// Uses the package as a stranger would: plays on a set of the library, on a set and by an algorithm
// of its own, compares states, and catches what the library throws.

#include <keyhole/keyhole.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

/// [0, 1].
class Segment final : public keyhole::Set {
 public:
  Segment() : Set(1, 1, {{0.5}, 0.5, 0.5, 1}) {}
  [[nodiscard]] std::unique_ptr<keyhole::Oracle> make_oracle() const override {
    return std::make_unique<Ends>();
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return x.size() == 1 && x[0] >= 0 && x[0] <= 1;
  }
  [[nodiscard]] std::string spec() const override { return "segment()"; }

 private:
  class Ends final : public keyhole::Oracle {
   public:
    const keyhole::Vertex& do_minimise(std::span<const double> d) override {
      end_ = {d[0] < 0 ? 1.0 : 0.0};
      vertex_.dense = end_;
      return vertex_;
    }

   private:
    std::array<double, 1> end_{};
    keyhole::Vertex vertex_;
  };
};

/// Plays the centre.
class Centre final : public keyhole::Algorithm {
 public:
  explicit Centre(keyhole::SetPtr set) : Algorithm(std::move(set)) {}
  void play(keyhole::PlayId /*t*/, keyhole::Randomness& /*u*/, std::span<double> y) override {
    recommend(y);
  }
  bool absorb(keyhole::PlayId /*s*/, double /*loss*/, keyhole::Randomness& /*u*/) override {
    return true;
  }
  void advance() override {}
  void recommend(std::span<double> x) const override {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = set().centre()[i];
  }
  [[nodiscard]] keyhole::RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "none"};
  }
  [[nodiscard]] std::string spec() const override { return "centre()"; }
};

/// Whether the library's exception is caught by its own type, which the two must share.
bool refuses_a_simplex_of_nothing() {
  try {
    (void)keyhole::simplex(0);
  } catch (const keyhole::InvalidArgument& error) {
    std::printf("refused: %s\n", error.what());
    return true;
  } catch (...) {
    std::printf("caught, but not by its type\n");
  }
  return false;
}

/// Whether every point that the learner plays is in its set.
bool plays_inside(keyhole::Learner& learner) {
  std::vector<double> x(learner.set().dimension());
  for (int round = 1; round <= 10; ++round) {
    const keyhole::PlayId id = learner.ask(x);
    if (!learner.set().contains(x)) {
      std::printf("round %d left %s\n", round, learner.set().spec().c_str());
      return false;
    }
    learner.tell(id, x[0]);
  }
  return true;
}

}  // namespace

int main() {
  keyhole::Learner on_simplex(
      keyhole::anytime(keyhole::projection_free(keyhole::simplex(3), {.loss_bound = 1})),
      {.seed = 7});
  keyhole::Learner on_own_set(std::make_shared<const Segment>(), {.seed = 7});
  keyhole::Learner by_own_algorithm(
      std::make_unique<Centre>(keyhole::make_set("ball(3, radius=2)")));
  // The set comes back as what it is.
  const bool is_own = dynamic_cast<const Segment*>(&on_own_set.set()) != nullptr;
  std::printf("keyhole %s\n", keyhole::version);
  const keyhole::State before = on_simplex.state();
  return plays_inside(on_simplex) && plays_inside(on_own_set) && plays_inside(by_own_algorithm) &&
                 is_own && before != on_simplex.state() && refuses_a_simplex_of_nothing()
             ? 0
             : 1;
}
