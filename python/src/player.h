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

/// What is known when a learner is asked.
struct Known {
  /// By the names of a space, of a dict and keywords; without a space the numbers that the
  /// algorithm takes.
  Known(const Space* space, const py::object& given, const py::dict& named) {
    const bool by_name = !named.empty() || py::isinstance<py::dict>(given);
    if (space == nullptr && by_name) {
      throw InvalidArgument(
          "contexts have names on a space only: give context=[...], a number each");
    }
    if (space != nullptr) {
      values = read_context(given);
      const Values more = read_context(named);
      values.insert(values.end(), more.begin(), more.end());
      if (!values.empty()) numbers = space->context(values);
    } else if (!given.is_none()) {
      const Array array = python::numbers(given, "the context");
      numbers.assign(array.data(), array.data() + array.size());
    }
  }

  /// By name; empty on a set.
  Values values = {};
  /// As the algorithm takes them; empty if nothing is known.
  Context numbers = {};
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

  static py::object ask(Self& self, const py::handle count, const py::object& context,
                        const py::kwargs& named) {
    const Known known(self.space, context, named);
    return count.is_none() ? ask_one(self, known) : ask_many(self, count, known);
  }

  static py::array_t<double> recommend(Self& self, const py::object& context,
                                       const py::kwargs& named) {
    const Known known(self.space, context, named);
    py::array_t<double> point = new_array(self.learner.set().dimension());
    const Turn turn(*self.turnstile);
    if (known.numbers.empty()) {
      self.learner.recommend(span_of(point));
    } else {
      self.learner.recommend(known.numbers, span_of(point));
    }
    return point;
  }

  static py::object recommend_values(Self& self, const py::object& context,
                                     const py::kwargs& named) {
    py::array_t<double> point = recommend(self, context, named);
    if (self.space == nullptr) return py::dict();
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

  static void save(const Self& self, const py::object& path) {
    const std::string name = path_text(path);
    const Turn turn(*self.turnstile);
    self.learner.state().write(name);
  }

  static void load(Self& self, const py::object& path, bool same_digits) {
    const State state = State::read(path_text(path));
    const Turn turn(*self.turnstile);
    self.learner.restore(state, same_digits ? Digits::same : Digits::may_differ);
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
    type.def("ask", ask, "count"_a = py::none(), py::kw_only(), "context"_a = py::none(),
             "The next point to play, as Play(id, point); or `count` of them at once, as "
             "Plays(ids, points). What is known is given by the names of the contexts of the "
             "space, ask(load=812) or ask(context={\"load\": 812}); on a set as the numbers that "
             "the algorithm takes.")
        .def("recommend", recommend, py::kw_only(), "context"_a = py::none(),
             "The point to deploy, without exploration; in a context, as ask() takes it.")
        .def(
            "recommend_values", recommend_values, py::kw_only(), "context"_a = py::none(),
            "What to deploy, by name, in a `context` as ask() takes it; empty unless it plays on a "
            "space.")
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
              return status_record(self.learner.status(recent), self.space);
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
        .def(
            "save", save, "path"_a,
            "Writes the state to the file of a `path`. At every moment all of it is there, or what "
            "was before.")
        .def("load", load, "path"_a, py::kw_only(), "same_digits"_a = true,
             "Goes on from the state in the file of a `path`, which save() has written: restore(), "
             "which says what `same_digits` is.")
        .def("__copy__", [](const py::object& self) { return copied(self); })
        .def("__deepcopy__", [](const py::object& self, py::handle) { return copied(self); })
        .def("__reduce__", reduce)
        .def("__repr__", text)
        .def("_repr_html_", html_by("of_learner"));
  }

 private:
  static PlayId ask_in(Self& self, const Known& known, std::span<double> point) {
    return known.numbers.empty() ? self.learner.ask(point) : self.learner.ask(known.numbers, point);
  }

  static py::object ask_one(Self& self, const Known& known) {
    py::array_t<double> point = new_array(self.learner.set().dimension());
    PlayId id = 0;
    PlayId pair = 0;
    {
      const Turn turn(*self.turnstile);
      id = ask_in(self, known, span_of(point));
      pair = self.learner.pair_of(id);
    }
    py::object values = self.space == nullptr ? py::dict() : values_of(self, id, point);
    return play_record(id, std::move(point), std::move(values), pair, context_dict(known.values));
  }

  static py::object ask_many(Self& self, const py::handle given, const Known& known) {
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
        id[k] = ask_in(self, known, rows.subspan(k * n, n));
        pair[k] = self.learner.pair_of(id[k]);
      }
    }
    py::list values;
    py::list contexts;
    for (std::size_t k = 0; self.space != nullptr && k < count; ++k) {
      values.append(values_dict(
          *self.space, self.space->values(rows.subspan(k * n, n), self.seed, id[k], self.stream)));
      contexts.append(context_dict(known.values));
    }
    return plays_record(std::move(ids), std::move(points), std::move(values), std::move(pairs),
                        std::move(contexts));
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
