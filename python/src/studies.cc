#include <cmath>
#include <limits>

#include "keyhole/client.h"
#include "keyhole/store.h"
#include "player.h"

namespace keyhole::python {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

StoreOptions options_of(const std::string& durability, bool allow_network, double wait) {
  if (durability != "disk" && durability != "process") {
    throw InvalidArgument("durability must be 'disk' or 'process', not '" + durability + "'");
  }
  if (!(wait >= 0) || !std::isfinite(wait)) {
    throw InvalidArgument("wait must be a number of seconds, 0 or more, not " +
                          py::str(py::float_(wait)).cast<std::string>());
  }
  return {.durability = durability == "disk" ? Durability::disk : Durability::process,
          .allow_network = allow_network,
          .wait = wait};
}

Store make_store(const std::string& folder, const std::string& durability, bool allow_network,
                 double wait) {
  return Store(folder, options_of(durability, allow_network, wait));
}

Store make_store_in_memory(double wait) {
  return Store::in_memory(options_of("process", false, wait));
}

const Space* space_of(const Study& study) { return std::get_if<Space>(&study.description().on); }

Study create(const Store& store, const std::string& name, const py::object& on,
             const std::string& learner, const LearnerOptions& options, const py::object& start,
             const std::string& facts, const py::dict& arrays) {
  if (facts != "points" && facts != "witness") {
    throw InvalidArgument("facts must be 'points' or 'witness', not '" + facts + "'");
  }
  StudyDescription description{.on = py::isinstance<Space>(on)
                                         ? std::variant<Space, std::string>(on.cast<Space>())
                                         : py::str(on).cast<std::string>(),
                               .learner = learner,
                               .options = options,
                               .facts = facts == "points" ? Facts::points : Facts::witness,
                               .contents = contents_of(arrays)};
  if (!start.is_none()) {
    if (!py::isinstance<Space>(on)) {
      throw InvalidArgument("a start by name needs a space: give the learner start=[...] instead");
    }
    description.start = read_values(on.cast<const Space&>(), py::dict(start));
  }
  const py::gil_scoped_release release;
  return store.create(name, description);
}

py::object play_of(const Study& study, const StudyPlay& play) {
  const Space* const space = space_of(study);
  py::array_t<double> point(static_cast<py::ssize_t>(play.point.size()), play.point.data());
  return play_record(play.id, std::move(point),
                     space == nullptr ? py::dict() : values_dict(*space, play.values), play.pair,
                     context_dict(play.context), play.recommended);
}

py::object plays_of(const Study& study, const std::vector<StudyPlay>& plays) {
  const Space* const space = space_of(study);
  const std::size_t n = study.set().dimension();
  py::array_t<std::uint64_t> ids(static_cast<py::ssize_t>(plays.size()));
  py::array_t<std::uint64_t> pairs(static_cast<py::ssize_t>(plays.size()));
  py::array_t<double> points = new_array(plays.size(), n);
  py::list values;
  py::list contexts;
  for (std::size_t k = 0; k < plays.size(); ++k) {
    ids.mutable_at(k) = plays[k].id;
    pairs.mutable_at(k) = plays[k].pair;
    std::copy(plays[k].point.begin(), plays[k].point.end(), points.mutable_data() + k * n);
    if (space == nullptr) continue;
    values.append(values_dict(*space, plays[k].values));
    contexts.append(context_dict(plays[k].context));
  }
  return plays_record(std::move(ids), std::move(points), std::move(values), std::move(pairs),
                      std::move(contexts));
}

/// The loss of a play, if it is told, its count, and what was measured besides.
using Told = std::tuple<PlayId, std::optional<double>, double, py::object>;

/// Tells and asks as one unit: how the tells were taken, and the plays.
py::tuple step(Study& study, const std::vector<Told>& told, std::size_t asks,
               const std::string& worker, const py::object& given) {
  const Values context = read_context(given);
  std::vector<StudyTell> tells;
  for (const auto& [id, loss, count, metrics] : told) {
    tells.push_back({id, loss, count, read_metrics(metrics)});
  }
  StudyStep result;
  {
    const py::gil_scoped_release release;
    result = study.step(tells, asks, worker, context);
  }
  py::list receipts;
  for (const Receipt receipt : result.receipts) receipts.append(receipt_text(receipt));
  py::list plays;
  for (const StudyPlay& play : result.plays) plays.append(play_of(study, play));
  return py::make_tuple(receipts, plays);
}

/// What f() gives, with the interpreter let go.
template <class Function>
auto away(Function f) {
  const py::gil_scoped_release release;
  return f();
}

/// Learns losses of the past: how many were learned, projected and skipped. Each is at values by
/// name, or at a point.
py::tuple learn_past(Study& study, const py::list& where, const std::vector<double>& losses,
                     const std::vector<double>& counts, const std::string& outside,
                     const std::string& id, const py::list& contexts, const py::list& metrics) {
  constexpr const char* words[] = {"refuse", "project", "skip"};
  const auto word = std::find(std::begin(words), std::end(words), outside);
  if (word == std::end(words)) {
    throw InvalidArgument("outside must be 'refuse', 'project' or 'skip', not '" + outside + "'");
  }
  const Space* const space = space_of(study);
  std::vector<StudyPast> past;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    StudyPast one{.loss = losses[k],
                  .count = counts[k],
                  .context = read_context(contexts[k]),
                  .metrics = read_metrics(metrics[k])};
    const py::object at = where[k];
    if (py::isinstance<py::dict>(at)) {
      if (space == nullptr) throw InvalidArgument("values by name need a space");
      one.values = read_values(*space, at.cast<py::dict>());
    } else {
      const Array point = numbers(at, "the point");
      one.point.assign(point.data(), point.data() + point.size());
    }
    past.push_back(std::move(one));
  }
  const PastReceipt receipt =
      away([&] { return study.learn(past, static_cast<Outside>(word - std::begin(words)), id); });
  return py::make_tuple(receipt.learned, receipt.projected, receipt.skipped);
}

