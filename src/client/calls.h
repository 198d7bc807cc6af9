#pragma once

#include <optional>
#include <string>

#include "client/http_client.h"
#include "studies/json/space_json.h"

namespace keyhole::client {

/// Calls to a service. What gets no answer, or hears that there is no time now, is called again
/// until the patience is over. Throws ServiceError, or what a study would.
class Calls {
 public:
  Calls(const std::string& address, const ClientOptions& options);

  /// The answer; nothing if there was none and the call is not to be made again.
  [[nodiscard]] std::optional<Reply> made(const std::string& method, const std::string& path,
                                          const std::string& body, bool again);
  /// The body of an answer to a call that may be made again.
  [[nodiscard]] std::string text(const std::string& method, const std::string& path,
                                 const std::string& body = "");
  [[nodiscard]] studies::Json json(const std::string& method, const std::string& path,
                                   const std::string& body = "");

 private:
  HttpClient http_;
  std::string address_;
  double patience_;
};

}  // namespace keyhole::client
