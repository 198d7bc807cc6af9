#include "service/metrics.h"

#include <algorithm>

#include "base/number_text.h"
#include "keyhole/version.h"
#include "service/routes.h"
#include "studies/json/study_json.h"

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

}  // namespace

Metrics::Metrics() : routes_(routes().size()) {}

void Metrics::answered(std::size_t route, int status, double seconds) {
  OfRoute& of_route = routes_[route];
  ++of_route.by_class[std::min<std::size_t>(static_cast<std::size_t>(status) / 100, classes - 1)];
  const auto* const bound = std::lower_bound(bounds.begin(), bounds.end(), seconds);
  ++of_route.by_time[static_cast<std::size_t>(bound - bounds.begin())];
  of_route.seconds += seconds;
}

void Metrics::told(const std::vector<Receipt>& receipts) {
  for (const Receipt receipt : receipts) ++receipts_[static_cast<std::size_t>(receipt)];
}

std::string Metrics::text(std::size_t open) const {
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
  text += heading("keyhole_request_seconds", "histogram", "The time that answers took to make.");
  for (std::size_t route = 0; route < routes_.size(); ++route) {
    const OfRoute& of_route = routes_[route];
    const std::string of = label("route", route_text(route));
    std::uint64_t count = 0;
    std::string lines;
    for (std::size_t k = 0; k <= bounds.size(); ++k) {
      count += of_route.by_time[k];
      const std::string bound = k < bounds.size() ? base::number_text(bounds[k]) : "+Inf";
      lines += line("keyhole_request_seconds_bucket", of + "," + label("le", bound),
                    std::to_string(count));
    }
    if (count == 0) continue;
    text += lines + line("keyhole_request_seconds_sum", of, base::number_text(of_route.seconds)) +
            line("keyhole_request_seconds_count", of, std::to_string(count));
  }
  return text;
}

}  // namespace keyhole::service
