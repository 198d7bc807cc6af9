// A set of your own as a class, with all that it can tell of itself: the half disc {||x|| <= 1, x_2
// >= 0}. examples/own_set.cc does with the oracle alone.

#include <keyhole/keyhole.h>
#include <keyhole/testing.h>

#include <array>
#include <cmath>
#include <iostream>
#include <vector>

namespace {

class HalfDisc final : public keyhole::Set {
 public:
  // About p = (0, 1/2) the edge and the arc are 1/2 away, the corners (-1, 0) and (1, 0) sqrt(5)/2.
  HalfDisc() : Set(2, 2, {{0, 0.5}, 0.5, std::sqrt(1.25), 2}) {}

  [[nodiscard]] std::unique_ptr<keyhole::Oracle> make_oracle() const override {
    return std::make_unique<HalfDiscOracle>();
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return x.size() == 2 && x[1] >= 0 && std::hypot(x[0], x[1]) <= 1 + 1e-9;
  }

  [[nodiscard]] std::string spec() const override { return "half_disc()"; }

 private:
  class HalfDiscOracle final : public keyhole::Oracle {
   public:
    // Against d as far as the arc goes; where that is below the edge, the better corner.
    const keyhole::Vertex& do_minimise(std::span<const double> d) override {
      const double length = std::hypot(d[0], d[1]);
      if (d[1] < 0) {
        point_ = {-d[0] / length, -d[1] / length};
      } else {
        point_ = {d[0] < 0 ? 1.0 : -1.0, 0.0};
      }
      vertex_.dense = point_;
      return vertex_;
    }
    // x_2 >= 0 must hold exactly: roundings are put back, real violations left to be seen.
    void settle(std::span<double> x) override {
      if (x[1] < 0 && x[1] >= -1e-9) x[1] = 0;
    }

   private:
    std::array<double, 2> point_{};
    keyhole::Vertex vertex_;
  };
};

}  // namespace

int main() {
  const auto set = std::make_shared<const HalfDisc>();
  const auto report = keyhole::testing::check_set(set);
  std::cout << report.text();
  if (!report.ok()) return 1;

  keyhole::Learner learner(set);
  for (int t = 0; t < 1000; ++t) {
    const keyhole::Play play = learner.ask();
    if (!set->contains(play.point)) return 1;
    learner.tell(play.id, play.point[0]);
  }
  std::cout << "1000 plays, all in " << set->spec() << "\n";
}
