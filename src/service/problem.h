// Errors as problem details (RFC 9457): {"type": "urn:keyhole:unknown-study", "title": "Not Found",
// "status": 404, "detail": "there is no study 'blocks'"}. The types are stable.

#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

#include "service/request.h"

namespace keyhole::service {

/// What is answered in place of what was asked for. Whoever throws it has changed nothing.
class Problem : public std::runtime_error {
 public:
  /// The type without its "urn:keyhole:", and a message that says what to do.
  Problem(int status, std::string type, const std::string& detail)
      : std::runtime_error(detail), status_(status), type_(std::move(type)) {}

  [[nodiscard]] int status() const noexcept { return status_; }
  [[nodiscard]] const std::string& type() const noexcept { return type_; }

 private:
  int status_;
  std::string type_;
};

/// The answer of a problem. `index` is the place of the tell that it is about.
[[nodiscard]] Response problem_response(const Problem& problem,
                                        std::optional<std::size_t> index = {});

/// The answer of any exception, a Problem or one of the library.
[[nodiscard]] Response error_response(const std::exception& error);

/// "Not Found" of 404.
[[nodiscard]] std::string status_text(int status);

}  // namespace keyhole::service
