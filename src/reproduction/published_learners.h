// The learners of the paper's published curves, which no user should want: they depart from the
// published algorithms as the published runs seem to have done (docs/paper.md).

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "keyhole/catalogue.h"

namespace keyhole::reproduction {

/// Options of the published learners.
struct PublishedOptions {
  /// M: the largest magnitude of a loss.
  std::optional<double> loss_bound = {};
  /// T: the number of rounds.
  std::optional<std::uint64_t> horizon = {};
  /// c, a length: delta = c T^(-1/5), c T^(-1/4) of fkm.
  double c = 1;
  /// x_1; the centre if empty.
  std::vector<double> start = {};
  /// alpha = 0 whatever delta is: K is not shrunk, so that plays x + delta u can leave it.
  bool unsafe_no_shrink = false;
  /// The n of the estimator n / delta f(y) u, and of eta, where it is not the dimension of the
  /// hull.
  std::optional<std::uint64_t> estimator_dimension = {};
};

void list_options(OptionVisitor& visit, PublishedOptions& options);

/// The standard catalogue with published_projection_free, published_unregularized and
/// published_fkm: with the defaults for the last two options they play what projection_free,
/// unregularized and fkm (constants=textbook) do with that c, to the last digit. And with
/// published_completion, a problem.
[[nodiscard]] const Catalogue& catalogue();

}  // namespace keyhole::reproduction
