#include "service/log_line.h"

#include "base/number_text.h"
#include "service/routes.h"
#include "studies/json/study_json.h"

namespace keyhole::service {

std::string log_line(const LogEntry& entry, const Response& response) {
  studies::Json json = {{"at", time_text(entry.at)}, {"client", entry.client}};
  if (!response.tenant.empty()) json["tenant"] = response.tenant;
  // A client may send any method; the log has those of the table.
  const Route& route = routes()[response.route];
  json["method"] = route.method.empty() ? "" : entry.method;
  json["route"] = route.path;
  json["status"] = response.status;
  json["ms"] = base::rounded(entry.seconds * 1000, 3);
  json["bytes"] = entry.bytes;
  if (response.status >= 500 && !response.failure.empty()) json["failure"] = response.failure;
  return studies::json_text(json);
}

}  // namespace keyhole::service
