#include "own_problems.h"

#include "callback.h"
#include "random_handle.h"

namespace keyhole::python {
namespace {

double call_value(const py::object& object, std::span<const double> x) {
  const py::array_t<double> point(static_cast<py::ssize_t>(x.size()), x.data());
  return object.attr("value")(point).cast<double>();
}

/// The gradient within the hull by central differences: a little nearer to the centre, where a
/// small ball around the point is in the set.
void differences(const Set& set, const py::object& object, std::span<const double> x,
                 std::span<double> gradient) {
  constexpr double share = 1e-6;
  const Geometry& geometry = set.geometry();
  const double step = share * geometry.inner_radius;
  const std::size_t n = x.size();
  std::vector<double> direction(n);
  std::vector<double> point(n);
  const auto at = [&](double along) {
    for (std::size_t j = 0; j < n; ++j) {
      point[j] = x[j] + share * (geometry.centre[j] - x[j]) + along * direction[j];
    }
    return call_value(object, point);
  };
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(direction.begin(), direction.end(), 0.0);
    direction[i] = 1;
    set.flatten(direction);
    gradient[i] = (at(step) - at(-step)) / (2 * step);
  }
}

/// What gradient() returns; if that is None, differences of values.
void call_gradient(const Set& set, const py::object& object, std::span<const double> x,
                   std::span<double> gradient) {
  const py::array_t<double> point(static_cast<py::ssize_t>(x.size()), x.data());
  const py::object given = object.attr("gradient")(point);
  if (given.is_none()) return differences(set, object, x, gradient);
  copy_point(given, "gradient", gradient);
}

/// What total() of a problem returns.
class OwnTotal final : public TotalLoss {
 public:
  OwnTotal(const Set& set, py::object object)
      : set_(set), object_(shared_object(std::move(object))) {}

  void add() override {
    const py::gil_scoped_acquire acquire;
    object_->attr("add")();
  }
  [[nodiscard]] double value(std::span<const double> x) const override {
    const py::gil_scoped_acquire acquire;
    return call_value(*object_, x);
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    const py::gil_scoped_acquire acquire;
    call_gradient(set_, *object_, x, gradient);
  }

 private:
  const Set& set_;
  std::shared_ptr<py::object> object_;
};

std::uint64_t number_or_any(const py::object& object, const char* attribute) {
  const py::object given = object.attr(attribute);
  return given.is_none() ? std::numeric_limits<std::uint64_t>::max() : given.cast<std::uint64_t>();
}

class OwnProblem final : public Problem {
 public:
  OwnProblem(SetPtr set, const py::object& object, ProblemSeed seed)
      : Problem(std::move(set)),
        name_(py::str(object.attr("name"))),
        rounds_(number_or_any(object, "rounds")),
        segment_(number_or_any(object, "segment")),
        bounds_{.loss = object.attr("loss_bound").cast<double>(),
                .gradient = object.attr("gradient_bound").cast<double>(),
                .proven = object.attr("bounds_proven").cast<bool>()},
        random_(shared_set(), seed.seed, seed.stream),
        object_(shared_object(object)) {}

  [[nodiscard]] std::string spec() const override { return name_; }
  [[nodiscard]] std::uint64_t rounds() const noexcept override { return rounds_; }
  [[nodiscard]] std::uint64_t segment() const noexcept override { return segment_; }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

  [[nodiscard]] double value(std::span<const double> x) const override {
    const py::gil_scoped_acquire acquire;
    return call_value(*object_, x);
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    const py::gil_scoped_acquire acquire;
    call_gradient(set(), *object_, x, gradient);
  }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override {
    const py::gil_scoped_acquire acquire;
    py::object own = object_->attr("total")();
    if (own.is_none()) return Problem::total();
    return std::make_unique<OwnTotal>(set(), std::move(own));
  }

 private:
  void realise(std::uint64_t t) override {
    const py::gil_scoped_acquire acquire;
    (void)call_with(random_, *object_, "draw", t);
  }

  std::string name_;
  std::uint64_t rounds_;
  std::uint64_t segment_;
  LossBounds bounds_;
  Randomness random_;
  std::shared_ptr<py::object> object_;
};

}  // namespace

std::unique_ptr<Problem> own_problem(const py::object& object, ProblemSeed seed) {
  for (const char* const member : {"name", "set", "draw", "value", "gradient", "total"}) {
    if (!py::hasattr(object, member)) {
      throw py::type_error("a problem of your own derives from Problem and has a set; this is " +
                           std::string(Py_TYPE(object.ptr())->tp_name) + " without '" + member +
                           "'");
    }
  }
  return std::make_unique<OwnProblem>(object.attr("set").cast<const SetHandle&>().set, object,
                                      seed);
}

}  // namespace keyhole::python