/// The points of the front of a metric: what each stands for, the point, and four numbers.
py::list front(Study& study, const std::string& metric) {
  const Space* const space = space_of(study);
  py::list points;
  for (const FrontPoint& at : away([&] { return study.front(metric); })) {
    points.append(py::make_tuple(
        values_dict(*space, space->likeliest(at.point)),
        py::array_t<double>(static_cast<py::ssize_t>(at.point.size()), at.point.data()), at.loss,
        at.loss_error, at.metric, at.metric_error));
  }
  return points;
}

/// What was played of the parameters of a space: nan or empty where that is not known, as of those
/// that came later.
Values in_space(const Space& space, const Values& values) {
  Values result;
  for (const auto& [name, domain] : space.parameters()) {
    const auto* const shares = std::get_if<Shares>(&domain);
    const std::size_t parts = shares == nullptr ? 0 : shares->names.size();
    Value value = unknown;
    if (std::holds_alternative<Choice>(domain)) value = std::string();
    if (parts > 0) value = std::vector<double>(parts, unknown);
    for (const auto& [played, at] : values) {
      const auto* const numbers = std::get_if<std::vector<double>>(&at);
      if (played == name && parts == (numbers == nullptr ? 0 : numbers->size())) value = at;
    }
    result.emplace_back(name, std::move(value));
  }
  return result;
}

/// All plays of a log, their workers, losses (nan where none was told) and metrics. Points are of
/// the set that the study has now: nan before it was changed.
py::tuple history(const Store& store, const std::string& name, const Study& study) {
  std::vector<StudyPlay> plays;
  std::vector<std::string> workers;
  std::vector<double> losses;
  std::vector<Values> metrics;
  away([&] {
    const auto take = [&](const StudyRecord& record) {
      if (record.changed) {
        for (StudyPlay& play : plays) play.point.clear();
      }
      for (std::size_t k = 0; k < record.tells.size(); ++k) {
        const Receipt receipt = record.gave.receipts[k];
        if (receipt != Receipt::fresh && receipt != Receipt::late) continue;
        const StudyTell& tell = record.tells[k];
        if (tell.loss) losses[tell.id - 1] = *tell.loss;
        Values& measured = metrics[tell.id - 1];
        measured.insert(measured.end(), tell.metrics.begin(), tell.metrics.end());
      }
      for (const StudyPlay& play : record.gave.plays) {
        plays.push_back(play);
        workers.push_back(record.worker);
        losses.push_back(unknown);
        metrics.emplace_back();
      }
    };
    return store.replay(name, take, {}, Replay::facts);
  });
  for (StudyPlay& play : plays) {
    const std::size_t dimension = study.set().dimension();
    if (play.point.size() != dimension) play.point.assign(dimension, unknown);
    if (space_of(study) != nullptr) play.values = in_space(*space_of(study), play.values);
  }
  py::list measured;
  for (const Values& each : metrics) measured.append(context_dict(each));
  return py::make_tuple(plays_of(study, plays), workers, losses, measured);
}

