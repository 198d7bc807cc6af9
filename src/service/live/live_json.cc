#include "service/live/live_json.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "studies/json/alarms.h"
#include "studies/json/axes.h"
#include "studies/json/study_json.h"

namespace keyhole::service {
namespace {

Json span_json(const Span& span) {
  return {{"asks", span.asks},  {"tells", span.tells}, {"mean", span.mean},
          {"p10", span.p10},    {"p90", span.p90},     {"exploring", span.exploring},
          {"reach", span.reach}};
}

Json losses_json(const Losses& losses) {
  return {{"count", losses.count},
          {"mean", losses.mean},
          {"p10", losses.p10},
          {"p90", losses.p90},
          {"error", losses.error}};
}

Json time_or_null(Millis time) { return time == 0 ? Json() : Json(time); }

/// The theorem's bound on the average regret, where it holds; null where there is none.
Json bound_json(const Look& look) {
  const auto rounds = static_cast<double>(look.summary.asked);
  if (!look.bound.holds || !std::isfinite(look.bound.value) || !(rounds > 0)) return {};
  return {{"a_play", look.bound.value / rounds}, {"note", look.bound.note}};
}

Json marks_json(const Samples& samples) {
  Json marks = Json::array();
  for (const Mark& mark : samples.marks()) {
    marks.push_back({{"at", mark.at}, {"kind", mark.kind()}, {"text", mark.text}});
  }
  return marks;
}

Json workers_json(const Samples& samples) {
  Json workers = Json::array();
  for (const Worker& worker : samples.workers()) {
    workers.push_back({{"name", worker.name},
                       {"asked", worker.asked},
                       {"told", worker.told},
                       {"seen", worker.seen}});
  }
  return workers;
}

/// How limits are kept, and what was told lately.
Json limits_json(const Samples& samples) {
  const Look& look = samples.looked();
  Json limits = studies::limits_json(look.limits, look.status, samples.options().maximize);
  for (std::size_t j = 0; j < limits.size(); ++j) {
    Json& told =
        limits[look.limits[j].name]["told"] = {{"at", Json::array()}, {"value", Json::array()}};
    for (const Measured& each : samples.metrics(j)) {
      told["at"].push_back(each.at);
      told["value"].push_back(each.value);
    }
  }
  return limits;
}

/// Those of its latest plays, and silence: nothing was told for five times as long as losses
/// usually take.
std::vector<std::string> alarms(const Samples& samples, Millis now) {
  const Look& look = samples.looked();
  std::vector<std::string> alarms = studies::alarms_of(samples.recent(), look.status,
                                                       samples.options(), look.bounds, look.limits);
  constexpr double patience = 5;
  constexpr double least = 10'000;  // milliseconds
  const auto silence = static_cast<double>(now - samples.last_tell());
  const double usual = samples.delays().p99;
  if (const std::uint64_t count = samples.recent_contradictions(); count > 0) {
    alarms.push_back(studies::counted(count, "tell") + " contradicted what was told before");
  }
  if (look.summary.pending > 0 && samples.last_tell() > 0 &&
      silence > std::max(least, patience * (std::isnan(usual) ? 0 : usual))) {
    alarms.push_back("nothing was told for " +
                     studies::counted(static_cast<std::uint64_t>(silence / 1000), "second"));
  }
  return alarms;
}

/// Some stretches as one.
Span joined(std::vector<Stretch>::const_iterator begin, std::vector<Stretch>::const_iterator end) {
  Span all;
  Span weighted{.mean = 0, .p10 = 0, .p90 = 0};
  for (auto each = begin; each != end; ++each) {
    const Span& span = each->span;
    all.asks += span.asks;
    all.tells += span.tells;
    if (std::isfinite(span.exploring)) all.exploring = span.exploring;
    if (std::isfinite(span.reach)) all.reach = span.reach;
    if (!(span.tells > 0)) continue;
    weighted.mean += span.tells * span.mean;
    weighted.p10 += span.tells * span.p10;
    weighted.p90 += span.tells * span.p90;
  }
  if (all.tells > 0) {
    all.mean = weighted.mean / all.tells;
    all.p10 = weighted.p10 / all.tells;
    all.p90 = weighted.p90 / all.tells;
  }
  return all;
}

}  // namespace

Json about_json(const Study& study) {
  const StudyDescription& description = study.description();
  const auto* const set = std::get_if<std::string>(&description.on);
  const auto* const space = std::get_if<Space>(&description.on);
  std::vector<std::size_t> shown(std::min(study.set().dimension(), Samples::coordinates));
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  Json axes = Json::array();
  for (const studies::Axis& axis : studies::axes_of(study, shown)) {
    axes.push_back({{"name", axis.name},
                    {"unit", axis.unit},
                    {"from", axis.from},
                    {"to", axis.to},
                    {"log", axis.log},
                    {"whole", axis.whole},
                    {"alone", axis.alone}});
    if (!axis.levels.empty()) axes.back()["levels"] = axis.levels;
  }
  const Json on = space == nullptr ? Json::object() : studies::space_json(*space);
  return {{"learner", description.learner},
          {"on", set != nullptr ? *set : "space"},
          {"maximize", description.options.maximize},
          {"dimension", study.set().dimension()},
          {"axes", axes},
          {"contexts", on.value("contexts", Json::array())},
          {"limits", on.value("limits", Json::array())}};
}

Json live_json(const Samples& samples, Millis now) {
  const Look& look = samples.looked();
  const Summary& summary = look.summary;
  const Status& status = look.status;
  const std::size_t shown = std::min(look.point.size(), Samples::coordinates);
  const auto end = look.point.begin() + static_cast<std::ptrdiff_t>(shown);
  const Delays delays = samples.delays();
  Json before;
  if (shown > 0) {
    before = {{"at", samples.point_before_at()}, {"point", samples.point_before()}};
  }
  return {{"now", now},
          {"since", samples.since()},
          {"told_before", samples.told_before()},
          {"rate", samples.rate()},
          {"last_ask", time_or_null(samples.last_ask())},
          {"last_tell", time_or_null(samples.last_tell())},
          {"asked", summary.asked},
          {"told", summary.told},
          {"average", summary.average},
          {"first", losses_json(samples.first_losses())},
          {"recent", losses_json(samples.latest_losses())},
          {"nearest", losses_json(samples.nearest_losses())},
          {"saved", samples.saved()},
          {"bound", bound_json(look)},
          {"paused", !look.explores},
          {"past", look.past},
          {"changed", look.changed ? studies::change_text(*look.changed) : ""},
          {"log_bytes", look.position.bytes},
          {"durable_bytes", look.position.durable},
          {"exploring", status.exploring},
          {"reach", status.reach},
          {"distance", samples.distance()},
          {"belief",
           {{"gain", status.belief.gain},
            {"gain_error", status.belief.gain_error},
            {"noise", status.belief.noise},
            {"fit", status.belief.fit}}},
          {"proof", studies::proof_text(status.proof)},
          {"proven", status.proof.proven > 0},
          {"worse", status.proof.worse > 0 || status.proof.gain < -status.proof.error},
          {"limits", limits_json(samples)},
          {"point", std::vector<double>(look.point.begin(), end)},
          {"before", before},
          {"pending", summary.pending},
          {"oldest_pending", summary.oldest_pending},
          {"oldest_pending_at", time_or_null(samples.oldest_pending())},
          {"delay", {{"p50", delays.p50}, {"p99", delays.p99}}},
          {"missing", summary.missing},
          {"repeated", summary.duplicates},
          {"expired", summary.expired},
          {"late", summary.late},
          {"contradicting", samples.contradictions()},
          {"workers", workers_json(samples)},
          {"restarts", status.restarts},
          {"alarms", alarms(samples, now)},
          {"marks", marks_json(samples)}};
}

Json glance_json(const Samples& samples, Millis now) {
  return {{"rate", samples.rate()},
          {"last_tell", time_or_null(samples.last_tell())},
          {"first", samples.first_losses().mean},
          {"recent", samples.latest_losses().mean},
          {"maximize", samples.options().maximize},
          {"paused", !samples.looked().explores},
          {"alarms", alarms(samples, now)}};
}

Json curve_json(const Samples& samples, std::size_t points) {
  const std::vector<Stretch> curve = samples.curve();
  const std::size_t group = (curve.size() + points - 1) / std::max<std::size_t>(points, 1);
  Json json = {{"since", samples.since()},
               {"told_before", samples.told_before()},
               {"from", Json::array()},
               {"to", Json::array()}};
  const Json columns = span_json({});
  for (const auto& [key, ignored] : columns.items()) json[key] = Json::array();
  for (std::size_t begin = 0; begin < curve.size(); begin += group) {
    const std::size_t end = std::min(begin + group, curve.size());
    json["from"].push_back(curve[begin].from);
    json["to"].push_back(curve[end - 1].to);
    const auto at = [&](std::size_t k) { return curve.begin() + static_cast<std::ptrdiff_t>(k); };
    const Json span = span_json(joined(at(begin), at(end)));
    for (const auto& [key, value] : span.items()) json[key].push_back(value);
  }
  json["marks"] = marks_json(samples);
  return json;
}

std::string sample_events(const Samples& samples, std::int64_t& next, Millis now) {
  std::string text;
  const std::int64_t end = samples.end_second();
  for (next = std::max(next, samples.first_second()); next < end; ++next) {
    Json data = {{"second", next}, {"span", span_json(samples.second(next))}};
    if (next + 1 == end) data["status"] = live_json(samples, now);
    text += event_text("sample", std::to_string(next), data);
  }
  return text;
}

std::string event_text(const std::string& event, const std::string& id, const Json& data) {
  // Names of workers may hold bytes that are not UTF-8.
  return "event: " + event + (id.empty() ? "" : "\nid: " + id) +
         "\ndata: " + data.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n\n";
}

}  // namespace keyhole::service
