// Structs of options as parameters of an entry, and as what the arguments of a call say.

#pragma once

#include <vector>

#include "keyhole/options.h"
#include "spec/arguments.h"
#include "spec/table.h"

namespace keyhole::spec {

/// The parameters that options are; their values are the defaults.
[[nodiscard]] std::vector<Parameter> parameters_of(const ListedOptions& options);

/// Sets the options to what was given; what is absent comes from the context, which only
/// algorithms have, or stays.
void read_options(const Arguments& given, const AlgorithmContext& context,
                  const ListedOptions& options);

/// The parameters of a struct of options, after those that stand before them.
template <class Options>
[[nodiscard]] std::vector<Parameter> with_options(std::vector<Parameter> parameters = {}) {
  Options defaults;
  const std::vector<Parameter> more = parameters_of(listed(defaults));
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

/// The options that were given.
template <class Options>
[[nodiscard]] Options read(const Arguments& given, const AlgorithmContext& context = {}) {
  Options options;
  read_options(given, context, listed(options));
  return options;
}

}  // namespace keyhole::spec
