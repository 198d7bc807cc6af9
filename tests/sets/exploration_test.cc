// Where sets explore: moments by enumeration where there is one, the identities of
// keyhole/exploration.h for lists of points, and what is refused.

#include "keyhole/exploration.h"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "catalogue.h"
#include "math/sums.h"
#include "sets/sampled_vertices.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// One draw and its score.
struct Draw {
  Vector v;
  Vector w;
};

/// The word whose uniform number is the middle of the k-th of `count` equal parts.
std::uint64_t word_of(std::size_t k, std::size_t count) {
  const double middle = (static_cast<double>(k) + 0.5) / static_cast<double>(count);
  return static_cast<std::uint64_t>(middle * 0x1p53) << 11U;
}

/// The draws of an exploration that takes one word, as one of `count` that are equally likely.
std::vector<Draw> all_draws(const Set& set, std::size_t count) {
  const auto nu = set.exploration();
  EXPECT_EQ(nu->needs().words, 1u);
  EXPECT_EQ(nu->needs().normals, 0u);
  std::vector<Draw> draws(count, {Vector(set.dimension()), Vector(set.dimension())});
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t word = word_of(k, count);
    const RandomBits bits{std::span(&word, 1), {}};
    nu->draw(bits, draws[k].v);
    nu->score(bits, draws[k].w);
  }
  return draws;
}

/// Identities 2, 3 and 4 for draws that are equally likely, to rounding; `all` says whether they
/// are all that there are, the farthest included.
void expect_moments(const Set& set, const std::vector<Draw>& draws, bool all = true,
                    double tolerance = 1e-12) {
  const auto nu = set.exploration();
  const std::size_t n = set.dimension();
  const auto count = static_cast<double>(draws.size());
  const double R = set.outer_radius();
  Vector mean(n, 0.0);
  Vector product(n * n, 0.0);
  double farthest = 0;
  for (const Draw& draw : draws) {
    EXPECT_TRUE(set.contains(draw.v)) << set.spec();
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      mean[i] += draw.v[i] / count;
      const double away = draw.v[i] - nu->mean()[i];
      square += away * away / nu->variance()[i];
      for (std::size_t j = 0; j < n; ++j) {
        product[j * n + i] += draw.w[j] * away / count;
      }
    }
    farthest = std::max(farthest, square);
  }
  EXPECT_LE(distance(mean, nu->mean()), tolerance * R) << set.spec();
  EXPECT_LE(farthest, nu->squared_radius() * (1 + 1e-12)) << set.spec();
  if (all) {
    EXPECT_NEAR(farthest / nu->squared_radius(), 1, 1e-9) << set.spec();
  }
  for (std::size_t j = 0; j < n; ++j) {
    Vector flat(n, 0.0);
    flat[j] = 1;
    set.flatten(flat);
    EXPECT_LE(distance(flat, std::span(product).subspan(j * n, n)), 1e3 * tolerance) << set.spec();
    double variance = 0;
    for (const Draw& draw : draws) {
      variance += (draw.v[j] - mean[j]) * (draw.v[j] - mean[j]) / count;
    }
    EXPECT_NEAR(variance, nu->variance()[j], 1e3 * tolerance * R * R) << set.spec();
  }
}

TEST(Exploration, OfSimplicesByEnumeration) {
  for (const std::size_t n : {2U, 3U, 7U, 30U}) {
    for (const double total : {1.0, 3.5, 1e-6}) {
      expect_moments(*simplex(n, total), all_draws(*simplex(n, total), n));
      expect_moments(*solid_simplex(n, total), all_draws(*solid_simplex(n, total), n + 1));
    }
  }
  expect_moments(*solid_simplex(1), all_draws(*solid_simplex(1), 2));
}

TEST(Exploration, OfABoxByEnumeration) {
  Random random(1);
  for (const std::size_t n : {1U, 2U, 5U, 9U}) {
    const SetPtr set = random_box(n, random);
    const auto nu = set->exploration();
    ASSERT_EQ(nu->needs().words, 1u);
    std::vector<Draw> draws(std::size_t{1} << n, {Vector(n), Vector(n)});
    for (std::uint64_t corner = 0; corner < draws.size(); ++corner) {
      const RandomBits bits{std::span(&corner, 1), {}};
      nu->draw(bits, draws[corner].v);
      nu->score(bits, draws[corner].w);
    }
    expect_moments(*set, draws);
  }
}

