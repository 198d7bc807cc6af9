#include <algorithm>
#include <cmath>
#include <tuple>

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

Learner make(const py::object& learner, const SetPtr& set, const Space* space,
             const LearnerOptions& options) {
  if (!py::isinstance<py::str>(learner)) return Learner(own_algorithm(set, learner), options);
  const auto spec = learner.cast<std::string>();
  return space == nullptr ? make_learner(spec, set, options) : make_learner(spec, *space, options);
}

GradientLearner make(const py::object& learner, const SetPtr& set, const Space* /*space*/,
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
Player<Kind> make_player(const py::object& on, const py::object& learner,
                         const py::object& given_seed, const py::object& stream,
                         const py::object& window, const py::object& expiry,
                         const py::object& max_step, const py::object& maximize) {
  using namespace py::literals;
  const Space* space = nullptr;
  const SetPtr set = set_of(on, space);
  if (py::isinstance<py::str>(learner) && learner.cast<std::string>().starts_with("learner(")) {
    throw InvalidArgument("give the algorithm alone, and the options by name: seed=7");
  }
  const py::object seed =
      given_seed.is_none() ? py::module_::import("secrets").attr("randbits")(64) : given_seed;
  const py::dict options("seed"_a = seed, "stream"_a = stream, "window"_a = window,
                         "expiry"_a = expiry, "max_step"_a = max_step, "maximize"_a = maximize);
  const auto read = read_options<Options>(options);
  return {on, space, learner, options, read.seed, read.stream, make(learner, set, space, read)};
}

/// Throws FeedbackError if a play has two different losses or counts: then none is told.
void require_no_contradiction(const std::vector<PlayId>& ids, std::span<const double> losses,
                              std::span<const double> counts) {
  std::vector<std::tuple<PlayId, double, double>> tells;
  for (std::size_t k = 0; k < ids.size(); ++k) tells.emplace_back(ids[k], losses[k], counts[k]);
  std::sort(tells.begin(), tells.end());
  const auto two = std::adjacent_find(tells.begin(), tells.end(), [](const auto& a, const auto& b) {
    return std::get<0>(a) == std::get<0>(b) && a != b;
  });
  if (two == tells.end()) return;
  throw FeedbackError("play " + std::to_string(std::get<0>(*two)) + " has two different losses",
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

void require_each_once(const std::vector<PlayId>& ids) {
  std::vector<PlayId> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return;
  throw FeedbackError("play " + std::to_string(*twice) + " is there twice",
                      ErrorCode::contradiction);
}

/// What was measured of plays besides their losses: by the names of a space, of a dict and
/// keywords, a number each or of many plays an array each; on a set the numbers that the algorithm
/// takes, of many plays a row each. Empty if nothing was. The same for points: `what` they are, and
/// `name` is that of the k-th.
template <class Name>
std::vector<Metrics> metrics_of(const LossPlayer& self, std::size_t count, bool is_one,
                                const py::object& given, const py::dict& named, const char* what,
                                Name name) {
  std::vector<Metrics> metrics;
  if (given.is_none() && named.empty()) return metrics;
  const auto require_one_each = [&](bool condition) {
    if (condition) return;
    throw InvalidArgument("there must be metrics for each of the " + std::to_string(count) + " " +
                          what);
  };
  if (self.space == nullptr) {
    if (!named.empty() || py::isinstance<py::dict>(given)) {
      throw InvalidArgument(
          "metrics have names on a space only: give metrics=[...], a number each");
    }
    const Points rows(given, self.learner.metrics(), "the metrics");
    require_one_each(rows.one() == is_one && rows.count() == count);
    for (std::size_t k = 0; k < rows.count(); ++k) {
      metrics.emplace_back().assign(rows[k].begin(), rows[k].end());
    }
    return metrics;
  }
  py::dict all;
  if (!given.is_none()) all.attr("update")(given);
  all.attr("update")(named);
  std::vector<Values> values(count);
  if (is_one) {
    values.front() = read_metrics(all);
  } else {
    for (const auto& [key, column] : all) {
      const Array array = numbers(column, "a metric");
      require_one_each(array.ndim() == 1 && static_cast<std::size_t>(array.size()) == count);
      for (std::size_t k = 0; k < count; ++k) values[k].emplace_back(py::str(key), array.data()[k]);
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    try {
      metrics.push_back(self.space->metrics(values[k]));
    } catch (const InvalidArgument& error) {
      throw FeedbackError(name(k) + ": " + error.what(), ErrorCode::unusable_feedback);
    }
  }
  return metrics;
}

std::vector<Metrics> metrics_of(const LossPlayer& self, const std::vector<PlayId>& ids, bool is_one,
                                const py::object& given, const py::dict& named) {
  if (!given.is_none() || !named.empty()) require_each_once(ids);
  return metrics_of(self, ids.size(), is_one, given, named, "plays",
                    [&](std::size_t k) { return "play " + std::to_string(ids[k]); });
}

py::object tell(LossPlayer& self, const py::handle play, const py::handle loss,
                const py::handle count, const py::handle error, const py::object& given,
                const py::kwargs& named) {
  if (is_one(play)) {
    const PlayId id = play_id(play);
    const double value = PyFloat_AsDouble(loss.ptr());
    if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    const bool once = count.is_none() && error.is_none();
    const double counts = once ? 1 : counts_of(count, error, 1)[0];
    const std::vector<Metrics> metrics = metrics_of(self, {id}, true, given, named);
    const Turn turn(*self.turnstile);
    if (metrics.empty()) return receipt_text(self.learner.tell(id, value, counts));
    return receipt_text(self.learner.tell(id, {value, metrics.front(), counts}));
  }
  const std::vector<PlayId> ids = play_ids(play);
  const Array array = numbers(loss, "the losses");
  if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != ids.size()) {
    throw InvalidArgument("there must be one loss for each of the " + std::to_string(ids.size()) +
                          " plays");
  }
  const std::span<const double> losses(array.data(), ids.size());
  const std::vector<double> counts = counts_of(count, error, ids.size());
  const std::vector<Metrics> metrics = metrics_of(self, ids, false, given, named);
  std::vector<Receipt> receipts;
  receipts.reserve(ids.size());
  {
    const Turn turn(*self.turnstile);
    const py::gil_scoped_release release;
    require_no_contradiction(ids, losses, counts);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      (void)self.learner.check(ids[k], losses[k], counts[k]);
      if (!metrics.empty()) self.learner.check_metrics(ids[k], metrics[k]);
    }
    for (std::size_t k = 0; k < ids.size(); ++k) {
      receipts.push_back(self.learner.tell(ids[k], losses[k], counts[k]));
      if (!metrics.empty()) self.learner.measure(ids[k], metrics[k]);
    }
  }
  return receipt_list(receipts);
}

/// Tells metrics of one play, or of many: all of them or none.
void measure(LossPlayer& self, const py::handle play, const py::object& given,
             const py::kwargs& named) {
  const std::vector<PlayId> ids = is_one(play) ? std::vector{play_id(play)} : play_ids(play);
  const std::vector<Metrics> metrics = metrics_of(self, ids, is_one(play), given, named);
  if (metrics.empty()) {
    throw FeedbackError("there is nothing to tell: give metrics", ErrorCode::unusable_feedback);
  }
  const Turn turn(*self.turnstile);
  for (std::size_t k = 0; k < ids.size(); ++k) self.learner.check_metrics(ids[k], metrics[k]);
  for (std::size_t k = 0; k < ids.size(); ++k) self.learner.measure(ids[k], metrics[k]);
}

/// What was known at each of n points: one context for all, or one each.
std::vector<Context> contexts_of(const LossPlayer& self, const py::object& given, std::size_t n) {
  std::vector<Context> contexts;
  const auto add = [&](const py::object& one) {
    contexts.push_back(Known(self.space, one, py::dict()).numbers);
    const Context& numbers = contexts.back();
    const auto is_odd = [](double x) { return std::abs(x) > largest_number; };
    if ((!numbers.empty() && numbers.size() != self.learner.contexts()) ||
        std::any_of(numbers.begin(), numbers.end(), is_odd)) {
      throw InvalidArgument("a context of the algorithm has " +
                            std::to_string(self.learner.contexts()) +
                            " numbers, each nan or of magnitude up to 1e50");
    }
  };
  const bool by_name = given.is_none() || py::isinstance<py::dict>(given);
  if (by_name || (self.space == nullptr && numbers(given, "the context").ndim() == 1)) {
    add(given);
    return std::vector<Context>(n, contexts.front());
  }
  for (const py::handle one : given) add(py::reinterpret_borrow<py::object>(one));
  if (contexts.size() != n) throw InvalidArgument("there must be one context for each point");
  return contexts;
}

/// The points of an argument: numbers, or values by name.
Points points_of(const LossPlayer& self, const py::object& given) {
  py::object at = given;
  if (py::isinstance<py::dict>(given)) {
    if (self.space == nullptr) throw InvalidArgument("values by name need a space");
    const std::vector<double> point =
        self.space->point(read_values(*self.space, given.cast<py::dict>()));
    at = py::array_t<double>(static_cast<py::ssize_t>(point.size()), point.data());
  }
  return {at, self.learner.set().dimension(), "the point"};
}

/// What one point or many are believed to cost.
py::object estimate(LossPlayer& self, const py::object& given, const py::object& context,
                    const py::kwargs& named) {
  const Points points = points_of(self, given);
  const Known known(self.space, context, named);
  std::vector<std::vector<double>> all;
  for (std::size_t k = 0; k < points.count(); ++k) {
    all.emplace_back(points[k].begin(), points[k].end());
  }
  const auto estimates = [&] {
    const Turn turn(*self.turnstile);
    const LongCall long_call(points.count() > 1);
    return self.learner.estimate(all, known.numbers);
  };
  return estimate_array(estimates(), points.one());
}

/// Teaches one loss of a point, or of values by name; or many, all of them or none.
void learn(LossPlayer& self, const py::object& given, const py::handle loss, const py::handle count,
           const py::handle error, const py::object& context, const py::object& measured) {
  const Points points = points_of(self, given);
  const Array losses = numbers(loss, "the loss");
  const bool fits = points.one() ? losses.ndim() == 0
                                 : losses.ndim() == 1 &&
                                       static_cast<std::size_t>(losses.size()) == points.count();
  if (!fits) throw InvalidArgument("there must be one loss for each point");
  const std::vector<double> counts = counts_of(count, error, points.count());
  const std::vector<Context> contexts = contexts_of(self, context, points.count());
  const std::vector<Metrics> metrics =
      metrics_of(self, points.count(), points.one(), measured, py::dict(), "points",
                 [](std::size_t k) { return "point " + std::to_string(k + 1); });
  const auto feedback = [&](std::size_t k) {
    return Feedback{losses.data()[k], metrics.empty() ? Metrics() : metrics[k], counts[k]};
  };
  const Turn turn(*self.turnstile);
  const LongCall long_call(points.count() > 1);
  for (std::size_t k = 0; k < points.count(); ++k) self.learner.check(points[k], feedback(k));
  for (std::size_t k = 0; k < points.count(); ++k) {
    if (contexts[k].empty()) {
      self.learner.learn(points[k], feedback(k));
    } else {
      self.learner.learn(contexts[k], points[k], feedback(k));
    }
  }
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
  PYBIND11_NUMPY_DTYPE(Estimate, loss, loss_error, excess, excess_error);
  bind_player<Learner, LearnerOptions>(
      module, "Learner",
      "Plays and learns: ask for a point, play it, tell what it cost.\n"
      "\n"
      "Parameters\n"
      "----------\n"
      "on : Set or Space\n"
      "    What is played on.\n"
      "learner : text or Algorithm\n"
      "    The spec of an algorithm, such as a function of kh.learners returns.\n"
      "seed : whole number or None\n"
      "    Same seed, same digits. None draws one.\n"
      "stream : whole number\n"
      "    Another stream of the same seed, for those who share one.\n"
      "window : whole number\n"
      "    How many of the latest plays can still be told.\n"
      "expiry : whole number or None\n"
      "    How many of them are waited for: an older one counts as missing. Default: the window.\n"
      "max_step : number, or one for each coordinate\n"
      "    How far a play may be from the one before. Default: any way.\n"
      "maximize : bool\n"
      "    Whether the numbers told are gains.\n",
      "learner"_a = "default")
      .def("tell", tell, "play"_a, "loss"_a, py::kw_only(), "count"_a = py::none(),
           "error"_a = py::none(), "metrics"_a = py::none(),
           "Tells the loss of a play, by itself or by its number; or the losses of many. Says how "
           "it was taken: fresh, repeated, expired or late. What is refused changes nothing. "
           "`count` is how many measurements a loss is the mean of, or `error` its standard "
           "error, for all or one each; posterior and linear_thompson use it. What was measured "
           "besides is given by the names of the limits of the space, tell(play, 0.4, p99=183) or "
           "tell(play, 0.4, metrics={\"p99\": 183}), of many plays an array each; on a set as the "
           "numbers that the algorithm takes.")
      .def("measure", measure, "play"_a, "metrics"_a = py::none(),
           "Tells `metrics` of a play, as tell() takes them, without its loss: before it, after it "
           "or in its place; or those of many plays.")
      .def("learn", learn, "point"_a, "loss"_a, py::kw_only(), "count"_a = py::none(),
           "error"_a = py::none(), "context"_a = py::none(), "metrics"_a = py::none(),
           "Teaches the loss of a point that was not asked for, or of values by name: what was "
           "measured before, or elsewhere. Or those of many points, a row each: all of them or "
           "none. `count` and `error` are those of tell(). `context` is what was known then, for "
           "all of them or one each. `metrics` are those of tell(); with them a loss may be nan, "
           "for one that was not measured. It is no play. Only learners that can_learn.")
      .def("estimate", estimate, "point"_a, py::kw_only(), "context"_a = py::none(),
           "What a round is believed to cost at a point, or at values by name, in a context as "
           "ask() takes it or on the average; or at many points, a row each. A structured array: "
           "loss, loss_error, excess above what is recommended, excess_error. The errors are "
           "standard deviations; nan where nothing is believed.")
      .def(
          "prove",
          [](LossPlayer& self, double share, const std::optional<std::vector<double>>& start) {
            const Turn turn(*self.turnstile);
            self.learner.prove(share, start.value_or(std::vector<double>()));
          },
          "share"_a = 0.1, "start"_a = py::none(),
          "Has a coin make that share of the plays at the start, from the next ask on: the point "
          "given, or the one that it recommends now. status().proof says how much better the "
          "others are, whenever you look. With 0 there is no coin.")
      .def_property_readonly(
          "can_learn", [](const LossPlayer& self) { return self.learner.can_learn(); },
          "Whether it learns losses of points that it did not choose, and uses counts.");
  module.def("_counts", &counts_of, "count"_a, "error"_a, "n"_a, "half_life"_a);
  bind_player<GradientLearner, GradientLearnerOptions>(
      module, "GradientLearner",
      "Plays and learns from gradients: ask for a point, play it, tell the gradient of its loss.\n"
      "\n"
      "Parameters\n"
      "----------\n"
      "on : Set or Space\n"
      "    What is played on.\n"
      "learner : text\n"
      "    The spec of an algorithm that is told gradients, such as kh.learners.ogd() returns.\n"
      "seed : whole number or None\n"
      "    Same seed, same digits. None draws one.\n"
      "stream : whole number\n"
      "    Another stream of the same seed, for those who share one.\n"
      "window : whole number\n"
      "    How many of the latest plays can still be told.\n"
      "expiry : whole number or None\n"
      "    How many of them are waited for: an older one counts as missing. Default: the window.\n"
      "max_step : number, or one for each coordinate\n"
      "    How far a play may be from the one before. Default: any way.\n"
      "maximize : bool\n"
      "    Whether the numbers told are gains.\n",
      "learner"_a)
      .def("tell", tell_gradient, "play"_a, "gradient"_a,
           "Tells a gradient of the loss at the point of a play; or those of many, a row each.");
}

}  // namespace keyhole::python
