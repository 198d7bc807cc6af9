// How much posterior loses, over seeds: next to parameter_free, where the set is stretched and
// tilted, where nothing changes, where vertices are far away, where the target moves.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "catalogue.h"
#include "keyhole/hindsight.h"
#include "keyhole/spec.h"
#include "relative_regret.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

/// The suite has .04 to .7 of parameter_free's regret; four seeds differ by a third or less.
TEST(PosteriorRegret, IsBelowThatOfParameterFree) {
  for (const char* problem :
       {"linear(simplex(20), mean=-0.5)", "tracking(ball(10), noise=0.1)",
        "separable(box(0, 1, 10), power=2, inner=1.6, corners=true, noise=0.3)",
        "linear(path_splits([4, 4, 4, 4, 4]))"}) {
    const double sampling = relative("posterior", problem, 8192, 4).last;
    const double other = relative("parameter_free", problem, 8192, 4).last;
    EXPECT_LT(sampling, 0.7 * other) << problem;
    EXPECT_LT(sampling, 0.15) << problem;
  }
}

/// Vertices are 19 times as far as the best point. On 16 other seeds the largest was 1.36; that of
/// parameter_free is above 20.
TEST(PosteriorRegret, FarVerticesCostLittleAtFirst) {
  const Relative found = relative("posterior", "tracking(simplex(20))", 4096, 8);
  EXPECT_LT(found.largest, 1.5);
  EXPECT_LT(found.last, 0.6);
}

/// The start is nearly best, and far below the noise: learning costs several times what the start
/// does. Who cannot pay that says so.
TEST(PosteriorRegret, CautionLimitsWhatIsSpent) {
  const char* const problem = "tracking(simplex(20), noise=0.02)";
  const double usual = relative("posterior", problem, 2048, 8).last;
  const double careful = relative("posterior(caution=0.01)", problem, 2048, 8).last;
  const double most_careful = relative("posterior(caution=0.001)", problem, 2048, 8).last;
  EXPECT_LT(careful, 0.6 * usual);
  EXPECT_LT(most_careful - 1, 0.6 * (careful - 1));  // above what staying costs
  EXPECT_LT(most_careful, 1.5);
}

/// What is recommended after 100 trials in five dimensions, with noise of .3 of what there is to
/// gain: .15 to .25 of it is left over four times 40 other seeds, +-.05 each, and .028 to .037
/// +-.004 if it is known that there are few.
TEST(PosteriorRegret, FewTrialsAreEnoughForWhoKnowsThatThereAreFew) {
  const SetPtr set = box(0, 1, 5);
  const std::vector<double> best = {.2, .8, .3, .7, .25};
  const auto left_of = [&](std::span<const double> y) {
    return std::pow(
        distance(std::vector<double>(y.begin(), y.end()), best) / distance(set->centre(), best), 2);
  };
  const auto left_by = [&](const PosteriorOptions& options) {
    double left = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Learner learner(posterior(set, options), {.seed = seed});
      Random random(seed);
      std::vector<double> y(5);
      for (int t = 0; t < 100; ++t) {
        const PlayId id = learner.ask(y);
        learner.tell(id, left_of(y) + 0.3 * random.normal());
      }
      left += left_of(learner.recommend()) / 40;
    }
    return left;
  };
  const double bold = left_by({.trials = 100});
  EXPECT_LT(bold, 0.06);
  EXPECT_LT(bold, 0.6 * left_by({}));
}

/// A target that jumps every 300 rounds: below staying. A learner that does not start again forgets
/// what is old, but not at once.
TEST(PosteriorRegret, FollowsATargetThatMoves) {
  const char* const problem = "tracking(ball(5), distance=0.9, jitter=0, noise=0.1, stage=300)";
  const double following = relative("posterior", problem, 8192, 4).last;
  const double forever = relative("posterior(restarts=false)", problem, 8192, 4).last;
  EXPECT_LT(following, 0.6);
  EXPECT_LT(following, 0.8 * forever);
}

/// A quadratic loss that stays the same, with noise: no window of 256 rounds after round 1024 costs
/// more than half of what the centre does.
TEST(PosteriorRegret, KeepsWhatItHasLearned) {
  const SetPtr set = box(0, 1, 6);
  const std::vector<double> best = {.2, .8, .3, .7, .25, .6};
  const auto excess = [&](const std::vector<double>& y) {
    return 5 * distance(y, best) * distance(y, best);
  };
  const double of_centre = excess(set->centre());
  std::vector<double> y(6);
  for (const double noise : {0.1, 0.5, 1.0}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      Learner learner(posterior(set), {.seed = seed});
      Random random(seed);
      double in_window = 0;
      for (std::uint64_t t = 1; t <= scaled_count(8192); ++t) {
        const PlayId id = learner.ask(y);
        in_window += excess(y);
        learner.tell(id, 10 + excess(y) + noise * random.normal());
        if (t % 256 != 0) continue;
        if (t > 1024) {
          EXPECT_LT(in_window / 256, 0.5 * of_centre) << noise << " " << seed;
        }
        in_window = 0;
      }
    }
  }
}

