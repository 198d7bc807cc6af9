#include "records.h"

#include <array>
#include <initializer_list>

namespace keyhole::python {
namespace {

/// A type of tuples with names (a "struct sequence", as os.stat gives): made and read faster than
/// objects of a class.
class Record {
 public:
  Record() = default;
  /// Fields after the first `unpacked` have a name only.
  Record(py::module_& module, const char* name, const char* doc,
         std::vector<PyStructSequence_Field> fields, std::size_t unpacked) {
    const std::string full = std::string("keyhole.") + name;
    fields.push_back({nullptr, nullptr});
    PyStructSequence_Desc description = {full.c_str(), doc, fields.data(),
                                         static_cast<int>(unpacked)};
    type_ = PyStructSequence_NewType(&description);
    if (type_ == nullptr) throw py::error_already_set();
    module.add_object(name, reinterpret_cast<PyObject*>(type_));
  }

  [[nodiscard]] PyTypeObject* type() const { return type_; }

  template <class... Values>
  [[nodiscard]] py::object operator()(Values&&... values) const {
    PyObject* const record = PyStructSequence_New(type_);
    if (record == nullptr) throw py::error_already_set();
    Py_ssize_t i = 0;
    (PyStructSequence_SET_ITEM(record, i++, owned(std::forward<Values>(values))), ...);
    return py::reinterpret_steal<py::object>(record);
  }

 private:
  static PyObject* owned(py::object object) { return object.release().ptr(); }
  static PyObject* owned(double x) { return PyFloat_FromDouble(x); }
  static PyObject* owned(std::uint64_t x) { return PyLong_FromUnsignedLongLong(x); }
  static PyObject* owned(bool x) { return PyBool_FromLong(x ? 1 : 0); }

  PyTypeObject* type_ = nullptr;
};

Record play_type;
Record plays_type;
Record geometry_type;
Record summary_type;
Record belief_type;
Record proof_type;
Record limit_type;
Record status_type;
Record bound_type;
std::array<PyObject*, 4> receipt_words;

/// With the values, if there are any.
py::str text_of_play(py::handle play) {
  const py::object values = play.attr("values");
  py::str text = py::str("Play(id={}, point={!r}").format(play.attr("id"), play.attr("point"));
  if (py::len(values) > 0) text = py::str("{}, values={!r}").format(text, values);
  return py::str("{})").format(text);
}

}  // namespace

py::object play_record(PlayId id, py::object point, py::object values, PlayId pair,
                       py::object context, bool recommended) {
  return play_type(id, std::move(point), std::move(values), recommended, pair, std::move(context));
}

py::object plays_record(py::object ids, py::object points, py::object values, py::object pairs,
                        py::object contexts) {
  return plays_type(std::move(ids), std::move(points), std::move(values), std::move(pairs),
                    std::move(contexts));
}

py::object geometry_record(const Geometry& g) {
  py::array_t<double> centre(static_cast<py::ssize_t>(g.centre.size()), g.centre.data());
  return geometry_type(py::object(centre), g.inner_radius, g.outer_radius, g.diameter,
                       g.outer_radius_exact, g.diameter_exact);
}

py::object summary_record(const Summary& s) {
  return summary_type(s.asked, s.told, s.pending, s.oldest_pending, s.missing, s.duplicates,
                      s.expired, s.late, s.above_bound, s.oracle_calls, s.average);
}

py::object status_record(const Status& s, const Space* space) {
  py::dict limits;
  for (std::size_t j = 0; j < s.limits.size(); ++j) {
    const LimitStatus& l = s.limits[j];
    const py::object name =
        space == nullptr ? py::object(py::int_(j)) : py::str(space->limits()[j].name);
    limits[name] = limit_type(l.recent, l.over, l.recommended, l.error, l.price, l.start_is_over,
                              l.none_is_within);
  }
  const Belief& b = s.belief;
  const Proof& p = s.proof;
  return status_type(s.recent_average, s.recent_told, s.average, s.exploring, s.reach, s.restarts,
                     s.oracle_calls, belief_type(b.noise, b.gain, b.gain_error, b.curvature, b.fit),
                     proof_type(p.share, p.gain, p.error, p.proven, p.worse),
                     py::object(std::move(limits)));
}

py::object estimate_array(const std::vector<Estimate>& estimates, bool one) {
  const py::array_t<Estimate> rows(static_cast<py::ssize_t>(estimates.size()), estimates.data());
  return one ? py::object(rows[py::int_(0)]) : py::object(rows);
}

py::object bound_record(const RegretBound& bound) {
  return bound_type(bound.value, bound.holds, py::object(py::str(bound.note)));
}

py::object receipt_text(Receipt receipt) {
  return py::reinterpret_borrow<py::object>(receipt_words[static_cast<std::size_t>(receipt)]);
}

bool is_play(py::handle object) { return Py_TYPE(object.ptr()) == play_type.type(); }
bool is_plays(py::handle object) { return Py_TYPE(object.ptr()) == plays_type.type(); }

PlayId play_id(py::handle play) {
  PyObject* const id = is_play(play) ? PyStructSequence_GET_ITEM(play.ptr(), 0) : play.ptr();
  if (PyIndex_Check(id) == 0) {
    throw py::type_error("a play is told by itself or by its number, not by " +
                         std::string(Py_TYPE(id)->tp_name));
  }
  const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(id));
  if (!whole) throw py::error_already_set();
  const std::uint64_t number = PyLong_AsUnsignedLongLong(whole.ptr());
  if (number == static_cast<std::uint64_t>(-1) && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw FeedbackError("there is no play " + std::string(py::str(whole)), ErrorCode::unknown_play);
  }
  return number;
}

