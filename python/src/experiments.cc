#include <atomic>
#include <cstring>
#include <exception>

#include "keyhole/experiment.h"
#include "own_entries.h"

namespace keyhole::python {
namespace {

/// The entries that texts may name.
struct CatalogueHandle {
  Catalogue catalogue = Catalogue::standard();
};

/// What Python code has raised comes out as it is, with a note of where.
void rethrow_raised(const Error& error) {
  try {
    std::rethrow_if_nested(error);
  } catch (const py::error_already_set& raised) {
    const py::gil_scoped_acquire acquire;
    const std::string message = error.what();
    const std::size_t tail = std::strlen(raised.what());
    if (py::hasattr(raised.value(), "add_note") && message.size() > tail + 2) {
      raised.value().attr("add_note")("in " + message.substr(0, message.size() - tail - 2));
    }
    throw;
  } catch (...) {  // The message has it.
  }
}

/// A run that other threads may look at and stop.
class Run {
 public:
  Run(const CatalogueHandle& handle, ExperimentText text, std::string directory, unsigned threads,
      double timing)
      : catalogue_(handle.catalogue),
        text_(std::move(text)),
        options_{.directory = std::move(directory),
                 .threads = threads,
                 .stop = &stop_,
                 .progress =
                     [this](std::uint64_t done, std::uint64_t total) {
                       done_ = done;
                       total_ = total;
                     },
                 .timing_seconds = timing} {}

  py::tuple go() {
    ExperimentOutcome outcome;
    {
      const py::gil_scoped_release release;
      try {
        outcome = run_experiment(text_, options_, catalogue_);
      } catch (const Error& error) {
        rethrow_raised(error);
        throw;
      }
    }
    return py::make_tuple(outcome.complete, outcome.warnings);
  }
  void stop() { stop_ = true; }
  [[nodiscard]] py::tuple advance() const { return py::make_tuple(done_.load(), total_.load()); }

 private:
  std::atomic<bool> stop_ = false;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::uint64_t> total_ = 0;
  Catalogue catalogue_;
  ExperimentText text_;
  ExperimentOptions options_;
};

std::string canonical(const CatalogueHandle& handle, const std::string& toml,
                      const std::string& name, const std::string& folder,
                      const std::vector<std::pair<std::string, std::string>>& learners) {
  const py::gil_scoped_release release;
  return canonical_experiment({.toml = toml, .name = name, .folder = folder, .learners = learners},
                              handle.catalogue);
}

}  // namespace

void bind_experiments(py::module_& module) {
  using namespace py::literals;
  py::class_<CatalogueHandle>(module, "_Catalogue", "The entries that texts may name.")
      .def(py::init<>())
      .def(
          "add",
          [](CatalogueHandle& handle, const std::string& kind, const std::string& name,
             const std::string& summary, const py::list& parameters, const py::object& make) {
            add_own_entry(handle.catalogue, kind, name, summary, parameters, make);
          },
          "kind"_a, "name"_a, "summary"_a, "parameters"_a, "make"_a)
      .def("copy", [](const CatalogueHandle& handle) { return handle; })
      .def("canonical", canonical, "toml"_a, "name"_a, "folder"_a, "learners"_a);
  py::class_<Run>(module, "_Run", "A run of an experiment.")
      .def(py::init([](const CatalogueHandle& handle, const std::string& toml,
                       const std::string& name, const std::string& folder,
                       const std::string& directory, unsigned threads, double timing) {
             return std::make_unique<Run>(
                 handle, ExperimentText{.toml = toml, .name = name, .folder = folder}, directory,
                 threads, timing);
           }),
           "catalogue"_a, "toml"_a, "name"_a, "folder"_a, "directory"_a, "threads"_a, "timing"_a)
      .def("go", &Run::go)
      .def("stop", &Run::stop)
      .def_property_readonly("advance", &Run::advance);
}

}  // namespace keyhole::python
