#include <algorithm>

#include "own_algorithms.h"
#include "player.h"

namespace keyhole::python {
namespace {

using LossPlayer = Player<Learner>;
using GradientPlayer = Player<GradientLearner>;

SetPtr set_of(const py::object& on, const Space*& space) {
  if (py::isinstance<Space>(on)) {
    space = &on.cast<const Space&>();
    return space->set();
  }
  if (py::isinstance<SetHandle>(on)) return on.cast<const SetHandle&>().set;
  throw py::type_error("a learner plays on a Set or a Space, not on " +
                       std::string(Py_TYPE(on.ptr())->tp_name));
}

Learner make(const py::object& learner, const SetPtr& set, const LearnerOptions& options) {
  if (!py::isinstance<py::str>(learner)) return Learner(own_algorithm(set, learner), options);
  return make_learner(learner.cast<std::string>(), set, options);
}

GradientLearner make(const py::object& learner, const SetPtr& set,
                     const GradientLearnerOptions& options) {
  const auto text = py::str(learner).cast<std::string>();
  AnyAlgorithm any = make_algorithm(text, {.set = set});
  auto* const algorithm = std::get_if<std::unique_ptr<GradientAlgorithm>>(&any);
  if (algorithm == nullptr) {
    throw SpecError("'" + text + "' learns from losses: give it to a Learner");
  }
  return GradientLearner(std::move(*algorithm), options);
}

template <class Kind, class Options>
Player<Kind> make_player(const py::object& on, const py::object& learner, std::uint64_t seed,
                         std::uint64_t stream, std::uint64_t window, const py::object& expiry,
                         const py::object& max_step, bool maximize) {
  using namespace py::literals;
  const Space* space = nullptr;
  const SetPtr set = set_of(on, space);
  if (py::isinstance<py::str>(learner) && learner.cast<std::string>().starts_with("learner(")) {
    throw InvalidArgument("give the algorithm alone, and the options by name: seed=7");
  }
  const py::dict options("seed"_a = seed, "stream"_a = stream, "window"_a = window,
                         "expiry"_a = expiry, "max_step"_a = max_step, "maximize"_a = maximize);
  return {on,
          space,
          learner,
          options,
          seed,
          stream,
          make(learner, set, read_options<Options>(options))};
}

/// Throws FeedbackError if a play has two different losses: then none is told.
void require_no_contradiction(const std::vector<PlayId>& ids, std::span<const double> losses) {
  std::vector<std::pair<PlayId, double>> pairs;
  for (std::size_t k = 0; k < ids.size(); ++k) pairs.emplace_back(ids[k], losses[k]);
  std::sort(pairs.begin(), pairs.end());
  const auto two = std::adjacent_find(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
    return a.first == b.first && a.second != b.second;
  });
  if (two == pairs.end()) return;
  throw FeedbackError("play " + std::to_string(two->first) + " has two different losses",
                      ErrorCode::contradiction);
}

bool is_one(const py::handle play) {
  return is_play(play) || (PyIndex_Check(play.ptr()) != 0 && !py::isinstance<py::array>(play));
}

py::list receipt_list(const std::vector<Receipt>& receipts) {
  py::list result(receipts.size());
  for (std::size_t k = 0; k < receipts.size(); ++k) result[k] = receipt_text(receipts[k]);
  return result;
}

py::object tell(LossPlayer& self, const py::handle play, const py::handle loss) {
  if (is_one(play)) {
    const PlayId id = play_id(play);
    const double value = PyFloat_AsDouble(loss.ptr());
    if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    const Turn turn(*self.turnstile);
    return receipt_text(self.learner.tell(id, value));
  }
  const std::vector<PlayId> ids = play_ids(play);
  const Array array = numbers(loss, "the losses");
  if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != ids.size()) {
    throw InvalidArgument("there must be one loss for each of the " + std::to_string(ids.size()) +
                          " plays");
  }
  const std::span<const double> losses(array.data(), ids.size());
  std::vector<Receipt> receipts;
  receipts.reserve(ids.size());
  {
    const Turn turn(*self.turnstile);
    const py::gil_scoped_release release;
    require_no_contradiction(ids, losses);
    for (std::size_t k = 0; k < ids.size(); ++k) (void)self.learner.check(ids[k], losses[k]);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      receipts.push_back(self.learner.tell(ids[k], losses[k]));
    }
  }
  return receipt_list(receipts);
}

py::object tell_gradient(GradientPlayer& self, const py::handle play, const py::handle gradient) {
  const Points gradients(gradient, self.learner.set().dimension(), "the gradient");
  if (is_one(play)) {
    if (!gradients.one()) throw InvalidArgument("one play has one gradient, not rows of them");
    const PlayId id = play_id(play);
    const Turn turn(*self.turnstile);
    return receipt_text(self.learner.tell(id, gradients[0]));
  }
  const std::vector<PlayId> ids = play_ids(play);
  if (gradients.one() || gradients.count() != ids.size()) {
    throw InvalidArgument("there must be one gradient, a row, for each of the " +
                          std::to_string(ids.size()) + " plays");
  }
  std::vector<Receipt> receipts;
  const Turn turn(*self.turnstile);
  for (std::size_t k = 0; k < ids.size(); ++k) (void)self.learner.check(ids[k], gradients[k]);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    receipts.push_back(self.learner.tell(ids[k], gradients[k]));
  }
  return receipt_list(receipts);
}

template <class Kind, class Options, class Argument>
py::class_<Player<Kind>> bind_player(py::module_& module, const char* name, const char* doc,
                                     const Argument& learner) {
  using namespace py::literals;
  py::class_<Player<Kind>> type(module, name, doc);
  type.def(py::init(&make_player<Kind, Options>), "on"_a, learner, py::kw_only(), "seed"_a = 0,
           "stream"_a = 0, "window"_a = Options().window, "expiry"_a = py::none(),
           "max_step"_a = py::none(), "maximize"_a = false);
  PlayerMethods<Kind>::add(type);
  return type;
}

}  // namespace

void bind_learners(py::module_& module) {
  using namespace py::literals;
  bind_player<Learner, LearnerOptions>(
      module, "Learner",
      "Plays and learns: ask for a point, play it, tell what it cost. `on` is a Set or a Space, "
      "`learner` the spec of an algorithm or an Algorithm. Same seed, same digits.",
      "learner"_a = "default")
      .def("tell", tell, "play"_a, "loss"_a,
           "Tells the loss of a play, by itself or by its number; or the losses of many. Says how "
           "it was taken: fresh, repeated, expired or late. What is refused changes nothing.");
  bind_player<GradientLearner, GradientLearnerOptions>(
      module, "GradientLearner",
      "Plays and learns from gradients: ask for a point, play it, tell the gradient of its loss.",
      "learner"_a)
      .def("tell", tell_gradient, "play"_a, "gradient"_a,
           "Tells a gradient of the loss at the point of a play; or those of many, a row each.");
}

}  // namespace keyhole::python
