// Errors as problem details (RFC 9457): {"type": "urn:keyhole:unknown_study", "title": "Not Found",
// "status": 404, "detail": "there is no study 'blocks'"}. The type of an error of the library is
// the word of its code. The types are stable.

#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "keyhole/error.h"
#include "service/request.h"

namespace keyhole::service {

/// What is answered in place of what was asked for. Whoever throws it has changed nothing.
class Problem : public std::runtime_error {
 public:
  /// The type without its "urn:keyhole:", and a message that says what to do.
  Problem(int status, std::string type, const std::string& detail)
      : std::runtime_error(detail), status_(status), type_(std::move(type)) {}
  /// Of a type that is the word of a code.
  Problem(int status, ErrorCode code, const std::string& detail)
      : Problem(status, std::string(error_word(code)), detail) {}

  [[nodiscard]] int status() const noexcept { return status_; }
  [[nodiscard]] const std::string& type() const noexcept { return type_; }

 private:
  int status_;
  std::string type_;
};

/// The answer of a problem.
[[nodiscard]] Response problem_response(const Problem& problem);

/// The answer of any exception, a Problem or one of the library.
[[nodiscard]] Response error_response(const std::exception& error);

/// "Not Found" of 404.
[[nodiscard]] std::string status_text(int status);

}  // namespace keyhole::service
