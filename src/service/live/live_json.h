// What the page is told of a study, as JSON. Times are milliseconds since 1970; a number that is
// not known is null.

#pragma once

#include <cstdint>
#include <string>

#include "service/live/samples.h"
#include "studies/json/space_json.h"

namespace keyhole::service {

using studies::Json;

/// What does not change: {"learner", "on", "maximize", "dimension", "axes": [{"name", "unit",
/// "from", "to", "log", "whole", "alone"}]}, with the first coordinates of Samples::coordinates.
[[nodiscard]] Json about_json(const Study& study);

/// How it is now: counts, losses, exploring, point, feedback, alarms, marks.
[[nodiscard]] Json live_json(const Samples& samples, Millis now);

/// In a line of a list: {"rate", "last_tell", "recent", "first", "alarms"}.
[[nodiscard]] Json glance_json(const Samples& samples, Millis now);

/// The history in at most so many points, as columns: {"since", "told_before", "from": [...], "to",
/// "asks", "tells", "mean", "p10", "p90", "exploring", "reach", "marks"}. Neighbours are joined;
/// the quantiles of what is joined are the means of theirs.
[[nodiscard]] Json curve_json(const Samples& samples, std::size_t points);

/// Server-sent events of the seconds from `next` on that have ended, each with its number as id;
/// the newest says how the study is now. `next` becomes the one after them.
[[nodiscard]] std::string sample_events(const Samples& samples, std::int64_t& next, Millis now);

/// One server-sent event; without an id if that is empty.
[[nodiscard]] std::string event_text(const std::string& event, const std::string& id,
                                     const Json& data);

}  // namespace keyhole::service
