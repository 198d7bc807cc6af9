// Polytopes against the closed forms of the same sets, against CLP in whole runs, and against
// another method of projection; what they refuse.

#include "sets/polytopes/polytope.h"

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "clp.h"
#include "keyhole/testing.h"
#include "numbers.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

PolytopeConstraints cube(std::size_t n, double lower = 0, double upper = 1) {
  return {.n = n, .lower = Vector(n, lower), .upper = Vector(n, upper)};
}

PolytopeConstraints with_inequalities(PolytopeConstraints k, Vector rows, Vector right) {
  k.inequalities.dense = std::move(rows);
  k.inequalities.right = std::move(right);
  return k;
}

/// {x >= 0, sum x <= 1}, or = 1, without upper bounds.
SetPtr simplex_as_polytope(std::size_t n, bool solid) {
  PolytopeConstraints k{.n = n, .lower = Vector(n, 0.0)};
  LinearRows& rows = solid ? k.inequalities : k.equalities;
  rows.dense = Vector(n, 1.0);
  rows.right = {1};
  return polytope(k);
}

TEST(Polytope, IsTheSetOfTheClosedForm) {
  Random random(1);
  for (const std::size_t n : {2u, 3u, 7u, 30u}) {
    const std::vector<std::pair<SetPtr, SetPtr>> pairs = {
        {polytope(cube(n, -1, 2)), box(-1, 2, n)},
        {simplex_as_polytope(n, true), solid_simplex(n)},
        {simplex_as_polytope(n, false), simplex(n)}};
    for (const auto& [ours, closed] : pairs) {
      const Geometry& g = ours->geometry();
      EXPECT_EQ(ours->hull_dimension(), closed->hull_dimension());
      EXPECT_NEAR(g.inner_radius, closed->inner_radius(), 1e-12) << ours->spec();
      EXPECT_LE(distance(g.centre, closed->centre()), 1e-12) << ours->spec();
      EXPECT_GE(g.outer_radius, closed->outer_radius() * (1 - 1e-12));
      EXPECT_GE(g.diameter, closed->diameter() * (1 - 1e-12));
      EXPECT_FALSE(g.outer_radius_exact || g.diameter_exact);
      const auto our_oracle = ours->oracle();
      const auto closed_oracle = closed->oracle();
      for (int k = 0; k < 200; ++k) {
        const Vector z = random.normals(n, k % 2 == 0 ? 0.3 : 3);
        Vector v(n);
        Vector closed_v(n);
        our_oracle->minimise(z).write_to(v);
        closed_oracle->minimise(z).write_to(closed_v);
        EXPECT_EQ(v, closed_v) << ours->spec();
        Vector ours_nearest(n);
        Vector closed_nearest(n);
        our_oracle->project(z, ours_nearest);
        closed_oracle->project(z, closed_nearest);
        EXPECT_LE(distance(ours_nearest, closed_nearest), 1e-13) << ours->spec();
        Vector ours_flat = z;
        Vector closed_flat = z;
        ours->flatten(ours_flat);
        closed->flatten(closed_flat);
        EXPECT_LE(distance(ours_flat, closed_flat), 1e-13);
      }
    }
  }
}

