#pragma once

#include "bindings.h"
#include "keyhole/contents.h"

namespace keyhole::python {

/// A new array of n numbers. It asks NumPy itself: pybind11 would first make vectors of the shape.
[[nodiscard]] inline py::array_t<double> new_array(std::size_t n) {
  const auto& numpy = py::detail::npy_api::get();
  const auto shape = static_cast<Py_intptr_t>(n);
  PyObject* const array = numpy.PyArray_NewFromDescr_(
      numpy.PyArray_Type_, numpy.PyArray_DescrFromType_(py::detail::npy_api::NPY_DOUBLE_), 1,
      &shape, nullptr, nullptr, 0, nullptr);
  if (array == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::array_t<double>>(array);
}
/// A new array of rows of n numbers.
[[nodiscard]] inline py::array_t<double> new_array(std::size_t rows, std::size_t n) {
  return py::array_t<double>({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(n)});
}

/// Its numbers.
[[nodiscard]] inline std::span<double> span_of(py::array_t<double>& array) {
  return {array.mutable_data(), static_cast<std::size_t>(array.size())};
}

/// The numbers of an argument; `what` names it.
[[nodiscard]] Array numbers(py::handle given, const char* what);

/// A whole number from 0 to 2^64 - 1, of Python or NumPy; `what` names it.
[[nodiscard]] std::uint64_t whole_number(py::handle given, const char* what);
/// True or false, likewise.
[[nodiscard]] bool truth(py::handle given, const char* what);
/// A path: a text, bytes or an os.PathLike.
[[nodiscard]] inline std::string path_text(const py::object& path) {
  return py::module_::import("os").attr("fsencode")(path).cast<std::string>();
}
/// A list of texts, likewise.
[[nodiscard]] std::vector<std::string> texts(py::handle given, const char* what);

/// An array of float64 that nobody changes, one or two dimensions row by row, without a copy.
[[nodiscard]] keyhole::Array shared_array(const Array& array);
/// Those of a dict, by their names.
[[nodiscard]] Contents contents_of(const py::dict& arrays);

/// One point of n coordinates, or one a row.
class Points {
 public:
  /// Throws InvalidArgument for anything else; `what` names it.
  Points(py::handle given, std::size_t n, const char* what);

  [[nodiscard]] bool one() const { return array_.ndim() == 1; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::span<const double> operator[](std::size_t k) const {
    return {data_ + k * n_, n_};
  }
  /// A new array of the same shape.
  [[nodiscard]] py::array_t<double> like() const {
    return one() ? new_array(n_) : new_array(count_, n_);
  }
  /// Throws InvalidArgument unless all numbers are finite.
  const Points& finite(const char* what) const;

 private:
  Array array_;
  const double* data_;
  std::size_t n_;
  std::size_t count_;
};

/// How often each of n losses counts: `count` or what follows from `error`, a number for all of
/// them or one each, or 1 if both are None. Each half-life of later ones, if it is not None, halves
/// what a loss counts.
[[nodiscard]] std::vector<double> counts_of(py::handle count, py::handle error, std::size_t n,
                                            py::handle half_life = py::none());

/// Lets others run while many points are worked on.
class LongCall {
 public:
  explicit LongCall(bool is_long) {
    if (is_long) release_ = std::make_unique<py::gil_scoped_release>();
  }

 private:
  std::unique_ptr<py::gil_scoped_release> release_;
};

}  // namespace keyhole::python
