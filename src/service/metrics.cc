#include "service/metrics.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "keyhole/version.h"
#include "service/live/sample.h"
#include "service/memory.h"
#include "service/routes.h"
#include "studies/json/study_json.h"
#include "studies/study/counts.h"

namespace keyhole::service {
namespace {

/// "# HELP" and "# TYPE" of a metric.
std::string heading(const std::string& name, const std::string& type, const std::string& meaning) {
  return "# HELP " + name + " " + meaning + "\n# TYPE " + name + " " + type + "\n";
}

std::string line(const std::string& name, const std::string& labels, const std::string& value) {
  return name + (labels.empty() ? "" : "{" + labels + "}") + " " + value + "\n";
}

std::string label(const std::string& name, const std::string& value) {
  return name + "=\"" + value + "\"";
}

/// "GET /healthz"; "other" of the last.
std::string route_text(std::size_t route) {
  const Route& known = routes()[route];
  return known.path.empty() ? "other" : std::string(known.method) + " " + std::string(known.path);
}

/// How limits are kept; what is not known is left out.
std::string limit_lines(const std::vector<SeenLimit>& limits) {
  std::string text;
  const auto add = [&](const std::string& name, const char* meaning, const auto& value_of) {
    std::string lines;
    for (const SeenLimit& seen : limits) {
      const double value = value_of(seen);
      if (!std::isfinite(value)) continue;
      lines += line(name, label("study", seen.study) + "," + label("limit", seen.limit.name),
                    base::number_text(value));
    }
    if (!lines.empty()) text += heading(name, "gauge", meaning) + lines;
  };
  add("keyhole_limit_bound", "The limit of a metric.", [](const SeenLimit& seen) {
    return seen.limit.limit.most ? *seen.limit.limit.most : *seen.limit.limit.least;
  });
  add("keyhole_limit_recent_mean", "The metric, as it was told lately.",
      [](const SeenLimit& seen) { return seen.status.recent; });
  add("keyhole_limit_over_share", "The share of those over a limit that is kept in each round.",
      [](const SeenLimit& seen) { return seen.limit.limit.over_all ? unknown : seen.status.over; });
  add("keyhole_limit_recommended", "What the metric is believed to be at the point to deploy.",
      [](const SeenLimit& seen) { return seen.status.recommended; });
  add("keyhole_limit_price", "By how much the loss would fall if the limit were one wider.",
      [](const SeenLimit& seen) { return seen.status.price; });
  return text;
}

}  // namespace

Metrics::Metrics() : routes_(routes().size()) {}

void Metrics::answered(std::size_t route, int status, Clock::time_point received) {
  OfRoute& of_route = routes_[route];
  ++of_route.by_class[std::min<std::size_t>(static_cast<std::size_t>(status) / 100, classes - 1)];
  of_route.times.add(received);
}

void Metrics::answered(const std::string& tenant, bool is_step, int status) {
  constexpr std::size_t most = 10000;  // tenants
  const std::lock_guard lock(mutex_);
  if (tenants_.size() == most && !tenants_.contains(tenant)) return;
  OfTenant& counts = tenants_[tenant];
  if (status >= 400) {
    ++counts.refused;
  } else if (is_step) {
    ++counts.steps;
  }
}

void Metrics::Times::add(Clock::time_point begin) {
  const std::chrono::duration<double> time = Clock::now() - begin;
  const auto* const bound = std::lower_bound(bounds.begin(), bounds.end(), time.count());
  ++by_time[static_cast<std::size_t>(bound - bounds.begin())];
  seconds += time.count();
}

std::string Metrics::Times::lines(const std::string& name, const std::string& labels) const {
  std::uint64_t count = 0;
  std::string text;
  for (std::size_t k = 0; k <= bounds.size(); ++k) {
    count += by_time[k];
    const std::string bound = k < bounds.size() ? base::number_text(bounds[k]) : "+Inf";
    const std::string more = labels.empty() ? "" : labels + ",";
    text += line(name + "_bucket", more + label("le", bound), std::to_string(count));
  }
  if (count == 0) return "";
  return text + line(name + "_sum", labels, base::number_text(seconds)) +
         line(name + "_count", labels, std::to_string(count));
}

void Metrics::told(const std::vector<Receipt>& receipts) {
  for (const Receipt receipt : receipts) ++receipts_[static_cast<std::size_t>(receipt)];
}

std::string Metrics::text(std::size_t open, std::uint64_t memory,
                          std::optional<std::uint64_t> free_disk, const std::string& tenant,
                          const std::vector<SeenLimit>& limits) const {
  std::string text = heading("keyhole_build_info", "gauge", "The version, always 1.");
  text += line(
      "keyhole_build_info",
      label("version", version) + "," + label("trace_revision", std::to_string(trace_revision)),
      "1");
  text += heading("keyhole_asks_total", "counter", "Plays handed out.");
  text += line("keyhole_asks_total", "", std::to_string(asks_));
  text += heading("keyhole_tells_total", "counter", "Losses told, by how they were taken.");
  for (std::size_t k = 0; k < receipts_.size(); ++k) {
    text += line("keyhole_tells_total",
                 label("receipt", studies::receipt_text(static_cast<Receipt>(k))),
                 std::to_string(receipts_[k]));
  }
  text += heading("keyhole_contradictions_total", "counter",
                  "Tells refused that contradict an earlier one.");
  text += line("keyhole_contradictions_total", "", std::to_string(contradictions_));
  text += heading("keyhole_open_studies", "gauge", "Studies in memory.");
  text += line("keyhole_open_studies", "", std::to_string(open));
  text +=
      heading("keyhole_closed_studies_total", "counter", "Studies closed to make room for others.");
  text += line("keyhole_closed_studies_total", "", std::to_string(closed_studies_));
  text += heading("keyhole_connections", "gauge", "Connections of clients.");
  text += line("keyhole_connections", "", std::to_string(connections_));
  text += heading("keyhole_requests_total", "counter", "Answers, by route and hundreds of status.");
  for (std::size_t route = 0; route < routes_.size(); ++route) {
    for (std::size_t k = 0; k < classes; ++k) {
      const std::uint64_t count = routes_[route].by_class[k];
      if (count == 0) continue;
      text +=
          line("keyhole_requests_total",
               label("route", route_text(route)) + "," + label("code", std::to_string(k) + "xx"),
               std::to_string(count));
    }
  }
  text += heading("keyhole_request_seconds", "histogram",
                  "From the end of a request to its answer, syncs included.");
  for (std::size_t route = 0; route < routes_.size(); ++route) {
    text +=
        routes_[route].times.lines("keyhole_request_seconds", label("route", route_text(route)));
  }
  text +=
      heading("keyhole_sync_seconds", "histogram",
              "Syncs of logs, each for all steps that waited, with the snapshot if one was due.");
  text += syncs_.lines("keyhole_sync_seconds", "");
  const studies::Counts& counts = studies::counts();
  const auto add = [&](const std::string& name, const char* type, const char* meaning,
                       std::uint64_t value) {
    text += heading(name, type, meaning) + line(name, "", std::to_string(value));
  };
  add("keyhole_failed_syncs_total", "counter", "Syncs that failed: nothing of them was answered.",
      failed_syncs_);
  add("keyhole_conflicts_total", "counter", "Steps made again since another process was first.",
      counts.conflicts);
  add("keyhole_snapshots_total", "counter", "Snapshots written.", counts.snapshots);
  add("keyhole_failed_snapshots_total", "counter", "Snapshots that could not be written.",
      counts.failed_snapshots);
  add("process_resident_memory_bytes", "gauge", "Memory of the process.", Memory::resident());
  add("keyhole_memory_limit_bytes", "gauge", "The memory that the service may use.", memory);
  if (free_disk) {
    add("keyhole_free_disk_bytes", "gauge", "What the disk of the studies has left.", *free_disk);
  }
  const std::lock_guard lock(mutex_);
  if (const auto found = tenants_.find(tenant); found != tenants_.end()) {
    const auto of_tenant = [&](const std::string& name, const char* meaning, std::uint64_t value) {
      text += heading(name, "counter", meaning);
      text += line(name, label("tenant", tenant), std::to_string(value));
    };
    of_tenant("keyhole_tenant_steps_total", "Asks, tells and steps of a tenant that were taken.",
              found->second.steps);
    of_tenant("keyhole_tenant_refused_total", "Calls of a tenant that were refused, or failed.",
              found->second.refused);
  }
  return text + limit_lines(limits);
}

}  // namespace keyhole::service