TEST(Polytope, KeepsTheContractWhenDegenerateOrSparseOrFar) {
  Random random(2);
  std::vector<PolytopeConstraints> all;
  for (const std::size_t n : {2u, 5u, 12u}) {
    PolytopeConstraints whole = cube(n, -1, 1);  // whole numbers: ties, degenerate vertices
    for (std::size_t i = 0; i < 2 * n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        whole.inequalities.dense.push_back(static_cast<double>(random.integer(0, 2)) - 1);
      }
      whole.inequalities.right.push_back(1);
    }
    all.push_back(whole);
    PolytopeConstraints chain{.n = n, .lower = Vector(n, 0.0)};  // x_1 <= x_2 <= ... <= x_n <= 1
    for (std::size_t j = 0; j + 1 < n; ++j) {
      chain.inequalities.sparse.push_back({j, j, 1});
      chain.inequalities.sparse.push_back({j, j + 1, -1});
      chain.inequalities.right.push_back(0);
    }
    chain.inequalities.sparse.push_back({n - 1, n - 1, 1000});
    chain.inequalities.right.push_back(1000);
    all.push_back(chain);
    PolytopeConstraints far = cube(n, 1000, 1001);  // an equality twice, bounds that never bind
    far.upper = Vector(n, 1e9);
    far.equalities.dense = Vector(2 * n, 1.0);
    far.equalities.right = Vector(2, 1000.0 * static_cast<double>(n) + 0.5);
    all.push_back(far);
  }
  for (const PolytopeConstraints& constraints : all) {
    const SetPtr set = polytope(constraints);
    keyhole::testing::SetCheckOptions checks{.directions = 40};
#ifdef KEYHOLE_WITH_CLP
    Clp clp(*sets::make_polytope_body(constraints).constraints);
    checks.slow_minimum = [&](auto d) { return clp.minimum(d); };
#endif
    const auto report = keyhole::testing::check_set(set, checks);
    EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
  }
}

#ifdef KEYHOLE_WITH_CLP

/// A set that compares every answer of its oracle with CLP's.
class Watched final : public Set {
 public:
  Watched(SetPtr set, const PolytopeConstraints& constraints)
      : Set(set->dimension(), set->hull_dimension(), set->geometry()),
        set_(std::move(set)),
        clp_(std::make_unique<Clp>(*sets::make_polytope_body(constraints).constraints)) {}

  class Both final : public Oracle {
   public:
    explicit Both(const Watched& watched) : watched_(watched), oracle_(watched.set_->oracle()) {}
    const Vertex& do_minimise(std::span<const double> direction) override {
      const Vertex& v = oracle_->minimise(direction);
      const double length = std::sqrt(inner(direction, direction));
      if (length > 0) {
        const Vector d = combine(1 / length, direction, 0, direction);
        const double off = std::abs(v.dot(d) - watched_.clp_->minimum(d));
        watched_.worst = std::max(watched_.worst, off);
        ++watched_.calls;
      }
      return v;
    }
    void settle(std::span<double> point) override { oracle_->settle(point); }

   private:
    const Watched& watched_;
    std::unique_ptr<Oracle> oracle_;
  };

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<Both>(*this);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return set_->contains(x);
  }
  void flatten(std::span<double> direction) const override { set_->flatten(direction); }
  [[nodiscard]] std::string spec() const override { return set_->spec(); }

  mutable double worst = 0;
  mutable std::uint64_t calls = 0;

 private:
  SetPtr set_;
  std::unique_ptr<Clp> clp_;
};

TEST(Polytope, AgreesWithClpInEveryRoundOfWholeRuns) {
  Random random(3);
  const std::vector<std::pair<std::size_t, double>> runs = {{10, 1e5}, {50, 2e3}};
  for (const auto& [n, rounds] : runs) {
    PolytopeConstraints k = cube(n);
    k.inequalities.right.assign(n, 1.0);
    for (std::size_t i = 0; i < n * n; ++i) k.inequalities.dense.push_back(random.uniform());
    const auto set = std::make_shared<Watched>(polytope(k), k);
    const std::uint64_t T = scaled_count(rounds);
    Learner learner(projection_free(set, {.loss_bound = 1, .horizon = T}));
    Vector x(n);
    for (std::uint64_t t = 1; t <= T; ++t) {
      const PlayId id = learner.ask(x);
      ASSERT_TRUE(set->contains(x));
      learner.tell(id, inner(x, x) - x[t % n]);
    }
    EXPECT_GE(set->calls, T - 2);  // the first directions are zero
    EXPECT_LE(set->worst, 1e-9) << n;
  }
}

#endif

