// Sets made of other sets pass everything on: each call to them is one call to what they are made
// of, and a set that only counts and passes on changes no bit.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <utility>

#include "keyhole/exploration.h"
#include "keyhole/sets.h"
#include "random.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;
using Point = std::span<double>;
using ConstPoint = std::span<const double>;

struct Calls {
  int minimise = 0;
  int project = 0;
  int gauge = 0;
  int settle = 0;
  int contains = 0;
  int flatten = 0;
  int draw = 0;
  int score = 0;
};

class CountingOracle final : public Oracle {
 public:
  CountingOracle(std::unique_ptr<Oracle> of, Calls& calls) : of_(std::move(of)), calls_(calls) {}
  const Vertex& do_minimise(ConstPoint direction) override {
    ++calls_.minimise;
    return of_->minimise(direction);
  }
  bool do_project(ConstPoint point, Point nearest) override {
    ++calls_.project;
    of_->project(point, nearest);
    return true;
  }
  double do_gauge(ConstPoint w, Point subgradient) override {
    ++calls_.gauge;
    return of_->gauge(w, subgradient);
  }
  void settle(Point point) override {
    ++calls_.settle;
    of_->settle(point);
  }

 private:
  std::unique_ptr<Oracle> of_;
  Calls& calls_;
};

class CountingExploration final : public Exploration {
 public:
  CountingExploration(const Set& set, std::unique_ptr<Exploration> of, Calls& calls)
      : Exploration(set, {of->mean().begin(), of->mean().end()},
                    {of->variance().begin(), of->variance().end()}, of->squared_radius(),
                    of->needs(), of->squared_extent()),
        of_(std::move(of)),
        calls_(calls) {}
  void draw(const RandomBits& bits, Point v) override {
    ++calls_.draw;
    of_->draw(bits, v);
  }
  void score(const RandomBits& bits, Point w) override {
    ++calls_.score;
    of_->score(bits, w);
  }

 private:
  std::unique_ptr<Exploration> of_;
  Calls& calls_;
};

/// Counts, and passes everything on.
class Counting final : public Set {
 public:
  explicit Counting(SetPtr of)
      : Set(of->dimension(), of->hull_dimension(), of->geometry()), of_(std::move(of)) {}
  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<CountingOracle>(of_->oracle(), calls);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<CountingExploration>(*this, of_->exploration(), calls);
  }
  [[nodiscard]] bool contains(ConstPoint x) const override {
    ++calls.contains;
    return of_->contains(x);
  }
  [[nodiscard]] bool can_project() const noexcept override { return of_->can_project(); }
  [[nodiscard]] bool can_gauge() const noexcept override { return of_->can_gauge(); }
  void flatten(Point direction) const override {
    ++calls.flatten;
    of_->flatten(direction);
  }
  [[nodiscard]] Geometry geometry_about(ConstPoint centre) const override {
    return of_->geometry_about(centre);
  }
  [[nodiscard]] std::string spec() const override { return of_->spec(); }

  mutable Calls calls;

 private:
  SetPtr of_;
};

using Wrapper = std::function<SetPtr(const SetPtr& of)>;

struct NamedWrapper {
  const char* name;
  Wrapper wrap;
};

std::vector<NamedWrapper> wrappers() {
  return {
      {"image", [](const SetPtr& of) { return image(of, -0.75, 0.3); }},
      {"scaled", [](const SetPtr& of) { return scaled(of, 3); }},
      {"product",
       [](const SetPtr& of) {
         return product({box(0, 1, 2), of});
       }},
      {"recentred",
       [](const SetPtr& of) {
         Vector centre = of->centre();
         Vector step(centre.size());
         for (std::size_t i = 0; i < step.size(); ++i) step[i] = 0.1 * static_cast<double>(i % 2);
         of->flatten(step);
         for (std::size_t i = 0; i < step.size(); ++i) {
           centre[i] += of->inner_radius() * step[i];
         }
         return recentred(of, centre);
       }},
      {"affine_image",
       [](const SetPtr& of) {
         const std::size_t n = of->dimension();
         Vector matrix(n * n, 0.0);
         for (std::size_t i = 0; i < n; ++i) {
           matrix[i * n + i] = 1;
           matrix[i * n + (i + 1) % n] += 0.25;
         }
         return affine_image(of, matrix, Vector(n, 0.5));
       }},
  };
}

