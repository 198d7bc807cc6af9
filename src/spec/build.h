// From a tree of the grammar to what it names.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "keyhole/catalogue.h"
#include "spec/syntax.h"

namespace keyhole::spec {

/// What is wrong with a value of a text for a parameter; empty if nothing.
[[nodiscard]] std::string objection(const Parameter& parameter, const Node& value,
                                    std::string_view text);

/// Builds what a node of `text` names; names of files are relative to the folder. Errors of
/// construction become SpecErrors.
[[nodiscard]] SetPtr build_set(const Catalogue& catalogue, const Node& node, std::string_view text,
                               const std::string& folder = {});
[[nodiscard]] AnyAlgorithm build_learner(const Catalogue& catalogue, const Node& node,
                                         std::string_view text, const AlgorithmContext& context);
[[nodiscard]] std::unique_ptr<Problem> build_problem(const Catalogue& catalogue, const Node& node,
                                                     std::string_view text,
                                                     const ProblemContext& context);

}  // namespace keyhole::spec