/// Solves the symmetric positive definite system by elimination in long double.
std::vector<long double> solve_spd(std::vector<std::vector<long double>> a,
                                   std::vector<long double> b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t r = i + 1; r < b.size(); ++r) {
      const long double factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < b.size(); ++c) a[r][c] -= factor * a[i][c];
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t c = i + 1; c < b.size(); ++c) b[i] -= a[i][c] * b[c];
    b[i] /= a[i][i];
  }
  return b;
}

/// argmin ||x - z|| subject to G x >= h, by Lawson and Hanson's reduction of least distance to
/// nonnegative least squares ("Solving Least Squares Problems", 1974, chapter 23): with E the rows
/// of G^T and below them h - G z, and u >= 0 minimising ||E u - e_{n+1}||, the residual r gives
/// x = z - (r_1, ..., r_n) / r_{n+1}.
Vector least_distance(const std::vector<Vector>& G, const Vector& h, const Vector& z) {
  const std::size_t n = z.size();
  std::vector<Vector> E = G;
  for (std::size_t i = 0; i < G.size(); ++i) E[i].push_back(h[i] - inner(G[i], z));
  std::vector<long double> u(G.size(), 0);
  std::vector<std::size_t> passive;
  std::vector<long double> r(n + 1);
  const auto residual = [&] {
    for (std::size_t j = 0; j <= n; ++j) {
      r[j] = j == n ? -1 : 0;
      for (std::size_t i = 0; i < u.size(); ++i) r[j] += u[i] * E[i][j];
    }
  };
  const auto product = [&](std::size_t i, const auto& with) {
    long double sum = 0;
    for (std::size_t j = 0; j <= n; ++j) sum += static_cast<long double>(E[i][j]) * with[j];
    return sum;
  };
  for (int step = 0; step < 1000; ++step) {
    residual();
    std::size_t best = u.size();
    long double gain = 1e-15L;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const bool is_in = std::find(passive.begin(), passive.end(), i) != passive.end();
      if (!is_in && -product(i, r) > gain) {
        gain = -product(i, r);
        best = i;
      }
    }
    if (best == u.size()) break;
    passive.push_back(best);
    for (;;) {
      std::vector<std::vector<long double>> a(passive.size());
      std::vector<long double> b;
      for (std::size_t k = 0; k < passive.size(); ++k) {
        for (const std::size_t other : passive) a[k].push_back(product(passive[k], E[other]));
        b.push_back(E[passive[k]][n]);
      }
      const auto s = solve_spd(a, b);
      long double share = 1;
      for (std::size_t k = 0; k < s.size(); ++k) {
        if (s[k] <= 0) share = std::min(share, u[passive[k]] / (u[passive[k]] - s[k]));
      }
      for (std::size_t k = 0; k < s.size(); ++k) {
        u[passive[k]] += share * (s[k] - u[passive[k]]);
      }
      if (share == 1) break;
      std::erase_if(passive, [&](std::size_t i) {
        if (u[i] > 1e-18L) return false;
        u[i] = 0;
        return true;
      });
    }
  }
  residual();
  Vector x(n);
  for (std::size_t j = 0; j < n; ++j) x[j] = static_cast<double>(z[j] - r[j] / r[n]);
  return x;
}