/// A random point about the set.
Vector point_about(const Set& set, double far, Random& random) {
  Vector x = random.normals(set.dimension());
  set.flatten(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = set.centre()[i] + far * set.outer_radius() * x[i];
  }
  return x;
}

TEST(Wrappers, PassEverythingOnOnceAndUnchanged) {
  Random random(1);
  for (const SetPtr& of : {box(0, 1, 4), simplex(4), ball(3), l1_ball(5), nuclear_ball(2, 3)}) {
    for (const auto& [name, wrap] : wrappers()) {
      SCOPED_TRACE(std::string(name) + " of " + of->spec());
      const auto counting = std::make_shared<Counting>(of);
      const SetPtr counted = wrap(counting);
      const SetPtr plain = wrap(of);
      Calls& calls = counting->calls;
      const std::size_t n = plain->dimension();
      EXPECT_EQ(counted->spec(), plain->spec());
      EXPECT_EQ(counted->can_project(), plain->can_project());
      EXPECT_EQ(counted->can_gauge(), plain->can_gauge());
      EXPECT_EQ(counted->centre(), plain->centre());
      EXPECT_EQ(counted->inner_radius(), plain->inner_radius());
      const auto oracle = counted->oracle();
      const auto plain_oracle = plain->oracle();
      const auto exploration = counted->exploration();
      const auto plain_exploration = plain->exploration();
      Vector x(n);
      Vector y(n);
      for (int k = 0; k < 20; ++k) {
        const Vector d = random.normals(n);
        calls = {};
        oracle->minimise(d).write_to(x);
        plain_oracle->minimise(d).write_to(y);
        EXPECT_EQ(x, y);
        EXPECT_EQ(calls.minimise, 1);

        const Vector far = point_about(*plain, 0.5, random);
        EXPECT_EQ(counted->contains(far), plain->contains(far));
        if (plain->can_project()) {
          calls = {};
          oracle->project(far, x);
          plain_oracle->project(far, y);
          EXPECT_EQ(x, y);
          EXPECT_EQ(calls.project, 1);
          EXPECT_EQ(calls.minimise, 0);
        }
        if (plain->can_gauge()) {
          calls = {};
          EXPECT_EQ(oracle->gauge(far, x), plain_oracle->gauge(far, y));
          EXPECT_EQ(x, y);
          EXPECT_EQ(calls.gauge, 1);
        }
        x = d;
        y = d;
        calls = {};
        counted->flatten(x);
        plain->flatten(y);
        EXPECT_EQ(x, y);

        plain_oracle->minimise(d).write_to(x);
        x[0] -= 1e-14;
        y = x;
        calls = {};
        oracle->settle(x);
        plain_oracle->settle(y);
        EXPECT_EQ(x, y);
        EXPECT_GE(calls.settle, 1);

        const RandomNeeds needs = exploration->needs();
        std::vector<std::uint64_t> words(needs.words);
        for (std::uint64_t& word : words) word = random.integer(0, UINT64_MAX - 1);
        const Vector normals = random.normals(needs.normals);
        const RandomBits bits{words, normals};
        calls = {};
        exploration->draw(bits, x);
        plain_exploration->draw(bits, y);
        EXPECT_EQ(x, y);
        exploration->score(bits, x);
        plain_exploration->score(bits, y);
        EXPECT_EQ(x, y);
        EXPECT_EQ(calls.draw, 1);
        EXPECT_EQ(calls.score, 1);
      }
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
