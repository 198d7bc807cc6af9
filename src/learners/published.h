// What the paper's published curves need and no user should want: only experiments may set these.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "keyhole/learners.h"
#include "keyhole/options.h"
#include "learners/one_point.h"

namespace keyhole::algorithms {

/// How the published runs seem to have departed from the published algorithm (docs/paper.md).
struct PublishedSetting {
  /// alpha = 0 whatever delta is: K is not shrunk, so that plays x + delta u can leave it.
  bool unsafe_no_shrink = false;
  /// The n of the estimator n / delta f(y) u, and of eta, where it is not the dimension of the
  /// hull.
  std::optional<std::uint64_t> estimator_dimension = {};

  /// alpha, by which K is shrunk for plays at delta.
  [[nodiscard]] double alpha(double delta, double r, std::uint64_t horizon) const {
    return unsafe_no_shrink ? 0 : shrinkage(delta, r, horizon);
  }
  /// The n in use for a hull of that dimension.
  [[nodiscard]] double dimension(double of_hull) const {
    return estimator_dimension ? static_cast<double>(*estimator_dimension) : of_hull;
  }
  /// Its part of a spec.
  [[nodiscard]] std::string spec() const {
    return (unsafe_no_shrink ? std::string(", unsafe_no_shrink=true") : std::string()) +
           (estimator_dimension ? ", estimator_dimension=" + std::to_string(*estimator_dimension)
                                : std::string());
  }
  /// Why no bound holds; empty if one may.
  [[nodiscard]] std::string why_no_bound() const {
    if (unsafe_no_shrink) return "no bound: the set is not shrunk, and plays can leave it";
    if (estimator_dimension) return "no bound: the estimator counts with another dimension";
    return "";
  }
};

inline void list_options(OptionVisitor& visit, PublishedSetting& setting) {
  visit.flag({"unsafe_no_shrink", "plays may leave the set; in experiments only"},
             setting.unsafe_no_shrink);
  visit.whole({"estimator_dimension",
               "the n of the estimator; in experiments only",
               {1, 1e8},
               "the dimension of the hull"},
              setting.estimator_dimension);
}

[[nodiscard]] std::unique_ptr<HorizonAlgorithm> projection_free(
    SetPtr set, const ProjectionFreeOptions& options, const PublishedSetting& setting);
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> unregularized(SetPtr set,
                                                              const ProjectionFreeOptions& options,
                                                              const PublishedSetting& setting);
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> fkm(SetPtr set, const FkmOptions& options,
                                                    const PublishedSetting& setting);

}  // namespace keyhole::algorithms
