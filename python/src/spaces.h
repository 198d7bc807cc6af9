#pragma once

#include "bindings.h"

namespace keyhole::python {

/// Values as a dict; shares are a dict of their own.
[[nodiscard]] py::dict values_dict(const Space& space, const Values& values);
/// Values of a dict, as the space takes them.
[[nodiscard]] Values read_values(const Space& space, const py::dict& given);

}  // namespace keyhole::python
