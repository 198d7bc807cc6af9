#include "keyhole/catalogue.h"

#include "bindings.h"

namespace keyhole::python {
namespace {

const char* kind_text(SpecKind kind) {
  constexpr const char* texts[] = {"set", "learner", "problem"};
  return texts[static_cast<int>(kind)];
}

const char* type_text(ParameterType type) {
  constexpr const char* texts[] = {"number",  "whole", "seed",    "flag",   "coordinates",
                                   "numbers", "rows",  "word",    "text",   "texts",
                                   "set",     "sets",  "learner", "problem"};
  return texts[static_cast<int>(type)];
}

const char* absent_text(Absent absent) {
  constexpr const char* texts[] = {"refused", "has_value", "is_told"};
  return texts[static_cast<int>(absent)];
}

py::dict parameter_dict(const Parameter& parameter) {
  using namespace py::literals;
  return py::dict("name"_a = parameter.name, "type"_a = type_text(parameter.type),
                  "meaning"_a = parameter.meaning, "absent"_a = absent_text(parameter.absent),
                  "default"_a = parameter.default_value, "range"_a = parameter.range.text(),
                  "words"_a = parameter.words);
}

py::list catalogue() {
  using namespace py::literals;
  py::list entries;
  for (const SpecEntry& entry : Catalogue::standard().entries()) {
    py::list parameters;
    for (const Parameter& parameter : entry.parameters)
      parameters.append(parameter_dict(parameter));
    entries.append(py::dict("kind"_a = kind_text(entry.kind()), "name"_a = entry.name,
                            "summary"_a = entry.summary, "family"_a = entry.family,
                            "capabilities"_a = entry.capabilities, "parameters"_a = parameters));
  }
  return entries;
}

}  // namespace

void bind_catalogue(py::module_& module) {
  module.def("catalogue", catalogue,
             "All that a spec can name, as dicts: kind, name, summary, family, capabilities, and "
             "parameters with name, type, meaning, default, range and words.");
}

}  // namespace keyhole::python
