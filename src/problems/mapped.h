#pragma once

#include <memory>
#include <string>
#include <vector>

#include "keyhole/problem.h"

namespace keyhole::problems {

/// x = A y and y = B x, B A = I, both n x n and row by row; empty for x = y.
struct LinearMap {
  std::vector<double> a;
  std::vector<double> b;
  /// The largest singular value of B.
  double stretch = 1;
};

/// The problem on the image of its set: f_t(x) = that of y = B x. The set must be {A y}.
[[nodiscard]] std::unique_ptr<Problem> mapped(std::unique_ptr<Problem> problem, SetPtr image,
                                              LinearMap map, std::string spec);

}  // namespace keyhole::problems
