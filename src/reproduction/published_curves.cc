#include "reproduction/published_curves.h"

#include <array>

#include "keyhole/error.h"

namespace keyhole::reproduction {
namespace {

constexpr std::array<PublishedPoint, 8> quadratic = {{
    {1, 25.48, 18.08, 25.78, 0.344},
    {3, 39.69, 16.6, 22.9, 0.25},
    {9, 37.2, 14.1, 23.4, 8.3},
    {33, 31.6, 12.8, 28.3, 21.0},
    {129, 24.9, 10.0, 30.4, 20.9},
    {501, 18.5, 6.90, 29.9, 16.5},
    {1001, 15.0, 5.60, 30.0, 13.6},
    {2000, 11.67, 4.69, 31.44, 10.45},
}};

constexpr std::array<PublishedPoint, 7> portfolio = {{
    {1, 0.693, 0.693, 0.693, 0.693},
    {3, 0.501, 0.618, 1.158, 1.441},
    {9, 0.358, 0.535, 1.067, 1.314},
    {33, 0.151, 0.392, 0.500, 0.593},
    {129, 0.0516, 0.280, 0.181, 0.211},
    {501, 0.0149, 0.211, 0.0544, 0.0623},
    {1000, 0.0083, 0.193, 0.0308, 0.0350},
}};

constexpr std::array<PublishedPoint, 6> completion = {{
    {1, 3658.5, 3658.5, 3658.2, 3658.4},
    {3, 3576, 3590, 3578, 3579},
    {9, 3535, 3560, 3534, 3540},
    {33, 3467, 3508, 3468, 3477},
    {129, 3445, 3488, 3452, 3455},
    {200, 3436.8, 3478.7, 3445.6, 3445.4},
}};

[[noreturn]] void no_such(const std::string& what) {
  throw InvalidArgument("the paper has no '" + what + "'");
}

}  // namespace

double PublishedPoint::of(const std::string& learner) const {
  if (learner == "Proposed") return proposed;
  if (learner == "FKM") return fkm;
  if (learner == "Unregularized") return unregularized;
  if (learner == "StochOCG") return stochastic;
  no_such(learner);
}

std::span<const PublishedPoint> published_curve(const std::string& experiment) {
  if (experiment == "quadratic") return quadratic;
  if (experiment == "portfolio") return portfolio;
  if (experiment == "completion") return completion;
  no_such(experiment);
}

double published_time(const std::string& experiment, const std::string& learner) {
  const bool is_fkm = learner == "FKM";
  if (experiment == "quadratic") return is_fkm ? 7.2 : 1.1;
  if (experiment == "portfolio") return is_fkm ? 5.0 : 2.7;
  if (experiment == "completion") return is_fkm ? 61.3 : 1.0;
  no_such(experiment);
}

}  // namespace keyhole::reproduction