TEST(Exploration, OfABoxOfMoreThan64Coordinates) {
  const SetPtr set = box(-1, 1, 130);
  const auto nu = set->exploration();
  ASSERT_EQ(nu->needs().words, 3u);
  std::vector<std::uint64_t> words(3, 0);
  Vector v(130);
  for (const std::size_t i : {0U, 63U, 64U, 127U, 128U, 129U}) {
    words.assign(3, 0);
    words[i / 64] = std::uint64_t{1} << (i % 64);
    nu->draw({words, {}}, v);
    for (std::size_t j = 0; j < v.size(); ++j) EXPECT_EQ(v[j], i == j ? 1 : -1);
  }
}

TEST(Exploration, OfTheInscribedSphere) {
  // Every draw is at r from the centre, and <score, v - p> is the dimension of the hull.
  Random random(2);
  for (const SetPtr& set : {ball(5, 2), simplex(6), psd_trace_ball(4), box(0, 1, 3)}) {
    const auto nu = inscribed_sphere(*set);
    ASSERT_EQ(nu->needs().normals, set->dimension());
    Vector v(set->dimension());
    Vector w(set->dimension());
    for (int k = 0; k < 100; ++k) {
      const Vector normals = random.normals(set->dimension());
      nu->draw({{}, normals}, v);
      nu->score({{}, normals}, w);
      const Vector away = combine(1, v, -1, set->centre());
      EXPECT_NEAR(std::sqrt(inner(away, away)), set->inner_radius(), 1e-12);
      EXPECT_NEAR(inner(w, away), static_cast<double>(set->hull_dimension()), 1e-9);
    }
  }
}

/// Unit vectors whose moments up to the fourth are those of the sphere (spherical designs): of one
/// dimension, the pentagon, the icosahedron.
std::vector<Vector> design(std::size_t n) {
  if (n == 1) return {{1}, {-1}};
  std::vector<Vector> all;
  if (n == 2) {
    for (int k = 0; k < 5; ++k) {
      const double angle = 0.4 * std::numbers::pi * k;
      all.push_back({std::cos(angle), std::sin(angle)});
    }
    return all;
  }
  for (const double one : {-1.0, 1.0}) {
    for (const double golden : {-std::numbers::phi, std::numbers::phi}) {
      all.insert(all.end(), {{0, one, golden}, {one, golden, 0}, {golden, 0, one}});
    }
  }
  return all;
}

Draw draw_of(const Set& set, std::uint64_t word, std::span<const double> normals) {
  const auto nu = set.exploration();
  const RandomBits bits{std::span(&word, nu->needs().words), normals};
  Draw draw{Vector(set.dimension()), Vector(set.dimension())};
  nu->draw(bits, draw.v);
  nu->score(bits, draw.w);
  return draw;
}

TEST(Exploration, OfMatricesByDesigns) {
  for (const std::size_t n : {1U, 2U, 3U}) {
    for (const double size : {1.0, 0.3}) {
      std::vector<Draw> squares;
      std::vector<Draw> signed_squares;
      for (const Vector& w : design(n)) {
        // 0 for one part of n + 1.
        for (std::size_t k = 0; k <= n; ++k) {
          squares.push_back(draw_of(*psd_trace_ball(n, size), word_of(k, n + 1), w));
        }
        for (std::size_t k = 0; k < 2; ++k) {
          signed_squares.push_back(draw_of(*symmetric_nuclear_ball(n, size), word_of(k, 2), w));
        }
      }
      expect_moments(*psd_trace_ball(n, size), squares, n == 1);
      expect_moments(*symmetric_nuclear_ball(n, size), signed_squares, n == 1);
      for (const std::size_t m : {1U, 2U, 3U}) {
        std::vector<Draw> products;
        for (const Vector& a : design(m)) {
          for (const Vector& b : design(n)) {
            Vector both = a;
            both.insert(both.end(), b.begin(), b.end());
            products.push_back(draw_of(*nuclear_ball(m, n, size), 0, both));
          }
        }
        expect_moments(*nuclear_ball(m, n, size), products);
      }
    }
  }
}

