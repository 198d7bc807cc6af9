#include "keyhole/testing.h"

#include "callback.h"
#include "own_algorithms.h"

namespace keyhole::python {
namespace {

/// What each check found; empty if nothing.
py::dict findings(const testing::Report& report) {
  py::dict result;
  for (const std::string& check : report.checks) result[py::str(check)] = "";
  for (const testing::Finding& finding : report.findings) {
    result[py::str(finding.check)] = finding.message;
  }
  return result;
}

py::dict check_set(const SetHandle& handle, std::uint64_t seed, std::size_t directions,
                   bool polytope) {
  testing::Report report;
  {
    const py::gil_scoped_release release;
    report = testing::check_set(handle.set,
                                {.seed = seed, .directions = directions, .polytope = polytope});
  }
  return findings(report);
}

py::dict check_algorithm(const py::object& make, const py::object& set, std::uint64_t rounds,
                         std::uint64_t seed, bool random, bool learns) {
  const SetPtr made = set.cast<const SetHandle&>().set;
  const testing::LearnerFactory factory = [&](std::uint64_t of_learner) {
    return Learner(own_algorithm(made, make(set)), {.seed = of_learner});
  };
  return findings(testing::check_learner(
      factory, {.rounds = rounds, .seed = seed, .random = random, .learns = learns}));
}

}  // namespace

void bind_testing(py::module_& module) {
  using namespace py::literals;
  module.def("_check_set", check_set, "set"_a, "seed"_a, "directions"_a, "polytope"_a);
  module.def("_check_algorithm", check_algorithm, "make"_a, "set"_a, "rounds"_a, "seed"_a,
             "random"_a, "learns"_a);
}

}  // namespace keyhole::python
