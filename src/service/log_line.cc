#include "service/log_line.h"

#include "base/number_text.h"
#include "service/routes.h"
#include "studies/json/study_json.h"

namespace keyhole::service {

bool is_audited(const Response& response) {
  // Who sends no token, or a wrong one, could fill the log.
  return routes()[response.route].scope == Scope::admin && response.known;
}

std::string audit_line(const LogEntry& entry, const Response& response) {
  studies::Json json = {{"at", time_text(entry.at)}, {"client", entry.client}};
  if (!response.tenant.empty()) json["tenant"] = response.tenant;
  if (!response.token.empty()) json["token"] = response.token;
  json["method"] = entry.method;
  json["route"] = routes()[response.route].path;
  if (!response.study.empty()) json["study"] = response.study;
  json["status"] = response.status;
  return studies::json_text(json);
}

std::string sync_line(Time at, const std::string& tenant, double seconds, std::size_t answers) {
  studies::Json json = {{"at", time_text(at)}};
  if (!tenant.empty()) json["tenant"] = tenant;
  json["sync_ms"] = base::rounded(seconds * 1000, 3);
  json["answers"] = answers;
  return studies::json_text(json);
}

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
