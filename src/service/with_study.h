#pragma once

#include <type_traits>

#include "service/problem.h"
#include "service/service.h"

namespace keyhole::service {

/// What f(study) gives for the study of a call, or the study if that is nothing. A study that fails
/// is closed, so that the next call opens it again.
template <class Function>
auto with_open_study(const Call& call, Function f) {
  OpenStudies& studies = call.service.studies();
  const auto study = studies.open(call.tenant, call.name);
  try {
    if constexpr (std::is_void_v<decltype(f(*study))>) {
      f(*study);
      return study;
    } else {
      return f(*study);
    }
  } catch (const StudyError& error) {
    const ErrorCode code = error.code();
    // Then what is known of the study stays as it was.
    if (code != ErrorCode::database && code != ErrorCode::busy) {
      studies.close(call.tenant, call.name);
    }
    throw;
  }
}

/// The same of the study that has the name now, if another replica has deleted the one that was
/// open.
template <class Function>
auto with_study(const Call& call, Function f) {
  try {
    return with_open_study(call, f);
  } catch (const ReplacedStudy&) {
  }
  return with_open_study(call, f);
}

}  // namespace keyhole::service
