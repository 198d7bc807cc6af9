#include "bindings.h"

namespace keyhole::python {
namespace {

/// Everything here, as NumPy, is made for one interpreter in a process.
bool is_main_interpreter() { return PyInterpreterState_Get() == PyInterpreterState_Main(); }

constexpr const char* elsewhere = "keyhole cannot be used in a sub-interpreter: use processes";

void fill(py::module_& module) {
  module.attr("__version__") = version;
  module.attr("trace_revision") = trace_revision;
  module.def("_require_main_interpreter", [] {
    if (!is_main_interpreter()) throw py::import_error(elsewhere);
  });
  bind_errors(module);
  bind_records(module);
  bind_catalogue(module);
  bind_sets(module);
  bind_own_sets(module);
  bind_own_algorithms(module);
  bind_spaces(module);
  bind_learners(module);
  bind_studies(module);
  bind_experiments(module);
  bind_testing(module);
  bind_calls(module);
}

PyModuleDef definition;

}  // namespace
}  // namespace keyhole::python

/// PYBIND11_MODULE, but for the first question: pybind11 waits for ever in a sub-interpreter. Once
/// the module is loaded an import in one does not come here, and the package asks.
PYBIND11_PLUGIN_IMPL(_keyhole) {
  using namespace keyhole::python;
  if (!is_main_interpreter()) {
    PyErr_SetString(PyExc_ImportError, elsewhere);
    return nullptr;
  }
  PYBIND11_CHECK_PYTHON_VERSION
  PYBIND11_ENSURE_INTERNALS_READY
  auto module = py::module_::create_extension_module(
      "_keyhole", "Bandit convex optimisation with a linear minimisation oracle.", &definition);
  try {
    fill(module);
    return module.ptr();
  }
  PYBIND11_CATCH_INIT_EXCEPTIONS
}
