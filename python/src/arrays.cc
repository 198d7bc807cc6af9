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

}  // namespace keyhole::python