/// Bytes, frames and the hash of the state.
py::dict verify(const Store& store, const std::string& name) {
  using namespace py::literals;
  const StudyLog log = away([&] { return store.replay(name, [](const StudyRecord&) {}); });
  return py::dict("frames"_a = log.frames, "bytes"_a = log.bytes, "torn"_a = log.torn,
                  "state_hash"_a = log.state_hash);
}

const char* renew(const Store& store, const std::string& name, bool dry_run) {
  switch (away([&] { return store.renew(name, dry_run); })) {
    case Renewal::not_needed:
      return "not needed";
    case Renewal::what_was_learned:
      return "what was learned";
    case Renewal::recommendation:
      return "recommendation";
    case Renewal::nothing:
      break;
  }
  return "nothing";
}

py::tuple change_tuple(const StudyChange& change) {
  return py::make_tuple(change.after, change.learned, change.dropped);
}

py::tuple change(const Store& store, const std::string& name, const Space& space,
                 const py::object& start) {
  const Values values = start.is_none() ? Values() : read_values(space, py::dict(start));
  return change_tuple(away([&] { return store.change(name, space, values); }));
}

py::tuple label(const Store& store, const std::string& name) {
  const StudyLabel found = away([&] { return store.label(name); });
  return py::make_tuple(found.note, found.tags);
}

py::list found_studies(const Store& store, const std::string& text, const std::string& tag,
                       const std::string& prefix) {
  py::list list;
  const StudySearch search = {.text = text, .tag = tag, .prefix = prefix, .most = SIZE_MAX};
  for (const auto& [name, found] : away([&] { return store.find(search); })) {
    list.append(py::make_tuple(name, found.note, found.tags));
  }
  return list;
}

py::object on_of(const Study& study) {
  if (const Space* const space = space_of(study)) return py::cast(*space);
  return py::str(std::get<std::string>(study.description().on));
}

/// What was run before, by name; empty if nobody said.
py::dict start_of(const Study& study) {
  py::dict start;
  for (const auto& [name, value] : study.description().start) start[py::str(name)] = value;
  return start;
}

}  // namespace

