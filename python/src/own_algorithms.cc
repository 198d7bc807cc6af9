#include "own_algorithms.h"

#include "callback.h"
#include "random_handle.h"

namespace keyhole::python {
namespace {

py::array_t<double> array_of(std::span<const double> numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

class OwnAlgorithm final : public Algorithm {
 public:
  OwnAlgorithm(SetPtr set, py::object object)
      : Algorithm(std::move(set)),
        name_(py::str(object.attr("name"))),
        object_(shared_object(std::move(object))) {}

  [[nodiscard]] std::string spec() const override { return name_; }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    const py::gil_scoped_acquire acquire;
    copy_point(call_with(random, *object_, "play", t), "play", y);
    oracle().settle(y);
    if (!set().contains(y)) {
      throw InvalidArgument("play() of " + name_ + " has returned a point that is not in the set");
    }
  }

  bool absorb(PlayId s, double loss, Randomness& random) override {
    const py::gil_scoped_acquire acquire;
    (void)call_with(random, *object_, "absorb", s, loss);
    return true;
  }

  void advance() override {
    const py::gil_scoped_acquire acquire;
    object_->attr("advance")();
  }

  void recommend(std::span<double> x) const override {
    const py::gil_scoped_acquire acquire;
    copy_point(object_->attr("recommend")(), "recommend", x);
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no theorem is known for an algorithm of your own"};
  }

  void state(Archive& archive) override {
    const py::gil_scoped_acquire acquire;
    Algorithm::state(archive);
    std::string bytes;
    if (!archive.reading()) bytes = object_->attr("state")().cast<std::string>();
    archive.field(bytes);
    if (archive.reading()) object_->attr("restore")(py::bytes(bytes));
  }

 private:
  std::string name_;
  std::shared_ptr<py::object> object_;
};

}  // namespace

std::unique_ptr<Algorithm> own_algorithm(SetPtr set, py::object object) {
  for (const char* const method : {"name", "play", "absorb", "advance", "recommend", "state"}) {
    if (!py::hasattr(object, method)) {
      throw py::type_error("a learner is the spec of an algorithm or an Algorithm, not " +
                           std::string(Py_TYPE(object.ptr())->tp_name));
    }
  }
  return std::make_unique<OwnAlgorithm>(std::move(set), std::move(object));
}

void bind_own_algorithms(py::module_& module) {
  using namespace py::literals;
  py::class_<RandomHandle>(module, "Randomness",
                           "The random numbers of a run: pure functions of its seed and the play.")
      .def(
          "direction",
          [](const RandomHandle& r, std::uint64_t t) { return array_of(r.get().direction(t)); },
          "t"_a, "Uniform on the unit sphere of the directions of the set; for play `t`.")
      .def(
          "noise",
          [](const RandomHandle& r, std::uint64_t t) { return array_of(r.get().noise(t)); }, "t"_a,
          "Standard normal in every direction of the set; for play `t`.")
      .def(
          "normals",
          [](const RandomHandle& r, std::uint64_t t, std::size_t count) {
            std::vector<double> z(count);
            r.get().normals(t, z);
            return array_of(z);
          },
          "t"_a, "count"_a, "`count` independent standard normal numbers; for play `t`.");
}

}  // namespace keyhole::python
