#pragma once

#include "arrays.h"
#include "keyhole/spec.h"
#include "records.h"
#include "spaces.h"
#include "turn.h"

namespace keyhole::python {

/// A learner as Python holds it, and what it was made from.
template <class Kind>
struct Player {
  /// A Set or a Space.
  py::object on;
  /// The space, if it is one.
  const Space* space;
  /// The spec of its algorithm, or an algorithm of Python.
  py::object algorithm;
  /// The arguments by name that made it.
  py::dict options;
  std::uint64_t seed;
  std::uint64_t stream;
  Kind learner;
  std::unique_ptr<Turnstile> turnstile = std::make_unique<Turnstile>();
};

/// The options of a learner of either kind.
template <class Options>
[[nodiscard]] inline Options read_options(const py::dict& given) {
  Options options;
  options.seed = whole_number(given["seed"], "the seed");
  options.stream = whole_number(given["stream"], "the stream");
  options.window = whole_number(given["window"], "the window");
  if (const py::object expiry = given["expiry"]; !expiry.is_none()) {
    options.expiry = whole_number(expiry, "the expiry");
  }
  options.maximize = truth(given["maximize"], "maximize");
  const py::object step = given["max_step"];
  if (step.is_none()) return options;
  const Array steps = numbers(step, "max_step");
  if (steps.ndim() == 0) {
    options.max_step = *steps.data();
  } else {
    options.max_steps.assign(steps.data(), steps.data() + steps.size());
  }
  return options;
}

/// What LearnerBase has, of either kind.
template <class Kind>
class PlayerMethods {
 public:
  using Self = Player<Kind>;

  static py::object ask(Self& self, const py::handle count) {
    return count.is_none() ? ask_one(self) : ask_many(self, count);
  }

  static py::array_t<double> recommend(Self& self) {
    py::array_t<double> point = new_array(self.learner.set().dimension());
    const Turn turn(*self.turnstile);
    self.learner.recommend(span_of(point));
    return point;
  }

  static py::object recommend_values(Self& self) {
    if (self.space == nullptr) return py::dict();
    py::array_t<double> point = recommend(self);
    return values_dict(*self.space, self.space->likeliest(span_of(point)));
  }

