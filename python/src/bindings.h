#pragma once

// pybind11 first: it includes Python.h.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"

namespace pybind11::detail {
/// A value goes to Python as what it holds.
template <>
struct type_caster<keyhole::Value> {
  static constexpr auto name = const_name("object");
  static handle cast(const keyhole::Value& value, return_value_policy policy, handle parent) {
    using Alternatives = keyhole::Value::Alternatives;
    return make_caster<Alternatives>::cast(static_cast<const Alternatives&>(value), policy, parent);
  }
};
}  // namespace pybind11::detail

/// The extension module: the library's own types for Python. It sees the public headers only. What
/// Python does as well is in python/keyhole.
namespace keyhole::python {

namespace py = pybind11;

/// A row of memory, whatever it came as. A field of a structured array may begin anywhere, so it is
/// copied to where its type may be.
inline constexpr int row_of_memory =
    py::array::c_style | py::array::forcecast | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
using Array = py::array_t<double, row_of_memory>;
using Ids = py::array_t<std::uint64_t, row_of_memory>;

/// A set as Python holds it.
struct SetHandle {
  SetPtr set;
  /// What makes it again: the text that it was made from.
  std::string text = {};
  /// The arrays that the text names, read-only.
  py::dict arrays = {};
  /// What makes it again where no text does: the arguments of own_set(); else None.
  py::object own = py::none();
  /// An oracle that is at rest, if any; see OracleLease.
  std::unique_ptr<Oracle> oracle = {};
};

/// What a notebook shows of an object: a function of python/keyhole/_html.py says it.
[[nodiscard]] inline auto html_by(const char* function) {
  return [function](const py::object& self) {
    return py::module_::import("keyhole._html").attr(function)(self);
  };
}

// Each adds its part to the module.
void bind_errors(py::module_& module);
void bind_records(py::module_& module);
void bind_catalogue(py::module_& module);
void bind_sets(py::module_& module);
void bind_own_sets(py::module_& module);
void bind_own_algorithms(py::module_& module);
void bind_spaces(py::module_& module);
void bind_learners(py::module_& module);
void bind_studies(py::module_& module);
void bind_experiments(py::module_& module);
void bind_testing(py::module_& module);
void bind_calls(py::module_& module);

}  // namespace keyhole::python