std::vector<PlayId> play_ids(py::handle plays) {
  auto ids = py::reinterpret_borrow<py::object>(plays);
  if (is_plays(plays)) ids = plays.attr("ids");
  std::vector<PlayId> result;
  result.reserve(py::len(ids));
  if (py::isinstance<py::array_t<std::uint64_t>>(ids)) {
    const auto array = Ids::ensure(ids);
    if (array.ndim() != 1) throw InvalidArgument("the numbers of plays must be one row");
    for (py::ssize_t k = 0; k < array.size(); ++k) result.push_back(array.at(k));
    return result;
  }
  for (const py::handle id : ids) result.push_back(play_id(id));
  return result;
}

void bind_records(py::module_& module) {
  play_type =
      Record(module, "Play", "A point to play: unpacks as its number and the point.",
             {{"id", "its number"},
              {"point", "the point, in the set"},
              {"values", "what to run, by name; empty unless it is played on a space"},
              {"recommended", "whether a study gave it while exploring was off"},
              {"pair", "the first play of its pair, for learners that play in pairs; else 0"},
              {"context", "what was known when it was asked for, by name"}},
             2);
  py::handle(reinterpret_cast<PyObject*>(play_type.type())).attr("__repr__") =
      py::cpp_function(text_of_play, py::is_method(module));
  plays_type = Record(module, "Plays", "Points to play: unpacks as their numbers and the points.",
                      {{"ids", "their numbers"},
                       {"points", "a point a row"},
                       {"values", "what to run, a dict each; empty unless played on a space"},
                       {"pairs", "the first play of the pair of each, as Play.pair says"},
                       {"contexts", "what was known, a dict each; empty unless played on a space"}},
                      2);
  geometry_type =
      Record(module, "Geometry", "Balls about the centre of a set, within its affine hull.",
             {{"centre", "p, in the relative interior"},
              {"inner_radius", "r: p + r B is in the set"},
              {"outer_radius", "R: the set is in p + R B"},
              {"diameter", "D: no two points are farther apart"},
              {"outer_radius_exact", "false where R is only an upper bound"},
              {"diameter_exact", "false where D is only an upper bound"}},
             6);
  summary_type = Record(module, "Summary", "What has happened so far.",
                        {{"asked", "plays asked for"},
                         {"told", "plays told in time"},
                         {"pending", "plays that can still be told"},
                         {"oldest_pending", "plays asked for since the oldest pending one"},
                         {"missing", "plays that were not told before they expired"},
                         {"duplicates", "tells that repeated an earlier one"},
                         {"expired", "tells that came after their play had expired"},
                         {"late", "tells that came too late to be learned from"},
                         {"above_bound", "losses above the bound that was promised"},
                         {"oracle_calls", "how often a linear function was minimised"},
                         {"average", "the mean of the losses told"}},
                        11);
  belief_type = Record(module, "Belief", "What a learner with a model believes of the losses.",
                       {{"noise", "the standard deviation of the noise"},
                        {"gain", "how much better the point to deploy is than the start"},
                        {"gain_error", "the standard deviation of that gain"},
                        {"curvature", "how much curvature adds at explored points"},
                        {"fit", "the share of the recent variance that the model explains"}},
                       5);
  proof_type =
      Record(module, "Proof", "How much better what is played is than the start.",
             {{"share", "the share of the plays at the start; 0 without a coin"},
              {"gain", "how much better the others are; nan until it is known"},
              {"error", "half of its interval, which holds at all times at once with 95 %"},
              {"proven", "the play since which the interval lies above 0; else 0"},
              {"worse", "the play since which they are known to be worse; else 0"}},
             5);
  limit_type = Record(module, "LimitStatus", "How a limit on a metric is kept; nan if not known.",
                      {{"recent", "the mean of the metric, as it was told lately"},
                       {"over", "the share of those beyond the limit"},
                       {"recommended", "what the metric is believed to be at the point to deploy"},
                       {"error", "the standard deviation of that"},
                       {"price", "by how much the loss would fall if the limit were one wider"},
                       {"start_is_over", "whether the start is seen to be over it"},
                       {"none_is_within", "whether every point is"}},
                      7);
  status_type = Record(module, "Status", "What a learner is doing now.",
                       {{"recent_average", "the mean of the latest losses"},
                        {"recent_told", "how many losses that is the mean of"},
                        {"average", "the mean of all losses told"},
                        {"exploring", "the share of the plays that explore"},
                        {"reach", "how far these go"},
                        {"restarts", "how often the algorithm has started again"},
                        {"oracle_calls", "how often a linear function was minimised"},
                        {"belief", "what it believes of the losses"},
                        {"proof", "what was proven of them"},
                        {"limits", "how each limit is kept, by name"}},
                       10);
  bound_type = Record(module, "RegretBound", "A theorem's bound on the expected regret.",
                      {{"value", "the bound; nan where there is none"},
                       {"holds", "whether the theorem holds for the constants in use"},
                       {"note", "which theorem it is, or why it does not hold"}},
                      3);
  constexpr std::array words = {"fresh", "repeated", "expired", "late"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    receipt_words[i] = PyUnicode_InternFromString(words[i]);
  }
}

}  // namespace keyhole::python