  static py::bytes state(const Self& self) {
    const Turn turn(*self.turnstile);
    const State state = self.learner.state();
    const std::span<const std::byte> bytes = state.bytes();
    return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  static State read_state(const py::bytes& bytes) {
    const std::string_view view(bytes);
    return State::from_bytes(std::as_bytes(std::span(view.data(), view.size())));
  }

  static void restore(Self& self, const py::bytes& bytes, bool same_digits) {
    const Turn turn(*self.turnstile);
    self.learner.restore(read_state(bytes), same_digits ? Digits::same : Digits::may_differ);
  }

  static std::string text(const py::object& object) {
    const auto& self = object.cast<const Self&>();
    const Turn turn(*self.turnstile);
    const std::string type = py::str(py::type::of(object).attr("__name__"));
    const std::string algorithm = py::str(self.algorithm);
    const std::string on = py::repr(self.on);
    return "<keyhole." + type + " " + algorithm + " on " + on + ", seed " +
           std::to_string(self.seed) + ", " + std::to_string(self.learner.asked()) +
           " plays asked>";
  }

  /// (what makes it again, (type, what it plays on, its algorithm, options, state)).
  static py::tuple reduce(const py::object& object) {
    const auto& self = object.cast<const Self&>();
    return py::make_tuple(
        py::module_::import("keyhole._again").attr("learner"),
        py::make_tuple(py::type::of(object), self.on, self.algorithm, self.options, state(self)));
  }

  static void add(py::class_<Self>& type) {
    using namespace py::literals;
    type.def("ask", ask, "count"_a = py::none(),
             "The next point to play, as Play(id, point); or `count` of them at once, as "
             "Plays(ids, points).")
        .def("recommend", recommend, "The point to deploy, without exploration.")
        .def("recommend_values", recommend_values,
             "What to deploy, by name; empty unless it plays on a space.")
        .def(
            "summary",
            [](const Self& self) {
              const Turn turn(*self.turnstile);
              return summary_record(self.learner.summary());
            },
            "Counts and the average loss.")
        .def(
            "status",
            [](const Self& self, std::uint64_t recent) {
              const Turn turn(*self.turnstile);
              return status_record(self.learner.status(recent));
            },
            "recent"_a = 1000, "What it is doing now, with the mean of the recent losses.")
        .def(
            "regret_bound",
            [](const Self& self, std::optional<std::uint64_t> rounds) {
              const Turn turn(*self.turnstile);
              return bound_record(self.learner.regret_bound(rounds.value_or(self.learner.asked())));
            },
            "rounds"_a = py::none(),
            "The theorem's bound on the expected regret after so many `rounds`; after those "
            "played, if none are given.")
        .def(
            "explore",
            [](Self& self, bool on) {
              const Turn turn(*self.turnstile);
              self.learner.explore(on);
            },
            "on"_a, "Switches exploring off, and on again, from the next ask on.")
        .def_property_readonly(
            "explores", [](const Self& self) { return self.learner.explores(); },
            "Whether exploring is on.")
        .def_property_readonly(
            "asked", [](const Self& self) { return self.learner.asked(); },
            "How many plays have been asked for.")
        .def_property_readonly(
            "spec", [](const Self& self) { return self.learner.spec(); },
            "The canonical one-line description.")
        .def_property_readonly(
            "set",
            [](const Self& self) -> py::object {
              return self.space != nullptr ? self.on.attr("set") : self.on;
            },
            "The set that is played on.")
        .def_property_readonly(
            "space",
            [](const Self& self) -> py::object {
              return self.space != nullptr ? self.on : py::none();
            },
            "The space that is played on; None for a set.")
        .def_property_readonly("state", state,
                               "Everything that shapes what follows, as bytes: see restore().")
        .def("restore", restore, "state"_a, py::kw_only(), "same_digits"_a = true,
             "Goes on from the state of a learner with the same set, algorithm and options, bit "
             "for bit. A state of an older version needs same_digits=False.")
        .def("__copy__", [](const py::object& self) { return copied(self); })
        .def("__deepcopy__", [](const py::object& self, py::handle) { return copied(self); })
        .def("__reduce__", reduce)
        .def("__repr__", text)
        .def("_repr_html_", html_by("of_learner"));
  }

 private:
  static py::object ask_one(Self& self) {
    py::array_t<double> point = new_array(self.learner.set().dimension());
    PlayId id = 0;
    PlayId pair = 0;
    {
      const Turn turn(*self.turnstile);
      id = self.learner.ask(span_of(point));
      pair = self.learner.pair_of(id);
    }
    py::object values = self.space == nullptr ? py::dict() : values_of(self, id, point);
    return play_record(id, std::move(point), std::move(values), pair);
  }

  static py::object ask_many(Self& self, const py::handle given) {
    const std::size_t count = whole_number(given, "the count of plays");
    const std::size_t n = self.learner.set().dimension();
    py::array_t<std::uint64_t> ids(static_cast<py::ssize_t>(count));
    py::array_t<std::uint64_t> pairs(static_cast<py::ssize_t>(count));
    py::array_t<double> points = new_array(count, n);
    PlayId* const id = ids.mutable_data();
    PlayId* const pair = pairs.mutable_data();
    const std::span<double> rows = span_of(points);
    {
      const Turn turn(*self.turnstile);
      if (count > self.learner.asks_left()) {
        throw InvalidArgument(std::to_string(self.learner.asks_left()) +
                                  " plays are left of the learner's horizon, not " +
                                  std::to_string(count),
                              ErrorCode::horizon_used_up);
      }
      const py::gil_scoped_release release;
      for (std::size_t k = 0; k < count; ++k) {
        id[k] = self.learner.ask(rows.subspan(k * n, n));
        pair[k] = self.learner.pair_of(id[k]);
      }
    }
    py::list values;
    for (std::size_t k = 0; self.space != nullptr && k < count; ++k) {
      values.append(values_dict(
          *self.space, self.space->values(rows.subspan(k * n, n), self.seed, id[k], self.stream)));
    }
    return plays_record(std::move(ids), std::move(points), std::move(values), std::move(pairs));
  }

  static py::object values_of(const Self& self, PlayId id, py::array_t<double>& point) {
    return values_dict(*self.space, self.space->values(span_of(point), self.seed, id, self.stream));
  }

  /// An algorithm of Python has a state of its own, so the copy has a copy of it.
  static py::object copied(const py::object& self) {
    const py::tuple how = reduce(self);
    py::list arguments(how[1].cast<py::tuple>());
    arguments[2] = py::module_::import("copy").attr("deepcopy")(arguments[2]);
    return how[0](*arguments);
  }
};

}  // namespace keyhole::python
