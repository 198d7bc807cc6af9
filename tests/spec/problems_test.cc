// Problems from texts.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "keyhole/keyhole.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// A folder with a file of costs of two alternatives in three rounds, removed at the end.
class SpecProblems : public ::testing::Test {
 protected:
  SpecProblems() {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "costs.csv") << "date,a,b\n2013-02-08,1,2\n2013-02-11,3,4\n"
                                            "2013-02-12,5,7\n";
  }
  ~SpecProblems() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] ProblemContext context() const { return {.folder = folder_.string()}; }
  [[nodiscard]] std::string file() const { return (folder_ / "costs.csv").string(); }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("keyhole_spec_" +
       std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

void expect_equal(Problem& a, Problem& b) {
  EXPECT_EQ(a.spec(), b.spec());
  EXPECT_EQ(a.set().spec(), b.set().spec());
  EXPECT_EQ(a.rounds(), b.rounds());
  EXPECT_EQ(a.bounds().loss, b.bounds().loss);
  for (const std::uint64_t t : {std::uint64_t{1}, std::uint64_t{3}}) {
    a.draw(t);
    b.draw(t);
    const std::vector<double>& x = a.set().centre();
    EXPECT_EQ(a.value(x), b.value(x)) << a.spec();
  }
}

const ProblemSeed seed{.seed = 7, .stream = 3};

void expect_made(const std::string& text, const std::unique_ptr<Problem>& problem) {
  const auto made = make_problem(text, {.seed = seed});
  expect_equal(*made, *problem);
  // And its own text makes it again.
  const auto back = make_problem(problem->spec(), {.seed = seed});
  expect_equal(*back, *problem);
}

TEST_F(SpecProblems, AreThoseOfTheFactories) {
  expect_made("quadratic(3, 2)", quadratic({.n = 3, .rows = 2}, seed));
  expect_made("quadratic(n=3)", quadratic({.n = 3}, seed));
  expect_made("completion(3, k=2)", completion({.n = 3, .k = 2}, seed));
  expect_made("completion(3, 2, symmetric)",
              completion({.n = 3, .k = 2, .region = MatrixRegion::symmetric}, seed));
  expect_made("completion(3, 2, region=psd)",
              completion({.n = 3, .k = 2, .region = MatrixRegion::psd}, seed));
  expect_made("tracking(simplex(3))", tracking(simplex(3), {}, seed));
  expect_made("tracking(ball(2), 0.5, 0.25, offset=-1)",
              tracking(ball(2), {.distance = 0.5, .jitter = 0.25, .offset = -1}, seed));
  expect_made("tracking(ball(2), noise=0.5, flip=2)",
              tracking(ball(2), {.noise = 0.5, .flip = 2}, seed));
  expect_made("tracking(ball(2), offset=1000, noise=1, tails=student)",
              tracking(ball(2), {.offset = 1000, .noise = 1, .tails = Tails::student}, seed));
  expect_made(
      "contextual(targets, 0.2, numbers=3, moving=1, shift=2)",
      contextual({.scene = Scene::targets, .noise = 0.2, .numbers = 3, .moving = 1, .shift = 2},
                 seed));
  expect_made("contextual(change=9)", contextual({.change = 9}, seed));
  expect_made("separable(box(0, 1, 2))", separable(box(0, 1, 2), {}, seed));
  expect_made("separable(ball(2), 2, 0.5, corners=true, scaled=true, noise=0.5, tails=student)",
              separable(ball(2),
                        {.power = 2,
                         .inner = 0.5,
                         .corners = true,
                         .scaled = true,
                         .noise = 0.5,
                         .tails = Tails::student},
                        seed));
  expect_made("regression(ball(4))", regression(ball(4), {}, seed));
  expect_made("regression(box(0, 1, 2), noise=1)", regression(box(0, 1, 2), {.noise = 1}, seed));
  expect_made("alternating(box(0, 1, 2))", alternating(box(0, 1, 2), {}, seed));
  expect_made("alternating(ball(2), 1, 2, swing=3)",
              alternating(ball(2), {.offset = 1, .spread = 2, .swing = 3}, seed));
  expect_made("alternating(ball(2), wave=square, period=4)",
              alternating(ball(2), {.wave = Wave::square, .period = 4}, seed));
  expect_made("max_affine(simplex(3), pair, 0.5, noise=0.1)",
              max_affine(simplex(3), {.kinks = Kinks::pair, .slope = 0.5, .noise = 0.1}, seed));
  expect_made("max_affine(ball(2), drawn, pieces=3, distance=0.2)",
              max_affine(ball(2), {.kinks = Kinks::drawn, .pieces = 3, .distance = 0.2}, seed));
  expect_made("curved(ball(3), chain, 41, 0.5, noise=1, tails=cauchy)",
              curved(ball(3),
                     {.axes = Axes::chain,
                      .condition = 41,
                      .distance = 0.5,
                      .noise = 1,
                      .tails = Tails::cauchy},
                     seed));
  expect_made("thin(4, ellipsoid, 0.1, rotated=false, losses=quadratic)",
              thin({.n = 4,
                    .region = ThinRegion::ellipsoid,
                    .thinness = 0.1,
                    .rotated = false,
                    .losses = ThinLosses::quadratic},
                   seed));
  expect_made("road_grid(2, 3, two_way=false)",
              road_grid({.rows = 2, .columns = 3, .two_way = false}, seed));
  expect_made("tracking(ball(2), stage=2)", tracking(ball(2), {.stage = 2}, seed));
  expect_made("regression(ball(2), bounded=true, stage=2)",
              regression(ball(2), {.bounded = true, .stage = 2}, seed));
  expect_made("linear(ball(2), stage=2, added=1, tails=student)",
              linear(ball(2), {.stage = 2, .added = 1, .tails = Tails::student}, seed));
  expect_made("separable(ball(2), steepness=3)", separable(ball(2), {.steepness = 3}, seed));
  expect_made("separable(ball(2), 2, inner=0.5, turn=8)",
              separable(ball(2), {.power = 2, .inner = 0.5, .turn = 8}, seed));
  expect_made("observed(tracking(ball(2)), noise=0.1, level=season, size=-2, period=24)",
              observed(tracking(ball(2), {}, seed),
                       {.noise = 0.1, .level = LossLevel::season, .size = -2, .period = 24}, seed));
  expect_made("observed(tracking(ball(2), offset=1), outcomes=clicks, rate=0.1)",
              observed(tracking(ball(2), {.offset = 1}, seed),
                       {.outcomes = Outcomes::clicks, .rate = 0.1}, seed));
  expect_made("lognormal_market(3)", lognormal_market({.n = 3}, seed));
  expect_made("linear(box(0, 1, 2), mean=-0.5)", linear(box(0, 1, 2), {.mean = -0.5}, seed));
  expect_made("linear(ball(2), flip=3)", linear(ball(2), {.flip = 3}, seed));
  expect_made("linear(box(0, 1, 2))", linear(box(0, 1, 2), LinearOptions{}, seed));
  expect_made("linear(ball(2), spread=1, noise=0)",
              linear(ball(2), LinearOptions{.spread = 1, .noise = 0}, seed));
  expect_made("linear(ball(2), \"" + file() + "\")", linear(ball(2), file()));
  expect_made("replay(\"" + file() + "\")", replay(file()));
  expect_made("replay(\"" + file() + "\", solid_simplex(2))", replay(file(), solid_simplex(2)));
}

TEST_F(SpecProblems, Portfolios) {
  expect_made("portfolio(n=3)", portfolio({.n = 3}, seed));
  expect_made("portfolio(enlarged, n=3)",
              portfolio({.region = PortfolioRegion::enlarged, .n = 3}, seed));
  expect_made("portfolio(prices=\"" + file() + "\", relatives=true)",
              portfolio({.prices = file(), .relatives = true}, seed));
  EXPECT_EQ(make_problem("portfolio(prices=costs.csv, from=2013-02-11, tickers=[b, a])", context())
                ->set()
                .dimension(),
            2u);
}

TEST_F(SpecProblems, Networks) {
  const auto write = [&](const char* name, const char* text) {
    const auto path = std::filesystem::path(context().folder) / name;
    std::ofstream(path) << text;
    return path.string();
  };
  const std::string edges =
      write("edges.csv", "from,to,ospf_weight,capacity_kbps\na,b,1,10\na,c,1,20\nc,b,1,40\n");
  const std::string traffic = write("traffic.csv", "time,a-b\n1,3\n2,4\n3,5\n");
  expect_made("routing(\"" + edges + "\", demand=\"" + traffic + "\")",
              routing({.edges = edges, .demand = traffic}));
  expect_made("routing(\"" + edges + "\", \"" + traffic + "\", 2, 1, unit=0.5)",
              routing({.edges = edges, .demand = traffic, .paths = 2, .demands = 1, .unit = 0.5}));
  EXPECT_EQ(make_problem("routing(edges.csv, traffic.csv)", context())->rounds(), 3u);
  const std::string trips = write("trips.csv", "i,j,rtt_ms\na,b,1\na,c,2\nb,c,3\n");
  expect_made("latency(\"" + trips + "\", 2)", latency({.file = trips, .nodes = 2}, seed));
  expect_made("latency(\"" + trips + "\", nodes=3, share=2)",
              latency({.file = trips, .nodes = 3, .share = 2}, seed));
  EXPECT_EQ(make_problem("latency(trips.csv, 3)", context())->set().dimension(), 9u);
}

TEST_F(SpecProblems, FilesAreRelativeToTheFolder) {
  EXPECT_EQ(make_problem("replay(costs.csv)", context())->set().spec(), "simplex(2)");
  EXPECT_EQ(make_problem("replay(\"" + file() + "\")", context())->set().spec(), "simplex(2)");
  EXPECT_EQ(make_problem("linear(ball(2), file=costs.csv)", context())->rounds(), 3u);
  EXPECT_THROW((void)make_problem("replay(no_such_file.csv)", context()), InputError);
}

}  // namespace
}  // namespace keyhole::tests
