#pragma once

#include "bindings.h"

namespace keyhole::python {

/// Values as a dict; shares are a dict of their own.
[[nodiscard]] py::dict values_dict(const Space& space, const Values& values);
/// Values of a dict, as the space takes them.
[[nodiscard]] Values read_values(const Space& space, const py::dict& given);

/// What is known by name, of a dict or None; what is None in it is not known.
[[nodiscard]] Values read_context(const py::object& given);
/// What was measured, likewise.
[[nodiscard]] Values read_metrics(const py::object& given);
/// What is known as a dict.
[[nodiscard]] py::dict context_dict(const Values& context);

}  // namespace keyhole::python
