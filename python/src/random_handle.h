#pragma once

#include "bindings.h"
#include "keyhole/randomness.h"

namespace keyhole::python {

/// The random numbers of a run, for the time of a call.
struct RandomHandle {
  Randomness* random;

  [[nodiscard]] Randomness& get() const {
    if (random == nullptr) {
      throw InvalidArgument("random numbers are for the call that they were given to: keep none");
    }
    return *random;
  }
};

/// What a method of an object gives that is handed the random numbers last. The caller has the
/// interpreter.
template <class... Arguments>
py::object call_with(Randomness& random, const py::object& object, const char* method,
                     Arguments... arguments) {
  py::object handle = py::cast(RandomHandle{&random});
  const auto take_back = [&handle] { handle.cast<RandomHandle&>().random = nullptr; };
  try {
    py::object result = object.attr(method)(arguments..., handle);
    take_back();
    return result;
  } catch (...) {
    take_back();
    throw;
  }
}

}  // namespace keyhole::python