TEST(Exploration, OfMatricesReachesItsRadius) {
  // At w = (1, ..., 1) / sqrt n, and of small psd matrices at 0.
  for (const std::size_t n : {1U, 2U, 3U, 8U, 30U}) {
    const Vector ones(n, 1.0);
    for (const SetPtr& set : {psd_trace_ball(n, 2), symmetric_nuclear_ball(n, 2)}) {
      const auto nu = set->exploration();
      double farthest = 0;
      for (const std::uint64_t word : {word_of(0, n + 1), word_of(n, n + 1)}) {
        const Draw draw = draw_of(*set, word, ones);
        double square = 0;
        for (std::size_t i = 0; i < n * n; ++i) {
          const double away = draw.v[i] - nu->mean()[i];
          square += away * away / nu->variance()[i];
        }
        farthest = std::max(farthest, square);
      }
      EXPECT_NEAR(farthest / nu->squared_radius(), 1, 1e-12) << set->spec();
    }
  }
}

TEST(Exploration, OfMatricesWithoutNormals) {
  // Normals that are all 0 are as good as never drawn, and still give a point of the set.
  for (const SetPtr& set : {psd_trace_ball(3), symmetric_nuclear_ball(3), nuclear_ball(2, 4)}) {
    const Vector zeros(set->exploration()->needs().normals, 0.0);
    EXPECT_TRUE(set->contains(draw_of(*set, word_of(2, 3), zeros).v)) << set->spec();
  }
}

TEST(Exploration, OfImagesAndRecentredSets) {
  const SetPtr of = simplex(4, 2);
  for (const double scale : {3.0, -0.5}) {
    const SetPtr set = image(of, scale, 1);
    expect_moments(*set, all_draws(*set, 4));
  }
  const SetPtr about = recentred(of, Vector{0.2, 0.3, 0.5, 1});
  expect_moments(*about, all_draws(*about, 4));
  EXPECT_EQ(about->exploration()->mean()[0], 0.5);
}

/// Draws of weighted points, as parts of so many equal ones: each weight is met to 1/fine, and some
/// hundred weights add up.
constexpr std::size_t fine = 1U << 17U;
constexpr double fine_tolerance = 2e-5;

TEST(Exploration, OfPolytopesIsAListOfVertices) {
  Random random(5);
  for (const std::size_t equalities : {0U, 1U, 2U}) {
    const std::size_t n = 6;
    const SetPtr set = random_polytope(n, equalities, random);
    const std::vector<Draw> draws = all_draws(*set, fine);
    expect_moments(*set, draws, false, fine_tolerance);
    std::map<Vector, int> distinct;
    for (const Draw& draw : draws) ++distinct[draw.v];
    EXPECT_GT(distinct.size(), n - equalities);
    const auto oracle = set->oracle();
    for (int k = 0; k < 20; ++k) {
      const Vector d = random.normals(n);
      Vector v(n);
      oracle->minimise(d).write_to(v);
      for (const auto& [point, count] : distinct) {
        EXPECT_LE(inner(d, v), inner(d, point) + 1e-9);
      }
    }
  }
}

/// A box whose oracle is right about the axes alone, or about nothing.
class Shy final : public Set {
 public:
  explicit Shy(bool knows_axes)
      : Set(3, 3, box(0, 1, 3)->geometry()), box_(box(0, 1, 3)), knows_axes_(knows_axes) {}
  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<ShyOracle>(box_->oracle(), knows_axes_);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return box_->contains(x);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return sets::explore_vertices(*this);
  }
  [[nodiscard]] std::string spec() const override { return "shy"; }

 private:
  class ShyOracle final : public Oracle {
   public:
    ShyOracle(std::unique_ptr<Oracle> honest, bool knows_axes)
        : honest_(std::move(honest)), knows_axes_(knows_axes) {}
    const Vertex& do_minimise(std::span<const double> d) override {
      const bool is_axis = std::count(d.begin(), d.end(), 0.0) == 2;
      return honest_->minimise(knows_axes_ && is_axis ? d : std::span<const double>(ones_));
    }

   private:
    std::unique_ptr<Oracle> honest_;
    bool knows_axes_;
    Vector ones_ = Vector(3, 1.0);
  };

  SetPtr box_;
  bool knows_axes_;
};

TEST(Exploration, OfPolytopesWhoseVerticesDoNotSpan) {
  // Of axes; at last of the inner sphere.
  expect_moments(Shy(true), all_draws(Shy(true), fine), true, fine_tolerance);
  expect_moments(Shy(false), all_draws(Shy(false), fine), true, fine_tolerance);
}

/// Points of a set: mixtures of vertices.
std::vector<Vector> random_points(const Set& set, std::size_t count, Random& random) {
  const auto oracle = set.oracle();
  std::vector<Vector> list(count, Vector(set.dimension(), 0.0));
  for (Vector& point : list) {
    const double share = random.uniform();
    oracle->minimise(random.normals(set.dimension())).add_to(point, share);
    oracle->minimise(random.normals(set.dimension())).add_to(point, 1 - share);
    oracle->settle(point);
  }
  return list;
}

