#include <array>
#include <typeindex>

#include "bindings.h"

namespace keyhole::python {
namespace {

/// The exceptions, each after what it derives from.
enum Kind : std::size_t { base, argument, feedback, state, input, spec, study, kinds };

std::array<PyObject*, kinds> exceptions;

/// Its code is that of one that is raised in Python, without saying which.
PyObject* made(py::module_& module, const char* name, ErrorCode code, const char* doc,
               const py::tuple& bases) {
  const std::string full = std::string("keyhole.") + name;
  PyObject* const type = PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), nullptr);
  if (type == nullptr) throw py::error_already_set();
  py::handle(type).attr("code") = error_word(code);
  module.add_object(name, type);
  return type;
}

Kind kind_of(const Error& error) {
  if (dynamic_cast<const InvalidArgument*>(&error) != nullptr) return argument;
  if (dynamic_cast<const FeedbackError*>(&error) != nullptr) return feedback;
  if (dynamic_cast<const StateError*>(&error) != nullptr) return state;
  if (dynamic_cast<const SpecError*>(&error) != nullptr) return spec;
  if (dynamic_cast<const InputError*>(&error) != nullptr) return input;
  if (dynamic_cast<const StudyError*>(&error) != nullptr) return study;
  return base;
}

void raise(const Error& error) {
  const py::handle type(exceptions[kind_of(error)]);
  py::object exception = type(error.what());
  exception.attr("code") = error_word(error.code());
  PyErr_SetObject(type.ptr(), exception.ptr());
}

}  // namespace

void bind_errors(py::module_& module) {
  const py::handle value_error(PyExc_ValueError);
  const auto of = [](py::handle first) { return py::make_tuple(first); };
  const auto error = [](std::size_t kind) { return py::handle(exceptions[kind]); };
  using enum ErrorCode;
  exceptions[base] =
      made(module, "Error", other,
           "What every exception of keyhole derives from. `code` says what it is about, in a word.",
           of(PyExc_Exception));
  const py::tuple both = py::make_tuple(error(base), value_error);
  exceptions[argument] = made(module, "InvalidArgument", invalid_argument,
                              "A set, an option or an array that makes no sense.", both);
  exceptions[feedback] =
      made(module, "FeedbackError", unknown_play,
           "A tell that cannot be learned from: an unknown play, a loss that is not finite, or a "
           "second, different loss.",
           both);
  exceptions[state] = made(
      module, "StateError", damaged_state,
      "Bytes that are no state of this learner, or a learner that has failed and needs one.", both);
  exceptions[input] = made(module, "InputError", unreadable_input,
                           "A file or a text that cannot be read or understood.", both);
  exceptions[spec] = made(module, "SpecError", unreadable_spec, "A spec that is not understood.",
                          of(error(input)));
  exceptions[study] = made(module, "StudyError", other,
                           "A study that cannot be made, opened or gone on with.", of(error(base)));
  // NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 wants it so.
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& thrown) {
      raise(thrown);
    }
  });
}

}  // namespace keyhole::python
