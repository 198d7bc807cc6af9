#include "callback.h"

namespace keyhole::python {
namespace {

bool is_true(const py::object& answer) {
  const int truth = PyObject_IsTrue(answer.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth == 1;
}

/// Throws TypeError unless it can be called; `name` names it.
void require_function(const py::object& given, const char* name) {
  if (PyCallable_Check(given.ptr()) != 0) return;
  throw py::type_error(std::string(name) + " must be a function, not " +
                       std::string(py::repr(given)));
}

double number_of(py::handle geometry, const char* field) {
  const py::object given = geometry.attr(field);
  const double number = PyFloat_AsDouble(given.ptr());
  if (PyErr_Occurred() == nullptr) return number;
  PyErr_Clear();
  throw InvalidArgument("the " + std::string(field) + " of a geometry must be a number, not " +
                        std::string(py::repr(given)));
}

Geometry read_geometry(py::handle given) {
  if (!py::hasattr(given, "centre")) {
    throw py::type_error("geometry must be a Geometry, not " + std::string(py::repr(given)));
  }
  const Array centre = numbers(given.attr("centre"), "the centre");
  return {.centre = {centre.data(), centre.data() + centre.size()},
          .inner_radius = number_of(given, "inner_radius"),
          .outer_radius = number_of(given, "outer_radius"),
          .diameter = number_of(given, "diameter"),
          .outer_radius_exact = truth(given.attr("outer_radius_exact"), "outer_radius_exact"),
          .diameter_exact = truth(given.attr("diameter_exact"), "diameter_exact")};
}

SetHandle make_own_set(std::size_t dimension, const py::object& minimise, const std::string& name,
                       const py::object& contains, const py::object& settle,
                       const py::object& project, const py::object& geometry) {
  require_function(minimise, "minimise");
  if (!contains.is_none()) require_function(contains, "contains");
  if (!settle.is_none()) require_function(settle, "settle");
  if (!project.is_none()) require_function(project, "project");
  OwnSet own{.dimension = dimension, .name = name};
  own.minimise = [call = Callback(minimise, "minimise")](std::span<const double> d,
                                                         std::span<double> v) { call.write(d, v); };
  if (!contains.is_none()) {
    own.contains = [call = Callback(contains, "contains")](std::span<const double> x) {
      return call(x, is_true);
    };
  }
  if (!settle.is_none()) {
    own.settle = [call = Callback(settle, "settle")](std::span<double> x) { call.write(x, x); };
  }
  if (!project.is_none()) {
    own.project = [call = Callback(project, "project")](std::span<const double> z,
                                                        std::span<double> nearest) {
      call.write(z, nearest);
    };
  }
  if (!geometry.is_none()) own.geometry = read_geometry(geometry);
  return {.set = own_set(std::move(own)),
          .own = py::make_tuple(dimension, minimise, name, contains, settle, project, geometry)};
}

}  // namespace

void bind_own_sets(py::module_& module) {
  using namespace py::literals;
  module.def(
      "own_set", make_own_set, "dimension"_a, "minimise"_a, "name"_a = "own_set",
      "contains"_a = py::none(), "settle"_a = py::none(), "project"_a = py::none(),
      "geometry"_a = py::none(),
      "A set of your own.\n"
      "\n"
      "Parameters\n"
      "----------\n"
      "dimension : whole number\n"
      "    The number of coordinates n.\n"
      "minimise : function\n"
      "    minimise(d) returns a point of the set that minimises the inner product with d, the "
      "same for\n"
      "    the same d.\n"
      "name : text\n"
      "    What it is called in specs.\n"
      "contains : function\n"
      "    contains(x) says whether a point is in the set. Default: found by minimising.\n"
      "settle : function\n"
      "    settle(x) returns a point of the set for one that rounding has moved out of it. "
      "Default:\n"
      "    found by minimising.\n"
      "project : function\n"
      "    project(z) returns the point of the set that is nearest. Default: the set has none.\n"
      "geometry : Geometry\n"
      "    Centre, radii and diameter. Default: found by minimising.\n");
}

}  // namespace keyhole::python