/// The largest (v - p) . Sigma^-1 (v - p) of a list of points under weights.
double largest_leverage(const Set& set, const std::vector<Vector>& list, const Vector& weights) {
  const std::size_t n = set.dimension();
  const auto nu = point_list(set, list, weights);
  // Sigma^-1 (v - p) for any v, by the scores of the points drawn: they are linear in v.
  double largest = 0;
  double sum = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (weights[k] > 0) {
      const auto word = static_cast<std::uint64_t>((sum + weights[k] / 2) * 0x1p53) << 11U;
      const RandomBits bits{std::span(&word, 1), {}};
      Vector v(n);
      Vector w(n);
      nu->draw(bits, v);
      nu->score(bits, w);
      EXPECT_EQ(v, list[k]);
      for (std::size_t i = 0; i < n; ++i) v[i] -= nu->mean()[i];
      largest = std::max(largest, inner(w, v));
    }
    sum += weights[k];
  }
  return largest;
}

/// Counts how often its oracle is asked.
class Counted final : public Set {
 public:
  explicit Counted(SetPtr set)
      : Set(set->dimension(), set->hull_dimension(), set->geometry()), set_(std::move(set)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<CountedOracle>(*this);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return set_->contains(x);
  }
  void flatten(std::span<double> direction) const override { set_->flatten(direction); }
  [[nodiscard]] std::string spec() const override { return "counted " + set_->spec(); }

  [[nodiscard]] std::size_t asked() const { return asked_; }

 private:
  struct CountedOracle final : Oracle {
    explicit CountedOracle(const Counted& set) : set_(set), oracle_(set.set_->oracle()) {}
    const Vertex& do_minimise(std::span<const double> direction) override {
      ++set_.asked_;
      return oracle_->minimise(direction);
    }
    void settle(std::span<double> point) override { oracle_->settle(point); }
    const Counted& set_;
    std::unique_ptr<Oracle> oracle_;
  };

  SetPtr set_;
  mutable std::size_t asked_ = 0;
};

TEST(Exploration, OfASliceInManyCoordinatesTakesFewCalls) {
  const auto of = std::make_shared<const Counted>(lp_ball(210, 3));
  Random random(8);
  Vector rows(3 * 210);
  for (double& entry : rows) entry = random.normal();
  const SetPtr set = slice(of, rows, Vector(3, 0.0));
  const std::size_t before = of->asked();
  const std::vector<Draw> draws = all_draws(*set, 200);
  EXPECT_LE(of->asked() - before, 10 * 1000u);  // of 1000 directions; 30 and more to the last digit
  for (const Draw& draw : draws) EXPECT_TRUE(set->contains(draw.v));
}

TEST(Exploration, OfManyElementsThatTwoMatroidsAllowIsOfVertices) {
  const std::size_t n = 120;
  std::vector<std::size_t> rows(n);
  std::vector<std::size_t> columns(n);
  for (std::size_t e = 0; e < n; ++e) {
    rows[e] = e / 10;
    columns[e] = e % 10;
  }
  const SetPtr set =
      common_independent_sets(partition_matroid(rows, std::vector<std::size_t>(12, 2)),
                              partition_matroid(columns, std::vector<std::size_t>(10, 3)));
  double most = 0;
  for (const Draw& draw : all_draws(*set, 500)) {
    EXPECT_TRUE(set->contains(draw.v));
    for (const double x : draw.v) EXPECT_TRUE(x == 0 || x == 1) << x;
    most = std::max(most, math::sum(draw.v));
  }
  EXPECT_GE(most, 20);  // of 24
}

TEST(Exploration, ADesignLeavesOutWhatIsInsideAndBalancesTheRest) {
  // The corners of a square twice as likely as they should be on one side, and points inside.
  const SetPtr square = box(0, 1, 2);
  std::vector<Vector> list = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.5}, {0.4, 0.6}};
  const Vector weights = design_weights(*square, list, 200);
  EXPECT_NEAR(weights[1] + weights[4], 0.25, 1e-3);
  for (const std::size_t corner : {0U, 2U, 3U}) EXPECT_NEAR(weights[corner], 0.25, 1e-3);
  EXPECT_EQ(weights[5], 0);
  EXPECT_EQ(weights[6], 0);
}

