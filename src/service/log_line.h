#pragma once

#include <string>

#include "service/request.h"
#include "service/tokens.h"

namespace keyhole::service {

/// A request, as the log has it.
struct LogEntry {
  Time at = {};
  std::string client = {};
  std::string method = {};
  /// From the whole request to the whole answer.
  double seconds = 0;
  /// Of the answer.
  std::uint64_t bytes = 0;
};

/// {"at": "2027-01-31T00:00:00Z", "client": "127.0.0.1", "tenant": "acme", "method": "POST",
/// "route": "/v1/studies/{name}/steps", "status": 200, "ms": 0.31, "bytes": 620}. No secrets: no
/// tokens, names of studies, points or losses.
[[nodiscard]] std::string log_line(const LogEntry& entry, const Response& response);

/// {"at": "2027-01-31T00:00:00Z", "tenant": "acme", "sync_ms": 1300.5, "answers": 12}: a sync that
/// took that long, of a log of that tenant, and how many answers waited for it.
[[nodiscard]] std::string sync_line(Time at, const std::string& tenant, double seconds,
                                    std::size_t answers);

/// Whether an answer is for the log of who changed what.
[[nodiscard]] bool is_audited(const Response& response);

/// {"at": "2027-01-31T00:00:00Z", "client": "127.0.0.1", "tenant": "acme", "token": "ci",
/// "method": "DELETE", "route": "/v1/studies/{name}", "study": "blocks", "status": 204}.
[[nodiscard]] std::string audit_line(const LogEntry& entry, const Response& response);

}  // namespace keyhole::service