TEST(Polytope, ProjectsToThePointOfAnotherMethod) {
  Random random(4);
  double worst = 0;
  double worst_gap = 0;
  for (std::uint64_t instance = 0; instance < scaled_count(1000); ++instance) {
    const std::size_t n = random.integer(1, 10);
    const std::size_t m = random.integer(0, 12);
    PolytopeConstraints k = cube(n, -1, 1);
    const bool whole = instance % 3 == 0;
    std::vector<Vector> G;
    Vector h;
    const auto append = [&](const Vector& row, double right) {
      G.push_back(combine(-1, row, 0, row));
      h.push_back(-right);
    };
    for (std::size_t i = 0; i < m; ++i) {
      Vector row = random.normals(n);
      if (whole) {
        for (double& value : row) value = std::round(value);
      }
      const double right = whole ? 1 : random.uniform(0.1, 1);
      k.inequalities.dense.insert(k.inequalities.dense.end(), row.begin(), row.end());
      k.inequalities.right.push_back(right);
      append(row, right);
    }
    if (n >= 3 && instance % 2 == 0) {
      const Vector row = random.normals(n);
      k.equalities.dense = row;
      k.equalities.right = {0.01};
      append(row, 0.01);
      append(combine(-1, row, 0, row), -0.01);
    }
    for (std::size_t j = 0; j < n; ++j) {
      Vector e(n, 0.0);
      e[j] = 1;
      append(e, 1);
      e[j] = -1;
      append(e, 1);
    }
    const SetPtr set = polytope(k);
    const auto oracle = set->oracle();
    const double R = set->outer_radius();
    for (const double length : {0.2, 0.7, 2.0, 10.0}) {
      const Vector z = random.normals(n, length);
      Vector x(n);
      oracle->project(z, x);
      EXPECT_TRUE(set->contains(x)) << instance;
      worst = std::max(worst, distance(x, least_distance(G, h, z)));
      const Vector off = combine(1, z, -1, x);
      const Vector back = combine(-1, off, 0, off);
      Vector v(n);
      oracle->minimise(back).write_to(v);
      worst_gap = std::max(worst_gap, inner(off, combine(1, v, -1, x)) / (R * R));
    }
  }
  EXPECT_LE(worst, 1e-8);
  EXPECT_LE(worst_gap, 1e-9);
}

/// {l <= x <= u, A x <= b, C x = d} about 0 with normal or whole rows, its coordinates then in
/// units spread over six decades.
PolytopeConstraints in_units_far_apart(Random& random) {
  const std::size_t n = random.integer(2, 12);
  const bool whole = random.integer(0, 1) == 0;
  PolytopeConstraints k = cube(n);
  Vector units(n);
  for (std::size_t j = 0; j < n; ++j) {
    units[j] = std::pow(10.0, random.uniform(-3, 3));
    k.lower[j] = -random.uniform(0.1, 1) * units[j];
    k.upper[j] = random.uniform(0.1, 1) * units[j];
  }
  const auto append = [&](LinearRows& rows, double right) {
    for (const double unit : units) {
      const double value = random.normal();
      rows.dense.push_back((whole ? std::round(value) : value) / unit);
    }
    rows.right.push_back(right);
  };
  for (std::size_t i = random.integer(0, 3 * n); i > 0; --i) {
    append(k.inequalities, whole ? 1 : random.uniform(0.05, 1));
  }
  for (std::size_t i = random.integer(0, n - 2); i > 0; --i) append(k.equalities, 0);
  return k;
}

TEST(Polytope, ProjectsInUnitsFarApartFromNearAndFar) {
  // The first seeds have points whose z - x, as a direction, leaves multipliers of the oracle that
  // should be zero to large roundings.
  std::vector<std::uint64_t> seeds = {10355, 16333, 19052, 30971, 45796, 48608, 55346};
  for (std::uint64_t seed = 0; seed < scaled_count(500); ++seed) seeds.push_back(seed);
  double worst_gap = 0;
  for (const std::uint64_t seed : seeds) {
    Random random(seed);
    const SetPtr set = polytope(in_units_far_apart(random));
    const std::size_t n = set->dimension();
    const auto oracle = set->oracle();
    const double R = set->outer_radius();
    for (int point = 0; point < 20; ++point) {
      const Vector direction = random.normals(n);
      const double away = R * std::pow(10.0, random.uniform(-3, 8));
      const double share = away / std::sqrt(inner(direction, direction));
      const Vector z = combine(1, set->centre(), share, direction);
      Vector x(n);
      ASSERT_NO_THROW(oracle->project(z, x)) << seed << " " << away / R;
      EXPECT_TRUE(set->contains(x)) << seed << " " << away / R;
      const Vector off = combine(1, z, -1, x);
      Vector v(n);
      const Vector back = combine(-1, off, 0, off);
      ASSERT_NO_THROW(oracle->minimise(back).write_to(v)) << seed << " " << away / R;
      const double length = std::max(R, std::sqrt(inner(off, off)));
      worst_gap = std::max(worst_gap, inner(off, combine(1, v, -1, x)) / (R * length));
    }
  }
  EXPECT_LE(worst_gap, 1e-9);
}