/// A linear map with singular values from 1 to about 1e-4, which is the least that the library
/// takes, between random rotations; and the way back.
struct Stretching {
  std::vector<double> there;
  std::vector<double> back;
};

Stretching stretching(std::size_t n, Random& random) {
  const auto rotation = [&] {
    std::vector<std::vector<double>> rows(n);
    for (std::size_t i = 0; i < n; ++i) {
      rows[i] = random.normals(n);
      for (std::size_t j = 0; j < i; ++j) {
        const double share = inner(rows[i], rows[j]);
        for (std::size_t k = 0; k < n; ++k) rows[i][k] -= share * rows[j][k];
      }
      const double length = std::sqrt(inner(rows[i], rows[i]));
      for (double& entry : rows[i]) entry /= length;
    }
    return rows;
  };
  const auto left = rotation();
  const auto right = rotation();
  Stretching map{std::vector<double>(n * n), std::vector<double>(n * n)};
  for (std::size_t k = 0; k < n; ++k) {
    const double value = std::pow(1.01e-4, static_cast<double>(k) / static_cast<double>(n - 1));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        map.there[i * n + j] += left[k][i] * value * right[k][j];
        map.back[i * n + j] += right[k][i] / value * left[k][j];
      }
    }
  }
  return map;
}

/// The image of y.
std::vector<double> image_of(const std::vector<double>& matrix, const std::vector<double>& y) {
  std::vector<double> result(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = 0; j < y.size(); ++j) result[i] += matrix[i * y.size() + j] * y[j];
  }
  return result;
}

/// The law of shape. A loss on the set is one on its image. Over 30 other maps the regret on the
/// image was 1.04 to 1.43 times that on the set; one run in a hundred stays at a
/// vertex that is not the best, and costs eight times as much: so there are 80 seeds.
TEST(PosteriorRegret, StretchingAndTiltingCostLittle) {
  for (const SetPtr& set : {box(0, 1, 8), simplex(9), l1_ball(8)}) {
    for (const bool curved : {false, true}) {
      double on_set = 0;
      double on_image = 0;
      for (std::uint64_t seed = 1; seed <= 80; ++seed) {
        Random random(seed);
        const std::size_t n = set->dimension();
        const Stretching map = stretching(n, random);
        const SetPtr image = affine_image(set, map.there, std::vector<double>(n, 0.0));
        const auto nu = set->exploration();
        std::vector<double> slope = random.normals(n);
        std::vector<double> target = set->centre();
        for (std::size_t i = 0; i < n; ++i) slope[i] /= std::sqrt(nu->variance()[i]);
        std::vector<double> vertex(n);
        set->oracle()->minimise(slope).write_to(vertex);
        for (std::size_t i = 0; i < n; ++i) target[i] += 0.4 * (vertex[i] - target[i]);
        const auto excess = [&](const std::vector<double>& y) {
          if (!curved) return (inner(slope, y) - inner(slope, vertex)) / 5;
          double sum = 0;
          for (std::size_t i = 0; i < n; ++i) {
            sum += (y[i] - target[i]) * (y[i] - target[i]) / nu->variance()[i] / 2;
          }
          return sum;
        };
        const auto total = [&](const SetPtr& played_on, bool mapped) {
          Learner learner(posterior(played_on), {.seed = seed});
          Random noise(seed + 100);
          std::vector<double> y(n);
          double sum = 0;
          for (std::uint64_t t = 1; t <= 4096; ++t) {
            const PlayId id = learner.ask(y);
            const double cost = excess(mapped ? image_of(map.back, y) : y);
            sum += cost;
            learner.tell(id, cost + 0.3 * noise.normal());
          }
          return sum;
        };
        on_set += total(set, false);
        on_image += total(image, true);
      }
      EXPECT_LT(on_image, 1.5 * on_set) << set->spec() << (curved ? ", curved" : ", linear");
    }
  }
}

/// Kinks that tie coordinates: at most three quarters of the better of parameter_free and its
/// variant on the sphere. The hard suite has a third to a half of that, within half of it over four
/// seeds.
TEST(PosteriorRegret, KinksThatTieCoordinatesAreLearned) {
  const std::string sphere = "parameter_free(explore_at=inscribed_sphere, curvature=false)";
  for (const char* problem : {"max_affine(solid_simplex(3), pair, slope=0.5, noise=0.1)",
                              "max_affine(simplex(5), growing, noise=0.1)"}) {
    const double ours = relative("posterior", problem, 16384, 12).last;
    const double theirs = std::min(relative("parameter_free", problem, 16384, 12).last,
                                   relative(sphere, problem, 16384, 12).last);
    EXPECT_LT(ours, 0.75 * theirs) << problem;
  }
  // Here a sixth of the runs sees no way off the start.
  const std::string pair = "max_affine(simplex(3), pair, slope=0.5, noise=0.1)";
  EXPECT_LT(relative("posterior", pair, 16384, 12).last,
            0.5 * relative("parameter_free", pair, 16384, 12).last);
}

}  // namespace
}  // namespace keyhole::tests
