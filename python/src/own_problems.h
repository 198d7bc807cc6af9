#pragma once

#include "bindings.h"

namespace keyhole::python {

/// The problem that an object of Python is: python/keyhole/_problems.py says what it must have.
[[nodiscard]] std::unique_ptr<Problem> own_problem(const py::object& object, ProblemSeed seed);

}  // namespace keyhole::python
