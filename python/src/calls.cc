#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_map>

#include "bindings.h"

namespace keyhole::python {
namespace {

/// What pybind11 has all its functions called by.
PyCFunctionWithKeywords dispatch = nullptr;

/// The functions, by what pybind11 keeps with each.
std::unordered_map<PyObject*, PyObject*>& functions() {
  static std::unordered_map<PyObject*, PyObject*> all;
  return all;
}

/// Whether pybind11 has refused an argument: it has said so itself, so no line of Python has.
bool is_refusal(const py::error_already_set& error) {
  if (error.trace()) return false;
  const std::string text = py::str(error.value());
  return text.find("incompatible function arguments") != std::string::npos ||
         text.find("incompatible constructor arguments") != std::string::npos ||
         text.starts_with("Unable to cast") || text.starts_with("Unable to convert");
}

/// Says in our words what is wrong with a call.
PyObject* call(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* const result = dispatch(self, args, kwargs);
  // Before anything of pybind11 is made: in a sub-interpreter that would wait for ever.
  const bool perhaps = result == nullptr && (PyErr_ExceptionMatches(PyExc_TypeError) != 0 ||
                                             PyErr_ExceptionMatches(PyExc_RuntimeError) != 0);
  if (!perhaps) return result;
  try {
    py::error_already_set error;
    if (!is_refusal(error)) {
      error.restore();
      return nullptr;
    }
    const auto named = kwargs != nullptr ? py::reinterpret_borrow<py::dict>(kwargs) : py::dict();
    const py::object said = py::module_::import("keyhole._calls")
                                .attr("refusal")(py::handle(functions()[self]),
                                                 py::reinterpret_borrow<py::tuple>(args), named);
    PyErr_SetObject(py::type::of(said).ptr(), said.ptr());
  } catch (py::error_already_set& error) {
    error.restore();
  }
  return nullptr;
}

/// Gives a function the text that help() shows, whose first line is the signature.
void document(const py::handle function, const std::string& text) {
  auto* const object = reinterpret_cast<PyCFunctionObject*>(function.ptr());
  PyMethodDef* const definition = object->m_ml;
  std::free(const_cast<char*>(definition->ml_doc));  // as pybind11 would
  definition->ml_doc = strdup(text.c_str());
  const auto function_call = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call));
  if (definition->ml_meth == function_call) return;
  dispatch =
      reinterpret_cast<PyCFunctionWithKeywords>(reinterpret_cast<void (*)()>(definition->ml_meth));
  functions()[object->m_self] = function.ptr();
  definition->ml_meth = function_call;
}

/// The same for a class; what it says of itself stays.
void document_type(const py::handle type, const std::string& text) {
  auto* const kept = static_cast<char*>(PyObject_Malloc(text.size() + 1));
  if (kept == nullptr) throw std::bad_alloc();
  reinterpret_cast<PyTypeObject*>(type.ptr())->tp_doc =
      static_cast<char*>(std::memcpy(kept, text.c_str(), text.size() + 1));
}

}  // namespace

void bind_calls(py::module_& module) {
  using namespace py::literals;
  module.def("_document", document, "function"_a, "text"_a);
  module.def("_document_type", document_type, "type"_a, "text"_a);
}

}  // namespace keyhole::python