TEST(Exploration, ADesignHasLeveragesOfAboutTheDimension) {
  // Kiefer and Wolfowitz (1960): of the best design the largest leverage is the dimension.
  Random random(15);
  for (const std::size_t n : {2U, 5U, 12U}) {
    const SetPtr set = random_polytope(n, 0, random);
    const std::vector<Vector> list = random_points(*set, 40 * n, random);
    const Vector equal(list.size(), 1 / static_cast<double>(list.size()));
    const auto dimension = static_cast<double>(n);
    EXPECT_GT(largest_leverage(*set, list, equal), 1.5 * dimension);
    EXPECT_LT(largest_leverage(*set, list, design_weights(*set, list, 300)), 1.1 * dimension);
  }
}

TEST(Exploration, WeightsThatAreNoneAreRefused) {
  const SetPtr square = box(0, 1, 2);
  const std::vector<Vector> list = {{0, 0}, {0, 1}, {1, 0}};
  EXPECT_THROW((void)point_list(*square, list, {0.5, 0.5}), InvalidArgument);
  EXPECT_THROW((void)point_list(*square, list, {0.5, 0.6, -0.1}), InvalidArgument);
  EXPECT_THROW((void)point_list(*square, list, {0.5, 0.5, 0.5}), InvalidArgument);
  EXPECT_THROW((void)point_list(*square, list, {0.5, 0.5, 0}), InvalidArgument);  // does not span
  EXPECT_NO_THROW((void)point_list(*square, list, {0.5, 0.25, 0.25}));
}

/// A set whose exploration is a list.
class Listed final : public Set {
 public:
  Listed(SetPtr set, std::vector<Vector> list)
      : Set(set->dimension(), set->hull_dimension(), set->geometry()),
        set_(std::move(set)),
        list_(std::move(list)) {}
  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override { return set_->oracle(); }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return point_list(*this, list_);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return set_->contains(x);
  }
  void flatten(std::span<double> direction) const override { set_->flatten(direction); }
  [[nodiscard]] std::string spec() const override { return "listed(" + set_->spec() + ")"; }

 private:
  SetPtr set_;
  std::vector<Vector> list_;
};

TEST(Exploration, OfListsOfPointsByEnumeration) {
  Random random(3);
  for (const SetPtr& set :
       {ball(4), simplex(5), box(-2, 5, 3), symmetric_nuclear_ball(3), image(simplex(4), 3, 7)}) {
    for (const std::size_t count : {20U, 50U}) {
      const Listed listed(set, random_points(*set, count, random));
      expect_moments(listed, all_draws(listed, count));
    }
  }
}

TEST(Exploration, OfAListInUnitsFarApart) {
  Random random(4);
  const SetPtr set = box(Vector{0, 0, 0}, Vector{1e-3, 1, 1e3});
  const Listed listed(set, random_points(*set, 30, random));
  const std::vector<Draw> draws = all_draws(listed, 30);
  // In units of the coordinates: E w_i (v_j - p_j) scaled.
  const auto nu = listed.exploration();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (const Draw& draw : draws) sum += draw.w[i] * (draw.v[j] - nu->mean()[j]) / 30;
      const double unit = std::sqrt(nu->variance()[j] / nu->variance()[i]);
      EXPECT_NEAR(sum / unit, i == j ? 1 : 0, 1e-9);
    }
  }
}

TEST(Exploration, RefusesListsThatDoNotSpan) {
  const SetPtr square = box(0, 1, 2);
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)point_list(*square, {{0, 0}, {1, 1}});
            }),
            "a list of 2 points cannot span the hull of box(0, 1, 2), of dimension 2");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)point_list(*square, {{0, 0}, {1, 1}, {0.5, 0.5}});
            }),
            "the points to explore do not span the hull of box(0, 1, 2)");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)point_list(*square, {{0, 0}, {0, 1}, {0, 0.5}});
            }),
            "the points to explore do not span the hull of box(0, 1, 2)");
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)point_list(*square, {{0, 0}, {1, 0}, {0, 2}});
            }),
            "a point to explore is not in the set box(0, 1, 2)");
  const SetPtr flat = simplex(3);
  EXPECT_EQ(message<InvalidArgument>([&] {
              (void)point_list(*flat, {{1, 0, 0}, {0, 1, 0}, {0.5, 0.5, 0}});
            }),
            "the points to explore do not span the hull of simplex(3)");
  EXPECT_NO_THROW((void)point_list(*flat, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
}

}  // namespace
}  // namespace keyhole::tests
