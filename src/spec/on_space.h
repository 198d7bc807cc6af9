// The spec of an algorithm on a space: what the space says is added as options.

#pragma once

#include <string>
#include <vector>

#include "keyhole/catalogue.h"
#include "keyhole/learner.h"
#include "keyhole/space.h"

namespace keyhole::spec {

/// The spec with one option more, such as "start=[1, 2]".
[[nodiscard]] std::string with_option(const std::string& spec, const std::string& option);

/// The choices that the algorithm makes by names; none for one that does not, that is told which or
/// a reach, or that keeps to steps.
[[nodiscard]] std::vector<std::string> choices_on(const Space& space, const std::string& spec,
                                                  const LearnerOptions& options,
                                                  const Catalogue& catalogue);

/// The spec with the contexts and limits of the space, and with choices. Throws InvalidArgument if
/// the algorithm takes none.
[[nodiscard]] std::string on_space(const Space& space, const std::string& spec,
                                   const std::vector<std::string>& choices,
                                   const Catalogue& catalogue);

}  // namespace keyhole::spec
