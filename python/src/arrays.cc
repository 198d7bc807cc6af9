#include "arrays.h"

#include <algorithm>
#include <cmath>

namespace keyhole::python {
namespace {

std::string shape_text(const Array& array) {
  return py::str(
      py::tuple(py::cast(std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim()))));
}

}  // namespace

Array numbers(py::handle given, const char* what) {
  Array array = Array::ensure(given);
  if (!array) throw InvalidArgument(std::string(what) + " must be an array of numbers");
  return array;
}

std::uint64_t whole_number(py::handle given, const char* what) {
  if (PyIndex_Check(given.ptr()) != 0) {
    const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    if (whole) {
      const std::uint64_t number = PyLong_AsUnsignedLongLong(whole.ptr());
      if (PyErr_Occurred() == nullptr) return number;
    }
    PyErr_Clear();
  }
  throw InvalidArgument(std::string(what) + " must be a whole number from 0 to 2^64 - 1, not " +
                        std::string(py::repr(given)));
}

bool truth(py::handle given, const char* what) {
  py::detail::make_caster<bool> caster;
  if (caster.load(given, true) && !given.is_none()) return caster;
  throw InvalidArgument(std::string(what) + " must be True or False, not " +
                        std::string(py::repr(given)));
}

std::vector<std::string> texts(py::handle given, const char* what) {
  py::detail::make_caster<std::vector<std::string>> caster;
  if (caster.load(given, true)) {
    return py::detail::cast_op<std::vector<std::string>>(std::move(caster));
  }
  throw InvalidArgument(std::string(what) + " must be a list of texts, not " +
                        std::string(py::repr(given)));
}

keyhole::Array shared_array(const Array& array) {
  if (array.ndim() != 1 && array.ndim() != 2) {
    throw InvalidArgument("an array of the shape " + shape_text(array) +
                          " is neither a list nor rows and columns");
  }
  // Whoever lets go of it last may be any thread, and the interpreter may be gone.
  const auto let_go = [object = Array(array).release().ptr()](const double*) {
    if (Py_IsInitialized() == 0) return;
    const py::gil_scoped_acquire acquire;
    Py_DECREF(object);
  };
  const std::shared_ptr<const double> numbers(array.data(), let_go);
  const auto rows = static_cast<std::size_t>(array.shape(0));
  if (array.ndim() == 1) return {numbers, rows};
  return {numbers, rows, static_cast<std::size_t>(array.shape(1))};
}

Contents contents_of(const py::dict& arrays) {
  Contents contents;
  for (const auto& [name, array] : arrays) {
    contents.emplace(name.cast<std::string>(), shared_array(numbers(array, "an array of a set")));
  }
  return contents;
}

Points::Points(py::handle given, std::size_t n, const char* what)
    : array_(numbers(given, what)), data_(array_.data()), n_(n) {
  const bool fits = (array_.ndim() == 1 || array_.ndim() == 2) &&
                    static_cast<std::size_t>(array_.shape(array_.ndim() - 1)) == n;
  if (!fits) {
    throw InvalidArgument(std::string(what) + " has the shape " + shape_text(array_) +
                          ": it must be (" + std::to_string(n) + ",) for one point, or (k, " +
                          std::to_string(n) + ") for k of them");
  }
  count_ = one() ? 1 : static_cast<std::size_t>(array_.shape(0));
}

const Points& Points::finite(const char* what) const {
  const std::size_t size = count_ * n_;
  const double* const bad =
      std::find_if_not(data_, data_ + size, [](double x) { return std::isfinite(x); });
  if (bad != data_ + size) {
    throw InvalidArgument(std::string(what) + " has a number that is not finite");
  }
  return *this;
}

std::vector<double> counts_of(py::handle count, py::handle error, std::size_t n,
                              py::handle half_life) {
  std::vector<double> counts(n, 1.0);
  if (!count.is_none() && !error.is_none()) {
    throw InvalidArgument("give count= or error=, not both");
  }
  if (!count.is_none() || !error.is_none()) {
    const Array given = numbers(count.is_none() ? error : count, "count or error");
    const auto size = static_cast<std::size_t>(given.size());
    if (given.ndim() > 1 || (given.ndim() == 1 && size != n)) {
      throw InvalidArgument("there must be one count or error, or one for each of the " +
                            std::to_string(n) + " losses");
    }
    for (std::size_t k = 0; k < n; ++k) {
      const double number = given.data()[given.ndim() == 0 ? 0 : k];
      counts[k] = count.is_none() ? count_of_error(number) : number;
    }
  }
  if (half_life.is_none()) return counts;
  for (std::size_t k = 0; k < n; ++k) {
    counts[k] *= count_of_age(static_cast<double>(n - 1 - k), half_life.cast<double>());
  }
  return counts;
}

}  // namespace keyhole::python