TEST(Polytope, RefusesWithTheRowsNamed) {
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)polytope(with_inequalities(cube(2, 0, 5), {1, 1, -1, -1, 1, 0}, {1, -2, 4}));
            }),
            "the polytope is empty: inequality 0 and inequality 1 contradict each other");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)polytope(with_inequalities(cube(2), {1, 1}, {-1}));
            }),
            "the polytope is empty: the bounds of coordinate 0, the bounds of coordinate 1 and "
            "inequality 0 contradict each other");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)polytope(
                  with_inequalities(cube(3, -5, 5), {1, 1, 1, 0, 1, 0, -1, -1, -1}, {1, 1, -1}));
            }),
            "the polytope has hidden equalities: inequality 0 and inequality 2 can only hold with "
            "equality together; write them as equalities");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)polytope(with_inequalities(cube(2), {1, 1}, {0}));
            }),
            "the polytope is a single point, 0: the bounds of coordinate 0, the bounds of "
            "coordinate 1 and inequality 0 leave nothing to choose");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)polytope({.n = 2, .lower = {0, 0}, .upper = {1, infinity}});
            }),
            "the polytope is unbounded: coordinate 1 can grow without end, for it has no upper "
            "bound and no inequality or equality limits it; give it a bound");
  EXPECT_EQ(message<InvalidArgument>([] {
              PolytopeConstraints k{.n = 3, .lower = {0, 0, 0}, .upper = {1, infinity, infinity}};
              (void)polytope(with_inequalities(k, {1, 1, -1, 0, -1, 1}, {1, 2}));
            }),
            "the polytope is unbounded: coordinate 1 can grow without end if coordinate 2 moves "
            "along, for none of them has a bound that way and no inequality or equality limits "
            "them together; give one of them a bound");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)polytope({.n = 2, .equalities = {.dense = {1, 0, 0, 1}, .right = {1, 1}}});
            }),
            "the equalities of the polytope leave a single point: there is nothing to choose");
  EXPECT_EQ(message<InvalidArgument>([] {
              PolytopeConstraints k = cube(3);
              k.equalities = {.dense = {1, 1, 1, 2, 2, 2}, .right = {1, 3}};
              (void)polytope(k);
            }),
            "the polytope is empty: equality 1 contradicts the equalities before it");
  EXPECT_EQ(message<InvalidArgument>([] { (void)polytope(with_inequalities(cube(1), {0}, {-1})); }),
            "the polytope is empty: inequality 0 says that 0 is at most -1");
  EXPECT_EQ(message<InvalidArgument>([] { (void)polytope({.n = 1, .lower = {2}, .upper = {1}}); }),
            "the polytope is empty: the bounds of coordinate 0 are [2, 1]");
  EXPECT_EQ(message<InvalidArgument>([] {
              PolytopeConstraints k = cube(2);
              k.inequalities.sparse = {{1, 0, 1}};
              k.inequalities.right = {1};
              (void)polytope(k);
            }),
            "an entry in row 1 and column 0 is outside the 1 x 2 matrix of the inequalities");
  const std::vector<PolytopeConstraints> bad = {{},
                                                {.n = 2, .lower = {0}, .upper = {1, 1}},
                                                {.n = 1, .lower = {std::nan("")}, .upper = {1}},
                                                {.n = 1, .lower = {infinity}, .upper = {infinity}},
                                                {.n = 1, .lower = {1}, .upper = {1}},
                                                with_inequalities(cube(2), {1}, {1}),
                                                with_inequalities(cube(1), {std::nan("")}, {1}),
                                                with_inequalities(cube(1), {1}, {infinity}),
                                                with_inequalities(cube(1), {1e60}, {1}),
                                                cube(2, 1e9, 1e9 + 1e-3)};
  for (const PolytopeConstraints& k : bad) EXPECT_THROW((void)polytope(k), InvalidArgument);
}

