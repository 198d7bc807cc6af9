#pragma once

#include "bindings.h"

namespace keyhole::python {

/// The algorithm that an object of Python is: python/keyhole/_algorithms.py
/// says what it must have.
[[nodiscard]] std::unique_ptr<Algorithm> own_algorithm(SetPtr set, py::object object);

}  // namespace keyhole::python
