#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "client/http_client.h"
#include "studies/json/space_json.h"

namespace keyhole::client {

/// How long something is tried again, with longer and longer pauses.
class Patience {
 public:
  explicit Patience(double seconds);

  /// Waits until the next time; false if the time is over.
  [[nodiscard]] bool waits();

 private:
  std::chrono::steady_clock::time_point end_;
  std::chrono::milliseconds pause_{10};
};

/// What read(json) gives of an answer. Throws ServiceError if it is another answer.
template <class Read>
auto read_answer(const std::string& text, Read read) {
  try {
    return read(studies::Json::parse(text));
  } catch (const studies::Json::exception& error) {
    throw ServiceError(std::string("the service answers what no service of studies does: ") +
                       error.what());
  }
}

/// Calls to a service. What gets no answer, or hears that there is no time now, is called again
/// until the patience is over. Throws ServiceError, or what a study would.
class Calls {
 public:
  Calls(const std::string& address, const ClientOptions& options);

  /// The answer. A call that may have been done is made `again` only if that is safe: else what
  /// comes back may be the answer of a service that cannot now (503), or nothing.
  [[nodiscard]] std::optional<Reply> made(const std::string& method, const std::string& path,
                                          const std::string& body, Patience& patience, bool again);
  /// Throws what is said when the patience is over.
  [[noreturn]] void give_up(const std::optional<Reply>& reply) const;
  [[nodiscard]] Patience patience() const { return Patience(patience_); }

  /// The body of an answer to a call that may be made again.
  [[nodiscard]] std::string text(const std::string& method, const std::string& path,
                                 const std::string& body = "");
  /// What read(json) gives of what is got at a path.
  template <class Read>
  auto got(const std::string& path, Read read) {
    return read_answer(text("GET", path), read);
  }

 private:
  HttpClient http_;
  std::string address_;
  double patience_;
};

}  // namespace keyhole::client