TEST(Polytope, SpecsTellPolytopesApart) {
  EXPECT_EQ(polytope(with_inequalities(cube(2), {1, 2}, {1}))->spec(),
            "polytope(2, lower=0, upper=1, A=[[1, 2]], b=[1])");
  PolytopeConstraints k = cube(2, -1, 0.5);
  k.equalities.sparse = {{0, 0, 1}, {0, 1, 0.5}, {0, 1, 0.5}};
  k.equalities.right = {0.25};
  EXPECT_EQ(polytope(k)->spec(), "polytope(2, lower=-1, upper=0.5, C=[[1, 1]], d=[0.25])");

  Random random(5);
  PolytopeConstraints dense = cube(30);
  for (int i = 0; i < 300; ++i) dense.inequalities.dense.push_back(random.uniform());
  dense.inequalities.right.assign(10, 1.0);
  PolytopeConstraints sparse = dense;
  sparse.inequalities.dense.clear();
  for (std::size_t i = 0; i < 300; ++i) {
    sparse.inequalities.sparse.push_back({i / 30, i % 30, dense.inequalities.dense[i]});
  }
  const std::string spec = polytope(dense)->spec();
  EXPECT_EQ(spec.substr(0, 50), "polytope(30, inequalities=10, equalities=0, digest");
  EXPECT_EQ(polytope(sparse)->spec(), spec);
  sparse.inequalities.sparse[299].value += 1e-15;
  EXPECT_NE(polytope(sparse)->spec(), spec);
  dense.upper[3] = 1.5;
  EXPECT_NE(polytope(dense)->spec(), spec);
}

/// {-1 <= x <= 1, A x <= sqrt(n) / 2}, A normal with as many rows: a vertex takes many steps.
SetPtr stubborn_polytope(std::size_t n) {
  Random random(41);
  return polytope(with_inequalities(cube(n, -1, 1), random.normals(n * n, 1),
                                    Vector(n, std::sqrt(static_cast<double>(n)) / 2)));
}

TEST(Polytope, ExploresPointsThatReachFarWhereVerticesAreExpensive) {
  constexpr std::size_t n = 160;
  const SetPtr set = stubborn_polytope(n);
  const std::unique_ptr<Exploration> nu = set->exploration();
  const std::unique_ptr<Exploration> again = stubborn_polytope(n)->exploration();
  const std::unique_ptr<Oracle> oracle = set->oracle();
  Vector v(n);
  Vector w(n);
  const auto squared_length = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (v[i] - nu->mean()[i]) * (v[i] - nu->mean()[i]);
    return sum;
  };
  double leverage = 0;
  double reach = 0;
  constexpr std::uint64_t draws = 4000;
  for (std::uint64_t k = 0; k < draws; ++k) {  // each share of the list in turn
    const std::uint64_t word = k * (~std::uint64_t{0} / draws);
    const RandomBits bits{std::span(&word, 1), {}};
    nu->draw(bits, v);
    ASSERT_TRUE(set->contains(v)) << k;
    nu->score(bits, w);
    for (std::size_t i = 0; i < n; ++i) leverage += w[i] * (v[i] - nu->mean()[i]) / draws;
    reach += squared_length() / draws;
    again->draw(bits, w);
    ASSERT_EQ(v, w) << k;
  }
  // The mean of (v - p) . Sigma^-1 (v - p) is the dimension.
  EXPECT_NEAR(leverage, n, 0.05 * n);
  Random random(42);
  double of_vertices = 0;
  for (int k = 0; k < 20; ++k) {
    oracle->minimise(random.normals(n, 1)).write_to(v);
    of_vertices += squared_length() / 20;
  }
  EXPECT_GT(reach, 0.4 * of_vertices);
  EXPECT_LT(reach, 0.99 * of_vertices);  // not all are vertices
}

}  // namespace
}  // namespace keyhole::tests
