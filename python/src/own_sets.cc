#include "callback.h"

namespace keyhole::python {
namespace {

bool is_true(const py::object& answer) {
  const int truth = PyObject_IsTrue(answer.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth == 1;
}

Geometry read_geometry(py::handle given) {
  const Array centre = numbers(given.attr("centre"), "the centre");
  return {.centre = {centre.data(), centre.data() + centre.size()},
          .inner_radius = given.attr("inner_radius").cast<double>(),
          .outer_radius = given.attr("outer_radius").cast<double>(),
          .diameter = given.attr("diameter").cast<double>(),
          .outer_radius_exact = given.attr("outer_radius_exact").cast<bool>(),
          .diameter_exact = given.attr("diameter_exact").cast<bool>()};
}

SetHandle make_own_set(std::size_t dimension, const py::object& minimise, const std::string& name,
                       const py::object& contains, const py::object& settle,
                       const py::object& project, const py::object& geometry) {
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
  module.def("own_set", make_own_set, "dimension"_a, "minimise"_a, "name"_a = "own_set",
             "contains"_a = py::none(), "settle"_a = py::none(), "project"_a = py::none(),
             "geometry"_a = py::none(),
             "A set of your own: minimise(d) returns a point of the set that minimises the inner "
             "product with d, the same for the same d. The rest is found by minimising, or given.");
}

}  // namespace keyhole::python