void bind_studies(py::module_& module) {
  using namespace py::literals;
  py::class_<Study>(module, "_Study")
      .def("step", step, "tells"_a, "asks"_a, "worker"_a, "context"_a)
      .def("learn", learn_past, "where"_a, "losses"_a, "counts"_a, "outside"_a, "id"_a,
           "contexts"_a, "metrics"_a)
      .def("past", [](Study& s) { return away([&] { return s.past(); }); })
      .def("clipped", [](Study& s) { return away([&] { return s.clipped(); }); })
      .def("changed",
           [](Study& s) -> py::object {
             const auto change = away([&] { return s.changed(); });
             return change ? py::object(change_tuple(*change)) : py::none();
           })
      .def(
          "ask_many",
          [](Study& s, std::size_t count, const py::object& given) {
            const Values context = read_context(given);
            return plays_of(s, away([&] { return s.ask_many(count, context); }));
          },
          "count"_a, "context"_a)
      .def(
          "recommend",
          [](Study& s, const py::object& given) {
            const Values context = read_context(given);
            const std::vector<double> x = away([&] { return s.recommend(context); });
            return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
          },
          "context"_a)
      .def(
          "recommend_values",
          [](Study& s, const py::object& given) {
            const Values context = read_context(given);
            const Values values = away([&] { return s.recommend_values(context); });
            const Space* const space = space_of(s);
            return space == nullptr ? py::dict() : values_dict(*space, values);
          },
          "context"_a)
      .def("front", front, "metric"_a)
      .def(
          "estimate",
          [](Study& s, const std::vector<std::vector<double>>& points, const py::object& given) {
            const Values context = read_context(given);
            return estimate_array(away([&] { return s.estimate(points, context); }), false);
          },
          "points"_a, "context"_a)
      .def("summary", [](Study& s) { return summary_record(away([&] { return s.summary(); })); })
      .def("status",
           [](Study& s) { return status_record(away([&] { return s.status(); }), space_of(s)); })
      .def("state",
           [](Study& s) {
             const State state = away([&] { return s.state(); });
             const std::span<const std::byte> bytes = state.bytes();
             return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def(
          "explore", [](Study& s, bool on) { away([&] { s.explore(on); }); }, "on"_a)
      .def(
          "prove", [](Study& s, double share) { away([&] { s.prove(share); }); }, "share"_a)
      .def("explores", [](Study& s) { return away([&] { return s.explores(); }); })
      .def("needs_renewal", [](Study& s) { return away([&] { return s.needs_renewal(); }); })
      .def_property_readonly("on", on_of)
      .def_property_readonly("start", start_of)
      .def_property_readonly("learner", [](const Study& s) { return s.description().learner; });
  py::class_<Store>(module, "_Store")
      .def(py::init(&make_store), "folder"_a, "durability"_a, "allow_network"_a, "wait"_a)
      .def_static("in_memory", &make_store_in_memory, "wait"_a)
      .def(
          "create",
          [](const Store& s, const std::string& name, const py::object& on,
             const std::string& learner, const py::dict& options, const py::object& start,
             const std::string& facts, const py::dict& arrays) {
            return create(s, name, on, learner, read_options<LearnerOptions>(options), start, facts,
                          arrays);
          },
          "name"_a, "on"_a, "learner"_a, "options"_a, "start"_a, "facts"_a, "arrays"_a)
      .def(
          "open",
          [](const Store& s, const std::string& name) {
            return away([&] { return s.open(name); });
          },
          "name"_a)
      .def("history", history, "name"_a, "study"_a)
      .def("verify", verify, "name"_a)
      .def("renew", renew, "name"_a, "dry_run"_a)
      .def("change", change, "name"_a, "space"_a, "start"_a)
      .def(
          "copy",
          [](const Store& s, const std::string& name, const Store& to) {
            away([&] { s.copy(name, to); });
          },
          "name"_a, "to"_a)
      .def(
          "copy_to_service",
          [](const Store& s, const std::string& name, const std::string& url,
             const std::string& token, const std::string& ca, double patience) {
            away([&] { Client(url, {token, ca, patience}).copy(s, name); });
          },
          "name"_a, "url"_a, "token"_a, "ca"_a, "patience"_a)
      .def(
          "copy_all",
          [](const Store& s, const Store& to) {
            const StoreCopy done = away([&] { return s.copy_all(to); });
            return py::make_tuple(done.copied, done.there, done.failures);
          },
          "to"_a)
      .def(
          "undelete",
          [](const Store& s, const std::string& name) { away([&] { s.undelete(name); }); },
          "name"_a)
      .def("deleted",
           [](const Store& s) {
             py::list list;
             for (const auto& [name, until] : away([&] { return s.deleted(); })) {
               list.append(py::make_tuple(name, until));
             }
             return list;
           })
      .def("list", [](const Store& s) { return away([&] { return s.list(); }); })
      .def(
          "has",
          [](const Store& s, const std::string& name) {
            return away([&] { return !s.identity(name).empty(); });
          },
          "name"_a)
      .def("label", label, "name"_a)
      .def(
          "set_label",
          [](const Store& s, const std::string& name, const std::string& note,
             const std::vector<std::string>& tags) {
            away([&] { s.set_label(name, {.note = note, .tags = tags}); });
          },
          "name"_a, "note"_a, "tags"_a)
      .def("find", found_studies, "text"_a, "tag"_a, "prefix"_a)
      .def(
          "remove",
          [](const Store& s, const std::string& name, double keep) {
            away([&] { s.remove(name, keep); });
          },
          "name"_a, "keep"_a);
}

}  // namespace keyhole::python
