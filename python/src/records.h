#pragma once

#include "bindings.h"

namespace keyhole::python {

/// A play as Python sees it: unpacks as id, point; `values` and `context` are by name.
[[nodiscard]] py::object play_record(PlayId id, py::object point, py::object values, PlayId pair,
                                     py::object context, bool recommended = false);
/// Plays, likewise: ids, points, a list of the values, the pairs, and a list of the contexts.
[[nodiscard]] py::object plays_record(py::object ids, py::object points, py::object values,
                                      py::object pairs, py::object contexts);
[[nodiscard]] py::object geometry_record(const Geometry& geometry);
[[nodiscard]] py::object summary_record(const Summary& summary);
/// With the limits by the names of a space; without one by their places.
[[nodiscard]] py::object status_record(const Status& status, const Space* space);
/// A structured array: one row each, or a single one.
[[nodiscard]] py::object estimate_array(const std::vector<Estimate>& estimates, bool one);
[[nodiscard]] py::object bound_record(const RegretBound& bound);
/// "fresh", "repeated", "expired" or "late".
[[nodiscard]] py::object receipt_text(Receipt receipt);

/// Whether it is a play; its number is then play_id().
[[nodiscard]] bool is_play(py::handle object);
[[nodiscard]] bool is_plays(py::handle object);
/// The number of a play, or a number as it is. Throws TypeError for anything else, and
/// FeedbackError for a number that no play has.
[[nodiscard]] PlayId play_id(py::handle play);
/// The numbers of plays: of a Plays, or an array of numbers.
[[nodiscard]] std::vector<PlayId> play_ids(py::handle plays);

}  // namespace keyhole::python
