#pragma once

#include <algorithm>
#include <utility>

#include "arrays.h"

namespace keyhole::python {

/// Copies an answer that is to be a point; `name` is whose answer it is.
inline void copy_point(const py::object& given, const std::string& name, std::span<double> point) {
  const Array array = numbers(given, ("what " + name + " returns").c_str());
  if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != point.size()) {
    throw InvalidArgument(name + " must return one row of " + std::to_string(point.size()) +
                          " numbers");
  }
  std::copy_n(array.data(), point.size(), point.data());
}

/// An object of Python that threads without the interpreter may hold and let go.
[[nodiscard]] inline std::shared_ptr<py::object> shared_object(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            const py::gil_scoped_acquire acquire;
            delete held;
          }};
}

/// A Python function that threads without the interpreter may call.
class Callback {
 public:
  Callback(py::object function, std::string name)
      : function_(shared_object(std::move(function))), name_(std::move(name)) {}

  /// Calls it with a copy of the point, and has its answer for read().
  template <class Read>
  auto operator()(std::span<const double> point, Read read) const {
    const py::gil_scoped_acquire acquire;
    const py::array_t<double> argument(static_cast<py::ssize_t>(point.size()), point.data());
    return read((*function_)(argument));
  }

  /// The same for an answer that is a point.
  void write(std::span<const double> point, std::span<double> answer) const {
    (*this)(point, [&](const py::object& given) { copy_point(given, name_, answer); });
  }

 private:
  std::shared_ptr<py::object> function_;
  std::string name_;
};

}  // namespace keyhole::python
