#include "arrays.h"
#include "keyhole/exploration.h"
#include "keyhole/randomness.h"
#include "keyhole/spec.h"
#include "oracle_lease.h"
#include "records.h"

namespace keyhole::python {
namespace {

using Result = py::array_t<double>;

/// Writes work(given, result) of each row.
template <class Work>
Result each_row(const Points& points, Work work) {
  Result result = points.like();
  const std::span<double> out = span_of(result);
  const LongCall call(!points.one());
  for (std::size_t k = 0; k < points.count(); ++k) {
    const std::span<const double> row = points[k];
    work(row, out.subspan(k * row.size(), row.size()));
  }
  return result;
}

/// value(row) of each row: a number, or an array of them.
template <class Number, class Value>
py::object each_number(const Points& points, Value value) {
  if (points.one()) return py::cast(value(points[0]));
  py::array_t<Number> result(static_cast<py::ssize_t>(points.count()));
  Number* const out = result.mutable_data();
  const LongCall call(true);
  for (std::size_t k = 0; k < points.count(); ++k) out[k] = value(points[k]);
  return result;
}

Points points_of(const SetHandle& handle, py::handle given, const char* what) {
  return Points(given, handle.set->dimension(), what);
}

Result minimise(SetHandle& handle, py::handle directions) {
  const Points points = points_of(handle, directions, "the direction").finite("the direction");
  const OracleLease oracle(handle);
  return each_row(points, [&](std::span<const double> d, std::span<double> v) {
    oracle->minimise(d).write_to(v);
  });
}

Result project(SetHandle& handle, py::handle given) {
  const Points points = points_of(handle, given, "the point").finite("the point");
  const OracleLease oracle(handle);
  return each_row(points, [&](std::span<const double> z, std::span<double> nearest) {
    oracle->project(z, nearest);
  });
}

py::object contains(const SetHandle& handle, py::handle given) {
  return each_number<bool>(points_of(handle, given, "the point"),
                           [&](std::span<const double> x) { return handle.set->contains(x); });
}

py::object gauge(SetHandle& handle, py::handle given) {
  const Points points = points_of(handle, given, "the point").finite("the point");
  const OracleLease oracle(handle);
  std::vector<double> unused(handle.set->dimension());
  return each_number<double>(points,
                             [&](std::span<const double> w) { return oracle->gauge(w, unused); });
}

Result gauge_subgradient(SetHandle& handle, py::handle given) {
  const Points points = points_of(handle, given, "the point").finite("the point");
  const OracleLease oracle(handle);
  return each_row(points, [&](std::span<const double> w, std::span<double> subgradient) {
    (void)oracle->gauge(w, subgradient);
  });
}

Result flatten(const SetHandle& handle, py::handle given) {
  return each_row(points_of(handle, given, "the direction"),
                  [&](std::span<const double> d, std::span<double> flat) {
                    std::copy(d.begin(), d.end(), flat.begin());
                    handle.set->flatten(flat);
                  });
}

/// The draws number 1, 2, ... of a seed.
Result draw_exploration(const SetHandle& handle, std::optional<std::size_t> count,
                        std::uint64_t seed) {
  const std::size_t n = handle.set->dimension();
  Result result = count ? new_array(*count, n) : new_array(n);
  const std::span<double> out = span_of(result);
  const LongCall call(count.has_value());
  const auto exploration = handle.set->exploration();
  const Randomness random(handle.set, seed, 0);
  const RandomNeeds needs = exploration->needs();
  std::vector<std::uint64_t> words(needs.words + needs.words % 2);  // they come in pairs
  std::vector<double> normals(needs.normals);
  const auto oracle = handle.set->oracle();
  for (std::size_t k = 0; k < count.value_or(1); ++k) {
    random.words(k + 1, words);
    random.normals(k + 1, normals);
    const std::span<double> v = out.subspan(k * n, n);
    exploration->draw({words, normals}, v);
    oracle->settle(v);
  }
  return result;
}

std::string text_of_set(const SetHandle& handle) {
  constexpr std::size_t longest = 200;
  const std::string spec = handle.set->spec();
  const bool cut = spec.size() > longest;
  return "<keyhole.Set " + spec.substr(0, longest) + (cut ? "..." : "") + ">";
}

}  // namespace

void bind_sets(py::module_& module) {
  using namespace py::literals;
  module.def(
      "_array_text",
      [](const py::object& given) {
        const keyhole::Array array = shared_array(numbers(given, "an array of a set"));
        return py::make_tuple(array.name(), array.shape_text());
      },
      "array"_a, "The name by content of an array, and its shape in a spec.");
  py::class_<SetHandle>(module, "Set",
                        "A compact convex set, made from a spec such as \"simplex(3)\". `arrays` "
                        "are those that the spec names by their content. It never changes. "
                        "Methods take one point of shape (n,), or k of shape (k, n).")
      .def(py::init([](const std::string& spec, const py::dict& arrays) {
             const Contents contents = contents_of(arrays);
             return SetHandle{.set = make_set(spec, contents), .text = spec, .arrays = arrays};
           }),
           "spec"_a, "arrays"_a = py::dict())
      .def_property_readonly(
          "dimension", [](const SetHandle& s) { return s.set->dimension(); },
          "The number of coordinates n.")
      .def_property_readonly(
          "hull_dimension", [](const SetHandle& s) { return s.set->hull_dimension(); },
          "The dimension of the affine hull; below n for flat sets.")
      .def_property_readonly(
          "geometry", [](const SetHandle& s) { return geometry_record(s.set->geometry()); },
          "Centre, radii and diameter.")
      .def_property_readonly(
          "spec", [](const SetHandle& s) { return s.set->spec(); },
          "The canonical one-line description: equal text means an equal set.")
      .def_property_readonly(
          "can_project", [](const SetHandle& s) { return s.set->can_project(); },
          "Whether there is project().")
      .def_property_readonly(
          "can_gauge", [](const SetHandle& s) { return s.set->can_gauge(); },
          "Whether there is gauge().")
      .def("minimise", minimise, "direction"_a,
           "A point of the set that minimises the inner product with the direction.")
      .def("project", project, "point"_a, "The point of the set nearest to the point.")
      .def("contains", contains, "point"_a,
           "Whether the point is in the set: signs and bounds exactly, sums and norms to 1e-9 R.")
      .def("__contains__",
           [](const SetHandle& s, py::handle x) { return contains(s, x).cast<bool>(); })
      .def("gauge", gauge, "point"_a,
           "The gauge about the centre: at most 1 in the set, 1 at its boundary.")
      .def("gauge_subgradient", gauge_subgradient, "point"_a, "A subgradient of the gauge.")
      .def("flatten", flatten, "direction"_a,
           "The projection of the direction onto the directions of the affine hull.")
      .def("draw_exploration", draw_exploration, "count"_a = py::none(), py::kw_only(),
           "seed"_a = 0,
           "A point at which learners explore, or `count` of them; drawn from `seed`.")
      .def("__eq__",
           [](const SetHandle& a, py::handle b) -> py::object {
             if (!py::isinstance<SetHandle>(b)) {
               return py::reinterpret_borrow<py::object>(Py_NotImplemented);
             }
             return py::bool_(a.set->spec() == b.cast<const SetHandle&>().set->spec());
           })
      .def("__hash__", [](const SetHandle& s) { return py::hash(py::str(s.set->spec())); })
      .def("__repr__", text_of_set)
      .def("_repr_html_", html_by("of_set"))
      .def_property_readonly(
          "_text",
          [](const SetHandle& s) {
            if (s.own.is_none()) return s.text;
            throw InvalidArgument("the set '" + s.set->spec() +
                                  "' is given by functions: no spec can name it, so it cannot be "
                                  "part of another set or of a study");
          },
          "What makes the set again.")
      .def_property_readonly(
          "_arrays", [](const SetHandle& s) { return s.arrays; }, "What _text names.")
      .def("__reduce__", [](const py::object& self) -> py::object {
        const auto& s = self.cast<const SetHandle&>();
        if (s.own.is_none()) {
          return py::make_tuple(py::type::of(self), py::make_tuple(s.text, s.arrays));
        }
        return py::make_tuple(py::module_::import("keyhole._again").attr("own_set"), s.own);
      });
}

}  // namespace keyhole::python
